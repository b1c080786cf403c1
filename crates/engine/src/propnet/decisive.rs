//! Decisive moves: a program in which a role wins if it can, and else prevents that another one can.
//!
//! The program has the states, moves and ends of the game. But while a role that has a choice has a move that ends the
//! game with the greatest utility for it, only such moves are legal; if it has none, only those after which no other
//! role has one, unless there are none of these either (decisive and anti-decisive moves). Random play in lanes of this
//! program tells good states from bad ones much better than uniform play, at the cost of the additional gates.
//!
//! Values after a move are computed from the state before it: in the gates of terminal and of goals, each bit of the
//! state is replaced by its value after the move, as a function of the state (`Changes`). Most gates then equal gates
//! that the program has anyway, and constants are folded (`gates`). In a game of lines, a conjunction for each square
//! of a line is left. The same is done once more with the gates that tell if a role can win at once, to find the moves
//! after which another role can. The program is compared with that of the game before it is used ([`agreeing`]).
//!
//! Source: Teytaud and Teytaud, *On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search Algorithms*, 2010.

mod gates;

use super::evaluate::plan::{AdditionalWires, divide};
use crate::lanes::{BackEnds, Exclusive, Technique};
use crate::program::{
    ComparedOutput, Deviation, FluentStorage, FormDifference, Legality, Program, ROUNDS, ReferencePlay, SampledPly,
    SampledStates, Wire, WordSimulation,
};
use gates::GateBuilder;
use gdl::limits::{Limits, Poll, Stop};
use gdl::number::to_u32;
use ggp_game::Role;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, TryLockError};
use std::thread;
use std::time::Duration;

/// The program with decisive moves of a network and of its clones, which share it: in a match each player has a clone.
/// It is made when the first of them needs it.
#[derive(Debug, Default)]
pub(super) struct DecisiveProgram {
    /// Held by the clone that makes it.
    maker: Mutex<()>,
    /// `None` if there is none ([`decisive_program`]).
    made: OnceLock<Option<Arc<Program>>>,
}

impl DecisiveProgram {
    /// The time after which a clone that waits for another one looks again, and polls its limits.
    const POLL_INTERVAL: Duration = Duration::from_millis(1);

    /// The program; makes it, unless a clone has made it or is about to.
    ///
    /// # Errors
    /// If the limits end the work; a later call begins it anew.
    pub(super) fn get(
        &self,
        program: &Program,
        back_ends: &BackEnds,
        limits: &Limits,
    ) -> Result<Option<&Arc<Program>>, Stop> {
        loop {
            if let Some(made) = self.made.get() {
                return Ok(made.as_ref());
            }
            limits.check()?;
            let maker = match self.maker.try_lock() {
                Ok(maker) => maker,
                // A maker that has panicked has left nothing half made.
                Err(TryLockError::Poisoned(maker)) => maker.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(Self::POLL_INTERVAL);
                    continue;
                }
            };
            // Another clone may have made it before this one held the lock.
            if self.made.get().is_none() {
                let made = decisive_program(program, back_ends, limits)?;
                self.made.get_or_init(|| made.map(Arc::new));
            }
            drop(maker);
        }
    }
}

/// The most inputs that all gates may have. With larger circuits random play takes more time than decisive moves are
/// worth: in pentago (52,000 inputs) and connect5 (89,000) they gained nothing.
const MOST_INPUTS: usize = 30_000;

/// The program with decisive moves, if there is one ([`with_decisive_moves`]) that agrees with the program.
///
/// # Errors
/// If the limits end the work.
fn decisive_program(program: &Program, back_ends: &BackEnds, limits: &Limits) -> Result<Option<Program>, Stop> {
    if back_ends.why_without(Technique::DecisiveMoves).is_some() {
        return Ok(None);
    }
    match with_decisive_moves(program, &limits.poll())? {
        Some(made) => agreeing(program, made, back_ends, limits),
        None => Ok(None),
    }
}

/// The program with decisive and anti-decisive moves; `None` if no move can be decisive, if terminal or goals depend on
/// cycles, or if it would be much larger.
///
/// # Errors
/// If the limits end the work.
fn with_decisive_moves(program: &Program, poll: &Poll<'_>) -> Result<Option<Program>, Stop> {
    let guarded = &Exclusive::with_implied_guards(program, poll)?;
    let choices = choices(guarded);
    let mut builder = GateBuilder::new(guarded);
    let Some(wins) = wins(&mut builder, &choices, poll)? else { return Ok(None) };
    let Some(threats) = threats(&mut builder, &choices, &wins, poll)? else { return Ok(None) };
    // Only moves of a choice become illegal; a role with one move keeps it.
    let mut legal = guarded.legal.clone();
    for ((choice, wins), threats) in choices.iter().zip(&wins).zip(&threats) {
        let wanted = wanted(&mut builder, choice, wins, threats);
        for (&chosen, is_wanted) in choice.moves.iter().zip(wanted) {
            let Legality { guard, wire } = legal[chosen];
            legal[chosen] = Legality { guard, wire: builder.and(&[wire, is_wanted]) };
        }
    }
    let made = Program { legal, ..builder.into_program() };
    let (made, _) = divide(made, AdditionalWires::default(), poll)?;
    Ok((made.wires.len() <= MOST_INPUTS).then_some(made))
}

/// A program with decisive moves, if it is the same game as the one that it was made of; else decisive moves are left
/// out of `back_ends`.
///
/// # Errors
/// If the limits end the work.
pub fn agreeing(
    program: &Program,
    made: Program,
    back_ends: &BackEnds,
    limits: &Limits,
) -> Result<Option<Program>, Stop> {
    let difference = difference(program, &made, &limits.poll())?;
    if let Some(difference) = &difference {
        back_ends.leave_out(Technique::DecisiveMoves, difference);
    }
    Ok(difference.is_none().then_some(made))
}

/// A choice of a role: its moves with the same guard, of which there are several.
struct GuardedChoice {
    role: Role,
    guard: Wire,
    /// The signals that are known if the guard holds and no other role has a choice.
    assumed: SignalsAfter,
    /// Conditions that hold if no other role has a choice; none, if the guard implies that.
    is_alone: Vec<Wire>,
    /// Indices into [`Program::moves`].
    moves: Vec<usize>,
}

/// The choices of the roles that have utilities.
fn choices(program: &Program) -> Vec<GuardedChoice> {
    let chance = Role::chance(&program.roles);
    let mut by_guard: BTreeMap<(Role, Wire), Vec<usize>> = BTreeMap::new();
    for (chosen, (known, legal)) in program.moves.iter().zip(&program.legal).enumerate() {
        if known.is_possible && Some(known.role) != chance {
            // Moves without a guard that are legal in the same states are guarded by that condition.
            let guard = if legal.guard == program.always { legal.wire } else { legal.guard };
            by_guard.entry((known.role, guard)).or_default().push(chosen);
        }
    }
    by_guard.retain(|_, moves| moves.len() > 1);
    let guards: Vec<(Role, Wire)> = by_guard.keys().copied().collect();
    let choice = |((role, guard), moves)| {
        let mut assumed = SignalsAfter::default();
        assumed.assume(program, guard);
        let others = guards.iter().filter(|&&(other, _)| other != role).map(|(_, guard)| guard.negated());
        let is_alone = others.clone().map(|other| assumed.wire_for(other)).collect();
        // If roles choose at the same time, nothing is assumed that contradicts the guard.
        others.filter(|&other| other != guard.negated()).for_each(|other| assumed.assume(program, other));
        GuardedChoice { role, guard, assumed, is_alone, moves }
    };
    by_guard.into_iter().map(choice).collect()
}

/// The moves of a choice with which the role wins at once.
struct WinningMoves {
    /// For each move of the choice, a wire that is true if it wins.
    of_moves: Vec<Wire>,
    /// True if some legal move wins, provided that the guard of the choice holds.
    any: Wire,
}

/// For each choice the moves that win at once; `None` if there is none, or if there are too many gates.
fn wins(
    builder: &mut GateBuilder,
    choices: &[GuardedChoice],
    poll: &Poll<'_>,
) -> Result<Option<Vec<WinningMoves>>, Stop> {
    let won = won(builder.program());
    let terminal = builder.program().terminal;
    let ends = won.iter().flatten().copied().chain([terminal]).collect();
    let Some(changes) = Changes::new(builder.program(), ends, choices) else { return Ok(None) };
    let mut all = Vec::with_capacity(choices.len());
    for choice in choices {
        let alone = builder.and(&choice.is_alone);
        let mut of_moves = Vec::new();
        let mut legal = Vec::new();
        for &chosen in &choice.moves {
            let Some(after) = changes.after(builder, choice, chosen, poll)? else { return Ok(None) };
            let goals: Vec<Wire> = won[choice.role.index()].iter().map(|&wire| after.wire_for(wire)).collect();
            let goal = builder.or(&goals);
            let win = builder.and(&[alone, after.wire_for(terminal), goal]);
            legal.push(builder.and(&[builder.program().legal[chosen].wire, win]));
            of_moves.push(win);
        }
        let any = builder.or(&legal);
        all.push(WinningMoves { of_moves, any });
    }
    let never = builder.program().always.negated();
    Ok(Some(all).filter(|all| all.iter().any(|wins| wins.any != never)))
}

/// For each role the goals of the greatest utility.
fn won(program: &Program) -> Vec<Vec<Wire>> {
    let most = program.utility_range().most;
    let of_role = |role| {
        let goals = program.goals_of(Role::new(role));
        goals.filter(|&goal| program.utility(goal) == Some(most)).map(|goal| program.goal[goal]).collect()
    };
    (0..program.roles.len()).map(of_role).collect()
}

/// For each choice the moves after which another role can win at once; `None` if there are too many gates.
fn threats(
    builder: &mut GateBuilder,
    choices: &[GuardedChoice],
    wins: &[WinningMoves],
    poll: &Poll<'_>,
) -> Result<Option<Vec<Vec<Wire>>>, Stop> {
    let can_win: Vec<(Role, Wire)> = (choices.iter().zip(wins))
        .map(|(choice, wins)| (choice.role, builder.and(&[choice.guard, wins.any])))
        .collect();
    let mut all = Vec::with_capacity(choices.len());
    for choice in choices {
        let others = can_win.iter().filter(|(role, _)| *role != choice.role);
        let others: Vec<Wire> = others.map(|&(_, can_win)| can_win).collect();
        let Some(changes) = Changes::new(builder.program(), others.clone(), choices) else { return Ok(None) };
        let alone = builder.and(&choice.is_alone);
        let mut threats = Vec::with_capacity(choice.moves.len());
        for &chosen in &choice.moves {
            let Some(after) = changes.after(builder, choice, chosen, poll)? else { return Ok(None) };
            let others: Vec<Wire> = others.iter().map(|&can_win| after.wire_for(can_win)).collect();
            let threat = builder.or(&others);
            threats.push(builder.and(&[alone, threat]));
        }
        all.push(threats);
    }
    Ok(Some(all))
}

/// For each move of a choice, a wire that is true if random play may make it: the move wins, or no move wins and it is
/// safe or no move is safe.
fn wanted(builder: &mut GateBuilder, choice: &GuardedChoice, wins: &WinningMoves, threats: &[Wire]) -> Vec<Wire> {
    let mut safe = Vec::with_capacity(choice.moves.len());
    for (&chosen, threat) in choice.moves.iter().zip(threats) {
        safe.push(builder.and(&[builder.program().legal[chosen].wire, threat.negated()]));
    }
    let none_safe = builder.or(&safe).negated();
    let moves = wins.of_moves.iter().zip(threats);
    let wanted = moves.map(|(&win, threat)| {
        let is_safe = builder.or(&[threat.negated(), none_safe]);
        let is_quiet = builder.and(&[wins.any.negated(), is_safe]);
        builder.or(&[win, is_quiet])
    });
    wanted.collect()
}

/// The most gates that are visited for all moves together.
const MOST_VISITS: usize = 1_000_000;

/// The values of signals after a move, as wires of the state before it. Signals that are not in the map keep their
/// values.
#[derive(Clone, Default)]
struct SignalsAfter(FxHashMap<usize, Wire>);

impl SignalsAfter {
    /// Records that a wire holds, and that the bits which exclude it do not.
    fn assume(&mut self, program: &Program, wire: Wire) {
        if !wire.is_negated() {
            let groups = program.groups.iter().filter(|group| group.contains(&to_u32(wire.signal())));
            self.0.extend(groups.flatten().map(|&bit| (bit as usize, program.always.negated())));
        }
        self.0.insert(wire.signal(), program.always.negated_if(wire.is_negated()));
    }

    /// The wire that has the value which this wire has after the move.
    fn wire_for(&self, wire: Wire) -> Wire {
        self.0.get(&wire.signal()).map_or(wire, |after| after.negated_if(wire.is_negated()))
    }

    /// Adds the values of the gates of a cone after the move; gates whose inputs keep their values are left out.
    fn add(&mut self, builder: &mut GateBuilder, cone: &Cone) {
        for &gate in &cone.gates {
            let inputs = builder.program().inputs(gate);
            if inputs.iter().any(|&input| self.wire_for(input) != input) {
                let inputs: Vec<Wire> = inputs.iter().map(|&input| self.wire_for(input)).collect();
                let wire = builder.tree(builder.program().gates[gate].kind, &inputs);
                self.0.insert(builder.program().first_gate() + gate, wire);
            }
        }
    }
}

/// The bits and gates on which some wires depend.
struct Cone {
    bits: Vec<u32>,
    /// The gates, in topological order.
    gates: Vec<usize>,
    /// True if some of the gates are on a cycle.
    has_cycle: bool,
}

impl Cone {
    fn new(program: &Program, mut open: Vec<Wire>) -> Self {
        let mut reached = vec![false; program.signals()];
        while let Some(wire) = open.pop() {
            if !std::mem::replace(&mut reached[wire.signal()], true)
                && let Some(gate) = wire.signal().checked_sub(program.first_gate())
            {
                open.extend(program.inputs(gate));
            }
        }
        let gates = (0..program.gates.len()).filter(|gate| reached[program.first_gate() + gate]);
        let bits = (0..to_u32(program.bits())).filter(|&bit| reached[bit as usize]).collect();
        let has_cycle = gates.clone().any(|gate| program.cycle_of(gate).is_some());
        Self { bits, gates: gates.collect(), has_cycle }
    }
}

/// The gates that are computed anew for each move.
struct Changes {
    /// The cone of the wires whose values in the next state are wanted.
    asked: Cone,
    /// The cone of the bits of the next state that are in `asked`.
    between: Cone,
}

impl Changes {
    /// The changes for these wires of the next state; `None` if they depend on a cycle or on too many gates.
    fn new(program: &Program, wires: Vec<Wire>, choices: &[GuardedChoice]) -> Option<Self> {
        let asked = Cone::new(program, wires);
        let between = Cone::new(program, asked.bits.iter().map(|&bit| program.next[bit as usize]).collect());
        let moves: usize = choices.iter().map(|choice| choice.moves.len()).sum();
        let visits = moves.saturating_mul(asked.gates.len() + between.gates.len());
        (!asked.has_cycle && !between.has_cycle && visits <= MOST_VISITS).then_some(Self { asked, between })
    }

    /// The values after a move of a choice, while each other role makes its only move; `None` if there are too many
    /// gates.
    ///
    /// # Errors
    /// If the limits end the work.
    fn after(
        &self,
        builder: &mut GateBuilder,
        choice: &GuardedChoice,
        chosen: usize,
        poll: &Poll<'_>,
    ) -> Result<Option<SignalsAfter>, Stop> {
        let Self { asked, between } = self;
        poll.steps(1 + asked.gates.len() + between.gates.len())?;
        let mut after = choice.assumed.clone();
        // A move of another role is made if it is legal, since that role has one legal move only.
        for index in 0..builder.program().moves.len() {
            let is_made = if builder.program().moves[index].role == choice.role {
                builder.program().always.negated_if(index != chosen)
            } else {
                let Legality { guard, wire } = builder.program().legal[index];
                builder.and(&[choice.assumed.wire_for(guard), wire])
            };
            after.0.insert(builder.program().move_signal(index), is_made);
        }
        after.add(builder, between);
        let next = |&bit: &u32| (bit as usize, after.wire_for(builder.program().next[bit as usize]));
        let bits = asked.bits.iter().map(next).filter(|&(bit, after)| after != Wire::new(bit));
        let mut after = SignalsAfter(bits.collect());
        after.add(builder, asked);
        Ok((!builder.is_full()).then_some(after))
    }
}

/// The first difference between random play in a program with decisive moves and play of the game, in 4,096 states: in
/// each, the game's own program must have the same end, goals and next state, and the moves must be legal in it.
///
/// # Errors
/// If the limits end the work.
fn difference(program: &Program, decisive: &Program, poll: &Poll<'_>) -> Result<Option<FormDifference>, Stop> {
    let mut play = ReferencePlay::new(decisive, SampledStates::OfPlay);
    let mut game = WordSimulation::from_program(program);
    for _ in 0..ROUNDS {
        let plies = play.round(poll)?;
        for (sample, ply) in plies.iter().enumerate() {
            // Fewer moves may be legal than in the game; nothing else may differ.
            if let Some((what, games)) = deviating(program, &mut game, ply, poll)? {
                let deviation = Deviation { what, sample, lane: games.trailing_zeros() };
                return Ok(Some(deviation.described(decisive, &plies)));
            }
        }
    }
    Ok(None)
}

/// An output in which the game differs from a ply of 64 games, and the games in which it does.
fn deviating(
    program: &Program,
    game: &mut WordSimulation,
    ply: &SampledPly,
    poll: &Poll<'_>,
) -> Result<Option<(ComparedOutput, u64)>, Stop> {
    let mut fluents = vec![0; program.facts.len()];
    program.fact_of.iter().zip(&ply.state).for_each(|(&fact, &word)| fluents[fact as usize] = word);
    game.represent(&mut fluents);
    game.enter(&fluents, poll)?;
    let state = deviating_in_state(program, game, ply);
    if state.is_some() {
        return Ok(state);
    }
    let mut made = vec![0; program.moves.len()];
    ply.made.iter().for_each(|&(chosen, games)| made[chosen] = games);
    game.advance(&made, poll)?;
    let goes_on = !ply.terminal & !ply.stuck_games();
    let own = program.facts.iter().zip(0..).filter(|((_, storage), _)| *storage == FluentStorage::Own);
    let mut bits = own.zip(&ply.next).enumerate();
    Ok(bits.find_map(|(bit, ((_, fact), next))| {
        let games = (game.next(fact) ^ next) & goes_on;
        (games != 0).then_some((ComparedOutput::Next(bit), games))
    }))
}

/// The end, the goals, the legal moves and the roles without any, in the state that the game has entered.
fn deviating_in_state(program: &Program, game: &WordSimulation, ply: &SampledPly) -> Option<(ComparedOutput, u64)> {
    let goes_on = !ply.terminal;
    let terminal = (ComparedOutput::Terminal, game.word(game.outputs.terminal) ^ ply.terminal);
    let goals = game.outputs.goals.iter().zip(&ply.goals).enumerate();
    let goals = goals.map(|(goal, (&wire, &word))| (ComparedOutput::Goal(goal), game.word(wire) ^ word));
    let legal = ply.legal.iter();
    let legal = legal.map(|&(chosen, games)| (ComparedOutput::Legal(chosen), games & !game.legal(chosen) & goes_on));
    let mut stuck = vec![u64::MAX; program.roles.len()];
    (0..program.moves.len()).for_each(|chosen| stuck[program.moves[chosen].role.index()] &= !game.legal(chosen));
    let stuck = stuck.iter().zip(&ply.stuck).enumerate();
    let stuck = stuck.map(|(role, (game, ply))| (ComparedOutput::Choice(role), (game ^ ply) & goes_on));
    std::iter::once(terminal).chain(goals).chain(legal).chain(stuck).find(|&(_, games)| games != 0)
}
