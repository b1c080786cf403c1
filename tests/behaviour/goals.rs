//! Searches of one player for a goal: what one calls exact, the others find as well, whatever the heuristic.

use crate::effort::effort;
use crate::sessions::{say, session};
use crate::state_graphs::{Numbers, state_graph, switches};
use ggp::engine::{EngineKind, Measure, RelaxedHeuristic, load_text};
use ggp::game::{Heuristic, Reasoner, Role, Utility};
use ggp::interpreter::{Interpreter, State};
use ggp::search::{
    Budget, Form, GoalTest, Outcome, Plan, Problem, SearchError, a_star, a_star_all, best_plan, breadth_first,
    depth_first, first_plans, greedy, heuristic_check, ida_star, iterative_deepening, max_score, optimal_plans,
};
use ggp::syntax::Source;
use std::sync::Arc;

fn game(text: &str) -> Interpreter {
    let source = Source::new("test.gdl", text);
    let game = load_text("test".to_string(), source, None, EngineKind::Interpreter);
    game.unwrap_or_else(|error| panic!("{error}\n{text}")).interpreter
}

/// What all searches of a game are compared with.
struct Question<'q> {
    text: &'q str,
    root: &'q State,
    goal: Option<Utility>,
    /// The best utility; `None` if no line ends the game.
    best: Option<Utility>,
}

impl Question<'_> {
    /// Checks an exact outcome: its plan is legal, worth what it says, and as good as it can be, or reaches the goal.
    fn check(&self, name: &str, reasoner: &mut Interpreter, outcome: Result<Outcome<Plan>, SearchError>) {
        let outcome = outcome.unwrap_or_else(|error| panic!("{name}: {error}\n{}", self.text));
        let of = format!("{name} with goal {:?} in\n{}", self.goal, self.text);
        assert!(outcome.is_exact(), "{of}");
        let Some(Plan { moves, utility }) = outcome.answer else {
            assert_eq!(self.best, None, "{of}");
            return;
        };
        let (mut state, mut legal) = (self.root.clone(), Vec::new());
        for chosen in moves {
            assert!(!reasoner.is_terminal(&state).unwrap(), "{of}");
            reasoner.legal_moves(&state, Role::new(0), &mut legal).unwrap();
            assert!(legal.contains(&chosen), "{of}");
            state = reasoner.next_state(&state, &[chosen]).unwrap();
        }
        assert!(reasoner.is_terminal(&state).unwrap(), "{of}");
        assert_eq!(reasoner.goal(&state, Role::new(0)), Ok(utility), "{of}");
        let best = self.best.expect("a line has ended");
        let is_enough = self.goal.is_some_and(|goal| utility >= goal);
        assert!(utility == best || is_enough && utility < best, "{utility} for {best} by {of}");
    }

    fn problem(&self) -> Problem<'_, State> {
        Problem { goal: self.goal, ..Problem::new(self.root) }
    }

    /// Asks the searches that a heuristic guides.
    fn guided(&self, name: &str, reasoner: &mut Interpreter, heuristic: &mut dyn Heuristic<Interpreter>) {
        let budget = &Budget::new();
        for goal_test in [GoalTest::Expansion, GoalTest::Generation] {
            let problem = Problem { goal_test, ..self.problem() };
            let found = a_star(reasoner, &problem, &mut *heuristic, budget, ());
            self.check(&format!("astar {name}"), reasoner, found);
            let found = greedy(reasoner, &problem, &mut *heuristic, budget, ());
            self.check(&format!("greedy {name}"), reasoner, found);
        }
        let found = ida_star(reasoner, &self.problem(), &mut *heuristic, budget, ());
        self.check(&format!("ida {name}"), reasoner, found);
    }
}

/// Compares all searches of a game, for some goals and by each heuristic.
fn compare(text: &str, numbers: &mut Numbers) {
    let reasoner = &mut game(text);
    let root = &reasoner.initial_state().unwrap();
    let budget = &Budget::new();
    let best = max_score(reasoner, &Problem::new(root), budget, ()).unwrap();
    assert!(best.is_exact());
    let mut draw = |utilities: [i32; 3]| Some(Utility::whole(utilities[numbers.below(3) as usize]));
    for goal in [None, draw([0, 25, 50]), draw([60, 100, 101])] {
        let question = Question { text, root, goal, best: best.answer };
        let problem = &question.problem();
        let found = best_plan(reasoner, problem, budget, ());
        question.check("bestplan", reasoner, found);
        let found = breadth_first(reasoner, problem, budget, ());
        question.check("bfs", reasoner, found);
        let found = depth_first(reasoner, problem, budget, ());
        question.check("dfs", reasoner, found);
        let found = iterative_deepening(reasoner, problem, budget, ());
        question.check("ids", reasoner, found);
        question.guided("()", reasoner, &mut ());
        for measure in Measure::ALL {
            let relaxed = RelaxedHeuristic::new(reasoner.rules(), measure, goal, Arc::default());
            let mut relaxed = relaxed.expect("it can be grounded");
            question.guided(&format!("{measure:?}"), reasoner, &mut relaxed);
            // No estimate is infinite where the goal can be reached, and that of hmax is never too great.
            let checked = heuristic_check(reasoner, root, &mut relaxed, goal, budget).unwrap();
            let Some(check) = checked.answer.filter(|_| goal.is_some()) else { continue };
            assert!(measure != Measure::Max || check.is_admissible(), "{goal:?} in\n{text}");
            assert!(check.first_overestimate.is_none_or(|first| first.estimate.is_some()), "{measure:?} in\n{text}");
        }
    }
}

#[test]
fn all_searches_of_one_player_agree_on_what_is_exact() {
    for seed in 0..effort(30, 3_000) {
        let numbers = &mut Numbers(seed);
        compare(&state_graph(&["a"], numbers.once_in(2), seed), numbers);
        compare(&switches(seed), numbers);
    }
}

/// A heuristic that says of every state that no goal can be reached.
struct Hopeless;

impl Heuristic<Interpreter> for Hopeless {
    fn estimate(&mut self, _: &mut Interpreter, _: &State) -> Result<Option<u64>, ggp::game::ReasonError> {
        Ok(None)
    }
}

/// Trees are searched to their end as well, if they are finite, and all plans are found.
#[test]
fn what_a_heuristic_calls_hopeless_is_searched_last() {
    for seed in 0..effort(40, 1_000) {
        let text = state_graph(&["a"], false, seed);
        let reasoner = &mut game(&text);
        let root = &reasoner.initial_state().unwrap();
        let budget = &Budget::new();
        let best = max_score(reasoner, &Problem::new(root), budget, ()).unwrap().answer;
        let question = Question { text: &text, root, goal: Some(Utility::whole(101)), best };
        let tree = Problem { form: Form::Tree, ..question.problem() };
        let found = a_star(reasoner, &tree, Hopeless, budget, ());
        question.check("astar --tree-search", reasoner, found);
        let found = ida_star(reasoner, &tree, Hopeless, budget, ());
        question.check("ida --tree-search", reasoner, found);
        question.guided("hopeless", reasoner, &mut Hopeless);
        let found = a_star_all(reasoner, &tree, Hopeless, 1, budget, ()).unwrap();
        assert_eq!(found.answer.map(|plans| plans.utility), best, "in\n{text}");
        let found = optimal_plans(reasoner, &Problem::new(root), 1, budget).unwrap();
        assert_eq!(found.answer.map(|plans| plans.utility), best, "in\n{text}");
        let found = first_plans(reasoner, root, budget, &mut |_, _| {}).unwrap();
        let found = found.answer.and_then(|plans| plans.moves.iter().filter_map(|first| first.plan.clone()).next());
        assert_eq!(found.map(|plan| plan.utility), best, "in\n{text}");
    }
}

#[test]
fn a_goal_out_of_reach_leaves_the_best_of_all_ends() {
    for (sheet, best) in [("goal_out_of_reach", "left: 60 in 1 move"), ("all_hopeless", "left: 25 in 1 move")] {
        let mut session = session(&[&format!("load tests/games/{sheet}.kif")]);
        for search in ["astar", "greedy", "ida"] {
            for heuristic in ["hmax", "hadd", "hff"] {
                let line = format!("{search} --goal 100 --heuristic {heuristic}");
                let said = say(&mut session, &line);
                assert!(said.starts_with(&format!("{best}, since 100 cannot be reached (exact;")), "{line}: {said}");
            }
        }
    }
}

/// In the trace nothing is left out: the node waits behind all others, and the last round of `ida` has no bound.
#[test]
fn traces_show_what_is_hopeless() {
    let mut session = session(&["load tests/games/goal_out_of_reach.kif"]);
    let said = say(&mut session, "astar --goal 100 --heuristic hmax --trace --queue");
    assert!(said.contains("2 left, 1 + ∞"), "{said}");
    assert!(said.contains("queue: 4 (2) 1 (∞) 2 (∞) 3 (∞)"), "{said}");
    let said = say(&mut session, "ida --goal 100 --heuristic hmax --trace --rounds");
    assert!(said.contains("round without a bound"), "{said}");
    assert!(said.lines().any(|line| line.trim_start().starts_with('∞')), "{said}");
}
