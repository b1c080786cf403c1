//! Course of a match: the initial state and all plies since, which can be taken back, repeated, and played again in other
//! rules.

use super::fault::account_of_fault;
use crate::repl::CommandError;
use gdl::rules::GroundTerm;
use gdl::syntax::{Dialect, Source};
use ggp_draw::board::Setting;
use ggp_engine::interpreter::{Interpreter, QueryError, State};
use ggp_engine::{Engine, EngineError, EngineOptions, EngineState, Feature, FeaturedGame, FeaturedState, Game};
use ggp_game::{JointMoves, Move, ReasonError, Reasoner, Role};
use ggp_search::solving::Database;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// A match: the initial state and all plies since.
pub struct Match {
    /// The game that is played.
    pub(crate) game: Game,
    /// The name by which it was loaded: a name of the library, or a path.
    pub(crate) loaded_as: OsString,
    /// True if the rules have been changed since it was loaded or saved.
    pub(crate) is_amended: bool,
    /// The rules before each change at the prompt, the latest last.
    pub(super) earlier_rules: Vec<EarlierRules>,
    /// The files of `ggp solve` with which it was loaded.
    pub(crate) database: Option<Database>,
    initial: State,
    plies: Vec<Ply>,
    /// Plies that have been taken back and can be repeated, the next last.
    undone: Vec<Ply>,
    /// The game with each of the sheets that searches have added to it.
    added: Vec<FeaturedGame>,
    /// Declarations and roles by which positions are drawn, once one has been.
    setting: Option<Arc<Setting>>,
}

/// The rules before a change.
#[derive(Clone)]
pub(super) struct EarlierRules {
    pub(super) text: String,
    /// True if they differed from those that were loaded or saved.
    pub(super) is_amended: bool,
}

/// A ply: the step to a state, and the state. A jump to a state is a ply as well, so that it can be undone.
#[derive(Clone)]
struct Ply {
    way: ReachedBy,
    state: State,
}

/// Way in which a ply leads to its state.
#[derive(Clone)]
enum ReachedBy {
    Played(Vec<Move>),
    /// A jump to any state.
    Set,
    /// A jump to a state that legal play reaches.
    Reached,
}

/// A ply as a value, which another match can repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MatchStep {
    /// A joint move, in the order of the roles.
    Played(Vec<GroundTerm>),
    /// A jump to the state in which these facts hold.
    Set(Vec<GroundTerm>),
}

impl MatchStep {
    /// The line of the prompt that takes the step.
    pub(crate) fn line(&self) -> String {
        let (command, terms) = match self {
            Self::Played(moves) => ("do", moves),
            Self::Set(facts) => ("set", facts),
        };
        terms.iter().fold(command.to_string(), |line, term| line + " " + &term.to_string())
    }
}

impl Match {
    pub(super) fn new(mut game: Game, loaded_as: impl Into<OsString>) -> Result<Self, ReasonError> {
        let initial = game.interpreter.initial_state()?;
        Ok(Self {
            game,
            loaded_as: loaded_as.into(),
            is_amended: false,
            earlier_rules: Vec::new(),
            database: None,
            initial,
            plies: Vec::new(),
            undone: Vec::new(),
            added: Vec::new(),
            setting: None,
        })
    }

    /// The same match, with a fork of the game and without the files of `ggp solve`. The sheets that searches have added
    /// move to the fork, until [`Match::take_from`] brings them back.
    pub(super) fn fork(&mut self) -> Self {
        Self {
            game: self.game.fork(),
            loaded_as: self.loaded_as.clone(),
            is_amended: self.is_amended,
            earlier_rules: self.earlier_rules.clone(),
            database: None,
            initial: self.initial.clone(),
            plies: self.plies.clone(),
            undone: self.undone.clone(),
            added: std::mem::take(&mut self.added),
            setting: self.setting.clone(),
        }
    }

    /// Takes what a fork has set up and found for the game, unless it has another one now. The plies stay.
    pub(super) fn take_from(&mut self, fork: Self) {
        // Sheets and drawings of another game are of no use here.
        if self.game.take_from(fork.game) {
            self.added = fork.added;
            self.setting = fork.setting;
        }
    }

    /// The game with a sheet added, in the current position. It is kept: a sheet whose text is the same is not added
    /// again.
    ///
    /// # Errors
    /// Those of [`FeaturedGame::new`] and of [`Game::engine`].
    pub(crate) fn add(&mut self, source: Source, feature: Feature) -> Result<FeaturedState<'_>, CommandError> {
        let is_same = |known: &FeaturedGame| known.is(feature, source.name()) && known.source.text() == source.text();
        let index = match self.added.iter().position(is_same) {
            Some(index) => index,
            None => {
                let featured = FeaturedGame::new(&self.game, source, feature)?;
                // A sheet that has changed takes the place of its earlier text.
                self.added.retain(|known| !known.is(feature, featured.source.name()));
                self.added.push(featured);
                self.added.len() - 1
            }
        };
        let state = state_after(&self.plies, &self.initial);
        let facts = self.game.interpreter.facts(state);
        let is_reached = self.is_reached();
        Ok(self.added[index].at(&facts, is_reached)?)
    }

    /// Declarations and roles by which positions of the game are drawn, computed once.
    ///
    /// # Errors
    /// Those of [`Setting::from_game`].
    pub(crate) fn setting(&mut self) -> Result<Arc<Setting>, QueryError> {
        if let Some(setting) = &self.setting {
            return Ok(setting.clone());
        }
        let setting = Arc::new(Setting::from_game(&mut self.game)?);
        self.setting = Some(setting.clone());
        Ok(setting)
    }

    /// Opens the files of `ggp solve` for this game, which then answer where they can.
    ///
    /// # Errors
    /// If the folder has no run, or one of other rules.
    pub(crate) fn open_database(&mut self, path: &Path) -> Result<(), CommandError> {
        let name = self.game.name.clone();
        let text = self.game.source.text().to_string();
        self.database = Some(Database::open(path, &name, &text, self.game.engine()?)?);
        Ok(())
    }

    /// Plays and searches with another engine.
    ///
    /// # Errors
    /// Those of [`Game::engine`]; everything then stays as it is.
    pub(crate) fn set_options(&mut self, options: EngineOptions) -> Result<(), EngineError> {
        let is_lenient = self.game.options().is_lenient;
        self.game.set_options(EngineOptions { is_lenient, ..options })?;
        self.added.clear();
        Ok(())
    }

    /// The engine, for work over many states, with its own state for the current position. It is set up when it is
    /// first needed.
    pub(crate) fn engine(&mut self) -> Result<(&mut Engine, EngineState), EngineError> {
        let state = state_after(&self.plies, &self.initial);
        let is_reached = self.is_reached();
        self.game.engine_for(state, is_reached)
    }

    /// An account of the state, reached from the current position, in which the rules give a role no usable goal value or
    /// no legal move ([`account_of_fault`]).
    pub(crate) fn account_of_fault(&mut self, error: &ReasonError, dialect: Dialect) -> Option<String> {
        let state = state_after(&self.plies, &self.initial);
        let is_reached = self.is_reached();
        account_of_fault(&mut self.game, state, is_reached, error, dialect)
    }

    /// The interpreter, for single questions, and the current state.
    pub(crate) fn position(&mut self) -> (&mut Interpreter, &State) {
        let state = state_after(&self.plies, &self.initial);
        (&mut self.game.interpreter, state)
    }

    /// The interpreter, the state before the last ply and its joint move; `None` at the start and after a jump.
    pub(crate) fn state_before_last(&mut self) -> Option<(&mut Interpreter, &State, &[Move])> {
        self.state_before(self.plies.len().checked_sub(1)?)
    }

    /// The interpreter, the state before a ply and its joint move; `None` if it is a jump. Plies count from 0.
    pub(crate) fn state_before(&mut self, ply: usize) -> Option<(&mut Interpreter, &State, &[Move])> {
        let ReachedBy::Played(joint_move) = &self.plies.get(ply)?.way else { return None };
        let state = state_after(&self.plies[..ply], &self.initial);
        Some((&mut self.game.interpreter, state, joint_move))
    }

    /// The interpreter, and the state after this many plies.
    pub(crate) fn state_after(&mut self, plies: usize) -> (&mut Interpreter, &State) {
        let state = state_after(&self.plies[..plies], &self.initial);
        (&mut self.game.interpreter, state)
    }

    /// The interpreter and the initial state.
    pub(crate) fn beginning(&mut self) -> (&mut Interpreter, &State) {
        (&mut self.game.interpreter, &self.initial)
    }

    /// True if the rule sheet came from standard input, which can be read only once.
    pub(crate) fn is_from_standard_input(&self) -> bool {
        self.loaded_as == "-"
    }

    /// True if legal play leads to the current state: no jump to a state is among the plies. The network that plays may
    /// rely on that.
    fn is_reached(&self) -> bool {
        !self.plies.iter().any(|ply| matches!(ply.way, ReachedBy::Set))
    }

    /// The number of plies: joint moves and jumps.
    pub(crate) fn ply(&self) -> usize {
        self.plies.len()
    }

    /// The step to the current state; `None` at the start.
    pub(crate) fn last_step(&self) -> Option<MatchStep> {
        self.plies.last().map(|ply| self.step(ply))
    }

    /// The steps of all plies.
    pub(crate) fn steps(&self) -> Vec<MatchStep> {
        self.plies.iter().map(|ply| self.step(ply)).collect()
    }

    fn step(&self, ply: &Ply) -> MatchStep {
        let reasoner = &self.game.interpreter;
        match &ply.way {
            ReachedBy::Played(joint_move) => {
                MatchStep::Played(joint_move.iter().map(|&chosen| reasoner.move_term(chosen)).collect())
            }
            ReachedBy::Set | ReachedBy::Reached => MatchStep::Set(reasoner.facts(&ply.state)),
        }
    }

    /// The roles of the game.
    pub(crate) fn roles(&self) -> &[GroundTerm] {
        self.game.interpreter.roles()
    }

    pub(crate) fn role(&self, name: &GroundTerm) -> Result<Role, CommandError> {
        Ok(self.game.role(&name.to_string())?)
    }

    /// True if the current state is terminal.
    pub(crate) fn is_over(&mut self) -> Result<bool, ReasonError> {
        let (reasoner, state) = self.position();
        reasoner.is_terminal(state)
    }

    /// The joint moves of the current state; an error if the game is over.
    pub(crate) fn joint_moves(&mut self) -> Result<JointMoves, CommandError> {
        let state = state_after(&self.plies, &self.initial);
        Ok(self.game.joint_moves(state)?)
    }

    /// The state after a legal joint move, without playing it.
    pub(crate) fn state_after_move(&mut self, joint_move: &[Move]) -> Result<State, ReasonError> {
        let (reasoner, state) = self.position();
        reasoner.next_state(state, joint_move)
    }

    /// Plays a legal joint move.
    pub(crate) fn play(&mut self, joint_move: Vec<Move>) -> Result<(), ReasonError> {
        let state = self.state_after_move(&joint_move)?;
        self.advance(Ply { way: ReachedBy::Played(joint_move), state });
        Ok(())
    }

    /// Jumps to the state in which exactly these facts hold.
    pub(crate) fn set(&mut self, facts: &[GroundTerm]) -> Result<(), ReasonError> {
        let state = self.game.interpreter.state_from_facts(facts)?;
        self.advance(Ply { way: ReachedBy::Set, state });
        Ok(())
    }

    /// Adds a ply. Plies that had been taken back can no longer be repeated.
    fn advance(&mut self, ply: Ply) {
        self.undone.clear();
        self.plies.push(ply);
    }

    /// Begins again in a state of the game's interpreter. `is_reached` promises that legal play leads to it.
    ///
    /// # Errors
    /// If the state is of another game; the match then stays as it is.
    pub(super) fn begin_in(&mut self, state: State, is_reached: bool) -> Result<(), ReasonError> {
        self.game.interpreter.check_owner(&state)?;
        self.plies.clear();
        self.undone.clear();
        let way = if is_reached { ReachedBy::Reached } else { ReachedBy::Set };
        self.plies.push(Ply { way, state });
        Ok(())
    }

    /// Sets a role's move in a joint move; an error if it is not legal.
    pub(crate) fn choose(&self, legal: &mut JointMoves, role: Role, term: &GroundTerm) -> Result<(), CommandError> {
        Ok(self.game.choose(legal, role, term)?)
    }

    /// The index of a move among a role's legal ones.
    pub(crate) fn move_index(&self, legal: &JointMoves, role: Role, term: &GroundTerm) -> Option<usize> {
        self.game.move_index(legal, role, term)
    }

    /// Repeats the plies of another match until one is not possible, and describes that one: its number, its terms, and
    /// why it is not possible. Interrupts and limits are errors.
    pub(crate) fn repeat(&mut self, steps: &[MatchStep]) -> Result<Option<String>, CommandError> {
        for step in steps {
            match self.take(step) {
                Ok(()) => {}
                // A limit says nothing of the ply, which may be legal.
                Err(error) if matches!(error.exit_code(), 3 | 130) => return Err(error),
                Err(error) => {
                    let ply = self.ply() + 1;
                    let (MatchStep::Played(terms) | MatchStep::Set(terms)) = step;
                    let terms: Vec<String> = terms.iter().map(ToString::to_string).collect();
                    return Ok(Some(format!("ply {ply} ({}): {error}", terms.join(" "))));
                }
            }
        }
        Ok(None)
    }

    fn take(&mut self, step: &MatchStep) -> Result<(), CommandError> {
        match step {
            MatchStep::Set(facts) => Ok(self.set(facts)?),
            MatchStep::Played(moves) => {
                let mut legal = self.joint_moves()?;
                if moves.len() != self.roles().len() {
                    let problem = format!("{} moves for {} roles", moves.len(), self.roles().len());
                    return Err(CommandError::refused(problem));
                }
                for (index, term) in moves.iter().enumerate() {
                    self.choose(&mut legal, Role::new(index), term)?;
                }
                Ok(self.play(legal.current().to_vec())?)
            }
        }
    }

    /// Takes back `plies` plies, or all if there are fewer; returns the number. [`Match::redo`] repeats them.
    pub(crate) fn undo(&mut self, plies: usize) -> usize {
        let all = self.plies.len();
        let kept = self.plies.len().saturating_sub(plies);
        // The ply that `redo` repeats first is the last in the list.
        self.undone.extend(self.plies.drain(kept..).rev());
        all - kept
    }

    /// Takes back `plies` plies, which cannot be repeated.
    pub(crate) fn retract(&mut self, plies: usize) {
        self.plies.truncate(self.plies.len().saturating_sub(plies));
        self.undone.clear();
    }

    /// Repeats `plies` plies that have been taken back, or all if there are fewer; returns the number.
    pub(crate) fn redo(&mut self, plies: usize) -> usize {
        let kept = self.undone.len().saturating_sub(plies);
        let before = self.plies.len();
        self.plies.extend(self.undone.drain(kept..).rev());
        self.plies.len() - before
    }
}

/// The state after some plies. It borrows these two parts of a match only, so that the game can change meanwhile.
fn state_after<'a>(plies: &'a [Ply], initial: &'a State) -> &'a State {
    plies.last().map_or(initial, |ply| &ply.state)
}
