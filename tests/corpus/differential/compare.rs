//! One sheet on every engine, compared with the interpreter: every evaluator, on the network as built and optimised;
//! networks on which passes ran in other orders; lanes in the given widths, with machine code and without; batches of
//! states.

use crate::walk::{Failure, Visit, Walk, answers, differs, same};
use ggp::diagnostic::Diagnostic;
use ggp::engine::{Engine, check_text};
use ggp::game::{BatchReasoner, Expansion, Expansions, Move, ReasonError, Reasoner, Role, Utility};
use ggp::interpreter::{self, Interpreter, QueryError};
use ggp::limits::Limits;
use ggp::rules::GroundTerm;
use ggp::syntax::{Dialect, Source};
use ggp_engine::ground::{GroundBudget, GroundError, ground};
use ggp_engine::lanes::{Answers, GoalStates, LanesError, Line, Questions, Width};
use ggp_engine::program::{NetworkState, Program};
use ggp_engine::propnet::{EvaluatorKind, Network, NetworkOptions, PASSES, Pass, Propnet, build, lower, optimise};
use ggp_engine::propnet::{check_cycles, check_faithful, check_outputs};
use ggp_game::threads::panic_text;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

/// The number of states of a walk.
const STATES: usize = 8;
/// The number of plies of the games that are played in lanes.
const PLIES: u32 = 4;
/// The number of games of each batch that the interpreter replays.
const FOLLOWED: usize = 4;
/// States with more joint moves than this are not expanded.
const MOST_JOINT_MOVES: usize = 64;
/// Larger games are skipped: small ones show the same bugs.
const MOST_RULES: usize = 1_500;
const MOST_LITERALS: usize = 12_000;
/// The time of grounding.
const TIME_OF_GROUNDING: Duration = Duration::from_millis(400);
/// The memory of grounding, in bytes.
const MEMORY: usize = 48 << 20;
/// The time for all questions to the interpreter together.
const TIME: Duration = Duration::from_millis(1_500);

/// The outcome of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// Everything agrees.
    Compared,
    /// The checks reject it, with the first code.
    Rejected(&'static str),
    /// It exceeds a budget, for this reason.
    Skipped(&'static str),
    /// Something differs.
    Differs(String),
}

/// The passes that run on a network as built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PassOrder {
    /// All but one.
    Without(&'static str),
    /// One, then another one, each once.
    Pair(&'static Pass, &'static Pass),
    /// One, then another one, then all.
    PairFirst(&'static Pass, &'static Pass),
}

impl PassOrder {
    /// Each pass left out, and each pair of different passes in both orders.
    pub(crate) fn all() -> Vec<Self> {
        let without = PASSES.iter().map(|pass| Self::Without(pass.name));
        without
            .chain(Self::pairs().flat_map(|(one, other)| [Self::Pair(one, other), Self::PairFirst(one, other)]))
            .collect()
    }

    /// One of each kind. All of them occur in as many rounds as there are pairs.
    pub(crate) fn of_round(round: u64) -> [Self; 3] {
        let pairs: Vec<_> = Self::pairs().collect();
        let (one, other) = pairs[round as usize % pairs.len()];
        let without = PASSES[round as usize % PASSES.len()].name;
        [Self::Without(without), Self::Pair(one, other), Self::PairFirst(one, other)]
    }

    fn pairs() -> impl Iterator<Item = (&'static Pass, &'static Pass)> {
        let others = |one: &'static Pass| PASSES.iter().filter(move |other| other.name != one.name);
        PASSES.iter().flat_map(move |one| others(one).map(move |other| (one, other)))
    }

    /// Runs the passes.
    pub(crate) fn apply(self, network: &mut Network) {
        match self {
            Self::Without(name) => _ = optimise(network, &[name]),
            Self::Pair(one, other) | Self::PairFirst(one, other) => {
                one.apply(network);
                other.apply(network);
            }
        }
        if let Self::PairFirst(..) = self {
            optimise(network, &[]);
        }
    }
}

impl std::fmt::Display for PassOrder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Without(name) => write!(formatter, "without {name}"),
            Self::Pair(one, other) => write!(formatter, "{}, {}", one.name, other.name),
            Self::PairFirst(one, other) => write!(formatter, "{}, {}, all", one.name, other.name),
        }
    }
}

/// Compares all answers about a sheet in prefix; a panic is a difference.
pub(crate) fn compare(text: &str, widths: &[Width], orders: &[PassOrder]) -> Outcome {
    match catch_unwind(|| run(text, widths, orders)) {
        Ok(Ok(())) => Outcome::Compared,
        Ok(Err(outcome)) => outcome,
        Err(panic) => Outcome::Differs(format!("a panic: {}", panic_text(&*panic))),
    }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Differs(difference) => Self::Differs(difference),
            Failure::Stopped(ReasonError::Stopped(_)) => Self::Skipped("a limit of the interpreter"),
            Failure::Stopped(reason) => Self::Differs(format!("the interpreter: {reason}")),
        }
    }
}

fn run(text: &str, widths: &[Width], orders: &[PassOrder]) -> Result<(), Outcome> {
    let checked = check_text(&Source::new("sheet", text), Some(Dialect::Prefix));
    if let Some(error) = checked.diagnostics.iter().find(|diagnostic| Diagnostic::is_error(diagnostic)) {
        return Err(Outcome::Rejected(error.code.id));
    }
    let rules = Arc::new(checked.rules);
    let budget = GroundBudget::new().with_time(TIME_OF_GROUNDING).with_memory(MEMORY);
    let grounding = ground(&rules, &budget).map_err(|error| match error {
        GroundError::Limit { .. } | GroundError::Reason(ReasonError::Stopped(_)) => {
            Outcome::Skipped("a limit of grounding")
        }
        error => Outcome::Differs(error.to_string()),
    })?;
    if grounding.rules.len() > MOST_RULES || grounding.literals.len() > MOST_LITERALS {
        return Err(Outcome::Skipped("the size of the network"));
    }
    let different = |what: &dyn std::fmt::Display| Outcome::Differs(what.to_string());
    let mut network = build(&grounding, &Limits::none()).unwrap();
    check_faithful(&grounding, &network).map_err(|error| different(&error))?;
    check_cycles(&network).map_err(|error| different(&error))?;
    let built = lower(&network, &Limits::none()).unwrap();
    let others = others(&network, orders)?;
    optimise(&mut network, &[]);
    check_outputs(&network).map_err(|error| different(&error))?;
    let optimised = lower(&network, &Limits::none()).unwrap();
    let mut interpreter = Interpreter::within(rules, Limits::none().with_time(TIME)).map_err(|error| match error {
        QueryError::Reason(reason) => Failure::Stopped(reason).into(),
        error => different(&error),
    })?;
    let initial = interpreter.initial_state().map_err(Failure::Stopped)?;
    let facts = interpreter.facts(&initial);
    let named = engines(&built, &optimised).into_iter().chain(others);
    let engines = with_initial(named, &facts)?;
    let (interpreter, visits) = Walk::new(engines, interpreter, STATES).play_out()?;
    let mut lanes = InLanes { propnet: propnet(&optimised, EvaluatorKind::Incremental), interpreter };
    lanes.play(widths)?;
    lanes.evaluate(&visits)?;
    lanes.expand(&visits)?;
    Ok(leaves_nothing_out(&lanes.propnet)?)
}

fn propnet(program: &Program, evaluator: EvaluatorKind) -> Propnet {
    Propnet::from_program(program.clone(), &NetworkOptions { evaluator, ..NetworkOptions::default() }, &Limits::none())
        .unwrap()
}

/// The networks of these orders of passes.
fn others(built: &Network, orders: &[PassOrder]) -> Result<Vec<Propnet>, Failure> {
    let other = |order: &PassOrder| {
        let mut network = built.clone();
        order.apply(&mut network);
        let found = check_outputs(&network);
        found.map_err(|error| Failure::Differs(format!("{order}: {error}")))?;
        Ok(propnet(&lower(&network, &Limits::none()).unwrap(), EvaluatorKind::Full))
    };
    orders.iter().map(other).collect()
}

/// Every evaluator by name (`auto` would measure).
fn engines(built: &Program, optimised: &Program) -> Vec<Propnet> {
    let of_built = [EvaluatorKind::Full, EvaluatorKind::Incremental].map(|kind| propnet(built, kind));
    let named = EvaluatorKind::ALL.into_iter().filter(|&kind| kind != EvaluatorKind::Auto);
    of_built.into_iter().chain(named.map(|kind| propnet(optimised, kind))).collect()
}

/// The engines, each of which must have these initial facts.
fn with_initial(engines: impl Iterator<Item = Propnet>, facts: &[GroundTerm]) -> Result<Vec<Engine>, Failure> {
    let checked = |propnet: Propnet| {
        propnet.check_initial(facts).map_err(|error| Failure::Differs(error.to_string()))?;
        Ok(Engine::Propnet(Box::new(propnet)))
    };
    engines.map(checked).collect()
}

/// What differs from the network is left out, and does not answer wrongly.
fn leaves_nothing_out(propnet: &Propnet) -> Result<(), Failure> {
    let left_out = propnet.back_ends().left_out();
    left_out.first().map_or(Ok(()), |left_out| Err(Failure::Differs(left_out.to_string())))
}

fn wrong_lanes(error: LanesError) -> Failure {
    Failure::Differs(error.to_string())
}

/// Questions about batches of states, compared with the interpreter.
struct InLanes {
    propnet: Propnet,
    interpreter: Interpreter,
}

impl InLanes {
    fn roles(&self) -> impl Iterator<Item = Role> + use<> {
        (0..self.interpreter.roles().len()).map(Role::new)
    }

    /// Plays games in each width, with machine code and without: they must be the same games, and the interpreter
    /// replays some of them.
    fn play(&mut self, widths: &[Width]) -> Result<(), Failure> {
        let start = self.propnet.initial_state().map_err(differs)?;
        let mut narrower: Vec<Line> = Vec::new();
        for &width in widths {
            let mut lanes = self.propnet.lanes(Some(width), &Limits::none()).map_err(wrong_lanes)?;
            let lines = lanes.lines(&start, 7, PLIES);
            let gates = lanes.without_machine_code().lines(&start, 7, PLIES);
            let facts = self.propnet.facts(&start);
            if lines != gates {
                let lane = (0..lines.len()).find(|&lane| lines[lane] != gates[lane]).unwrap_or(0);
                same(&format!("machine code, lane {lane} of {width:?}"), &lines[lane], &gates[lane], &facts)?;
            }
            let both = narrower.len().min(lines.len());
            if narrower[..both] != lines[..both] {
                return Err(Failure::Differs(format!("lanes play differently in {width:?}")));
            }
            narrower = lines;
        }
        let step = narrower.len().div_ceil(FOLLOWED).max(1);
        narrower.iter().step_by(step).try_for_each(|line| self.follow(line))
    }

    /// Replays the game of a lane.
    fn follow(&mut self, line: &Line) -> Result<(), Failure> {
        let mut state = self.interpreter.initial_state().map_err(Failure::Stopped)?;
        for (at, known) in line.states.iter().enumerate() {
            let facts = self.interpreter.facts(&state);
            same("facts in a lane", &self.propnet.facts(known), &facts, &facts)?;
            let says = answers(&mut self.interpreter, &state).map_err(Failure::Stopped)?;
            let Some(indices) = line.joint_moves.get(at) else {
                same("the end in a lane", &line.is_over, &says.is_terminal, &facts)?;
                let goals: Vec<Option<Utility>> = says.goals.iter().map(|goal| goal.clone().ok()).collect();
                if line.is_over {
                    same("goals in a lane", &line.utilities, &goals, &facts)?;
                }
                let is_stuck = says.legal.iter().any(Vec::is_empty);
                let may_stop = line.is_over || is_stuck || at == PLIES as usize;
                return same("a game that goes on in a lane", &may_stop, &true, &facts);
            };
            let term = |index: &usize| self.propnet.program().moves.get(*index).map(|known| known.term.clone());
            let terms: Vec<Option<GroundTerm>> = indices.iter().map(term).collect();
            let is_legal = |(term, legal): (&Option<GroundTerm>, &Vec<GroundTerm>)| {
                term.as_ref().is_some_and(|term| legal.contains(term))
            };
            let legal = !says.is_terminal && terms.iter().zip(&says.legal).all(is_legal);
            same("a legal move in a lane", &(legal, &terms), &(true, &terms), &facts)?;
            state = self.advance(&state, terms.iter().flatten())?;
        }
        Ok(())
    }

    fn advance<'a>(
        &mut self,
        state: &interpreter::State,
        terms: impl Iterator<Item = &'a GroundTerm>,
    ) -> Result<interpreter::State, Failure> {
        let found: Result<Vec<Move>, ReasonError> = terms.map(|term| self.interpreter.find_move(term)).collect();
        let next = found.and_then(|joint_move| self.interpreter.next_state(state, &joint_move));
        next.map_err(Failure::Stopped)
    }

    /// Asks lanes about all states of a walk, and about their successors under the first moves.
    fn evaluate(&mut self, visits: &[Visit]) -> Result<(), Failure> {
        let states: Vec<NetworkState> = visits
            .iter()
            .map(|visit| self.propnet.state_from_facts(&visit.facts))
            .collect::<Result<_, _>>()
            .map_err(differs)?;
        let (program, back_ends) = (self.propnet.program(), self.propnet.back_ends());
        let mut questions = Questions::new(program, back_ends, &Limits::none()).map_err(wrong_lanes)?;
        let mut found = Answers::default();
        questions.evaluate(&states, GoalStates::All, &mut found);
        let program = self.propnet.program();
        let mut joint_moves = Vec::new();
        let mut moving = Vec::new();
        for (at, Visit { facts, answers: says }) in visits.iter().enumerate() {
            same("the end, by lanes", &found.is_terminal(at), &says.is_terminal, facts)?;
            let mut first = Vec::new();
            for role in self.roles() {
                let range = program.moves.partition_point(|known| known.role < role)
                    ..program.moves.partition_point(|known| known.role <= role);
                let indices: Vec<usize> = found.legal(at, range).collect();
                let legal: Vec<GroundTerm> = indices.iter().map(|&index| program.moves[index].term.clone()).collect();
                same("legal moves, by lanes", &legal, &says.legal[role.index()], facts)?;
                first.extend(indices.first().map(|&index| index as u32));
                let range = program.goals.partition_point(|known| known.role < role)
                    ..program.goals.partition_point(|known| known.role <= role);
                let values: Vec<GroundTerm> =
                    found.goals(at, range).map(|index| program.goals[index].value.clone()).collect();
                same("goals, by lanes", &values, &values_of(&says.goals[role.index()]), facts)?;
            }
            if !says.is_terminal && first.len() == says.legal.len() {
                moving.push(at);
                joint_moves.extend(first);
            }
        }
        let next = questions.next_states(moving.iter().map(|&at| &states[at]), &joint_moves);
        let next: Vec<NetworkState> = (0..next.len()).map(|index| next.get(index, None)).collect();
        for (next, &at) in next.iter().zip(&moving) {
            let Visit { facts, answers: says } = &visits[at];
            let state = self.interpreter.state_from_facts(facts).map_err(Failure::Stopped)?;
            let expected = self.advance(&state, says.legal.iter().map(|legal| &legal[0]))?;
            same("the next state, by lanes", &self.propnet.facts(next), &self.interpreter.facts(&expected), facts)?;
        }
        Ok(())
    }

    /// Expands all states of a walk at once; one in which some role has no moves comes last.
    fn expand(&mut self, visits: &[Visit]) -> Result<(), Failure> {
        let joint_moves = |visit: &&Visit| visit.answers.legal.iter().map(Vec::len).product::<usize>();
        let mut chosen: Vec<&Visit> = visits.iter().filter(|visit| joint_moves(visit) <= MOST_JOINT_MOVES).collect();
        chosen.sort_by_key(|visit| !visit.answers.is_terminal && joint_moves(visit) == 0);
        let own = |visit: &&Visit| self.propnet.state_from_facts(&visit.facts);
        let own: Vec<NetworkState> = chosen.iter().map(own).collect::<Result<_, _>>().map_err(differs)?;
        let judged = |visit: &&Visit| self.interpreter.state_from_facts(&visit.facts);
        let judged: Vec<interpreter::State> =
            chosen.iter().map(judged).collect::<Result<_, _>>().map_err(Failure::Stopped)?;
        let (mut found, mut expected) = (Expansions::default(), Expansions::default());
        assert!(self.propnet.expand_as(&own.iter().collect::<Vec<_>>(), &mut found, |state| state, Some));
        self.interpreter.expand(&judged.iter().collect::<Vec<_>>(), &mut expected);
        // On a busy machine the interpreter may run out of time here.
        if expected.len() < chosen.len()
            && let Err(limit @ ReasonError::Stopped(_)) = expected.get(expected.len())
        {
            return Err(Failure::Stopped(limit));
        }
        same("the number of states expanded", &found.len(), &expected.len(), &[])?;
        for (at, visit) in chosen.iter().enumerate().take(found.len() + 1) {
            let found = self.expansion(&self.propnet, found.get(at));
            same("an expansion", &found, &self.expansion(&self.interpreter, expected.get(at)), &visit.facts)?;
        }
        Ok(())
    }

    /// The expansion of a state in terms that do not depend on the engine.
    fn expansion<R: Reasoner>(
        &self,
        reasoner: &R,
        expansion: Result<Expansion<'_, R::State>, ReasonError>,
    ) -> Result<Following, ReasonError> {
        Ok(match expansion? {
            Expansion::End(goals) => (goals.to_vec(), Vec::new()),
            Expansion::Turn(turn) => {
                let legal = |role| turn.legal(role).iter().map(|&chosen| reasoner.move_term(chosen)).collect();
                let successors = turn.successors().iter().map(|state| reasoner.facts(state));
                (Vec::new(), self.roles().map(legal).chain(successors).collect())
            }
        })
    }
}

/// The expansion of a state: the goals of its roles if it is terminal, else their legal moves and the facts of each
/// successor.
type Following = (Vec<Result<Utility, ReasonError>>, Vec<Vec<GroundTerm>>);

/// The goal values that an answer names.
fn values_of(goal: &Result<Utility, ReasonError>) -> Vec<GroundTerm> {
    match goal {
        Ok(value) => vec![GroundTerm::symbol(value.to_string().as_str())],
        Err(ReasonError::GoalNotUnique { values, .. }) => values.clone(),
        Err(ReasonError::GoalNotInteger { value, .. }) => vec![value.clone()],
        Err(_) => Vec::new(),
    }
}
