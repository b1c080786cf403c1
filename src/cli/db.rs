//! `ggp db`: shows, checks and queries the folder of a `ggp solve`.

use super::solve::{SolvedSummary, json_line};
use super::{Failure, complete, load, set_up};
use crate::repl::console::Console;
use crate::repl::read;
use crate::repl::terminal::Terminal;
use clap::ValueHint;
use gdl::rules::GroundTerm;
use ggp_engine::interpreter::State;
use ggp_engine::{EngineKind, EngineOptions, Game};
use ggp_game::{Reasoner, Role, Utility};
use ggp_search::solving::{Database, KnownState, Manifest};
use serde::Serialize;
use std::path::PathBuf;

/// Show, check or query the files of `ggp solve`
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    task: DatabaseTask,
}

#[derive(clap::Subcommand)]
enum DatabaseTask {
    /// Show how many states there are, their values and their size
    Stats {
        /// The folder
        #[arg(value_hint = ValueHint::DirPath)]
        dir: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Read all files, and name those that are damaged: exit code 1 if there are any
    Verify {
        /// The folder
        #[arg(value_hint = ValueHint::DirPath)]
        dir: PathBuf,
        /// Print one JSON object for each damaged file
        #[arg(long)]
        json: bool,
    },
    /// Show the value of a state: exit code 1 if it cannot be reached
    Query {
        /// The folder
        #[arg(value_hint = ValueHint::DirPath)]
        dir: PathBuf,
        /// The facts of the state, or the moves that lead to it from the first state, by roles that have a choice:
        /// 'drop(1) drop(2)'
        #[arg(add = complete::moves())]
        state: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// The answer to a query.
#[derive(Serialize)]
struct QueryAnswer {
    reached: bool,
    layer: Option<u32>,
    value: Option<Vec<(String, Utility)>>,
    /// Mean utility of each role except chance, in games with chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    means: Option<Vec<(String, f64)>>,
    /// Number of joint moves to the end under best play, if the run stored it.
    moves: Option<u32>,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        match self.task {
            DatabaseTask::Stats { dir, json } => {
                let manifest = Database::manifest_of(&dir)?;
                let summary = SolvedSummary::from_manifest(&manifest);
                console.answer(&if json { json_line(&summary)? } else { stats(&summary, &manifest) })?;
                Ok(0)
            }
            DatabaseTask::Verify { dir, json } => {
                let damaged = Database::verify(&dir)?;
                for file in &damaged {
                    let line = format!("{}: {}\n", file.path.display(), file.what);
                    console.answer(&if json { json_line(file)? } else { line })?;
                }
                if damaged.is_empty() && !json {
                    console.answer("all files are as they were written\n")?;
                }
                Ok(u8::from(!damaged.is_empty()))
            }
            DatabaseTask::Query { dir, state, json } => {
                let rules = Database::rules_of(&dir)?;
                let options = EngineOptions::from(EngineKind::Auto);
                let mut game = load(&rules, options)?;
                set_up(&mut game, console)?;
                let asked = QueryAnswer::ask(&mut game, &dir, &state)?;
                console.answer(&if json { json_line(&asked)? } else { asked.text() })?;
                Ok(u8::from(!asked.reached))
            }
        }
    }
}

/// The summary, after a line for each layer.
fn stats(summary: &SolvedSummary<'_>, manifest: &Manifest) -> String {
    let mut text = format!("{}\n", manifest.game);
    for (number, layer) in manifest.layers.iter().enumerate() {
        let bytes = layer.bytes() as f64 / layer.states.max(1) as f64;
        let states = gdl::quantity::counted_as(layer.states, "state", "states");
        text += &format!("layer {number}: {states}, {bytes:.2} bytes each\n");
    }
    if manifest.is_explored() && !manifest.is_solved() {
        text += "values are not known for all states; `ggp solve --resume` finds them\n";
    }
    text + &summary.text()
}

impl QueryAnswer {
    fn ask(game: &mut Game, dir: &std::path::Path, state: &str) -> Result<Self, Failure> {
        let state = position(game, state)?;
        let name = game.name.clone();
        let text = game.source.text().to_string();
        let roles = game.roles().to_vec();
        let database = Database::open(dir, &name, &text, game.engine()?)?;
        let (engine, state) = game.engine_for(&state, true)?;
        let unreached = || Self { reached: false, layer: None, value: None, means: None, moves: None };
        // A state that the network cannot hold cannot be reached.
        if engine.kind() == EngineKind::Interpreter {
            return Ok(unreached());
        }
        let Some(KnownState { layer, utilities, means, moves }) = database.find(engine, &state)? else {
            return Ok(unreached());
        };
        let name = |utilities: Vec<Utility>| roles.iter().map(ToString::to_string).zip(utilities).collect();
        let players = |means: Vec<f64>| {
            let means = roles.iter().zip(means).filter(|(role, _)| !role.is_chance());
            means.map(|(role, mean)| (role.to_string(), mean)).collect()
        };
        let means = means.map(players);
        Ok(Self { reached: true, layer: Some(layer), value: utilities.map(name), means, moves })
    }

    fn text(&self) -> String {
        let Some(layer) = self.layer else { return "the state cannot be reached\n".to_string() };
        let value = match (&self.value, &self.means) {
            (Some(value), _) => value.iter().map(|(role, worth)| format!("{role}: {worth}")).collect::<Vec<_>>(),
            (None, Some(means)) => means.iter().map(|(role, mean)| format!("{role}: {mean:.6} on average")).collect(),
            (None, None) => vec!["no value".to_string()],
        };
        let value = value.join(", ");
        let moves = self.moves.map_or(String::new(), |moves| {
            format!(" after {}", gdl::quantity::counted_as(moves.into(), "joint move", "joint moves"))
        });
        format!("{value}{moves} (layer {layer})\n")
    }
}

/// The state of these facts or, if the terms are moves, the state after them from the first one.
fn position(game: &mut Game, text: &str) -> Result<State, Failure> {
    let terms = read::terms(text)?;
    let mut state = game.initial_state()?;
    for (number, term) in terms.iter().enumerate() {
        match state_after(game, &state, term)? {
            Some(next) => state = next,
            // Terms are facts if the first is no legal move and some are no moves at all.
            None if number == 0 && !are_moves(game, &terms)? => return Ok(game.state_from_facts(&terms)?),
            None => return Err(anyhow::anyhow!(illegal(game, &state, &terms[..=number])?)),
        }
    }
    Ok(state)
}

/// True if each term is a move of the game, legal or not.
fn are_moves(game: &mut Game, terms: &[GroundTerm]) -> Result<bool, Failure> {
    let engine = game.engine()?;
    Ok(terms.iter().all(|term| engine.find_move(term).is_ok()))
}

/// Message that the last of these moves cannot be made in `state`, the one after the others, and which moves can.
fn illegal(game: &mut Game, state: &State, moves: &[GroundTerm]) -> Result<String, Failure> {
    let words = |terms: &[GroundTerm]| terms.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (chosen, before) = moves.split_last().expect("one of them cannot be made");
    let place =
        if before.is_empty() { "in the first state".to_string() } else { format!("after {}", words(before).join(" ")) };
    if game.is_terminal(state)? {
        return Ok(format!("{chosen} is not legal {place}: the game is over there"));
    }
    let mut choices = Vec::new();
    for role in (0..game.roles().len()).map(Role::new) {
        choices.push((game.roles()[role.index()].to_string(), game.legal(state, role)?));
    }
    // Roles without a choice are left out, unless no role has one.
    if choices.iter().any(|(_, legal)| legal.len() > 1) {
        choices.retain(|(_, legal)| legal.len() > 1);
    }
    // A single move decides on a joint move only if one role has a choice.
    if choices.len() > 1 && choices.iter().all(|(_, legal)| legal.len() > 1) {
        return Ok(format!("several roles choose {place}: give the facts of the state that you mean"));
    }
    let choice = |(role, legal): &(String, Vec<GroundTerm>)| format!("{role} can make {}", words(legal).join(", "));
    let choices = choices.iter().map(choice).collect::<Vec<_>>().join("; ");
    Ok(format!("{chosen} is not legal {place}: {choices}"))
}

/// The state after the joint move in which a role makes this move; `None` if the move is not legal, or if another role
/// has a choice as well.
fn state_after(game: &mut Game, state: &State, chosen: &GroundTerm) -> Result<Option<State>, Failure> {
    if game.is_terminal(state)? {
        return Ok(None);
    }
    let mut joint_move = Vec::new();
    let mut is_made = false;
    for role in (0..game.roles().len()).map(Role::new) {
        let legal = game.legal(state, role)?;
        match &legal[..] {
            _ if !is_made && legal.len() > 1 && legal.contains(chosen) => {
                is_made = true;
                joint_move.push(chosen.clone());
            }
            [only] => {
                is_made |= only == chosen;
                joint_move.push(only.clone());
            }
            _ => return Ok(None),
        }
    }
    Ok(if is_made { Some(game.next(state, &joint_move)?) } else { None })
}
