//! A step of all games: the moves are checked, then each batch makes them and is evaluated.

use super::super::outcomes::each_only;
use super::super::vector::Kernel;
use super::super::word::{Word, and, any, lanes, none, opaque, or, read, without};
use super::{AfterEnd, BATCH, COLUMNS, StepError, SteppedGames, Store, first_lanes};
use ggp_game::Role;

impl SteppedGames {
    /// Makes one move of each role in each game that is not over. `moves` holds the numbers of the moves, role by role
    /// for game after game; those of games that are over are not read.
    ///
    /// # Errors
    /// The first move that is not legal. Then no game has changed.
    pub fn step(&mut self, moves: &[u32], after_end: AfterEnd) -> Result<(), StepError> {
        let roles = self.roles();
        if moves.len() != self.games * roles {
            return Err(StepError::Length { games: self.games, roles, found: moves.len() });
        }
        self.check(moves)?;
        self.steps += 1;
        for (batch, moves) in (0..self.over.len()).zip(moves.chunks(BATCH * roles.max(1))) {
            self.step_batch(batch, moves, after_end);
        }
        Ok(())
    }

    /// Checks that all moves are legal.
    fn check(&self, moves: &[u32]) -> Result<(), StepError> {
        for (role, legal) in self.legal.iter().enumerate() {
            let chosen = moves.iter().skip(role).step_by(self.legal.len());
            for (game, &chosen) in chosen.enumerate() {
                if !legal.contains(game, chosen as usize) && !self.is_over(game) {
                    let role = Role::new(role);
                    let has_none = self.legal(game, role).iter().all(|&word| word == 0);
                    return Err(match has_none {
                        true => StepError::NoMove { game, role },
                        false => StepError::NotLegal { game, role, chosen },
                    });
                }
            }
        }
        Ok(())
    }

    fn step_batch(&mut self, batch: usize, moves: &[u32], after_end: AfterEnd) {
        let Self { rules, unit, memory, states, over, .. } = self;
        let inquiry = &rules.inquiry;
        let roles = rules.moves.len();
        let over = over[batch];
        let states = &mut states[batch * rules.bits..][..rules.bits];
        let slots = memory.slots();
        slots[..rules.bits].copy_from_slice(states);
        // These words still have the moves of the batch before.
        inquiry.moves.iter().flatten().for_each(|&slot| slots[slot as usize] = none());
        for (role, own) in rules.moves.iter().enumerate() {
            let slot_of = &inquiry.moves[own.clone()];
            for (lane, &chosen) in moves.iter().skip(role).step_by(roles).enumerate() {
                // The moves of games that are over have not been checked. What they do is replaced below.
                if let Some(&Some(slot)) = slot_of.get(chosen as usize) {
                    slots[slot as usize][lane / 64] |= 1 << (lane % 64);
                }
            }
        }
        inquiry.next.run(*unit, memory);
        let slots = &mut memory.slots()[..rules.bits];
        if any(&over) {
            match after_end {
                AfterEnd::Stay => {
                    let kept = |bit: usize| and(&states[bit], &over);
                    unit.run(Replace { slots, over: &over, instead: kept });
                }
                AfterEnd::Restart => {
                    let ones = rules.initial.bits();
                    let initial = |bit: usize| if ones.contains(bit) { over } else { none() };
                    unit.run(Replace { slots, over: &over, instead: initial });
                }
            }
        }
        states.copy_from_slice(slots);
        if after_end == AfterEnd::Restart {
            self.ended[batch] = none();
        }
        self.evaluate_loaded(batch, if after_end == AfterEnd::Stay { over } else { none() });
    }

    /// Evaluates the states of a batch anew.
    pub(super) fn evaluate(&mut self, batch: usize) {
        let bits = self.rules.bits;
        self.memory.slots()[..bits].copy_from_slice(&self.states[batch * bits..][..bits]);
        self.evaluate_loaded(batch, none());
    }

    /// Evaluates the states of a batch, which have been loaded; those of the lanes in `known` are the same as before.
    fn evaluate_loaded(&mut self, batch: usize, known: Word<COLUMNS>) {
        let first = batch * BATCH;
        let count = BATCH.min(self.games - batch * BATCH);
        let Self { rules, unit, memory, legal, over, ended: ended_early, .. } = self;
        let inquiry = &rules.inquiry;
        inquiry.state.run(*unit, memory);
        let slots = memory.slots();
        let terminal = and(&read(slots, inquiry.terminal), &first_lanes(count));
        for (rows, own) in legal.iter_mut().zip(&rules.moves) {
            let sources = &inquiry.legal[own.clone()];
            unit.narrow().run(Store { rows, first, count, word: |index: usize| read(slots, sources[index]) });
        }
        let changed = without(&over[batch], &known);
        over[batch] = or(&terminal, &ended_early[batch]);
        self.forget_utilities(first, &changed);
        let ended = without(&terminal, &known);
        if any(&ended) {
            let Self { rules, unit, memory, .. } = self;
            rules.inquiry.goal.run(*unit, memory);
            self.note_utilities(first, &ended);
        }
    }

    /// Forgets the utilities of the games in these lanes of a batch, which begins with game `first`.
    fn forget_utilities(&mut self, first: usize, changed: &Word<COLUMNS>) {
        let roles = self.roles();
        for (column, &changed) in changed.iter().enumerate() {
            for lane in lanes(changed) {
                self.utilities[(first + column * 64 + lane as usize) * roles..][..roles].fill(None);
            }
        }
    }

    /// Stores the utilities of the games that have ended in these lanes of a batch, which begins with game `first`.
    fn note_utilities(&mut self, first: usize, ended: &Word<COLUMNS>) {
        let Self { rules, memory, utilities, .. } = self;
        let slots = memory.slots();
        let roles = rules.moves.len();
        for (role, goals) in rules.goals.iter().enumerate() {
            let valued = |goal: usize| and(&read(slots, rules.inquiry.goals[goal]), ended);
            each_only(goals, valued, |goal, lanes_of_goal| {
                for (column, &lanes_of_goal) in lanes_of_goal.iter().enumerate() {
                    for lane in lanes(lanes_of_goal) {
                        utilities[(first + column * 64 + lane as usize) * roles + role] = rules.values[goal];
                    }
                }
            });
        }
    }
}

/// Puts the lanes of `over` into other states; `instead` gives the lanes among them in which a bit is set.
struct Replace<'a, F: Fn(usize) -> Word<COLUMNS>> {
    slots: &'a mut [Word<COLUMNS>],
    over: &'a Word<COLUMNS>,
    instead: F,
}

impl<F: Fn(usize) -> Word<COLUMNS>> Kernel for Replace<'_, F> {
    #[inline(always)]
    fn run(self) {
        for index in 0..self.slots.len() {
            let bit = opaque(index);
            self.slots[bit] = or(&without(&self.slots[bit], self.over), &(self.instead)(bit));
        }
    }
}
