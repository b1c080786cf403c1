//! Command `solve`: the value of the whole game below the current state, and best play.

use super::contest::{SearchedState, choices, to_move};
use super::option::{FORCE, FULL, LIMITS};
use super::plan::{SYMMETRY, UpToSymmetry, found_plan};
use super::stored_answer::{self, StoredAnswer, StoredPlay};
use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::search::{mean_text, precision_text, symmetries_text};
use crate::repl::answer::text::{folded_line, line, table};
use crate::repl::answer::{AnswerContent, AnswerValue, LineMove, RoleMove, SearchAnswer, Substitute, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use crate::table::csv_line;
use gdl::limits::Stop;
use gdl::quantity::{counted, counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_game::{JointMoves, ReasonError, Reasoner, Role, Utility};
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::spec::NamedOption;
use ggp_play::ask::{AskedEngine, budget_after, searches};
use ggp_search::events::value_text;
use ggp_search::{
    Contest, Cost, DeepenedChoice, ExpectedValue, LineEnd, Outcome, Precision, Problem, Rational, Real, SearchError,
    Solution, SolvedState, SolvedStates, SymmetricReasoner, end_of_line,
};
use serde::Serialize;

pub(super) const SOLVE: Command = Command {
    name: "solve",
    options: &[OptionGroup::own(&[POLICY, FORCE, SYMMETRY, FULL]), LIMITS],
    summary: "find the exact value and best play from the current state by visiting every state that can be reached",
    example: "solve --memory 2G",
    ..Command::search(solve)
};

const POLICY: NamedOption = NamedOption::optional_file(
    "--policy",
    "write each state with its best move and its values, with commas between the columns, to a file or below the answer",
);

fn solve(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = arguments.budget(session.budget())?;
    let dialect = session.dialect();
    let file = arguments.output(&POLICY, session)?;
    let wants_policy = arguments.has(&POLICY);
    let mut warnings = Vec::new();
    // A policy and counts up to symmetry are not in the files of a solved game.
    if !arguments.has(&SYMMETRY)
        && !wants_policy
        && let Some(stored) = stored_answer::best_play(session)?
    {
        return from_database(session, stored);
    }
    let (outcome, policy, symmetries) = if arguments.has(&SYMMETRY) {
        let UpToSymmetry { reasoner: mut symmetric, state, warnings: notes } = UpToSymmetry::in_session(session)?;
        warnings.extend(notes);
        let first = symmetric.representative(&state)?;
        let (outcome, policy) = solved(&mut symmetric, &first, &budget, wants_policy, dialect)?;
        let outcome = outcome.try_map(|solution| in_real_states(&mut symmetric, &first, &state, solution))?;
        (outcome, policy, Some(symmetric.symmetries()))
    } else {
        let (reasoner, state) = session.current()?.engine()?;
        let (outcome, policy) = solved(reasoner, &state, &budget, wants_policy, dialect)?;
        (outcome, policy, None)
    };
    let cost = outcome.cost;
    let Some(solution) = outcome.answer else {
        let stop = outcome.stopped.unwrap_or(Stop::Interrupted);
        let answer = along_lines(session, &budget, stop, cost);
        let answer = answer.ok_or_else(|| CommandError::without_answer(Some(stop), cost))?;
        return Ok(Answer::new(answer.warned(warnings)));
    };
    let (reasoner, state) = session.current()?.engine()?;
    let line_ends = solution.expected.is_none().then(|| end_of_line(reasoner, &state, &solution.line)).transpose()?;
    let line = choices(reasoner, &state, &solution.line)?;
    let policy = match file {
        _ if !wants_policy => None,
        Some(output) => {
            output.write(policy.text)?;
            Some(WrittenPolicy::File(output.name))
        }
        None => Some(WrittenPolicy::Text(policy.text)),
    };
    let roles = reasoner.roles().iter().cloned();
    Ok(Answer::new(SolveAnswer {
        value: solution.utilities.map(|utilities| roles.zip(utilities).collect()),
        expected: solution.expected.map(|expected| expected_worths(reasoner, expected)),
        moves: solution.moves,
        line,
        line_ends,
        states: solution.states,
        symmetries,
        joint_moves: solution.joint_moves,
        worths: solution.worths,
        state_bytes: solution.state_bytes,
        memory: solution.memory,
        cost,
        policy,
        warnings,
    }))
}

/// The answer of a search along lines, after the analysis of all states was stopped: for one player a plan, otherwise
/// the value that the role to move can force as far as `iterative` sees. `None` if there is chance, or nothing is
/// found.
fn along_lines(session: &mut Session, budget: &QuestionBudget, stop: Stop, cost: Cost) -> Option<SearchAnswer> {
    let left = budget_after(budget, stop, &cost);
    let current = session.current().ok()?;
    if Role::chance(current.roles()).is_some() {
        return None;
    }
    let (is_alone, role) = (current.roles().len() == 1, to_move(current).ok()?);
    let (engine, state) = current.engine().ok()?;
    let (found, search, depth) = if is_alone {
        let outcome = left.run(|budget| searches::best_plan(engine, &Problem::new(&state), budget)).ok()?;
        (outcome.map(found_plan(engine, None)), "bestplan", None)
    } else {
        let contest = Contest::new(&state, role);
        let outcome = left.run(|budget| searches::iterative_alpha_beta(engine, contest, budget));
        let Outcome { answer, stopped, cost } = outcome.ok()?;
        let DeepenedChoice { choice, rounds, .. } = answer?;
        let depth = rounds.last()?.depth;
        let found =
            SearchedState { reasoner: engine, state: &state, lines: choices }.choice(role, false, choice).ok()?;
        (Outcome { answer: Some(found), stopped, cost }, "iterative", Some(depth))
    };
    let instead = Substitute { search, depth, missed: "not all states were visited" };
    let middle = depth.map(|_| engine.utility_range().middle());
    let answer = SearchAnswer::from_outcome(found).ok()?;
    Some(answer.ranking(middle).in_place_of(stop, cost, instead))
}

/// The answer of a database. Its counts are those of the whole game.
fn from_database(
    session: &mut Session,
    StoredAnswer { answer: StoredPlay { known, line, states, joint_moves }, note }: StoredAnswer<StoredPlay>,
) -> Result<Answer, CommandError> {
    let (reasoner, state) = session.current()?.engine()?;
    let line_ends = Some(end_of_line(reasoner, &state, &line)?);
    let line = choices(reasoner, &state, &line)?;
    let roles = reasoner.roles().iter().cloned();
    Ok(Answer::new(SolveAnswer {
        value: known.utilities.map(|utilities| roles.zip(utilities).collect()),
        moves: known.moves,
        line,
        line_ends,
        states,
        joint_moves,
        warnings: vec![note],
        ..SolveAnswer::default()
    }))
}

/// Solves the game, and writes down the policy if it is wanted.
fn solved<R: AskedEngine>(
    reasoner: &mut R,
    state: &R::State,
    budget: &QuestionBudget,
    is_written: bool,
    dialect: Dialect,
) -> Result<(Outcome<Solution>, Policy), SearchError> {
    let mut policy = Policy::new(reasoner.roles(), dialect);
    let mut write = |reasoner: &mut R, solved: SolvedState<'_, R::State>| policy.add(reasoner, &solved);
    let outcome = budget.run(|budget| reasoner.solve_each(state, budget, is_written.then_some(&mut write)))?;
    Ok((outcome, policy))
}

/// A solution by representatives, with the moves of real states.
fn in_real_states<R: Reasoner>(
    symmetric: &mut SymmetricReasoner<R>,
    first: &R::State,
    state: &R::State,
    solution: Solution,
) -> Result<Solution, ReasonError> {
    let line = symmetric.actual_line(state, &solution.line)?;
    let mut expected = solution.expected;
    // The first move belongs to the representative, so it is translated to the actual state.
    if let Some((role, chosen)) = expected.as_mut().and_then(|expected| expected.chosen.as_mut()) {
        let mut joint_moves = JointMoves::in_state(symmetric, first)?;
        let index = joint_moves.legal(*role).iter().position(|legal| legal == chosen).unwrap_or(0);
        joint_moves.choose(*role, index);
        let joint_move = joint_moves.current().to_vec();
        if let Some(real) = symmetric.actual_line(state, &[joint_move])?.first() {
            *chosen = real[role.index()];
        }
    }
    Ok(Solution { line, expected, ..solution })
}

fn expected_worths<R: Reasoner>(
    reasoner: &R,
    ExpectedValue { means, chosen, precision }: ExpectedValue,
) -> ExpectedWorths {
    let name = |role: Role| reasoner.roles()[role.index()].clone();
    let fractions = means.iter().filter_map(|&(role, mean)| Some((name(role), mean.exact()?)));
    ExpectedWorths {
        fractions: fractions.collect(),
        means: means.into_iter().map(|(role, mean)| (name(role), mean.to_f64())).collect(),
        chosen: chosen.map(|(role, chosen)| RoleMove { role: name(role), chosen: reasoner.move_term(chosen) }),
        precision,
    }
}

/// The states with their best moves and values, as lines of comma-separated values.
struct Policy {
    text: String,
    dialect: Dialect,
}

impl Policy {
    fn new(roles: &[GroundTerm], dialect: Dialect) -> Self {
        let values = roles.iter().filter(|role| !role.is_chance()).map(ToString::to_string);
        let columns = ["state", "role", "move", "moves to the end"].map(str::to_string);
        Self { text: csv_line(columns.into_iter().chain(values)), dialect }
    }

    /// Adds a state. The move is that of the role that has a choice; it is empty where no role has one.
    fn add<R: Reasoner>(&mut self, reasoner: &mut R, solved: &SolvedState<'_, R::State>) -> Result<(), ReasonError> {
        let facts = reasoner.facts(solved.state);
        let facts: Vec<String> = facts.iter().map(|fact| fact.display(self.dialect).to_string()).collect();
        let role = solved.role.map_or(String::new(), |role| reasoner.roles()[role.index()].to_string());
        let chosen = solved.role.zip(solved.joint_move.as_ref()).map_or(String::new(), |(role, joint_move)| {
            reasoner.move_term(joint_move[role.index()]).display(self.dialect).to_string()
        });
        let moves = solved.moves.map_or(String::new(), |moves| moves.to_string());
        let is_player = |(role, _): &(&GroundTerm, _)| !role.is_chance();
        let worth =
            |role: usize| solved.worths.as_ref().map_or(String::new(), |worths| value_text(worths[role].to_f64()));
        let worths = reasoner.roles().iter().zip(0..).filter(is_player).map(|(_, role)| worth(role));
        let columns = [facts.join(" "), role, chosen, moves].into_iter().chain(worths);
        self.text += &csv_line(columns);
        Ok(())
    }
}

/// The policy of an answer.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum WrittenPolicy {
    /// The file with it.
    File(String),
    /// Its text.
    Text(String),
}

/// A game that has been solved from the current state.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct SolveAnswer {
    /// The utilities under best play; `None` if it never ends, or if there is chance.
    value: Option<Vec<(GroundTerm, Utility)>>,
    /// The mean utilities under best play, if there is chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<ExpectedWorths>,
    /// The number of joint moves to the end, if a side can force it.
    moves: Option<u32>,
    /// The moves of best play by roles that have a choice.
    line: Vec<LineMove>,
    /// The end of the line; `None` with chance, since the value is a mean, to which no line leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_ends: Option<LineEnd>,
    /// The number of states that can be reached.
    states: u64,
    /// The number of symmetries up to which they are counted, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetries: Option<u64>,
    /// The number of joint moves in them.
    joint_moves: u64,
    /// The number of states for each ending.
    worths: Vec<SolvedStates>,
    /// The bytes of one packed state.
    state_bytes: u64,
    /// The most bytes in use at a time.
    memory: u64,
    /// The cost of solving, in states.
    cost: Cost,
    /// The policy, if `--policy` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<WrittenPolicy>,
    /// Notes about the value, if roles do not see the whole state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl SolveAnswer {
    /// The move of best play that a role has in the first state; `None` if it has no choice there, or play has no end.
    pub(crate) fn first_move(&self, role: &GroundTerm) -> Option<GroundTerm> {
        let of_means = self.expected.as_ref().and_then(|expected| expected.chosen.as_ref());
        let of_line = self.line.iter().find(|chosen| chosen.ply == 1 && chosen.role == *role);
        let of_means = of_means.filter(|chosen| chosen.role == *role).map(|chosen| chosen.chosen.clone());
        of_means.or(of_line.map(|chosen| chosen.chosen.clone()))
    }

    /// The number of moves to the end in which all roles can only wait, so that the line leaves them out.
    fn forced_text(&self, moves: u32) -> String {
        let chosen = self.line.chunk_by(|left, right| left.ply == right.ply).count();
        match (moves as usize).saturating_sub(chosen) {
            forced @ 1.. if self.line_ends == Some(LineEnd::Game) => format!(", {forced} of them forced"),
            _ => String::new(),
        }
    }

    /// True if no further work would change the values.
    pub(crate) fn is_exact(&self) -> bool {
        self.expected.as_ref().is_none_or(|expected| expected.precision.is_exact())
    }
}

/// The value of a game with chance.
#[derive(Clone, Debug, Serialize)]
struct ExpectedWorths {
    /// The mean utility of each role except chance.
    means: Vec<(GroundTerm, f64)>,
    /// The means themselves, of the roles whose mean is not rounded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fractions: Vec<(GroundTerm, Rational)>,
    /// The first move of best play, if a role has a choice.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    chosen: Option<RoleMove>,
    /// Exactness of the means.
    #[serde(flatten)]
    precision: Precision,
}

impl ExpectedWorths {
    /// The mean of each role.
    fn each(&self) -> impl Iterator<Item = (&GroundTerm, Real)> {
        let fraction = |role: &GroundTerm| self.fractions.iter().find(|(other, _)| other == role);
        self.means.iter().map(move |(role, mean)| {
            (role, fraction(role).map_or(Real::Rounded(*mean), |&(_, fraction)| Real::Exact(fraction)))
        })
    }
}

impl AnswerContent for SolveAnswer {
    fn kind(&self) -> &'static str {
        "solved"
    }

    /// Its value, best play, and the number of states for each ending.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let (full, dialect) = (style.view.full, style.dialect);
        let value = match (&self.value, &self.expected) {
            (_, Some(expected)) => expected_text(expected, dialect),
            // The files of a solved game do not count endings.
            (None, None) if !self.worths.is_empty() && self.worths.iter().all(|worth| worth.terminal == 0) => {
                "the game never ends: no terminal state can be reached".to_string()
            }
            (None, None) => "no end can be forced".to_string(),
            (Some(worths), None) => {
                let worths: Vec<String> = worths.iter().map(|(role, utility)| format!("{role}: {utility}")).collect();
                let moves = self.moves.map_or(String::new(), |moves| {
                    format!(" after {}{}", counted(moves as usize, "joint move"), self.forced_text(moves))
                });
                worths.join(", ") + &moves
            }
        };
        let line_of_play = match &self.line[..] {
            [] => String::new(),
            moves => line(format!("best play: {}", folded_line(moves, full, dialect))),
        };
        let rows = self.worths.iter().map(|SolvedStates { utilities, states, terminal, farthest }| {
            let name = utilities.as_ref().map_or("open".to_string(), |utilities| {
                let utilities: Vec<String> = utilities.iter().map(ToString::to_string).collect();
                utilities.join(" ")
            });
            let farthest =
                farthest.map_or(String::new(), |moves| format!(", at most {}", counted(moves as usize, "move")));
            (
                name,
                format!("{}, {} of them terminal{farthest}", counted_as(*states, "state", "states"), grouped(terminal)),
            )
        });
        let per_state = self.memory as f64 / self.states as f64;
        let states = format!(
            "{}, {}",
            counted_as(self.states, "state", "states"),
            counted_as(self.joint_moves, "joint move", "joint moves") + &symmetries_text(self.symmetries)
        );
        // Memory depends on the engine, so it is shown only if all is asked for.
        let memory = match full {
            true => format!("; {} bytes per packed state, {per_state:.1} in total", self.state_bytes),
            false => String::new(),
        };
        let policy = match &self.policy {
            None => String::new(),
            Some(WrittenPolicy::File(file)) => {
                line(format!("{file}: the policy, {}", counted_as(self.states, "state", "states")))
            }
            Some(WrittenPolicy::Text(text)) => text.clone(),
        };
        line(value) + &line_of_play + &table(rows) + &line(states + &memory) + &policy
    }

    fn value(&self) -> Option<AnswerValue> {
        match (&self.value, &self.expected) {
            (Some(worths), _) => Some(AnswerValue::numbers(worths.iter().map(|(_, utility)| utility))),
            (None, Some(expected)) => Some(AnswerValue::numbers(expected.means.iter().map(|(_, mean)| mean))),
            (None, None) => None,
        }
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.states))
    }

    fn work(&self) -> Option<(u64, &'static str)> {
        Some((self.states, "states"))
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn warnings_mut(&mut self) -> Option<&mut Vec<String>> {
        Some(&mut self.warnings)
    }
}

/// Means with the first move, and how exact they are.
fn expected_text(expected: &ExpectedWorths, dialect: Dialect) -> String {
    let ExpectedWorths { chosen, precision, .. } = expected;
    let means = expected.each().map(|(role, mean)| format!("{role}: {}", mean_text(mean)));
    let means: Vec<String> = means.collect();
    let chosen = chosen.as_ref().map_or(String::new(), |chosen| format!(" with {}", chosen.chosen.display(dialect)));
    let precision = precision_text(precision);
    format!("{} expected{chosen} ({precision})", means.join(", "))
}
