//! Commands about what a role knows of the match: `view`, `possible` (the states that it thinks possible), and `ismcts`,
//! which searches from them.

use super::contest::asking_role;
use super::hidden::Beginning;
use super::sample::{self, sampled};
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::{line, terms};
use crate::repl::answer::{AnswerContent, AnswerValue, SearchAnswer, SearchFound, TextStyle, known_text};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session};
use gdl::quantity::counted_as;
use gdl::rules::GroundTerm;
use ggp_engine::interpreter::State;
use ggp_game::{PerceptReasoner, Reasoner, Role};
use ggp_play::ask::options::{MEMORY, SECONDS};
use ggp_play::ask::sampling::{EXPLORATION, SEED, VISITS};
use ggp_play::ask::{self, Sampling, searches};
use ggp_search::{Budget, Observation, Outcome, PossibleStates, SearchError, UctOptions, ViewStep};
use serde::Serialize;
use std::collections::BTreeSet;

pub(super) const VIEW_OF_ROLE: Command = Command {
    name: "view",
    summary: "show what a role (by default the role to move) knows: its moves and percepts, and the facts that hold in all states that it thinks possible",
    example: "view candidate",
    example_game: "monty_hall",
    example_after: &["do hide(2)", "do choose(1)", "do open(3)"],
    ..Command::about_role(view)
};

pub(super) const POSSIBLE: Command = Command {
    name: "possible",
    operands: "[N] [ROLE]",
    takes: ArgumentKind::Role,
    summary: "list at most N (by default 10) of the states that a role (by default the role to move) thinks possible, by the facts in which they differ",
    example: "possible candidate",
    example_game: "monty_hall",
    example_after: &["do hide(2)", "do choose(1)", "do open(3)"],
    answers: AnswerKind::Value,
    ..Command::run_by(possible)
};

pub(super) const ISMCTS: Command = Command {
    name: ask::hidden::ISMCTS,
    options: &[OptionGroup::own(&[VISITS, SEED, EXPLORATION, SECONDS, MEMORY])],
    summary: "Monte Carlo tree search over what roles know: random games from the states that a role thinks possible, with a tree for each role",
    example: "ismcts --visits 1000",
    example_game: "monty_hall",
    example_after: &["do hide(2)", "do choose(1)", "do open(3)"],
    ..Command::about_role(ismcts)
};

/// The default number of listed states.
const LISTED: usize = 10;
/// The most states that are found exactly; of more a sample of this size is taken.
const MOST: usize = 10_000;

/// What a role knows of a match.
pub(crate) struct RoleKnowledge {
    role: GroundTerm,
    view: Vec<ViewStep>,
    pub(crate) possible: PossibleStates<State>,
    /// The facts of each possible state, without those of equal states.
    pub(crate) states: BTreeSet<Vec<GroundTerm>>,
    /// The facts that hold in all of them.
    pub(crate) certain: Vec<GroundTerm>,
}

impl RoleKnowledge {
    /// The knowledge of a role in the current state, from at most `most` possible states.
    ///
    /// # Errors
    /// If no game is loaded, if the role is chance, or if a limit is met.
    pub(crate) fn of_role(session: &mut Session, role: Role, most: usize) -> Result<Self, CommandError> {
        let budget = session.budget();
        let seed = session.seed();
        let current = session.current()?;
        if current.roles()[role.index()].is_chance() {
            return Err(CommandError::refused("`random` is chance: it knows nothing"));
        }
        let start = Beginning::of_match(current);
        let observed = start.view(current, role)?;
        let name = current.roles()[role.index()].clone();
        let (rules, _) = current.position();
        let view = observed.iter().map(|(own, is_choice)| own.named(rules, role, *is_choice)).collect();
        let observations: Vec<Observation> = observed.into_iter().map(|(own, _)| own).collect();
        let search =
            |budget: &_| searches::possible_states(rules, &start.state, role, &observations, most, seed, budget);
        let Outcome { answer, stopped, cost } = budget.run(search)?;
        let Some(possible) = answer else { return Err(CommandError::without_answer(stopped, cost)) };
        let states: BTreeSet<Vec<GroundTerm>> =
            possible.states.iter().map(|(possible, _)| rules.facts(&possible.state)).collect();
        let mut all = states.iter();
        let mut certain = all.next().cloned().unwrap_or_default();
        all.for_each(|facts| certain.retain(|fact| facts.binary_search(fact).is_ok()));
        Ok(Self { role: name, view, possible, states, certain })
    }
}

fn view(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let role = asking_role(session.current()?, arguments)?;
    let warnings = no_percepts(session.current()?);
    let RoleKnowledge { role, view, possible, states, certain } = RoleKnowledge::of_role(session, role, MOST)?;
    let is_complete = possible.is_complete;
    Ok(Answer::new(ViewAnswer { role, view, certain, states: states.len(), is_complete }).warned(warnings))
}

fn ismcts(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let role = asking_role(session.current()?, arguments)?;
    if session.current()?.is_over()? {
        return Err(SearchError::Over.into());
    }
    let seed = arguments.number(&SEED)?.unwrap_or(session.seed());
    let exploration = arguments.number(&EXPLORATION)?.unwrap_or(UctOptions::default().exploration);
    let budget = arguments.budget(session.budget())?;
    let usual = if arguments.has(&SECONDS) { u64::MAX } else { Sampling::VISITS };
    let visits = arguments.number(&VISITS)?.unwrap_or(usual);
    let RoleKnowledge { possible, .. } = RoleKnowledge::of_role(session, role, MOST)?;
    let (rules, _) = session.current()?.position();
    let budget = budget.with(|budget| budget.with_nodes(visits));
    let search = |budget: &Budget| searches::ismcts(rules, &possible, role, exploration, seed, budget);
    let outcome = budget.run(search)?;
    let found = outcome.map(|advice| SearchFound::Sampled(sampled(rules, role, &advice, true, sample::LISTED, 1)));
    Ok(Answer::new(SearchAnswer::from_outcome(found)?))
}

fn no_percepts(current: &Match) -> Option<String> {
    let what = "no rule defines `sees`: every role knows all moves, and so the state";
    (!current.game.interpreter.has_percepts()).then(|| what.to_string())
}

fn possible(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let (number, rest) = match arguments.operands().split_once(' ') {
        Some((first, rest)) if first.parse::<usize>().is_ok() => (first.parse().ok(), rest),
        None if arguments.operands().parse::<usize>().is_ok() => (arguments.operands().parse().ok(), ""),
        _ => (None, arguments.operands()),
    };
    let arguments = arguments.clone().with_operands(rest.to_string());
    let role = asking_role(session.current()?, &arguments)?;
    let warnings = no_percepts(session.current()?);
    let RoleKnowledge { role, possible, states, certain, .. } = RoleKnowledge::of_role(session, role, MOST)?;
    let count = states.len();
    let listed = states.into_iter().take(number.unwrap_or(LISTED));
    let differing = |facts: Vec<GroundTerm>| {
        facts.into_iter().filter(|fact| certain.binary_search(fact).is_err()).collect::<Vec<_>>()
    };
    let listed = listed.map(differing).collect();
    let is_complete = possible.is_complete;
    Ok(Answer::new(PossibleAnswer { role, states: count, is_complete, certain, listed }).warned(warnings))
}

/// What a role knows.
#[derive(Clone, Debug, Serialize)]
struct ViewAnswer {
    role: GroundTerm,
    /// Each joint move as the role saw it.
    view: Vec<ViewStep>,
    /// The facts that hold in all states that it thinks possible.
    certain: Vec<GroundTerm>,
    /// The number of these states.
    states: usize,
    /// True if these are all; false for a sample.
    is_complete: bool,
}

/// The number of states that a role thinks possible.
fn states_text(states: usize, is_complete: bool) -> String {
    let count = counted_as(states as u64, "state is possible", "states are possible");
    if is_complete { count } else { format!("{count} of those that were sampled; there are more") }
}

impl AnswerContent for ViewAnswer {
    fn kind(&self) -> &'static str {
        "view"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let dialect = style.dialect;
        let view = known_text(&self.view, dialect);
        let certain = terms(&self.certain, ", ", dialect);
        let role = self.role.display(dialect);
        line(format!("{role}: {view}"))
            + &line(format!("certain: {certain}"))
            + &line(states_text(self.states, self.is_complete))
    }

    /// The facts that are certain.
    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::set(self.certain.clone()))
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.states))
    }
}

/// The states that a role thinks possible.
#[derive(Clone, Debug, Serialize)]
struct PossibleAnswer {
    role: GroundTerm,
    /// Their number.
    states: usize,
    /// True if these are all; false for a sample.
    is_complete: bool,
    /// The facts that hold in all of them.
    certain: Vec<GroundTerm>,
    /// The other facts of the first ones, state by state.
    listed: Vec<Vec<GroundTerm>>,
}

impl AnswerContent for PossibleAnswer {
    fn kind(&self) -> &'static str {
        "possible"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let row = |facts: &Vec<GroundTerm>| match &facts[..] {
            [] => line("the certain facts alone".to_string()),
            facts => line(terms(facts, ", ", style.dialect)),
        };
        let rows: String = self.listed.iter().map(row).collect();
        let more = match self.states - self.listed.len() {
            0 => String::new(),
            more => line(format!("… {}", counted_as(more as u64, "state more", "states more"))),
        };
        let role = self.role.display(style.dialect);
        rows + &more + &line(format!("{role}: {}", states_text(self.states, self.is_complete)))
    }

    /// The number of states.
    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.states))
    }
}
