//! `iterative`: alpha-beta to depth 1, 2, 3 … until a limit is reached; and the values of all first moves, depth by
//! depth.
//!
//! All rounds of a search share one transposition table, so that a round tries the best moves of the round before
//! first.

use super::alpha_beta::{AlphaBetaSearch, EqualMoves, Pruning, ValueWindow};
use super::contest::{Contest, ContestSearch};
use super::line::{BestSoFar, Variation};
use super::ordering::Enhancements;
use super::transposition::Transpositions;
use super::turn::RoleTurn;
use crate::events::Bound;
use crate::outcome::Halt;
use crate::{Budget, Choice, Event, FinishedMoves, LineEnd, Observer, Ordering, Outcome, SearchError, Value, Worth};
use gdl::limits::Stop;
use gdl::sorting;
use ggp_game::{Move, Reasoner};
use serde::Serialize;
use std::cmp::Reverse;
use std::ops::Range;

/// The result of a deepening search, with moves of type `M` and lines of type `L`: those of a reasoner, or others once
/// they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeepenedChoice<M = Move, L = Vec<Vec<M>>> {
    /// The choice of the last complete round; if no round is complete, the best of the first one.
    #[serde(flatten)]
    pub choice: Choice<M, L>,
    /// The complete rounds, from depth 1 on.
    pub rounds: Vec<Round<L>>,
    /// The part of the first choice that the round after them had finished when the search was stopped; `None` if it
    /// was not stopped or had finished nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begun: Option<FinishedMoves>,
}

/// A search to one depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Round<L = Vec<Vec<Move>>> {
    /// The depth of the search in joint moves.
    pub depth: u32,
    /// The value at this depth.
    #[serde(flatten)]
    pub worth: Worth,
    /// The line that reaches it, as of a [`Choice`].
    pub line: L,
    /// The kind of state in which the line ends.
    pub line_ends: LineEnd,
    /// The number of nodes visited in this round.
    pub nodes: u64,
}

/// Searches to depth 1, then 2, and so on, with the best moves of the previous round first, until the answer is exact
/// or a limit is reached. An answer is therefore available whenever the time runs out.
///
/// - Guarantee: that of [`super::alpha_beta()`] for the depth of the last complete round.
/// - Cost: with the table, often less than one search to the last depth, since the moves are tried in a better order.
///   The table uses at most the budget's memory.
/// - Source: Slate and Atkin, *CHESS 4.5: The Northwestern University Chess Program*, 1977; Korf, *Depth-First
///   Iterative-Deepening*, Artificial Intelligence 27, 1985.
pub fn iterative_alpha_beta<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<DeepenedChoice>, SearchError> {
    iterative_with(reasoner, contest, Enhancements::default(), budget, observer, &mut |_, _| {})
}

/// [`iterative_alpha_beta()`] with options that change its node counts and no value; of equally good moves it may
/// choose another. `watch` sees the reasoner and each round when it is complete.
pub fn iterative_with<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    enhancements: Enhancements,
    budget: &Budget,
    observer: impl Observer,
    watch: &mut dyn FnMut(&mut R, &Round),
) -> Result<Outcome<DeepenedChoice>, SearchError> {
    let mut each = |reasoner: &mut R, rounds: &[Round]| {
        if let Some(round) = rounds.last() {
            watch(reasoner, round);
        }
        true
    };
    deepen(reasoner, contest, enhancements, budget, observer, &mut each, None)
}

/// Memory that searches in one game share, for the same role and with the same evaluation: each leaves its table to the
/// next.
#[derive(Default)]
pub struct TableMemory {
    table: Option<Transpositions>,
    /// True if roles chose at the same time in a state that was searched.
    has_simultaneous_moves: bool,
}

impl TableMemory {
    /// True if roles chose at the same time in a state that was searched, so that values are those against opponents
    /// who know what the role does.
    #[inline]
    pub(crate) fn has_simultaneous_moves(&self) -> bool {
        self.has_simultaneous_moves
    }
}

/// [`iterative_with()`] that begins with what earlier searches remember, and adds to it. `goes_on` gets all rounds so
/// far and says if another may follow; without that round the answer is not exact. Lines end where the table knew the
/// rest, since the caller wants first moves only.
pub fn iterative_from<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    enhancements: Enhancements,
    budget: &Budget,
    goes_on: &mut dyn FnMut(&[Round]) -> bool,
    memory: &mut TableMemory,
) -> Result<Outcome<DeepenedChoice>, SearchError> {
    let mut each = |_: &mut R, rounds: &[Round]| goes_on(rounds);
    deepen(reasoner, contest, enhancements, budget, (), &mut each, Some(memory))
}

/// The rounds of a search. `each` sees the reasoner and all rounds so far after each of them, and says if another
/// may follow. With a memory, lines are not continued where the table knew the rest.
fn deepen<R: Reasoner, O: Observer>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    enhancements: Enhancements,
    budget: &Budget,
    observer: O,
    each: &mut dyn FnMut(&mut R, &[Round]) -> bool,
    mut memory: Option<&mut TableMemory>,
) -> Result<Outcome<DeepenedChoice>, SearchError> {
    let (search, state) = ContestSearch::start(reasoner, contest, budget, observer);
    let most = search.horizon.unwrap_or(Budget::DEPTH);
    let pruning = Pruning { ordering: Ordering::Table, table: true, ties: EqualMoves::Unknown, enhancements };
    let mut alpha_beta = AlphaBetaSearch::new(search, pruning, budget);
    if let Some(table) = memory.as_mut().and_then(|memory| memory.table.take()) {
        alpha_beta.table = Some(table);
    }
    let mut rounds: Vec<Round> = Vec::new();
    let mut halt = None;
    let mut before = 0;
    let mut last: Option<(Choice, Variation<Value>)> = None;
    for depth in 1..=most.max(1) {
        alpha_beta.search.horizon = Some(depth.min(most));
        alpha_beta.search.observer.observe(&Event::Round { bound: Bound::Depth(depth) });
        let mut end = alpha_beta.round(state, last.as_ref().map(|(_, found)| found.value));
        if memory.is_none() {
            alpha_beta.continue_line(state, &mut end);
        }
        let found = match end {
            Ok(found) => found,
            Err(error) => {
                halt = Some(error);
                break;
            }
        };
        let decided = alpha_beta.search.scale.is_decided(found.value);
        // A proven win or loss stays one at any depth.
        alpha_beta.search.is_cut &= !decided;
        let nodes = alpha_beta.search.meter.nodes();
        let choice = alpha_beta.search.choice(state, &found);
        let Choice { worth, line_ends, .. } = choice;
        let round = Round { depth, worth, line: choice.line.clone(), line_ends, nodes: nodes - before };
        rounds.push(round);
        before = nodes;
        last = Some((choice, found));
        let goes_on = each(alpha_beta.search.reasoner, &rounds);
        if !alpha_beta.search.is_cut {
            break;
        }
        if !goes_on {
            halt = Some(Stop::Depth { limit: depth }.into());
            break;
        }
    }
    let deepened = alpha_beta.deepened(state, rounds, last, halt.is_some());
    if let Some(memory) = memory {
        memory.has_simultaneous_moves |= alpha_beta.has_simultaneous_moves;
        memory.table = alpha_beta.table.take();
    }
    // A search without a limit on depth ends at the greatest depth of all searches, where play may go on.
    let halt = halt.or_else(|| alpha_beta.search.is_cut.then(|| Stop::Depth { limit: most }.into()));
    alpha_beta.search.outcome(halt, deepened, false)
}

impl<R: Reasoner, O: Observer> AlphaBetaSearch<'_, R, O> {
    /// The answer after these rounds: the choice of the last complete one or, if none is complete, the best of the moves
    /// that the first one had finished.
    fn deepened(
        &mut self,
        state: &R::State,
        rounds: Vec<Round>,
        last: Option<(Choice, Variation<Value>)>,
        is_stopped: bool,
    ) -> Option<DeepenedChoice> {
        let so_far = std::mem::replace(&mut self.so_far, BestSoFar::new());
        let begun_line = if is_stopped { so_far.best } else { None };
        let begun = begun_line.is_some().then_some(so_far.finished);
        let first = begun_line.map(|found| {
            let choice = self.search.choice(state, &found);
            (Choice { finished: begun, ..choice }, found)
        });
        let (choice, found) = last.or(first)?;
        self.search.tell_best_line(&found);
        Some(DeepenedChoice { choice, rounds, begun })
    }

    /// Searches from the first state. With aspiration windows the value is sought in a narrow window around that of the
    /// round before, and again if it lies outside.
    fn round(&mut self, state: &R::State, before: Option<Value>) -> Result<Variation<Value>, Halt> {
        let first = self.first_window();
        let Some(before) = before else { return self.run(state, first) };
        let narrow =
            ValueWindow { alpha: before.just_below().max(first.alpha), beta: before.just_above().min(first.beta) };
        if !self.pruning.enhancements.aspiration {
            return self.run(state, first);
        }
        let found = self.run(state, narrow)?;
        if narrow.contains(found.value) || narrow.alpha >= narrow.beta {
            return Ok(found);
        }
        self.run(state, first)
    }
}

/// The first moves of a role with their values at one depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstValues {
    /// The depth of the search, in joint moves.
    pub depth: u32,
    /// All first moves, the best first, those of equal value in canonical order; each with the line that follows it. If
    /// the first round was stopped, those that it had finished.
    pub moves: Vec<Choice>,
}

/// Searches after each first move of a role by alpha-beta to depth 1, then 2, and so on, until the answer is exact or a
/// limit is reached; `watch` sees the reasoner and the first moves after each complete round. All rounds share one
/// table of states.
///
/// - Guarantee: each value is that of [`super::alpha_beta()`] from the state behind the move, to one joint move less:
///   so the best is that of the first state at the depth of the round.
/// - Cost: at most that of [`super::iterative_alpha_beta()`] after each first move.
/// - Source: the several principal variations of chess programs, as in the Universal Chess Interface's `MultiPV`.
pub fn first_values<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    watch: &mut dyn FnMut(&mut R, &FirstValues),
) -> Result<Outcome<FirstValues>, SearchError> {
    if reasoner.is_terminal(contest.state)? {
        return Err(SearchError::Over);
    }
    let (search, state) = ContestSearch::start(reasoner, contest, budget, ());
    let last = search.horizon.unwrap_or(Budget::DEPTH).max(1);
    let pruning = Pruning { ordering: Ordering::Table, table: true, ties: EqualMoves::Unknown, ..Pruning::default() };
    let mut alpha_beta = AlphaBetaSearch::new(search, pruning, budget);
    let mut answer: Option<FirstValues> = None;
    let mut halt = None;
    for depth in 1..=last {
        let (mut rated, end) = alpha_beta.round_of_values(state, depth);
        sorting::sort_by_key(&mut rated, |&(value, _)| Reverse(value));
        let values = FirstValues { depth, moves: rated.into_iter().map(|(_, choice)| choice).collect() };
        match end {
            Ok(_) => watch(alpha_beta.search.reasoner, answer.insert(values)),
            Err(_) => answer = answer.or(Some(values).filter(|values| !values.moves.is_empty())),
        }
        match end {
            Ok(true) => {}
            Ok(false) => {
                alpha_beta.search.is_cut = false;
                break;
            }
            Err(error) => {
                halt = Some(error);
                break;
            }
        }
    }
    let mut outcome = alpha_beta.search.outcome(halt, answer, false)?;
    // The searches begin behind the first moves.
    outcome.cost.depth += u32::from(outcome.cost.nodes > 0);
    Ok(outcome)
}

impl<R: Reasoner> AlphaBetaSearch<'_, R, ()> {
    /// The first moves that could be searched to a depth, each after its value, and whether the horizon cut something off.
    fn round_of_values(&mut self, state: &R::State, depth: u32) -> (Vec<(Value, Choice)>, Result<bool, Halt>) {
        let mut rated = Vec::new();
        let mut turn = match self.search.turn(state) {
            Ok(turn) => turn,
            Err(error) => return (rated, Err(error)),
        };
        self.search.horizon = Some(depth - self.search.step(&turn.choosing));
        let mut is_cut = false;
        let replies = turn.replies();
        for first in (0..turn.count()).step_by(replies) {
            match self.value_of_move(state, &mut turn, first..first + replies) {
                Ok(found) => rated.push(found),
                Err(error) => return (rated, Err(error)),
            }
            is_cut |= self.search.is_cut;
        }
        self.search.is_cut = is_cut;
        (rated, Ok(is_cut))
    }

    /// A first move with the value of the others' best reply; the replies are at these places of the turn.
    fn value_of_move(
        &mut self,
        state: &R::State,
        turn: &mut RoleTurn<R::State>,
        places: Range<usize>,
    ) -> Result<(Value, Choice), Halt> {
        let mut worst: Option<(Value, Vec<Move>, Choice)> = None;
        let mut is_cut = false;
        for place in places {
            let next = turn.make(self.search.reasoner, state, place)?;
            let mut end = self.run(next.state, self.first_window());
            self.continue_line(next.state, &mut end);
            let found = end?;
            is_cut |= self.search.is_cut;
            if worst.as_ref().is_none_or(|(value, ..)| found.value < *value) {
                let choice = self.search.choice(next.state, &found);
                worst = Some((found.value, next.joint_move.to_vec(), choice));
            }
        }
        self.search.is_cut = is_cut;
        let (value, joint_move, choice) = worst.expect("there is a joint move for each move of the role");
        let chosen = Some(joint_move[self.search.role.index()]);
        let line = std::iter::once(joint_move).chain(choice.line).collect();
        Ok((value, Choice { chosen, line, ..choice }))
    }
}
