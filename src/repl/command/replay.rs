//! Command `replay`: draws the plies of the match, or a plan, as text or as a film: positions with the moves between
//! them and the scores.

use super::moves::joint_move;
use super::option::{FORCE, file};
use super::{ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::position::{MatchPly, MatchPosition};
use crate::repl::answer::text::{joined, line};
use crate::repl::answer::{AnswerContent, Boards, Statement, TextStyle};
use crate::repl::session::{Match, MatchStep};
use crate::repl::{Answer, CommandError, Session, read};
use gdl::quantity::{Seconds, counted_as};
use ggp_draw as drawing;
use ggp_draw::board::Setting;
use ggp_draw::{Film, Frame};
use ggp_engine::interpreter::State;
use ggp_game::{JointMoves, Move, ReasonError, Reasoner, Role};
use ggp_play::ask::spec::{NamedOption, NumberKind, OptionRelation};
use serde::Serialize;

pub(super) const REPLAY: Command = Command {
    name: "replay",
    operands: "[MOVE …]",
    options: &[OptionGroup::own(&[WATCH, DELAY, FILM, PAGE, SHEET, FORCE])],
    summary: "draw the plies of this match, or those of a plan from here: a position for each state, with move and score",
    example: "replay right down right down --svg plan.svg",
    example_game: "",
    takes: ArgumentKind::Moves,
    ..Command::run_by(replay)
};

/// `--svg FILE`: an animated picture.
const FILM: NamedOption = file("--svg", "write an SVG picture that plays by itself");
/// `--html FILE`: a page with controls.
const PAGE: NamedOption = file("--html", "write a page with buttons to play, step and change the speed");
/// `--sheet FILE`: all frames at once.
pub(crate) const SHEET: NamedOption = file("--sheet", "write an SVG picture with all frames side by side");

/// `--watch`: the positions as text.
pub(crate) const WATCH: NamedOption =
    NamedOption::flag("--watch", "draw the positions here: one at a time at a terminal, else one below the other")
        .excluding(&[
            OptionRelation::to(&["--svg", "--html", "--sheet"]).saying("`--watch` draws here, and not to files")
        ]);
/// `--delay S`: the time between them.
pub(crate) const DELAY: NamedOption =
    NamedOption::decimal("--delay", "SECONDS", "a number of seconds", "with --watch: the time between two positions")
        .of_kind(NumberKind::Seconds)
        .default("0.5 at a terminal, else 0")
        .needing(&[OptionRelation::to(&["--watch"]).saying("`--delay` is for `--watch`")]);

struct ReplayedLine {
    title: String,
    first: State,
    moves: Vec<Vec<Move>>,
}

fn replay(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let wanted = [&FILM, &PAGE, &SHEET];
    let watches = arguments.has(&WATCH);
    let delay = arguments.number(&DELAY)?;
    if !watches && !wanted.iter().any(|option| arguments.has(option)) {
        let needed = "where to? `--watch` draws here, `--svg FILE`, `--html FILE` and `--sheet FILE` draw to files";
        return Err(arguments.wrong(needed));
    }
    let [film_file, page_file, sheet_file] = wanted.map(|option| arguments.output(option, session));
    let outputs = [film_file?, page_file?, sheet_file?];
    let current = session.current()?;
    let ReplayedLine { title, first, moves } =
        if arguments.operands().is_empty() { of_match(current)? } else { of_plan(current, arguments.operands())? };
    let setting = current.setting()?;
    let (reasoner, _) = current.position();
    if watches {
        return Ok(Answer::new(WatchAnswer::new(reasoner, &setting, &first, &moves, delay)?));
    }
    let film = film(reasoner, &setting, title, &first, &moves)?;
    let frames = film.frames.len();
    let drawn = [drawing::film(&film), drawing::page(&film), drawing::contact_sheet(&film)];
    let mut written = Vec::new();
    for (output, text) in outputs.into_iter().zip(drawn) {
        let Some(output) = output else { continue };
        output.write(text)?;
        written.push(output.name);
    }
    let frames_text = counted_as(frames as u64, "frame", "frames");
    let text = written.iter().map(|file| line(format!("{file}: {frames_text}"))).collect();
    Ok(Answer::new(Statement::new("filmed", text).with("files", written).with("frames", frames)))
}

/// The plies of the match since the last jump to a state.
fn of_match(current: &mut Match) -> Result<ReplayedLine, CommandError> {
    let steps = current.steps();
    let begins = steps.iter().rposition(|step| matches!(step, MatchStep::Set(_))).map_or(0, |index| index + 1);
    let title = current.game.name.clone();
    let mut moves: Vec<Vec<Move>> = Vec::new();
    let (reasoner, first) = current.state_after(begins);
    let first = first.clone();
    for step in &steps[begins..] {
        if let MatchStep::Played(played) = step {
            moves.push(played.iter().map(|term| reasoner.find_move(term)).collect::<Result<_, _>>()?);
        }
    }
    Ok(ReplayedLine { title, first, moves })
}

/// A plan from the current state: one move for each ply, of the only role that has a choice.
fn of_plan(current: &mut Match, plan: &str) -> Result<ReplayedLine, CommandError> {
    let terms = read::terms(plan)?;
    let title = format!("{}, a plan", current.game.name);
    let (_, first) = current.position();
    let first = first.clone();
    let mut moves = Vec::new();
    let mut problem = None;
    for term in &terms {
        match joint_move(current, &term.to_string())
            .and_then(|joint| Ok(current.play(joint.clone()).map(|()| joint)?))
        {
            Ok(joint) => moves.push(joint),
            Err(error) => {
                problem = Some(error);
                break;
            }
        }
    }
    // The plan was played in the match, to check its moves, so it is taken back.
    current.retract(moves.len());
    match problem {
        Some(error) => Err(error),
        None => Ok(ReplayedLine { title, first, moves }),
    }
}

/// The positions of a line of play.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WatchAnswer {
    /// The positions, from the first.
    pub(crate) positions: Vec<MatchPosition>,
    /// The seconds between two of them, if they were given.
    #[serde(skip)]
    pub(crate) delay: Option<Seconds>,
}

impl WatchAnswer {
    /// The positions of a line of play from a state. The joint moves must be legal.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn new<R: Reasoner>(
        reasoner: &mut R,
        setting: &Setting,
        first: &R::State,
        line: &[Vec<Move>],
        delay: Option<Seconds>,
    ) -> Result<Self, ReasonError> {
        let mut state = first.clone();
        let mut facts = reasoner.facts(first);
        let drawn = Boards::from_facts(setting, &facts, None);
        let start = MatchPly::new(0, reasoner.roles(), None);
        let mut positions = vec![MatchPosition { drawn: Some(drawn), ..MatchPosition::at(reasoner, &state, start)? }];
        for (number, joint_move) in line.iter().enumerate() {
            let moves = joint_move.iter().map(|&chosen| reasoner.move_term(chosen)).collect();
            let last = MatchPly::new(number + 1, reasoner.roles(), Some(MatchStep::Played(moves)));
            state = reasoner.next_state(&state, joint_move)?;
            let before = std::mem::replace(&mut facts, reasoner.facts(&state));
            let drawn = Some(Boards::from_facts(setting, &facts, Some(&before)));
            positions.push(MatchPosition { drawn, ..MatchPosition::at(reasoner, &state, last)? });
        }
        Ok(Self { positions, delay })
    }
}

impl AnswerContent for WatchAnswer {
    fn kind(&self) -> &'static str {
        "watched"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        joined(self.positions.iter().map(|shown| shown.text(style)), "\n")
    }
}

/// The greatest number of facts beside the board of a frame.
const MOST_FACTS: usize = 8;

/// The film of a line of play from a state, with as many frames as there are states.
///
/// # Errors
/// Those of the engine. The joint moves must be legal.
pub(crate) fn film<R: Reasoner>(
    reasoner: &mut R,
    setting: &Setting,
    title: String,
    first: &R::State,
    line: &[Vec<ggp_game::Move>],
) -> Result<Film, ReasonError> {
    let mut state = first.clone();
    let mut frames = vec![frame(reasoner, setting, &state, "the start".to_string())?];
    let mut before = frames[0].boards.clone();
    for (number, joint_move) in line.iter().enumerate() {
        let choosing = JointMoves::in_state(reasoner, &state)?.choosing();
        let roles = reasoner.roles().len();
        let made = |role: Role| {
            let chosen = reasoner.move_term(joint_move[role.index()]);
            if roles == 1 { chosen.to_string() } else { format!("{} {chosen}", reasoner.roles()[role.index()]) }
        };
        let moves = match &choosing[..] {
            // Without a choice the forced moves of all roles are named.
            [] => (0..roles).map(|role| made(Role::new(role))).collect::<Vec<_>>().join(", "),
            choosing => choosing.iter().map(|&role| made(role)).collect::<Vec<_>>().join(", "),
        };
        state = reasoner.next_state(&state, joint_move)?;
        let mut next = frame(reasoner, setting, &state, format!("{}: {moves}", number + 1))?;
        let unmarked = next.boards.clone();
        drawing::mark_changed(&mut next.boards, &before);
        before = unmarked;
        frames.push(next);
    }
    Ok(Film { title, frames })
}

fn frame<R: Reasoner>(
    reasoner: &mut R,
    setting: &Setting,
    state: &R::State,
    way: String,
) -> Result<Frame, ReasonError> {
    let facts = reasoner.facts(state);
    let drawn = setting.draw(&facts, &|axes| axes);
    let boards = drawn.grids();
    let mut facts = drawn.lines();
    if facts.len() > MOST_FACTS {
        let more = facts.len() - MOST_FACTS + 1;
        facts.truncate(MOST_FACTS - 1);
        facts.push(format!("… {more} facts more"));
    }
    let mut scores = Vec::new();
    for index in 0..reasoner.roles().len() {
        let role = reasoner.roles()[index].clone();
        match reasoner.goal(state, Role::new(index)) {
            Ok(utility) => scores.push(format!("{role} {utility}")),
            Err(error @ ReasonError::Stopped(_)) => return Err(error),
            Err(_) => {}
        }
    }
    let is_over = reasoner.is_terminal(state)?;
    let end = if is_over { "the end: " } else { "" };
    let score = if scores.is_empty() { String::new() } else { format!("{end}{}", scores.join(", ")) };
    Ok(Frame { caption: vec![way, score], boards, facts })
}
