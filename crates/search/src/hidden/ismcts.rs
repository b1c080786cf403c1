//! Monte Carlo tree search over information sets.

use super::Observation;
use super::belief::{PossibleState, PossibleStates, knowledge_after};
use crate::budget::Meter;
use crate::outcome::Halt;
use crate::{Advice, Budget, MoveStatistics, Outcome, SearchError};
use gdl::number::to_u32;
use ggp_game::{Chance, JointMoves, Move, PerceptReasoner, Role, UtilityRange};
use rustc_hash::FxHashMap;

/// Monte Carlo tree search for roles that do not see the whole state: each visit draws a state that the role thinks
/// possible and plays a line from it, in which every role chooses by UCB1 from the statistics of what it knows itself
/// (one tree for each role, whose nodes are its information sets); after the first new node moves are random.
///
/// - Precondition: the role has a choice in the possible states, which are those of [`super::possible_states()`].
/// - Guarantee: a mean of lines; the strategies need not approach an equilibrium, whatever the number of visits.
/// - Cost: a line for each visit, with the percepts of all roles as long as it is in the trees; a node for each visit
///   and role.
/// - Source: Cowling, Powley and Whitehouse, *Information Set Monte Carlo Tree Search*, IEEE TCIAIG 4, 2012 (MO-ISMCTS).
///   With perfect recall a role has the same legal moves in all states of an information set, so no availability of
///   moves is counted.
pub fn ismcts<R: PerceptReasoner>(
    reasoner: &mut R,
    possible: &PossibleStates<R::State>,
    role: Role,
    exploration: f64,
    seed: u64,
    budget: &Budget,
) -> Result<Outcome<Advice>, SearchError> {
    let Some((first, _)) = possible.states.first() else { return Err(SearchError::NothingPossible) };
    if Role::chance(reasoner.roles()) == Some(role) {
        return Err(SearchError::AsksChance);
    }
    if reasoner.is_terminal(&first.state)? {
        return Err(SearchError::Over);
    }
    let mut legal = Vec::new();
    reasoner.legal_moves(&first.state, role, &mut legal)?;
    let root = first.knowledge[role.index()];
    let range = reasoner.utility_range();
    let chance = Role::chance(reasoner.roles());
    let trees = FxHashMap::default();
    let random = Chance::new(seed);
    let meter = Meter::start_flat(budget);
    let mut search = Ismcts { reasoner, trees, exploration, random, range, chance, meter, line: Vec::new() };
    let halt = loop {
        if let Err(halt) = search.visit(possible) {
            break halt;
        }
    };
    let advice = search.trees.get(&root).map(|node| node.advice(&legal, range));
    // A role without a choice has no node.
    let advice = advice.or_else(|| legal.first().map(|&only| forced(only)));
    search.meter.best_so_far(Some(halt), advice)
}

/// The advice where there is no choice.
fn forced(only: Move) -> Advice {
    let options = vec![MoveStatistics { chosen: only, visits: 0, mean: 0.0, proven: None, error: None }];
    Advice { chosen: only, options, proven: None, strategy: Vec::new() }
}

struct Ismcts<'a, R> {
    reasoner: &'a mut R,
    /// The nodes of all trees, by what their role knows.
    trees: FxHashMap<u64, SetNode>,
    exploration: f64,
    random: Chance,
    range: UtilityRange,
    chance: Option<Role>,
    meter: Meter<'a>,
    /// Scratch: the choices of the current line, each with its node and its role.
    line: Vec<(u64, Role, usize)>,
}

/// An information set in the tree of its role.
struct SetNode {
    visits: u32,
    moves: Vec<SetMove>,
}

/// The statistics of a move.
#[derive(Clone, Copy, Default)]
struct SetMove {
    visits: u32,
    /// The sum of the utilities of the role, each as a share of the range.
    total: f64,
}

impl SetNode {
    fn new(moves: usize) -> Self {
        Self { visits: 0, moves: vec![SetMove::default(); moves] }
    }

    /// A move that was not made yet, or the one with the greatest upper confidence bound.
    fn select(&self, exploration: f64, random: &mut Chance) -> usize {
        let open = self.moves.iter().filter(|own| own.visits == 0).count();
        if open > 0 {
            let drawn = random.below(open);
            let mut new = self.moves.iter().enumerate().filter(|(_, own)| own.visits == 0).map(|(index, _)| index);
            return new.nth(drawn).expect("there are as many new moves");
        }
        let log = f64::from(self.visits.max(1)).ln();
        let bound = |own: &SetMove| {
            let visits = f64::from(own.visits);
            own.total / visits + exploration * (log / visits).sqrt()
        };
        let best =
            |best: usize, next: usize| if bound(&self.moves[next]) > bound(&self.moves[best]) { next } else { best };
        (0..self.moves.len()).reduce(best).expect("a role has a legal move")
    }

    /// The statistics of the moves; the most visited one is recommended.
    fn advice(&self, legal: &[Move], range: UtilityRange) -> Advice {
        let rated = |(&chosen, own): (&Move, &SetMove)| {
            let share = if own.visits > 0 { own.total / f64::from(own.visits) } else { 0.0 };
            let mean = range.least.to_f64() + share * range.width();
            MoveStatistics { chosen, visits: own.visits, mean, proven: None, error: None }
        };
        let options: Vec<MoveStatistics> = legal.iter().zip(&self.moves).map(rated).collect();
        let more = |best: MoveStatistics, next: MoveStatistics| if next.visits > best.visits { next } else { best };
        let best = options.iter().copied().reduce(more).expect("a role has a legal move");
        Advice { chosen: best.chosen, options, proven: None, strategy: Vec::new() }
    }
}

impl<R: PerceptReasoner> Ismcts<'_, R> {
    /// Plays one line, and adds its utilities to the nodes on it.
    fn visit(&mut self, possible: &PossibleStates<R::State>) -> Result<(), Halt> {
        self.meter.visit(0)?;
        let bytes = self.trees.capacity() * (size_of::<(u64, SetNode)>() + 4 * size_of::<SetMove>());
        self.meter.holds(bytes as u64)?;
        let drawn = possible.draw(&mut self.random).expect("there is a possible state");
        let PossibleState { mut state, mut knowledge } = drawn.clone();
        self.line.clear();
        let mut is_new = false;
        while !is_new && !self.reasoner.is_terminal(&state)? {
            let mut turn = JointMoves::in_state(self.reasoner, &state)?;
            for role in turn.choosing() {
                let count = turn.legal(role).len();
                let chosen = if Some(role) == self.chance {
                    self.random.below(count)
                } else {
                    self.choose(knowledge[role.index()], role, count, &mut is_new)
                };
                turn.choose(role, chosen);
            }
            if !is_new {
                for (role, knowledge) in knowledge.iter_mut().enumerate() {
                    let seen = Observation::of(self.reasoner, &state, turn.current(), Role::new(role))?;
                    *knowledge = knowledge_after(*knowledge, &seen);
                }
            }
            state = self.reasoner.next_state(&state, turn.current())?;
        }
        self.play_to_end(&mut state)?;
        self.add(&state)
    }

    /// The choice of a role with what it knows; `is_new` is set if it knew this for the first time.
    fn choose(&mut self, node: u64, role: Role, count: usize, is_new: &mut bool) -> usize {
        let known = self.trees.entry(node).or_insert_with(|| {
            *is_new = true;
            SetNode::new(count)
        });
        let chosen = known.select(self.exploration, &mut self.random);
        self.line.push((node, role, chosen));
        chosen
    }

    /// Plays random moves until the game is over, for at most [`Budget::DEPTH`] joint moves.
    fn play_to_end(&mut self, state: &mut R::State) -> Result<(), Halt> {
        let Self { reasoner, random, .. } = self;
        for _ in 0..Budget::DEPTH {
            if !reasoner.random_step(state, &mut |count| random.below(count))? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Adds the utilities of the last state of a line; one that is not over counts as the middle of the range.
    fn add(&mut self, state: &R::State) -> Result<(), Halt> {
        let is_over = self.reasoner.is_terminal(state)?;
        for &(node, role, chosen) in &self.line {
            let utility = match is_over {
                true => self.reasoner.goal(state, role)?.to_f64(),
                false => self.range.middle(),
            };
            let share = (utility - self.range.least.to_f64()) / self.range.width().max(f64::MIN_POSITIVE);
            let Some(known) = self.trees.get_mut(&node) else { continue };
            known.visits += 1;
            known.moves[chosen].visits += 1;
            known.moves[chosen].total += share;
        }
        let depth = to_u32(self.line.len());
        self.meter.reaches(depth);
        Ok(())
    }
}
