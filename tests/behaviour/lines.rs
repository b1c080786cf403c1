//! The lines of searches of several players: each is legal, goes to the end of the game or to the horizon, and leads to
//! the value that the answer states.

use crate::effort::effort;
use crate::sessions::{json, say, session};
use crate::state_graphs::{Numbers, state_graph};
use ggp::engine::{EngineKind, load_text};
use ggp::game::{Evaluation, JointMoves, Move, ReasonError, Reasoner, Role, Utility};
use ggp::interpreter::{Interpreter, State};
use ggp::limits::Stop;
use ggp::search::{
    Budget, Choice, Contest, Enhancements, EqualMoves, LineEnd, Opponents, Ordering, Outcome, Pruning, Round, Shares,
    Worth, alpha_beta, expectimax, expectiminimax, first_values, iterative_with, max_n, minimax, negamax, paranoid,
    repeating_choice,
};
use ggp::syntax::Source;

fn game(text: &str) -> Interpreter {
    let source = Source::new("test.gdl", text);
    let game = load_text("test".to_string(), source, None, EngineKind::Interpreter);
    game.unwrap_or_else(|error| panic!("{error}\n{text}")).interpreter
}

/// An evaluation that differs from state to state.
fn evaluate(reasoner: &mut Interpreter, state: &State, role: Role) -> Result<i64, ReasonError> {
    let facts = reasoner.facts(state).iter().map(ToString::to_string).collect::<String>();
    let sum: i64 = facts.bytes().map(i64::from).sum();
    Ok((sum * 7 + 5 * role.index() as i64) % 23 - 11)
}

/// The searches of one game, and how far they look.
struct Lines<'l> {
    text: &'l str,
    root: &'l State,
    depth: Option<u32>,
    extends_forced: bool,
    is_estimated: bool,
}

/// A state that a line has reached.
struct Reached {
    state: State,
    /// The joint moves that count towards the horizon.
    steps: u32,
    is_repeated: bool,
}

impl Lines<'_> {
    fn budget(&self) -> Budget {
        let budget = self.depth.map_or(Budget::new(), |depth| Budget::new().with_depth(depth));
        if self.extends_forced { budget.extending_forced() } else { budget }
    }

    fn describe(&self, name: &str) -> String {
        let forced = if self.extends_forced { " --extend-forced" } else { "" };
        let evaluated = if self.is_estimated { " --eval" } else { "" };
        format!("{name} to {:?}{forced}{evaluated} in\n{}", self.depth, self.text)
    }

    /// Plays a line, whose moves must be legal.
    fn reach(&self, of: &str, reasoner: &mut Interpreter, line: &[Vec<Move>]) -> Reached {
        let (mut state, mut steps, mut passed) = (self.root.clone(), 0, Vec::new());
        for joint_move in line {
            assert!(!reasoner.is_terminal(&state).unwrap(), "{of}");
            let turn = JointMoves::in_state(reasoner, &state).unwrap();
            let is_legal = (0..joint_move.len()).all(|role| turn.legal(Role::new(role)).contains(&joint_move[role]));
            assert!(is_legal, "{of}");
            steps += u32::from(!self.extends_forced || !turn.choosing().is_empty());
            passed.push(state.clone());
            state = reasoner.next_state(&state, joint_move).unwrap();
        }
        Reached { is_repeated: passed.contains(&state), state, steps }
    }

    /// Checks a line to `depth`, and that its end is worth these values for the roles with these indices.
    fn check(
        &self,
        name: &str,
        reasoner: &mut Interpreter,
        (line, ends): (&[Vec<Move>], LineEnd),
        depth: Option<u32>,
        worths: &[(Role, Worth)],
    ) {
        let of = &self.describe(name);
        let Reached { state, steps, .. } = self.reach(of, reasoner, line);
        let is_over = reasoner.is_terminal(&state).unwrap();
        match ends {
            LineEnd::Game => assert!(is_over, "{of}"),
            LineEnd::Horizon => {
                let is_forced = JointMoves::in_state(reasoner, &state).unwrap().choosing().is_empty();
                let is_endless = self.extends_forced && is_forced && line.len() >= 32;
                assert!(!is_over && (Some(steps) == depth || is_endless), "{steps} steps by {of}");
                assert!(is_endless || !(is_forced && self.extends_forced), "{of}");
            }
            _ => panic!("{ends:?} by {of}"),
        }
        for &(role, worth) in worths {
            match worth {
                Worth::Utility(utility) => assert_eq!(reasoner.goal(&state, role), Ok(utility), "{of}"),
                // A draw counts as the estimate 0.
                Worth::Estimate(0) if is_over => {}
                Worth::Estimate(estimate) => {
                    let lead = if name.starts_with("maxn") {
                        evaluate(reasoner, &state, role)
                    } else {
                        Evaluation::lead(&mut evaluate, reasoner, &state, role)
                    };
                    assert!(!is_over && lead == Ok(estimate), "{estimate} for {lead:?} by {of}");
                }
                Worth::Unknown => assert!(!is_over && !self.is_estimated, "{of}"),
            }
        }
    }

    fn check_choice(&self, name: &str, reasoner: &mut Interpreter, role: Role, outcome: Outcome<Choice>) -> Worth {
        let of = self.describe(name);
        let is_exact = outcome.is_exact();
        let Choice { worth, line, line_ends, .. } = outcome.answer.unwrap_or_else(|| panic!("{of}"));
        assert!(!is_exact || line_ends == LineEnd::Game, "{of}");
        self.check(name, reasoner, (&line, line_ends), self.depth, &[(role, worth)]);
        worth
    }

    /// Asks all searches, with a random choice of their options; the value of each is that of minimax.
    fn ask(&self, reasoner: &mut Interpreter, role: Role, numbers: &mut Numbers) {
        let budget = &self.budget();
        let mut evaluations = [evaluate; 3];
        let mut evaluations =
            evaluations.iter_mut().map(|own| self.is_estimated.then_some(own as &mut dyn Evaluation<_>));
        let mut contest =
            |evaluation| Contest { evaluation, table: numbers.once_in(2), ..Contest::new(self.root, role) };
        let found = minimax(reasoner, contest(evaluations.next().flatten()), budget, ()).unwrap();
        let value = self.check_choice("minimax", reasoner, role, found);
        let found = negamax(reasoner, contest(evaluations.next().flatten()), budget, ()).unwrap();
        assert_eq!(self.check_choice("negamax", reasoner, role, found), value, "{}", self.describe("negamax"));
        let found = max_n(reasoner, contest(evaluations.next().flatten()), budget, ()).unwrap();
        let is_exact = found.is_exact();
        let Shares { worths, line, line_ends, .. } = found.answer.expect("it has an answer");
        assert!(!is_exact || line_ends == LineEnd::Game, "{}", self.describe("maxn"));
        let worths: Vec<_> = (0..).map(Role::new).zip(worths).collect();
        self.check("maxn", reasoner, (&line, line_ends), self.depth, &worths);
        let found = expectiminimax(reasoner, contest(None), budget, ()).unwrap();
        let is_exact = found.is_exact();
        let found = found.answer.expect("it has an answer");
        self.check("expectiminimax", reasoner, (&found.line, found.line_ends), self.depth, &[]);
        if let Worth::Utility(utility) = value
            && is_exact
        {
            assert_eq!(found.utility, utility.to_real(), "{}", self.describe("expectiminimax"));
        }
        let found = expectimax(reasoner, contest(None), Opponents::Uniform, budget, ()).unwrap();
        let found = found.answer.expect("it has an answer");
        let of = self.describe("expectimax");
        let end = self.reach(&of, reasoner, &found.line);
        assert_eq!(found.line_ends == LineEnd::Game, reasoner.is_terminal(&end.state).unwrap(), "{of}");
        assert!(found.line_ends != LineEnd::Open && found.line_ends != LineEnd::Repetition, "{of}");
        for _ in 0..6 {
            self.prune(reasoner, role, numbers, value);
        }
        for _ in 0..3 {
            self.deepen(reasoner, role, enhancements(numbers), value);
        }
    }

    fn prune(&self, reasoner: &mut Interpreter, role: Role, numbers: &mut Numbers, value: Worth) {
        let orderings = [
            Ordering::Canonical,
            Ordering::Evaluation,
            Ordering::Table,
            Ordering::Best,
            Ordering::Worst,
            Ordering::Random { seed: numbers.below(100) },
        ];
        let ordering = orderings[numbers.below(6) as usize];
        let ties = [EqualMoves::Unknown, EqualMoves::Honest, EqualMoves::Naive][numbers.below(3) as usize];
        let enhancements = enhancements(numbers);
        let pruning = Pruning { ordering, table: numbers.once_in(2), ties, enhancements };
        let mut evaluation = evaluate;
        let evaluation = self.is_estimated.then_some(&mut evaluation as &mut dyn Evaluation<Interpreter>);
        let contest = Contest { evaluation, ..Contest::new(self.root, role) };
        let found = match numbers.once_in(2) {
            true => alpha_beta(reasoner, contest, pruning, &self.budget(), ()),
            false => paranoid(reasoner, contest, pruning, &self.budget(), ()),
        };
        let name = format!("alphabeta {pruning:?}");
        let found = self.check_choice(&name, reasoner, role, found.unwrap());
        assert!(is_same(found, value), "{found} for {value} by {}", self.describe(&name));
    }

    fn deepen(&self, reasoner: &mut Interpreter, role: Role, enhancements: Enhancements, value: Worth) {
        let name = format!("iterative {enhancements:?}");
        let mut evaluation = evaluate;
        let evaluation = self.is_estimated.then_some(&mut evaluation as &mut dyn Evaluation<Interpreter>);
        let contest = Contest { evaluation, ..Contest::new(self.root, role) };
        let outcome = iterative_with(reasoner, contest, enhancements, &self.budget(), (), &mut |_, _| {}).unwrap();
        let is_exact = outcome.is_exact();
        let deepened = outcome.answer.expect("it has an answer");
        let rounds = deepened.rounds.clone();
        for Round { depth, worth, line, line_ends, .. } in &rounds {
            self.check(&name, reasoner, (line, *line_ends), Some(*depth), &[(role, *worth)]);
        }
        let last = rounds.last().expect("a round is complete");
        let Choice { worth, line, line_ends, .. } = deepened.choice;
        assert_eq!((worth, &line, line_ends), (last.worth, &last.line, last.line_ends));
        assert!(!is_exact || line_ends == LineEnd::Game, "{}", self.describe(&name));
        // The last round may have decided all that a deeper one would find.
        if worth.utility().is_some() || self.depth == Some(last.depth) {
            assert!(is_same(worth, value), "{worth} for {value} by {}", self.describe(&name));
        }
    }
}

/// Whether two values are the same. A draw counts as the estimate 0, and as what is unknown.
fn is_same(one: Worth, other: Worth) -> bool {
    let is_even = |worth| match worth {
        Worth::Utility(utility) => utility == Utility::whole(50),
        Worth::Estimate(estimate) => estimate == 0,
        Worth::Unknown => true,
    };
    one == other || is_even(one) && is_even(other)
}

fn enhancements(numbers: &mut Numbers) -> Enhancements {
    let [killers, history, null_windows, aspiration] = std::array::from_fn(|_| numbers.once_in(2));
    Enhancements { killers, history, null_windows, aspiration }
}

const ROLES: [&str; 3] = ["x", "y", "z"];

#[test]
fn lines_lead_to_the_values_that_answers_state() {
    for seed in 0..effort(80, 5_000) {
        let numbers = &mut Numbers(seed);
        let roles = &ROLES[..2 + numbers.below(2) as usize];
        let has_cycles = numbers.once_in(3);
        let text = &state_graph(roles, has_cycles, seed);
        let reasoner = &mut game(text);
        let root = &reasoner.initial_state().unwrap();
        let role = Role::new(numbers.below(roles.len() as u64) as usize);
        for depth in [None, Some(1), Some(3), Some(5)].into_iter().skip(usize::from(has_cycles)) {
            let (extends_forced, is_estimated) = (numbers.once_in(2), numbers.once_in(2));
            Lines { text, root, depth, extends_forced, is_estimated }.ask(reasoner, role, numbers);
        }
    }
}

/// Each first move of an analysis has the line that follows it, to the end of the game.
#[test]
fn the_lines_of_an_analysis_are_complete() {
    for seed in 0..effort(40, 2_000) {
        let text = &state_graph(&ROLES[..2], false, seed);
        let reasoner = &mut game(text);
        let root = &reasoner.initial_state().unwrap();
        let lines = Lines { text, root, depth: None, extends_forced: false, is_estimated: false };
        for role in [0, 1].map(Role::new) {
            let found = first_values(reasoner, Contest::new(root, role), &Budget::new(), &mut |_, _| {}).unwrap();
            assert!(found.is_exact());
            for first in found.answer.expect("it has an answer").moves {
                lines.check("analyse", reasoner, (&first.line, first.line_ends), None, &[(role, first.worth)]);
            }
        }
    }
}

/// Where states repeat, a line goes to the end of the game, or back to a state on it if neither side can force an end.
#[test]
fn the_lines_of_all_states_end_or_come_back() {
    for seed in 0..effort(40, 2_000) {
        let text = &state_graph(&ROLES[..2], true, seed);
        let reasoner = &mut game(text);
        let root = &reasoner.initial_state().unwrap();
        let lines = Lines { text, root, depth: None, extends_forced: false, is_estimated: false };
        let Some(found) = repeating_choice(reasoner, root, Role::new(0), &Budget::new()).unwrap() else { continue };
        let Some(Choice { line, line_ends, worth, .. }) = found.outcome.answer else { continue };
        let end = lines.reach(text, reasoner, &line);
        match line_ends {
            LineEnd::Game => {
                let goal = reasoner.goal(&end.state, Role::new(0)).unwrap();
                assert_eq!(worth, Worth::Utility(goal), "in\n{text}");
            }
            LineEnd::Repetition => {
                assert!(end.is_repeated && worth == Worth::Utility(Utility::whole(50)), "in\n{text}");
            }
            _ => panic!("{line_ends:?} in\n{text}"),
        }
    }
}

/// An order by minimax values is computed to the same horizon, and where lines go on for ever without one, the search is
/// stopped.
#[test]
fn an_order_by_values_ends_where_lines_do_not() {
    let text = "role(x) init(at(0)) legal(x,go) legal(x,stay) next(at(0)) :- true(at(0))
        terminal :- true(at(1)) goal(x,0)";
    let reasoner = &mut game(text);
    let root = &reasoner.initial_state().unwrap();
    for ordering in [Ordering::Best, Ordering::Worst] {
        for table in [false, true] {
            let (contest, pruning) =
                (Contest::new(root, Role::new(0)), Pruning { ordering, table, ..Pruning::default() });
            let found = alpha_beta(reasoner, contest, pruning, &Budget::new(), ()).unwrap();
            assert_eq!(found.stopped, Some(Stop::Depth { limit: Budget::DEPTH }));
        }
    }
}

/// A search that deepens without a limit on depth is never exact where a line goes on for ever.
#[test]
fn the_last_depth_of_a_search_without_a_limit_is_a_limit() {
    let text = "role(x) role(y) init(at(0)) legal(x,go) legal(y,go) next(at(0)) :- true(at(0))
        terminal :- true(at(1)) goal(x,0) goal(y,100)";
    let game = load_text("test".to_string(), Source::new("test.gdl", text), None, EngineKind::Propnet);
    let mut game = game.expect("the sheet is valid");
    let engine = game.engine().expect("there is a network");
    let root = engine.initial_state().unwrap();
    let contest = Contest::new(&root, Role::new(1));
    let found = iterative_with(engine, contest, Enhancements::default(), &Budget::new(), (), &mut |_, _| {}).unwrap();
    assert_eq!(found.stopped, Some(Stop::Depth { limit: Budget::DEPTH }));
}

#[test]
fn a_line_goes_to_the_end_whatever_the_table_has_forgotten() {
    let mut session = session(&["load tests/games/two_player_graph.kif"]);
    for options in ["", " --killers", " --history", " --null-windows", " --aspiration", " --killers --null-windows"] {
        let line = format!("iterative y{options}");
        let said = say(&mut session, &line);
        assert!(said.contains("y: 60 by m10 right left right down down (exact;"), "{line}: {said}");
        assert_eq!(json(&mut session, &line)["line_ends"], "game", "{line}");
    }
    for search in ["minimax y", "minimax y --table", "alphabeta y --table", "paranoid y", "maxn", "solve"] {
        assert_eq!(json(&mut session, search)["line_ends"], "game", "{search}");
    }
    let said = say(&mut session, "solve");
    assert!(
        said.starts_with("x: 30, y: 60 after 6 joint moves\nbest play: m10 right left right down down\n"),
        "{said}"
    );
    let answer = json(&mut session, "iterative y --depth 2");
    assert_eq!((&answer["line_ends"], &answer["exact"]), (&"horizon".into(), &false.into()));
    assert_eq!(answer["rounds"][1]["line_ends"], "horizon");
    let answer = json(&mut session, "expectimax y");
    assert_eq!(answer["line_ends"], "chance", "{answer}");
}

/// Forced moves at the horizon are followed until a role has a choice, or to the end of the game.
#[test]
fn forced_moves_are_followed_beyond_the_horizon() {
    let mut session = session(&["load tests/games/forced_moves.kif"]);
    let searches = ["minimax", "negamax", "alphabeta", "alphabeta --table", "paranoid", "iterative", "maxn"];
    for search in searches.into_iter().chain(["expectimax", "expectiminimax"]) {
        let options = "--depth 1 --eval tests/games/forced_moves_evaluation.kif";
        let line = match search {
            "maxn" => format!("{search} {options} --extend-forced"),
            _ => format!("{search} {options} --extend-forced").replacen(' ', " a ", 1),
        };
        let answer = json(&mut session, &line);
        let value = if search == "maxn" { &answer["shares"][0]["utility"] } else { &answer["utility"] };
        let value = if value.is_null() { &answer["mean"] } else { value };
        assert_eq!(value.as_f64(), Some(50.0), "{line}: {answer}");
        assert_eq!((&answer["exact"], &answer["line_ends"]), (&true.into(), &"game".into()), "{line}: {answer}");
        let line = line.replace(" --extend-forced", "");
        assert_eq!(json(&mut session, &line)["line_ends"], "horizon", "{line}");
    }
}

/// Forced moves that never end are not followed for ever; those that end late are.
#[test]
fn endless_forced_moves_lie_on_the_horizon() {
    let endless = "role(a) init(at(0)) legal(a,left) :- true(at(0)) legal(a,right) :- true(at(0))
        legal(a,on) :- ~true(at(0)) next(at(1)) :- does(a,left) next(at(5)) :- does(a,right)
        next(at(2)) :- true(at(1)) next(at(1)) :- true(at(2)) terminal :- true(at(5)) goal(a,25)";
    let late = "role(a) init(at(0)) legal(a,left) :- true(at(0)) legal(a,right) :- true(at(0))
        legal(a,on) :- ~true(at(0)) next(at(1)) :- does(a,left) next(at(200)) :- does(a,right)
        next(at(M)) :- true(at(N)) & ~true(at(0)) & succ(N,M) terminal :- true(at(200)) goal(a,25)";
    let late = (0..200).fold(late.to_string(), |text, number| text + &format!(" succ({number},{})", number + 1));
    let budget = &Budget::new().with_depth(1).extending_forced();
    for table in [false, true] {
        for (text, ends, worth) in
            [(endless, LineEnd::Horizon, Worth::Unknown), (&late, LineEnd::Game, Worth::Utility(Utility::whole(25)))]
        {
            let reasoner = &mut game(text);
            let root = &reasoner.initial_state().unwrap();
            let contest = || Contest { table, ..Contest::new(root, Role::new(0)) };
            let found = minimax(reasoner, contest(), budget, ()).unwrap();
            assert_eq!(found.is_exact(), ends == LineEnd::Game);
            let found = found.answer.expect("it has an answer");
            // The first of both moves, unless what lies behind it is less than what is known.
            assert!(found.moves.iter().any(|first| first.worth == worth), "{found:?}");
            let found = alpha_beta(reasoner, contest(), Pruning { table, ..Pruning::default() }, budget, ()).unwrap();
            assert_eq!(found.is_exact(), ends == LineEnd::Game);
        }
    }
}
