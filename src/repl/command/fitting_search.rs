//! The kind of a game, as far as some states show it, and the searches that fit it: what `best` and `analyse` choose
//! by.

use crate::game::Role;
use crate::repl::{CommandError, Session};
use crate::search::{self, Sums};
use std::time::Duration;

/// The number of states that are visited to see who chooses when, and whether the game is small.
const SURVEYED: u64 = 10_000;
/// The longest time for that: an engine may need minutes for 10,000 states of a large game.
pub(super) const SURVEY_TIME: Duration = Duration::from_secs(1);

/// Who decides in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decisions {
    /// One player.
    Alone,
    /// Two opponents who take turns.
    Opponents,
    /// Two opponents who choose at the same time in some state.
    SimultaneousOpponents,
    /// Any other roles without chance, in turns.
    Several,
    /// Any other roles without chance, some of which choose at the same time in some state.
    SimultaneousSeveral,
    /// Roles and chance.
    Chance,
}

impl Decisions {
    /// Who decides, in words.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Alone => "one player",
            Self::Opponents => "two opponents take turns",
            Self::SimultaneousOpponents => "two opponents choose at the same time",
            Self::Several => "each role plays for itself",
            Self::SimultaneousSeveral => "each role plays for itself, some at the same time",
            Self::Chance => "there is chance",
        }
    }
}

/// What some states show of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurveyedStates {
    pub(super) kind: Decisions,
    /// Whether these are all its states; `false` for one player, whose states are not visited.
    pub(super) is_small: bool,
}

/// Visits some states of the game below the current one. Roles without a constant sum of utilities at the visited ends
/// are no opponents; if no end was visited, two roles are taken for opponents. It takes no longer than `time`.
pub(super) fn survey(session: &mut Session, time: Duration) -> Result<SurveyedStates, CommandError> {
    let budget = session.budget().with(|budget| budget.with_nodes(SURVEYED).with_time(time));
    let current = session.current()?;
    let roles = current.roles().len();
    if Role::chance(current.roles()).is_some() && roles > 1 {
        return Ok(SurveyedStates { kind: Decisions::Chance, is_small: false });
    }
    if roles == 1 {
        return Ok(SurveyedStates { kind: Decisions::Alone, is_small: false });
    }
    let (engine, state) = current.engine()?;
    let outcome = budget.prepare(|budget| search::survey(engine, &state, None, budget))?;
    let is_small = outcome.is_exact();
    let (choosing, sums) = outcome.answer.map_or((0, Sums::None), |survey| (survey.most_choosing, survey.sums));
    let kind = match (roles == 2 && sums != Sums::Different, choosing < 2) {
        (true, true) => Decisions::Opponents,
        (true, false) => Decisions::SimultaneousOpponents,
        (false, true) => Decisions::Several,
        (false, false) => Decisions::SimultaneousSeveral,
    };
    Ok(SurveyedStates { kind, is_small })
}

/// A search that is tried.
#[derive(Clone, Debug)]
pub(super) struct FittingSearch {
    /// The command with its options, without limits.
    pub(super) line: String,
    /// Why it is tried, after `since` or `for`.
    pub(super) reason: &'static str,
    /// Whether it is repeated with a depth of 1, 2, 3 and so on.
    pub(super) deepens: bool,
}

/// The searches that fit a kind of game, in the order in which they are tried: first those whose answer is exact if the
/// game is small enough. `sheet` is the heuristic or evaluation; with a depth (`has_depth`) only searches that have a
/// horizon fit.
pub(super) fn attempts(kind: Decisions, sheet: Option<&str>, has_depth: bool) -> Vec<FittingSearch> {
    let once = |line: &str, reason| FittingSearch { line: line.to_string(), reason, deepens: false };
    let with_sheet = |line: &str, reason| FittingSearch {
        line: sheet.map_or(line.to_string(), |sheet| format!("{line} --eval {sheet}")),
        reason,
        deepens: false,
    };
    let games = once("mcts", "by random games, since the other searches saw too little of the game");
    let whole = match kind {
        Decisions::Alone => match sheet {
            Some(sheet) => {
                let guided = once(&format!("astar --heuristic {sheet}"), "guided by the heuristic");
                return vec![guided, once(&format!("greedy --heuristic {sheet}"), "for any plan")];
            }
            None => {
                let all = once("bfs", "the shortest plan, by visiting all states");
                let guided = once("astar --heuristic hadd", "guided by hadd; the plan need not be the shortest");
                return vec![all, guided, once("dive", "by random lines")];
            }
        },
        Decisions::Opponents => {
            let deepening =
                with_sheet("iterative --killers --null-windows", "alpha-beta deeper and deeper, with a table");
            return match (has_depth, sheet) {
                (true, _) => vec![deepening],
                (false, Some(_)) => vec![once("solve", "by visiting all states"), deepening],
                (false, None) => vec![once("solve", "by visiting all states"), deepening, games],
            };
        }
        Decisions::SimultaneousOpponents => ("nash", "the equilibrium of mixed strategies"),
        Decisions::Several => ("maxn --table", "the best of each role, with a table"),
        Decisions::SimultaneousSeveral => {
            ("maxn --table", "as if simultaneous choices were made one after the other, with a table")
        }
        Decisions::Chance => ("expectimax --table", "the mean over chance, with a table"),
    };
    let (line, reason) = whole;
    match (has_depth, sheet) {
        (true, _) => vec![with_sheet(line, reason)],
        (false, Some(_)) => vec![once(line, reason), FittingSearch { deepens: true, ..with_sheet(line, reason) }],
        (false, None) => vec![once(line, reason), games],
    }
}
