//! States of a game as a program in JavaScript holds them: a few words of 32 bits, a bit for each fluent. The program
//! gives a state and gets what holds in it, or the state after a move, without any text between.
//!
//! It serves sheets with operations, in which one role is in control: a move is the move of that role.

use gdl::limits::Limits;
use gdl::number::to_u32;
use gdl::rules::GroundTerm;
use gdl::syntax::{Dialect, Source, parse_query};
use ggp_engine::interpreter::State;
use ggp_engine::{Engine, EngineKind, EngineOptions, EngineState, Game, load_text};
use ggp_game::{Fluent, Move, ReasonError, Reasoner, Role, Utility};
use ggp_play::ask::{Ask, Question};
use ggp_play::{PlayoutKind, PlayoutOptions, RandomPlay};
use ggp_search::{Budget, PlayoutResults, Playouts};
use serde::Serialize;
use std::time::Duration;

/// The bits of a word.
const BITS: usize = 32;
/// The time for building the network, in seconds, if the program names none.
const SET_UP: f64 = 8.0;
/// The games that one call plays in lanes.
const LANES: usize = 256;

/// A game with its engine.
pub struct Stepper {
    game: Game,
    engine: Engine,
    /// The move of roles without control.
    idle: Option<Move>,
    /// The last state that was asked about, and its words.
    state: EngineState,
    at: Vec<u32>,
    /// The fluents by which roles are in control, where there are such.
    controls: Vec<Option<Fluent>>,
    /// Random games, once they have been asked for.
    play: Option<RandomPlay>,
    /// Scratch: the state after a move, and the parts of a question.
    next: EngineState,
    successors: Vec<EngineState>,
    joint_move: Vec<Move>,
    moves: Vec<Move>,
    fluents: Vec<Fluent>,
    blocks: Vec<u64>,
}

/// What a program learns of a game when it loads it.
#[derive(Serialize)]
pub struct StepperGame {
    roles: Vec<GroundTerm>,
    /// The initial state.
    initial: Vec<u32>,
    /// The engine that plays.
    engine: &'static str,
}

/// A question of a program about a game, which is answered as JSON.
#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepperQuestion {
    /// The terms of moves.
    Terms {
        /// The numbers of the moves.
        moves: Vec<u32>,
    },
    /// The number of a move; null if the game has none of this term.
    Move {
        /// The term.
        term: GroundTerm,
    },
    /// The facts of a state, in canonical order.
    Facts {
        /// The state.
        state: Vec<u32>,
    },
    /// The state in which exactly these facts hold.
    State {
        /// The facts.
        facts: Vec<GroundTerm>,
    },
    /// The solutions of a formula in a state, or in none: its variables, and a row of values for each.
    Query {
        /// The formula, in the words of the sheet.
        formula: String,
        /// The state.
        state: Option<Vec<u32>>,
    },
    /// What a search finds for the role in control: `mcts:seconds=2`.
    Search {
        /// The search with its options.
        search: String,
        /// The state.
        state: Vec<u32>,
        /// The role, if it is not the one in control.
        role: Option<GroundTerm>,
        /// The limit on its time, if the search has none.
        seconds: Option<f64>,
    },
}

impl Stepper {
    /// Loads a sheet with operations, and builds its network if it can be built in this time. Without a network the
    /// interpreter answers.
    ///
    /// # Errors
    /// If the sheet cannot be read: its first error, with its position.
    pub fn load(text: &str, seconds: Option<f64>) -> Result<(Self, StepperGame), String> {
        let options = EngineOptions { is_lenient: true, ..EngineKind::Auto.into() };
        let source = Source::new("rules", text);
        let loaded = load_text("game".to_string(), source, Some(Dialect::Operations), options);
        let mut game = loaded.map_err(|error| super::sheets::first_problem(&error))?;
        let time = Duration::try_from_secs_f64(seconds.unwrap_or(SET_UP)).unwrap_or_default();
        game.set_limits(Limits::new().with_time(time));
        // Without a network the interpreter answers.
        _ = game.engine();
        game.set_limits(Limits::new());
        let mut engine = game.fork_engine();
        let idle = game.rules.idle_move().map(|idle| engine.find_move(&idle)).transpose().map_err(said)?;
        let roles = game.roles().to_vec();
        let control = |role: &GroundTerm| GroundTerm { name: "control".into(), arguments: vec![role.clone()] };
        let controls: Result<_, _> = roles.iter().map(|role| engine.find_fluent(&control(role))).collect();
        let controls = controls.map_err(said)?;
        let state = engine.initial_state().map_err(said)?;
        let kind = engine.kind().name();
        let mut initial = Vec::new();
        let mut blocks = Vec::new();
        write(&engine, &state, &mut blocks, &mut initial);
        let stepper = Self {
            game,
            engine,
            idle,
            next: state.clone(),
            successors: Vec::new(),
            state,
            at: initial.clone(),
            controls,
            play: None,
            joint_move: vec![Move::new(0); roles.len()],
            moves: Vec::new(),
            fluents: Vec::new(),
            blocks,
        };
        Ok((stepper, StepperGame { roles, initial, engine: kind }))
    }

    /// Appends what a state shows: 1 if it is terminal, the index of the role in control plus one (0 if there is none),
    /// and the numbers of its legal moves, in canonical order.
    ///
    /// # Errors
    /// If the rules give no answer.
    pub fn look(&mut self, words: &[u32], seen: &mut Vec<u32>) -> Result<(), String> {
        self.go_to(words)?;
        self.show(seen)
    }

    /// Appends the number of words of the state after a move of a role in control, its words, and what it shows
    /// ([`Stepper::look`]). The move has to be legal, which is not checked.
    ///
    /// # Errors
    /// If there is no such role, or the rules give no answer.
    pub fn step(&mut self, words: &[u32], role: u32, chosen: u32, seen: &mut Vec<u32>) -> Result<(), String> {
        self.go_to(words)?;
        let chosen = Move::new(chosen as usize);
        self.joint_move.fill(self.idle.unwrap_or(chosen));
        *self.joint_move.get_mut(role as usize).ok_or("there is no such role")? = chosen;
        self.engine.next_state_into(&self.state, &self.joint_move, &mut self.next).map_err(said)?;
        std::mem::swap(&mut self.state, &mut self.next);
        self.at.clear();
        write(&self.engine, &self.state, &mut self.blocks, &mut self.at);
        seen.push(to_u32(self.at.len()));
        seen.extend(&self.at);
        self.show(seen)
    }

    /// Appends all states after a move of a role in control, in the order of its moves: of each its words, 1 if it is
    /// terminal, and as many words as there are roles. Those are its utilities, as signed numbers, if it is terminal or
    /// `with_goals` says so. This takes less time than one [`Stepper::step`] for each, since the engine goes from one
    /// successor to the next.
    ///
    /// # Errors
    /// If there is no such role, or the rules give no answer.
    pub fn expand(&mut self, words: &[u32], role: u32, with_goals: bool, seen: &mut Vec<u32>) -> Result<(), String> {
        self.go_to(words)?;
        let role = role as usize;
        if role >= self.joint_move.len() {
            return Err("there is no such role".to_string());
        }
        self.engine.legal_moves(&self.state, Role::new(role), &mut self.moves).map_err(said)?;
        self.moves.retain(|&chosen| Some(chosen) != self.idle);
        self.successors.resize(self.moves.len(), self.state.clone());
        for (&chosen, successor) in self.moves.iter().zip(&mut self.successors) {
            self.joint_move.fill(self.idle.unwrap_or(chosen));
            self.joint_move[role] = chosen;
            self.engine.next_state_into(&self.state, &self.joint_move, successor).map_err(said)?;
        }
        for index in 0..self.successors.len() {
            std::mem::swap(&mut self.state, &mut self.successors[index]);
            self.at.clear();
            write(&self.engine, &self.state, &mut self.blocks, &mut self.at);
            seen.extend(&self.at);
            let is_terminal = self.engine.is_terminal(&self.state).map_err(said)?;
            seen.push(u32::from(is_terminal));
            match is_terminal || with_goals {
                true => self.show_goals(seen)?,
                false => seen.resize(seen.len() + self.joint_move.len(), 0),
            }
        }
        Ok(())
    }

    /// Appends the utility of a state for each role as a signed number; 0 where the rules give none.
    ///
    /// # Errors
    /// If the rules give no answer.
    pub fn goals(&mut self, words: &[u32], seen: &mut Vec<u32>) -> Result<(), String> {
        self.go_to(words)?;
        self.show_goals(seen)
    }

    fn show_goals(&mut self, seen: &mut Vec<u32>) -> Result<(), String> {
        for role in (0..self.engine.roles().len()).map(Role::new) {
            let utility = match self.engine.goal(&self.state, role) {
                Err(ReasonError::Stopped(stop)) => return Err(stop.to_string()),
                other => other.map_or(0, Utility::floor),
            };
            seen.push(utility.cast_unsigned());
        }
        Ok(())
    }

    /// The mean utility of each role in at least this many random games from a state, after the number of games.
    ///
    /// # Errors
    /// If the rules give no answer.
    pub fn playouts(&mut self, words: &[u32], count: u32, seed: u32, means: &mut Vec<f64>) -> Result<(), String> {
        self.go_to(words)?;
        let state = [self.state.clone()];
        let roles = self.engine.roles().len();
        let play = match &mut self.play {
            Some(play) => play,
            none => {
                let options = PlayoutOptions::new(PlayoutKind::Lanes, LANES);
                let made = RandomPlay::reproducible(options, &self.engine, seed.into(), &Limits::new());
                none.insert(made.map_err(said)?)
            }
        };
        let repeats = u32::try_from(play.repeats()).unwrap_or(1);
        let rounds = count.div_ceil(repeats).max(1);
        let mut results = PlayoutResults::default();
        let mut sums = vec![0.0; roles];
        for _ in 0..rounds {
            play.play(&mut self.engine, &state, &mut results, &mut || false).map_err(said)?;
            sums.iter_mut().zip(&results.utilities).for_each(|(sum, &mean)| *sum += f64::from(mean));
        }
        means.push(f64::from(rounds * repeats));
        means.extend(sums.iter().map(|sum| sum / f64::from(rounds)));
        Ok(())
    }

    /// The answer to a question, as JSON.
    ///
    /// # Errors
    /// If there is none: the reason.
    pub fn answer(&mut self, question: StepperQuestion) -> Result<serde_json::Value, String> {
        match question {
            StepperQuestion::Terms { moves } => {
                let terms = moves.iter().map(|&number| self.engine.move_term(Move::new(number as usize)));
                value(terms.collect::<Vec<_>>())
            }
            StepperQuestion::Move { term } => value(self.engine.find_move(&term).ok().map(Move::index)),
            StepperQuestion::Facts { state } => {
                self.go_to(&state)?;
                value(self.engine.facts(&self.state))
            }
            StepperQuestion::State { facts } => {
                let state = self.engine.state_from_facts(&facts).map_err(said)?;
                let mut words = Vec::new();
                write(&self.engine, &state, &mut self.blocks, &mut words);
                value(words)
            }
            StepperQuestion::Query { formula, state } => self.query(&formula, state.as_deref()),
            StepperQuestion::Search { search, state, role, seconds } => self.search(&search, &state, role, seconds),
        }
    }

    fn query(&mut self, formula: &str, state: Option<&[u32]>) -> Result<serde_json::Value, String> {
        let parsed = parse_query(&Source::new("query", formula), Some(Dialect::Infix));
        let parsed = parsed.map_err(|problems| problems.first().map_or_else(String::new, |it| it.message.clone()))?;
        let state = state.map(|words| self.state_of_rules(words)).transpose()?;
        let solutions = self.game.interpreter.query(state.as_ref(), None, &parsed).map_err(said)?;
        let variables: Vec<&str> = solutions.variables.iter().map(AsRef::as_ref).collect();
        value(serde_json::json!({ "variables": variables, "rows": solutions.rows }))
    }

    fn search(
        &mut self,
        search: &str,
        words: &[u32],
        role: Option<GroundTerm>,
        seconds: Option<f64>,
    ) -> Result<serde_json::Value, String> {
        let question: Question = search.parse().map_err(said)?;
        let role = match role {
            Some(role) => self.game.role(&role.to_string()).map_err(said)?,
            None => {
                let mut seen = Vec::new();
                self.look(words, &mut seen)?;
                Role::new((seen[1] as usize).saturating_sub(1))
            }
        };
        let state = self.state_of_rules(words)?;
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let budget = time.map_or_else(Budget::new, |time| Budget::new().with_time(time));
        let outcome = self.game.ask(&state, role, &question, &budget).map_err(said)?;
        let (nodes, depth) = (outcome.cost.nodes, outcome.cost.depth);
        let found = outcome.answer.ok_or("the search has found nothing in this time")?;
        let is_idle = |chosen: &GroundTerm| self.game.rules.is_idle(chosen);
        let chosen_alone = |joint_move: Vec<GroundTerm>| joint_move.into_iter().find(|chosen| !is_idle(chosen));
        Ok(serde_json::json!({
            "move": found.chosen,
            "value": found.value,
            "exact": found.belief == ggp_play::ask::Belief::Proven,
            "line": found.line.into_iter().filter_map(chosen_alone).collect::<Vec<_>>(),
            "search": found.search,
            "nodes": nodes,
            "depth": depth,
        }))
    }

    /// The state of the interpreter with the same facts.
    fn state_of_rules(&mut self, words: &[u32]) -> Result<State, String> {
        self.go_to(words)?;
        let facts = self.engine.facts(&self.state);
        self.game.interpreter.state_from_facts(&facts).map_err(said)
    }

    /// Appends what the state shows.
    fn show(&mut self, seen: &mut Vec<u32>) -> Result<(), String> {
        let Self { engine, state, moves, .. } = self;
        seen.push(u32::from(engine.is_terminal(state).map_err(said)?));
        let control_at = seen.len();
        seen.push(0);
        for role in 0..engine.roles().len() {
            engine.legal_moves(state, Role::new(role), moves).map_err(said)?;
            let chosen = moves.iter().filter(|&&chosen| Some(chosen) != self.idle);
            seen.extend(chosen.map(|chosen| to_u32(chosen.index())));
            if seen.len() > control_at + 1 {
                seen[control_at] = to_u32(role + 1);
                return Ok(());
            }
        }
        // A role may be in control without a move, such as at the end.
        engine.fluents(state, &mut self.fluents);
        let holds = |control: &Option<Fluent>| control.is_some_and(|control| self.fluents.contains(&control));
        let control = self.controls.iter().position(holds).or((self.controls.len() == 1).then_some(0));
        seen[control_at] = control.map_or(0, |role| to_u32(role + 1));
        Ok(())
    }

    /// Makes the state with these words the present one. Programs mostly go on from the last state.
    fn go_to(&mut self, words: &[u32]) -> Result<(), String> {
        if self.at == words {
            return Ok(());
        }
        self.fluents.clear();
        for (index, &word) in words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                self.fluents.push(Fluent::new(index * BITS + rest.trailing_zeros() as usize));
                rest &= rest - 1;
            }
        }
        self.state = self.engine.state_from_fluents(&self.fluents).map_err(said)?;
        self.at.clear();
        self.at.extend(words);
        Ok(())
    }
}

/// Appends the bits of a state.
#[expect(clippy::cast_possible_truncation, reason = "each half of a block is a word")]
fn write(engine: &Engine, state: &EngineState, blocks: &mut Vec<u64>, words: &mut Vec<u32>) {
    engine.fluent_words(state, blocks);
    words.extend(blocks.iter().flat_map(|&block| [block as u32, (block >> BITS) as u32]));
}

fn said(error: impl ToString) -> String {
    error.to_string()
}

fn value(answer: impl Serialize) -> Result<serde_json::Value, String> {
    serde_json::to_value(answer).map_err(said)
}
