//! `iterative`: alpha-beta to depth 1, 2, 3 … until a limit is reached.

use super::alpha_beta::{AlphaBetaSearch, EqualMoves, Pruning, ValueWindow};
use super::contest::{Contest, ContestSearch};
use super::line::{BestSoFar, Variation};
use super::ordering::Enhancements;
use super::transposition::Transpositions;
use crate::events::Bound;
use crate::outcome::Halt;
use crate::{Budget, Choice, Event, FinishedMoves, LineEnd, Observer, Ordering, Outcome, SearchError, Value, Worth};
use gdl::limits::Stop;
use ggp_game::{Move, Reasoner};
use serde::Serialize;

/// The result of a deepening search, with moves of type `M` and lines of type `L`: those of a reasoner, or others once
/// they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeepenedChoice<M = Move, L = Vec<Vec<M>>> {
    /// The choice of the last complete round; if no round is complete, the best of the first one.
    #[serde(flatten)]
    pub choice: Choice<M, L>,
    /// The complete rounds, from depth 1 on.
    pub rounds: Vec<Round<L>>,
    /// How much of the first choice the round after them had finished when the search was stopped; `None` if it was not
    /// stopped or had finished nothing.
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
    /// Where the line ends.
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
    deepen(
        reasoner,
        contest,
        budget,
        observer,
        RoundSettings {
            enhancements,
            continues_lines: true,
            watch,
            goes_on: &mut |_| true,
            memory: &mut TableMemory::default(),
        },
    )
}

/// What searches of the states of one game for one role, with the same evaluation, leave to later ones.
#[derive(Default)]
pub struct TableMemory {
    table: Option<Transpositions>,
    /// Whether roles chose at the same time in a state that was searched.
    has_simultaneous_moves: bool,
}

impl TableMemory {
    /// Whether roles chose at the same time in a state that was searched, so that values are those against opponents who
    /// know what the role does.
    #[inline]
    pub(crate) fn has_simultaneous_moves(&self) -> bool {
        self.has_simultaneous_moves
    }
}

/// [`iterative_with()`] that begins with what earlier searches remember, and adds to it. After each round that decides
/// nothing `goes_on` is asked, with all rounds so far, whether there is to be another; the answer is not exact if not.
/// Only first moves are asked for: lines end where the table knew the rest.
pub fn iterative_from<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    enhancements: Enhancements,
    budget: &Budget,
    goes_on: &mut dyn FnMut(&[Round]) -> bool,
    memory: &mut TableMemory,
) -> Result<Outcome<DeepenedChoice>, SearchError> {
    let watch = &mut |_: &mut R, _: &Round| {};
    deepen(
        reasoner,
        contest,
        budget,
        (),
        RoundSettings { enhancements, continues_lines: false, watch, goes_on, memory },
    )
}

/// How a search deepens: the enhancements of its alpha-beta, who is told of each round, whether there is to be another,
/// and what it remembers.
struct RoundSettings<'d, R> {
    enhancements: Enhancements,
    /// Whether lines go on where the table knew the rest.
    continues_lines: bool,
    watch: &'d mut dyn FnMut(&mut R, &Round),
    goes_on: &'d mut dyn FnMut(&[Round]) -> bool,
    memory: &'d mut TableMemory,
}

fn deepen<R: Reasoner, O: Observer>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: O,
    RoundSettings { enhancements, continues_lines, watch, goes_on, memory }: RoundSettings<'_, R>,
) -> Result<Outcome<DeepenedChoice>, SearchError> {
    let (search, state) = ContestSearch::start(reasoner, contest, budget, observer);
    let most = search.task.horizon.unwrap_or(Budget::DEPTH);
    let mut alpha_beta = AlphaBetaSearch::new(
        search,
        Pruning { ordering: Ordering::Table, table: true, ties: EqualMoves::Unknown, enhancements },
        budget,
    );
    if let Some(table) = memory.table.take() {
        alpha_beta.table = Some(table);
    }
    let mut rounds: Vec<Round> = Vec::new();
    let mut halt = None;
    let mut before = 0;
    let mut last: Option<(Choice, Variation<Value>)> = None;
    for depth in 1..=most.max(1) {
        alpha_beta.search.task.horizon = Some(depth.min(most));
        alpha_beta.search.observer.observe(&Event::Round { bound: Bound::Depth(depth) });
        let mut end = alpha_beta.round(state, last.as_ref().map(|(_, found)| found.value));
        if continues_lines {
            alpha_beta.continue_line(state, &mut end);
        }
        let found = match end {
            Ok(found) => found,
            Err(error) => {
                halt = Some(error);
                break;
            }
        };
        let decided = alpha_beta.search.task.scale.is_decided(found.value);
        alpha_beta.search.is_cut &= !decided;
        let nodes = alpha_beta.search.meter.nodes();
        let choice = alpha_beta.search.choice(state, &found);
        let Choice { worth, line_ends, .. } = choice;
        let round = Round { depth, worth, line: choice.line.clone(), line_ends, nodes: nodes - before };
        watch(alpha_beta.search.reasoner, &round);
        rounds.push(round);
        before = nodes;
        last = Some((choice, found));
        if !alpha_beta.search.is_cut {
            break;
        }
        if !goes_on(&rounds) {
            halt = Some(Stop::Depth { limit: depth }.into());
            break;
        }
    }
    let so_far = std::mem::replace(&mut alpha_beta.so_far, BestSoFar::new());
    let so_far = if halt.is_some() { so_far.finished() } else { None };
    let begun = so_far.as_ref().map(|&(_, finished)| finished);
    let first = so_far.map(|(found, finished)| {
        let choice = alpha_beta.search.choice(state, &found);
        (Choice { finished: Some(finished), ..choice }, found)
    });
    let deepened = last.or(first).map(|(choice, found)| {
        alpha_beta.search.tell_best_line(&found);
        DeepenedChoice { choice, rounds, begun }
    });
    memory.has_simultaneous_moves |= alpha_beta.has_simultaneous_moves;
    memory.table = alpha_beta.table.take();
    // A search without a limit on depth ends at the longest lines of all searches, where play may go on.
    let halt = halt.or_else(|| alpha_beta.search.is_cut.then(|| Stop::Depth { limit: most }.into()));
    alpha_beta.search.outcome(halt, deepened, false)
}

impl<R: Reasoner, O: Observer> AlphaBetaSearch<'_, R, O> {
    /// Searches from the first state. With aspiration windows the value is sought in a narrow window around that of the
    /// round before, and again if it lies outside.
    fn round(&mut self, state: &R::State, before: Option<Value>) -> Result<Variation<Value>, Halt> {
        let first = self.first_window();
        let Some(before) = before else { return self.run(state, first) };
        let narrow =
            ValueWindow { alpha: before.just_below().max(first.alpha), beta: before.just_above().min(first.beta) };
        if !self.enhancements.aspiration {
            return self.run(state, first);
        }
        let found = self.run(state, narrow)?;
        if narrow.contains(found.value) || narrow.alpha >= narrow.beta {
            return Ok(found);
        }
        self.run(state, first)
    }
}
