//! `replay`: draws the plies of the match, a plan, or a recorded match, as a film.

use super::option::file;
use super::play::joint_move;
use super::show::setting;
use super::{Answers, Arguments, Command, CommandOption, OptionGroup, Takes};
use crate::drawing::{self, Film};
use crate::files;
use crate::game::{Move, Reasoner};
use crate::repl::film::film;
use crate::repl::session::{Match, Step};
use crate::repl::{Answer, CommandError, Session, read};

pub(super) const REPLAY: Command = Command {
    name: "replay",
    operands: "[MOVE …]",
    options: &[OptionGroup::own(&[FILM, PAGE, SHEET])],
    summary: "draw the plies of this match, or those of a plan from here, as a film: a frame for each state, with move and score",
    example: "replay right down right down --svg plan.svg",
    takes: Takes::Moves,
    answers: Answers::Nothing,
    run: replay,
};

/// `--svg FILE`: an animated picture.
pub(crate) const FILM: CommandOption = file("--svg", "write an SVG picture that plays by itself");
/// `--html FILE`: a page with controls.
pub(crate) const PAGE: CommandOption = file("--html", "write a page with buttons to play, step and change the speed");
/// `--sheet FILE`: all frames at once.
pub(crate) const SHEET: CommandOption = file("--sheet", "write an SVG picture with all frames side by side");

fn replay(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let wanted = [&FILM, &PAGE, &SHEET].map(|option| arguments.word(option).map(str::to_string));
    if wanted.iter().all(Option::is_none) {
        return Err(arguments.wrong("where to? `--svg FILE`, `--html FILE` or `--sheet FILE` is needed"));
    }
    let directory = session.directory().to_path_buf();
    let current = session.current()?;
    let film =
        if arguments.operands().is_empty() { of_match(current)? } else { of_plan(current, arguments.operands())? };
    let frames = film.frames.len();
    let drawn = [drawing::film(&film), drawing::page(&film), drawing::contact_sheet(&film)];
    let mut written = Vec::new();
    for (file, text) in wanted.into_iter().zip(drawn) {
        let Some(file) = file else { continue };
        files::write(&directory.join(&file), text)
            .map_err(|error| CommandError::Unwritable { file: file.clone(), error })?;
        written.push(file);
    }
    Ok(Answer::Filmed { files: written, frames })
}

/// The film of the plies of the match. A jump to a state begins it anew.
fn of_match(current: &mut Match) -> Result<Film, CommandError> {
    let steps = current.steps();
    let begins = steps.iter().rposition(|step| matches!(step, Step::Set(_))).map_or(0, |index| index + 1);
    let setting = setting(current)?;
    let title = current.game.name.clone();
    let mut line: Vec<Vec<Move>> = Vec::new();
    let (reasoner, first) = current.state_after(begins);
    let first = first.clone();
    for step in &steps[begins..] {
        if let Step::Played(moves) = step {
            line.push(moves.iter().map(|term| reasoner.find_move(term)).collect::<Result<_, _>>()?);
        }
    }
    Ok(film(reasoner, &setting, title, &first, &line)?)
}

/// The film of a plan from the current state: one move for each ply, of the only role that has a choice.
fn of_plan(current: &mut Match, plan: &str) -> Result<Film, CommandError> {
    let terms = read::terms(plan)?;
    let setting = setting(current)?;
    let title = format!("{}, a plan", current.game.name);
    let (_, first) = current.position();
    let first = first.clone();
    let mut line = Vec::new();
    let mut problem = None;
    for term in &terms {
        match joint_move(current, &term.to_string())
            .and_then(|joint| Ok(current.play(joint.clone()).map(|()| joint)?))
        {
            Ok(joint) => line.push(joint),
            Err(error) => {
                problem = Some(error);
                break;
            }
        }
    }
    current.undo(line.len());
    if let Some(error) = problem {
        return Err(error);
    }
    let (reasoner, _) = current.position();
    Ok(film(reasoner, &setting, title, &first, &line)?)
}
