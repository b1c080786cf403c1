//! Answers from the files of `ggp solve`, if the game was loaded with them.

use crate::repl::session::Match;
use crate::repl::{CommandError, Session};
use ggp_engine::{Engine, EngineKind, EngineState};
use ggp_game::Role;
use ggp_search::solving::{Database, KnownState, KnownSuccessor, SolvingError};
use ggp_search::{Choice, Cost, Outcome, RatedMove, Worth, end_of_line};

/// What the database says of the current state; `None` if there is none, or if it does not know the state's value.
pub(super) struct StoredAnswer<T> {
    pub(super) answer: T,
    /// Where the answer comes from.
    pub(super) note: String,
}

/// Asks the database about the current state.
fn ask_database<T>(
    session: &mut Session,
    ask: impl FnOnce(&Database, &mut Engine, &EngineState, KnownState) -> Result<Option<T>, SolvingError>,
) -> Result<Option<StoredAnswer<T>>, CommandError> {
    let current = session.current()?;
    if current.is_amended {
        return Ok(None);
    }
    let Some(database) = current.database.take() else { return Ok(None) };
    let answer = database_answer(current, &database, ask);
    let note = format!("from the database {}", database.path().display());
    current.database = Some(database);
    Ok(answer?.map(|answer| StoredAnswer { answer, note }))
}

fn database_answer<T>(
    current: &mut Match,
    database: &Database,
    ask: impl FnOnce(&Database, &mut Engine, &EngineState, KnownState) -> Result<Option<T>, SolvingError>,
) -> Result<Option<T>, CommandError> {
    let (engine, state) = current.engine()?;
    // Another engine than the one for which the database was opened may number fluents in another way.
    if engine.kind() == EngineKind::Interpreter || !database.fits(engine) {
        return Ok(None);
    }
    match database.find(engine, &state)? {
        Some(known) if known.utilities.is_some() => Ok(ask(database, engine, &state, known)?),
        _ => Ok(None),
    }
}

/// What `solve` asks: the value of the state, and best play.
pub(super) struct StoredPlay {
    pub(super) known: KnownState,
    pub(super) line: Vec<Vec<ggp_game::Move>>,
    pub(super) states: u64,
    pub(super) joint_moves: u64,
}

pub(super) fn best_play(session: &mut Session) -> Result<Option<StoredAnswer<StoredPlay>>, CommandError> {
    ask_database(session, |database, engine, state, known| {
        let line = database.line(engine, state)?;
        let states = database.manifest().states();
        let joint_moves = database.manifest().joint_moves();
        Ok(Some(StoredPlay { known, line, states, joint_moves }))
    })
}

/// What minimax asks: the utility that a role can force, and the values of its moves.
pub(super) fn choice(session: &mut Session, role: Role) -> Result<Option<StoredAnswer<Outcome<Choice>>>, CommandError> {
    ask_database(session, |database, engine, state, known| {
        if !database.is_forced() {
            return Ok(None);
        }
        let Some(utilities) = known.utilities else { return Ok(None) };
        let line = database.line(engine, state)?;
        let mut moves = Vec::<RatedMove>::new();
        for KnownSuccessor { joint_move, known } in database.known_successors(engine, state)? {
            let Some(utilities) = known.utilities else { return Ok(None) };
            let chosen = joint_move[role.index()];
            let worth = Worth::Utility(utilities[role.index()]);
            match moves.iter_mut().find(|rated| rated.chosen == chosen) {
                // The others choose what is worth least to the role.
                Some(rated) => rated.worth = if is_less(worth, rated.worth) { worth } else { rated.worth },
                None => moves.push(RatedMove { chosen, worth }),
            }
        }
        let worth = Worth::Utility(utilities[role.index()]);
        let equals = moves.iter().filter(|rated| rated.worth == worth).map(|rated| rated.chosen).collect();
        let chosen = line.first().map(|joint_move| joint_move[role.index()]);
        let line_ends = end_of_line(engine, state, &line)?;
        let choice = Choice { worth, chosen, line, line_ends, equals, moves, finished: None };
        Ok(Some(Outcome { answer: Some(choice), stopped: None, cost: Cost::default() }))
    })
}

fn is_less(one: Worth, other: Worth) -> bool {
    one.utility() < other.utility()
}
