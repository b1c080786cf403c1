//! `solve`: the value of the whole game below the current state.

use super::contest::to_move;
use super::contest_answer::{MoveQuestion, SearchedState, choices};
use super::found_plan::found_plan;
use super::option::{FORCE, FULL, LIMITS, file};
use super::stored_answer::{self, StoredAnswer, StoredPlay};
use super::symmetry::{SYMMETRY, UpToSymmetry};
use super::{AnswerKind, Arguments, Command, OptionGroup};
use crate::repl::answer::{ExpectedWorths, RoleMove, SearchAnswer, SolveAnswer, Substitute, Worths};
use crate::repl::{Answer, CommandError, Session};
use crate::table::csv_line;
use gdl::limits::Stop;
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_game::{JointMoves, ReasonError, Reasoner, Role};
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::budget_after;
use ggp_play::ask::spec::NamedOption;
use ggp_play::ask::{AskedEngine, searches};
use ggp_search::events::value_text;
use ggp_search::{
    Contest, Cost, DeepenedChoice, ExpectedValue, Outcome, Problem, SearchError, Solution, SolvedState,
    SymmetricReasoner, end_of_line,
};

pub(super) const SOLVE: Command = Command {
    name: "solve",
    options: &[OptionGroup::own(&[POLICY, FORCE, SYMMETRY, FULL]), LIMITS],
    summary: "find the exact value and best play from the current state by visiting every state that can be reached",
    example: "solve --memory 2G",
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(solve)
};

const POLICY: NamedOption = file(
    "--policy",
    "write each state with the move of best play and its values to a file, with commas between the columns",
);

fn solve(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = arguments.budget(session.budget())?;
    let dialect = session.dialect();
    let file = arguments.output(&POLICY, session)?;
    let mut warnings = Vec::new();
    if !arguments.has(&SYMMETRY)
        && file.is_none()
        && let Some(stored) = stored_answer::best_play(session)?
    {
        return from_database(session, stored);
    }
    let (outcome, policy, symmetries) = if arguments.has(&SYMMETRY) {
        let UpToSymmetry { reasoner: mut symmetric, state, warnings: notes } = UpToSymmetry::in_session(session)?;
        warnings.extend(notes);
        let first = symmetric.representative(&state)?;
        let (outcome, policy) = solved(&mut symmetric, &first, &budget, file.is_some(), dialect)?;
        let outcome = outcome.try_map(|solution| in_real_states(&mut symmetric, &first, &state, solution))?;
        (outcome, policy, Some(symmetric.symmetries()))
    } else {
        let (reasoner, state) = session.current()?.engine()?;
        let (outcome, policy) = solved(reasoner, &state, &budget, file.is_some(), dialect)?;
        (outcome, policy, None)
    };
    let cost = outcome.cost;
    let Some(solution) = outcome.answer else {
        let stop = outcome.stopped.unwrap_or(Stop::Interrupted);
        let stopped = || CommandError::Stopped { stop, cost: Some(Box::new(cost)) };
        let answer = along_lines(session, &budget, stop, cost).ok_or_else(stopped)?;
        return Ok(Answer::new(answer.warned(warnings)));
    };
    let (reasoner, state) = session.current()?.engine()?;
    let line_ends = solution.expected.is_none().then(|| end_of_line(reasoner, &state, &solution.line)).transpose()?;
    let line = choices(reasoner, &state, &solution.line)?;
    if let Some(output) = &file {
        output.write(policy.text)?;
    }
    let roles = reasoner.roles().iter().cloned();
    Ok(Answer::new(SolveAnswer {
        value: solution.utilities.map(|utilities| Worths(roles.zip(utilities).collect())),
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
        policy: file.map(|output| output.name),
        warnings,
    }))
}

/// What a search along lines finds after the analysis of all states was stopped: for one player a plan, otherwise what
/// the role to move can force as far as `iterative` sees. `None` if there is chance, or nothing is found.
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
        let asked = MoveQuestion { role, values: false };
        let found = SearchedState { reasoner: engine, state: &state, lines: choices }.choice(asked, choice).ok()?;
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
        value: known.utilities.map(|utilities| Worths(roles.zip(utilities).collect())),
        expected: None,
        moves: known.moves,
        line,
        line_ends,
        states,
        symmetries: None,
        joint_moves,
        worths: Vec::new(),
        state_bytes: 0,
        memory: 0,
        cost: Cost::default(),
        policy: None,
        warnings: vec![note],
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
