//! A player that knows the values of states: it plays from the files of `ggp solve`, and asks another strategy about
//! states that are not in them.

use super::searching::set_up_limits;
use crate::{Deadline, Equipment, PlayerError, Position, Requirement, Start, Strategy, log};
use gdl::limits::Limits;
use gdl::sorting;
use gdl::syntax::{Dialect, Source};
use ggp_engine::{Engine, EngineKind, Game, load_text};
use ggp_game::{Move, Reasoner};
use ggp_search::solving::{Database, SolvingError};
use std::path::PathBuf;

/// Plays best from the files of a folder, in the states that are in them.
///
/// The files are read with an engine of their own, made from the rule sheet in the folder, since another engine may
/// write states in another way. States and moves go between the two engines as terms. A match is played from the files
/// if its rules have the same clauses, in any order.
pub(crate) struct StoredPlayer {
    folder: PathBuf,
    /// Chooses in states that are not in the files.
    other: Box<dyn Strategy>,
    book: Option<DatabaseEngine>,
}

/// The files, with the engine that they were made for.
struct DatabaseEngine {
    database: Database,
    engine: Engine,
}

impl StoredPlayer {
    pub(crate) fn new(folder: PathBuf, other: Box<dyn Strategy>) -> Self {
        Self { folder, other, book: None }
    }

    /// Opens the files, if they are about the game of a match and can lead its play.
    fn open(&self, start: &Start) -> Result<Option<DatabaseEngine>, PlayerError> {
        let folder = self.folder.display();
        let path = Database::rules_of(&self.folder)?;
        let text = start.game.options().input.read_text(&path).map_err(|error| SolvingError::File { path, error })?;
        let name = Database::manifest_of(&self.folder)?.game;
        let unusable = |why: &dyn std::fmt::Display| {
            log::warn(format_args!("{folder} is not played from: {why}"));
            Ok(None)
        };
        let mut game = match load_text(name.clone(), Source::new("rules.gdl", text.as_str()), None, EngineKind::Propnet)
        {
            Ok(game) => game,
            Err(error) => return unusable(&error),
        };
        if clauses(&game) != clauses(&start.game) {
            return unusable(&format!("it is of {name}, whose rules are others"));
        }
        game.set_limits(set_up_limits(start));
        let mut engine = match game.into_engine() {
            Ok(engine) => engine,
            Err(error) => return unusable(&error),
        };
        engine.set_limits(Limits::new().with_interrupt(start.interrupt.clone()));
        let database = Database::open(&self.folder, &name, &text, &mut engine)?;
        if !database.leads() {
            return unusable(&"its states repeat, and it has no distances (ggp solve --distances)");
        }
        log::info(format_args!("{folder} is played from: {} states", database.manifest().states()));
        Ok(Some(DatabaseEngine { database, engine }))
    }
}

/// The clauses of a game's rules as text, sorted.
fn clauses(game: &Game) -> Vec<String> {
    let sheet = game.sheet.in_dialect(Dialect::Prefix);
    let mut clauses: Vec<String> =
        sheet.clauses.iter().map(|clause| clause.display(Dialect::Prefix).to_string()).collect();
    sorting::sort(&mut clauses);
    clauses
}

impl DatabaseEngine {
    /// The best move in a position; `None` if the files do not know its value.
    fn best(&mut self, position: &Position) -> Result<Option<Move>, PlayerError> {
        let facts = position.engine.facts(&position.state);
        let state = self.engine.state_from_facts(&facts)?;
        let Some(best) = self.database.best_move(&mut self.engine, &state, position.role)? else { return Ok(None) };
        let term = self.engine.move_term(best);
        Ok(position.legal.iter().copied().find(|&legal| position.engine.move_term(legal) == term))
    }
}

impl Strategy for StoredPlayer {
    fn name(&self) -> String {
        self.other.name()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        self.book = self.open(start)?;
        self.other.prepare(start, position, stop)
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let best = self.book.as_mut().map_or(Ok(None), |book| book.best(position));
        match best {
            Ok(Some(best)) => {
                let folder = self.folder.display();
                let term = position.engine.move_term(best);
                log::debug(format_args!("from the database {folder}: {term}"));
                return Ok(Some(best));
            }
            Ok(None) => {}
            Err(error) => log::warn(format_args!("the database is not asked about this state: {error}")),
        }
        self.other.choose(position, stop)
    }

    fn ponder(&mut self, position: &mut Position) {
        self.other.ponder(position);
    }

    fn wants(&self) -> Requirement {
        self.other.wants()
    }

    fn equipped(&mut self, equipment: Equipment, position: &mut Position) {
        self.other.equipped(equipment, position);
    }

    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        self.other.played(joint_move, position);
    }

    fn forget(&mut self) {
        self.book = None;
        self.other.forget();
    }
}
