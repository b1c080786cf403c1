//! The check of what roles know (W310, W311): in random games of a sheet with `sees`, a role that has made the same moves
//! and had the same percepts must have the same legal moves, and know whether the game is over.

use crate::interpreter::Interpreter;
use gdl::diagnostic::{Code, Diagnostic};
use gdl::rules::GroundTerm;
use gdl::rules::check::in_play::{UNKNOWN_END, UNKNOWN_MOVES};
use gdl::syntax::Dialect;
use ggp_game::{Chance, JointMoves, Move, PerceptReasoner, ReasonError, Reasoner, Role};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::BTreeMap;
use std::hash::BuildHasher;

/// The number of random games, of joint moves of each, and of all of them together.
const GAMES: usize = 400;
const LONGEST: usize = 60;
const MOST_STEPS: usize = 4_000;
/// The number of legal moves that a problem shows.
const SHOWN: usize = 4;

/// The problems of roles, by random games that are the same on every machine.
///
/// # Errors
/// If a limit of the interpreter ends the games; those of states without a legal move are not about knowledge, and end
/// a game.
pub(super) fn unknown_to_roles(
    interpreter: &mut Interpreter,
    dialect: Dialect,
) -> Result<Vec<Diagnostic>, ReasonError> {
    let mut games = ViewedGames {
        players: Role::players(interpreter.roles()).collect(),
        interpreter,
        dialect,
        random: Chance::new(0),
        known: FxHashMap::default(),
        found: BTreeMap::new(),
        steps: 0,
    };
    for _ in 0..GAMES {
        match games.play() {
            Err(ReasonError::NoLegalMove { .. }) => {}
            played => played?,
        }
        if games.steps >= MOST_STEPS {
            break;
        }
    }
    Ok(games.found.into_values().collect())
}

struct ViewedGames<'a> {
    interpreter: &'a mut Interpreter,
    players: Vec<Role>,
    dialect: Dialect,
    random: Chance,
    /// By role and what it knows.
    known: FxHashMap<(Role, u64), Option<Vec<Move>>>,
    /// The first problem of each kind and role.
    found: BTreeMap<(&'static str, Role), Diagnostic>,
    steps: usize,
}

impl ViewedGames<'_> {
    fn play(&mut self) -> Result<(), ReasonError> {
        let mut state = self.interpreter.initial_state()?;
        let mut knowledge = vec![0; self.players.len()];
        let mut percepts = Vec::new();
        for _ in 0..LONGEST {
            self.steps += 1;
            let is_over = self.interpreter.is_terminal(&state)?;
            let mut turn = JointMoves::default();
            if !is_over {
                turn.read(self.interpreter, &state)?;
            }
            for (role, &known) in self.players.clone().into_iter().zip(&knowledge) {
                let legal = (!is_over).then(|| turn.legal(role).to_vec());
                self.compare(role, known, legal);
            }
            if is_over {
                return Ok(());
            }
            for role in turn.choosing() {
                turn.choose(role, self.random.below(turn.legal(role).len()));
            }
            for (knowledge, &role) in knowledge.iter_mut().zip(&self.players) {
                self.interpreter.percepts(&state, turn.current(), role, &mut percepts)?;
                *knowledge = FxBuildHasher.hash_one((*knowledge, turn.current()[role.index()], &percepts));
            }
            state = self.interpreter.next_state(&state, turn.current())?;
        }
        Ok(())
    }

    /// Compares the legal moves of a role with those that it had before with the same knowledge.
    fn compare(&mut self, role: Role, knowledge: u64, legal: Option<Vec<Move>>) {
        let before = self.known.entry((role, knowledge)).or_insert_with(|| legal.clone()).clone();
        if before == legal {
            return;
        }
        let name = self.interpreter.roles()[role.index()].display(self.dialect).to_string();
        let (code, message): (&'static Code, String) = match (&before, &legal) {
            (Some(before), Some(legal)) => (
                &UNKNOWN_MOVES,
                format!(
                    "{name} cannot know its legal moves: after the same moves and percepts of its own they are {} in one \
                     state and {} in another",
                    self.listed(before),
                    self.listed(legal)
                ),
            ),
            (one, other) => {
                let legal = one.as_ref().or(other.as_ref()).map_or(String::new(), |legal| self.listed(legal));
                let message = format!(
                    "{name} cannot know that the game is over: after the same moves and percepts of its own it goes on \
                     in another state, where {name} may make the move {legal}"
                );
                (&UNKNOWN_END, message)
            }
        };
        let help = format!("are there rules for `sees({name},…)` that tell {name} what it has to know?");
        self.found.entry((code.id, role)).or_insert_with(|| Diagnostic::of_sheet(code, message).with_help(help));
    }

    fn listed(&self, moves: &[Move]) -> String {
        let term = |&chosen: &Move| -> GroundTerm { self.interpreter.move_term(chosen) };
        let shown = moves.iter().take(SHOWN).map(|chosen| format!("`{}`", term(chosen).display(self.dialect)));
        let more = (moves.len() > SHOWN).then(|| format!("{} more", moves.len() - SHOWN));
        shown.chain(more).collect::<Vec<_>>().join(", ")
    }
}
