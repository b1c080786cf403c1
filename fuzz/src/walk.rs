//! Random walks on which engines are compared: all must give the same view of every state.

use ggp::game::{Move, ReasonError, Reasoner, Role};
use ggp::limits::Limits;
use ggp::rules::GroundTerm;
use ggp_engine::lanes::{Answers, BackEnds, GoalStates, Lanes, Questions, Request, Width};
use ggp_engine::program::{NetworkState, Program};
use ggp_engine::propnet::{EvaluatorKind, NetworkOptions, Propnet};

/// The evaluators that are compared with the full one, which computes every gate in every state.
const OTHERS: [EvaluatorKind; 4] =
    [EvaluatorKind::Incremental, EvaluatorKind::Compiled, EvaluatorKind::Sparse, EvaluatorKind::Demand];

/// A pseudo-random generator: SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// An index below a count, which must not be 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.draw() % count as u64) as usize
    }
}

/// An engine's view of a state; goals that are not a single integer are `None`.
#[derive(Debug, PartialEq, Eq)]
pub struct View {
    facts: Vec<GroundTerm>,
    is_terminal: bool,
    legal: Vec<Vec<GroundTerm>>,
    goals: Vec<Option<i64>>,
}

/// Asks an engine everything about a state.
///
/// # Errors
/// If it has no answer because of a limit or an interrupt.
pub fn view<R: Reasoner>(engine: &mut R, state: &R::State) -> Result<View, ReasonError> {
    let roles = engine.roles().len();
    let (mut legal, mut goals, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for role in (0..roles).map(Role::new) {
        engine.legal_moves(state, role, &mut moves)?;
        legal.push(moves.iter().map(|&chosen| engine.move_term(chosen)).collect());
        goals.push(match engine.goal(state, role) {
            Ok(utility) => Some(utility.floor().into()),
            Err(
                ReasonError::GoalUndefined { .. }
                | ReasonError::GoalNotUnique { .. }
                | ReasonError::GoalNotInteger { .. },
            ) => None,
            Err(error) => return Err(error),
        });
    }
    Ok(View { facts: engine.facts(state), is_terminal: engine.is_terminal(state)?, legal, goals })
}

/// A joint move drawn from the legal moves of a view; `None` if the state is terminal or a role has no legal move.
pub fn draw(view: &View, random: &mut Random) -> Option<Vec<GroundTerm>> {
    let chosen = view.legal.iter().map(|moves| (!moves.is_empty()).then(|| moves[random.below(moves.len())].clone()));
    chosen.collect::<Option<Vec<_>>>().filter(|_| !view.is_terminal)
}

/// Compares every evaluator and lanes of a program on one random walk of at most `steps` steps.
///
/// # Panics
/// If two of them differ, or if one of them panics.
pub fn agree(program: &Program, seed: u64, steps: usize) {
    let engine = |evaluator| {
        Propnet::from_program(
            program.clone(),
            &NetworkOptions { evaluator, ..NetworkOptions::default() },
            &Limits::none(),
        )
        .unwrap()
    };
    let mut full = engine(EvaluatorKind::Full);
    let mut others: Vec<Propnet> = OTHERS.map(engine).into();
    for other in &others {
        assert_eq!(other.back_ends().left_out(), [], "an evaluator differs from the network");
    }
    let mut questions = Questions::new(program, &BackEnds::default(), &Limits::none()).unwrap();
    let mut random = Random(seed);
    let mut state = full.initial_state().expect("a program has an initial state");
    for _ in 0..steps {
        let seen = view(&mut full, &state).expect("a program always answers");
        for (other, kind) in others.iter_mut().zip(OTHERS) {
            assert_eq!(view(other, &state).as_ref(), Ok(&seen), "{kind} against full");
        }
        compare_lanes(program, &mut questions, &state, &seen);
        let Some(joint_move) = draw(&seen, &mut random) else { break };
        let next = step(&mut full, &state, &joint_move);
        for (other, kind) in others.iter_mut().zip(OTHERS) {
            assert_eq!(step(other, &state, &joint_move), next, "{kind} against full, after {joint_move:?}");
        }
        let indices: Vec<u32> =
            joint_move.iter().enumerate().map(|(role, term)| move_index(program, role, term)).collect();
        let in_lanes = questions.next_states([&state], &indices).get(0, None);
        assert_eq!(in_lanes, next, "lanes against full, after {joint_move:?}");
        state = next;
    }
    compare_playouts(program, seed);
}

fn step(engine: &mut Propnet, state: &NetworkState, joint_move: &[GroundTerm]) -> NetworkState {
    let moves = joint_move.iter().map(|term| engine.find_move(term)).collect::<Result<Vec<Move>, _>>();
    engine.next_state(state, &moves.expect("a legal move is known")).expect("a legal move can be made")
}

/// The index of a move among those of the program.
fn move_index(program: &Program, role: usize, term: &GroundTerm) -> u32 {
    let mut moves = program.moves_of(Role::new(role));
    moves.find(|&index| program.moves[index].term == *term).expect("a legal move is in the program") as u32
}

fn compare_lanes(program: &Program, questions: &mut Questions, state: &NetworkState, seen: &View) {
    let mut answers = Answers::default();
    questions.evaluate([state], GoalStates::All, &mut answers);
    assert_eq!(answers.is_terminal(0), seen.is_terminal, "the end in lanes");
    for role in 0..program.roles.len() {
        let legal = answers.legal(0, program.moves_of(Role::new(role))).map(|index| program.moves[index].term.clone());
        assert_eq!(legal.collect::<Vec<_>>(), seen.legal[role], "legal moves in lanes");
        let indices = (0..program.goals.len()).filter(|&index| program.goals[index].role.index() == role);
        let goals = indices.clone().min().map_or(0..0, |first| first..first + indices.count());
        let values: Vec<usize> = answers.goals(0, goals).collect();
        let value = match values[..] {
            [only] => program.goals[only].value.to_string().parse().ok(),
            _ => None,
        };
        assert_eq!(value, seen.goals[role], "the goal of role {role} in lanes");
    }
}

/// Random games on machine code, if available, and gate by gate, which must be the same games.
fn compare_playouts(program: &Program, seed: u64) {
    let mut lanes = Lanes::new(program, &BackEnds::default(), Some(Width::W256), &Limits::none()).unwrap();
    let start = Propnet::from_program(
        program.clone(),
        &NetworkOptions { evaluator: EvaluatorKind::Full, ..NetworkOptions::default() },
        &Limits::none(),
    )
    .unwrap()
    .initial_state()
    .expect("a program has an initial state");
    let request = Request::playouts(64).with_seed(seed).with_longest(12);
    let outcomes = lanes.playouts(&start, &request);
    assert_eq!(lanes.without_machine_code().playouts(&start, &request), outcomes, "machine code against gates");
}
