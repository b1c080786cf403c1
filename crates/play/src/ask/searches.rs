//! The searches that no question names, for the engine of a loaded game. They are compiled with this crate, once, and
//! not with everything that calls them: what talks to people is not optimised as searches are.

use ggp_engine::interpreter::{Interpreter, State};
use ggp_engine::{Engine, EngineState};
use ggp_game::{Heuristic, Move, ReasonError, Role, Utility};
use ggp_search::{
    self as search, Advice, AllPlans, Budget, Choice, Contest, DeepenedChoice, Deliberation, ExtensiveForm, FirstPlans,
    FirstValues, GamePair, GameTree, HeuristicCheck, Observation, Observer, OptimalPlans, Outcome, Perft, Plan,
    PlanCheck, PossibleStates, Problem, Sameness, SearchError, Survey, SymmetricReasoner, Ties,
};

type Found<T> = Result<Outcome<T>, SearchError>;

/// [`ggp_search::tree()`].
pub fn tree(engine: &mut Engine, state: &EngineState, budget: &Budget) -> Found<GameTree> {
    search::tree(engine, state, budget)
}

/// [`ggp_search::perft()`].
pub fn perft(engine: &mut Engine, state: &EngineState, depth: u32, budget: &Budget) -> Found<Perft> {
    search::perft(engine, state, depth, budget)
}

/// [`ggp_search::survey()`].
pub fn survey(engine: &mut Engine, state: &EngineState, chance: Option<Role>, budget: &Budget) -> Found<Survey> {
    search::survey(engine, state, chance, budget)
}

/// [`ggp_search::minimax()`] without an observer.
pub fn minimax(engine: &mut Engine, contest: Contest<'_, Engine>, budget: &Budget) -> Found<Choice> {
    search::minimax(engine, contest, budget, ())
}

/// [`ggp_search::iterative_alpha_beta()`] without an observer.
pub fn iterative_alpha_beta(
    engine: &mut Engine,
    contest: Contest<'_, Engine>,
    budget: &Budget,
) -> Found<DeepenedChoice> {
    search::iterative_alpha_beta(engine, contest, budget, ())
}

/// [`ggp_search::first_values()`].
pub fn first_values(
    engine: &mut Engine,
    contest: Contest<'_, Engine>,
    budget: &Budget,
    watch: &mut dyn FnMut(&mut Engine, &FirstValues),
) -> Found<FirstValues> {
    search::first_values(engine, contest, budget, watch)
}

/// [`ggp_search::first_plans()`].
pub fn first_plans(
    engine: &mut Engine,
    state: &EngineState,
    budget: &Budget,
    watch: &mut dyn FnMut(&mut Engine, &FirstPlans),
) -> Found<FirstPlans> {
    search::first_plans(engine, state, budget, watch)
}

/// [`ggp_search::best_plan()`] without an observer.
pub fn best_plan(engine: &mut Engine, problem: &Problem<'_, EngineState>, budget: &Budget) -> Found<Plan> {
    search::best_plan(engine, problem, budget, ())
}

/// [`ggp_search::max_score()`] without an observer.
pub fn max_score(engine: &mut Engine, problem: &Problem<'_, EngineState>, budget: &Budget) -> Found<Utility> {
    search::max_score(engine, problem, budget, ())
}

/// [`ggp_search::all_plans()`].
pub fn all_plans(
    engine: &mut Engine,
    problem: &Problem<'_, EngineState>,
    most: usize,
    budget: &Budget,
) -> Found<AllPlans> {
    search::all_plans(engine, problem, most, budget)
}

/// [`ggp_search::optimal_plans()`].
pub fn optimal_plans(
    engine: &mut Engine,
    problem: &Problem<'_, EngineState>,
    most: usize,
    budget: &Budget,
) -> Found<OptimalPlans> {
    search::optimal_plans(engine, problem, most, budget)
}

/// [`ggp_search::a_star_all()`].
pub fn a_star_all(
    engine: &mut Engine,
    problem: &Problem<'_, EngineState>,
    heuristic: Option<&mut dyn Heuristic<Engine>>,
    most: usize,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Found<AllPlans> {
    match heuristic {
        Some(heuristic) => search::a_star_all(engine, problem, heuristic, most, budget, observer),
        None => search::a_star_all(engine, problem, (), most, budget, observer),
    }
}

/// [`ggp_search::breadth_first()`] up to symmetries, without an observer.
pub fn breadth_first_up_to_symmetry(
    engine: &mut SymmetricReasoner<Engine>,
    problem: &Problem<'_, EngineState>,
    budget: &Budget,
) -> Found<Plan> {
    search::breadth_first(engine, problem, budget, ())
}

/// [`ggp_search::dive()`].
pub fn dive(engine: &mut Engine, problem: &Problem<'_, EngineState>, seed: u64, budget: &Budget) -> Found<Plan> {
    search::dive(engine, problem, seed, budget)
}

/// [`ggp_search::nested()`].
pub fn nested(
    engine: &mut Engine,
    problem: &Problem<'_, EngineState>,
    level: u32,
    seed: u64,
    budget: &Budget,
) -> Found<Plan> {
    search::nested(engine, problem, level, seed, budget)
}

/// [`ggp_search::deliberation()`].
pub fn deliberation(
    engine: &mut Engine,
    problem: &Problem<'_, EngineState>,
    ties: Ties,
    budget: &Budget,
) -> Found<Deliberation> {
    search::deliberation(engine, problem, ties, budget)
}

/// [`ggp_search::heuristic_check()`].
pub fn heuristic_check(
    engine: &mut Engine,
    state: &EngineState,
    heuristic: &mut dyn Heuristic<Engine>,
    goal: Option<Utility>,
    budget: &Budget,
) -> Found<HeuristicCheck<EngineState>> {
    search::heuristic_check(engine, state, heuristic, goal, budget)
}

/// [`ggp_search::plan_check()`], by the rules themselves.
pub fn plan_check(rules: &mut Interpreter, state: &State, plan: &[Move], budget: &Budget) -> Found<PlanCheck> {
    search::plan_check(rules, state, plan, budget)
}

/// [`ggp_search::faulty_end()`].
pub fn faulty_end(engine: &mut Engine, state: &EngineState, role: Role) -> Result<Option<Vec<Vec<Move>>>, ReasonError> {
    search::faulty_end(engine, state, role)
}

/// [`ggp_search::stuck_state()`].
pub fn stuck_state(
    engine: &mut Engine,
    state: &EngineState,
    role: Role,
) -> Result<Option<Vec<Vec<Move>>>, ReasonError> {
    search::stuck_state(engine, state, role)
}

/// [`ggp_search::possible_states()`], by the rules themselves.
pub fn possible_states(
    rules: &mut Interpreter,
    start: &State,
    role: Role,
    view: &[Observation],
    most: usize,
    seed: u64,
    budget: &Budget,
) -> Found<PossibleStates<State>> {
    search::possible_states(rules, start, role, view, most, seed, budget)
}

/// [`ggp_search::ismcts()`], by the rules themselves.
pub fn ismcts(
    rules: &mut Interpreter,
    possible: &PossibleStates<State>,
    role: Role,
    exploration: f64,
    seed: u64,
    budget: &Budget,
) -> Found<Advice> {
    search::ismcts(rules, possible, role, exploration, seed, budget)
}

/// [`ggp_search::gambit()`], by the rules themselves.
pub fn gambit(form: &ExtensiveForm, rules: &Interpreter, title: &str) -> String {
    search::gambit(form, rules, title)
}

/// [`ggp_search::compare_graphs()`].
pub fn compare_graphs(pair: &mut GamePair<'_, Engine>, most: usize) -> Result<Option<Sameness>, ReasonError> {
    search::compare_graphs(pair, most)
}

/// [`ggp_search::compare_games()`].
pub fn compare_games(
    pair: &mut GamePair<'_, Engine>,
    games: u64,
    seed: u64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Sameness, ReasonError> {
    search::compare_games(pair, games, seed, go_on)
}
