//! Output of the front ends: answers on one channel, everything else on another. A `Playback` paces positions that are
//! shown one after another; a long answer is shown page by page where a person is asked for the next one.

use super::command::QuerySolutions;
use super::command::analyse::AnalysisAnswer;
use super::command::replay::WatchAnswer;
use super::output::Screen;
use super::{Answer, CommandError, Session, render};
use gdl::diagnostic::render::Paint;
use gdl::quantity::{Seconds, grouped};
use gdl::syntax::Dialect;
use gdl::time::Instant;
use ggp_draw::fit::{cut, fold, plain};
use ggp_search::SearchProgress;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{io, thread};

/// What follows a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageChoice {
    /// The next page.
    Next,
    /// All that is left.
    All,
    /// Nothing more.
    End,
}

/// Accepts answers and talk (errors, warnings, summaries). Both are whole lines.
pub trait Console {
    /// Writes an answer: standard output.
    fn answer(&mut self, text: &str) -> io::Result<()>;

    /// Writes talk: standard error.
    fn talk(&mut self, text: &str) -> io::Result<()>;

    /// Writes an answer that other programs read, such as a rule sheet: its lines are never folded.
    fn data(&mut self, text: &str) -> io::Result<()> {
        self.answer(text)
    }

    /// The form in which talk is written: plain, or with styles.
    fn paint(&self) -> Paint;

    /// The width at which prose is wrapped, in characters.
    fn width(&self) -> usize {
        render::WIDTH
    }

    /// The height of the terminal, in lines; unlimited without one.
    fn height(&self) -> usize {
        usize::MAX
    }

    /// True if lines of answers can be erased: they go to a terminal.
    fn can_erase(&self) -> bool {
        false
    }

    /// Erases the last lines of answers, if that is possible.
    fn erase(&mut self, _lines: usize) -> io::Result<()> {
        Ok(())
    }

    /// The width at which the lines of an analysis are cut; `None` if the output is not a terminal.
    fn screen_width(&self) -> Option<usize> {
        None
    }

    /// True if a person at the prompt is asked after each page of a long answer.
    fn has_pages(&self) -> bool {
        false
    }

    /// Asks what follows a page, with a line of words that is erased afterwards.
    fn next_page(&mut self, _question: &str) -> io::Result<PageChoice> {
        Ok(PageChoice::All)
    }

    /// Shows the progress of a search and the screen of an analysis, if the output is a terminal, until the returned
    /// value is dropped.
    fn watch(&self, _progress: Arc<SearchProgress>, _screen: Arc<Screen>) -> Option<Box<dyn Any>> {
        None
    }
}

/// Shows the result of a command of a session. `location` is written before errors, warnings and notes: a file and a
/// line, or nothing.
pub fn show(
    console: &mut dyn Console,
    session: &mut Session,
    result: &Result<Answer, CommandError>,
    location: &str,
) -> io::Result<()> {
    show_notes(console, session, location)?;
    match result {
        Ok(answer) => match answer.downcast_ref::<WatchAnswer>() {
            Some(watched) => play(console, watched, session.dialect(), session.interrupt().flag())?,
            None => show_answer(console, answer, session.dialect(), location)?,
        },
        Err(error) => console.talk(&format!("{location}{}", render::error(error, console.paint())))?,
    }
    match session.take_remark() {
        Some(remark) => console.answer(&render::remark(&remark, console.width())),
        None => Ok(()),
    }
}

/// Shows the warnings of an answer and its text. An analysis is cut at the width of the screen, where it was watched.
fn show_answer(console: &mut dyn Console, answer: &Answer, dialect: Dialect, location: &str) -> io::Result<()> {
    let paint = console.paint();
    for warning in answer.warnings() {
        console.talk(&format!("{location}{}", render::warning(warning, paint)))?;
    }
    let width = console.width();
    let text = match answer.downcast_ref::<QuerySolutions>() {
        Some(solutions) if solutions.is_long() && console.has_pages() => {
            let rows = |first| solutions.row_texts(dialect).skip(first);
            show_pages(console, solutions.count(), rows)?;
            return console.answer(&solutions.count_text());
        }
        Some(solutions) if console.screen_width().is_some() => render::cut_solutions(solutions, paint, dialect, width),
        _ => render::text_within(answer, paint, dialect, width),
    };
    match console.screen_width() {
        Some(width) if answer.is::<AnalysisAnswer>() => console.answer(&cut(&text, width)),
        _ if console.has_pages() && !answer.is::<QuerySolutions>() && lines(&text, width) > LONG_TEXT => {
            let folded = fold(&text, width);
            let rows = |first| folded.split_inclusive('\n').skip(first).map(str::to_string);
            show_pages(console, folded.lines().count(), rows)
        }
        _ => console.answer(&text),
    }
}

/// A text with more lines than this is shown page by page.
const LONG_TEXT: usize = 200;

/// Shows rows until all are shown or the person wants no more. `rows` returns those from a number on.
fn show_pages<R: Iterator<Item = String>>(
    console: &mut dyn Console,
    count: usize,
    rows: impl Fn(usize) -> R,
) -> io::Result<()> {
    let mut shown = 0;
    // The question takes a line.
    let mut room = console.height().saturating_sub(1).max(1);
    while shown < count {
        let (page, of_page) = page(rows(shown), room, console.width());
        console.answer(&page)?;
        shown += of_page;
        if shown == count || room == usize::MAX {
            continue;
        }
        let left = grouped(count - shown);
        match console.next_page(&format!("… {left} more: Enter shows a page, a all, q ends"))? {
            PageChoice::Next => {}
            PageChoice::All => room = usize::MAX,
            PageChoice::End => return console.answer(&format!("… {left} more\n")),
        }
    }
    Ok(())
}

/// The number of rows that are written at once if all are wanted.
const CHUNK: usize = 1000;

/// The first rows that fit into this number of lines, at least one, as text, and their number.
fn page(rows: impl Iterator<Item = String>, room: usize, width: usize) -> (String, usize) {
    let mut text = String::new();
    let mut height = 0;
    let mut shown = 0;
    for row in rows.take(CHUNK) {
        height += lines(&row, width);
        if shown > 0 && height > room {
            break;
        }
        text += &row;
        shown += 1;
    }
    (text, shown)
}

/// Shows the positions of a line of play one after another, until the flag is set.
pub(crate) fn play(
    console: &mut dyn Console,
    watched: &WatchAnswer,
    dialect: Dialect,
    interrupt: Arc<AtomicBool>,
) -> io::Result<()> {
    let mut playback = Playback::new(watched.delay, console.can_erase(), interrupt.clone());
    for position in &watched.positions {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        let text = render::position(position, console.paint(), dialect, console.width());
        show_next(console, &mut playback, &text)?;
    }
    Ok(())
}

/// Shows the next position of a playback, given as whole lines.
pub(crate) fn show_next(console: &mut dyn Console, playback: &mut Playback, text: &str) -> io::Result<()> {
    let text = &console.screen_width().map_or_else(|| text.to_string(), |width| fold(text, width));
    if let Some((shown, lines)) = playback.last {
        playback.wait(shown);
        // A position that is higher than the terminal has scrolled away, so it stays.
        match playback.replaces && lines < console.height() {
            true => console.erase(lines)?,
            false => console.answer("\n")?,
        }
    }
    playback.last = Some((Instant::now(), lines(text, console.width())));
    console.answer(text)
}

/// Shows the notes of a session, which belong to no answer.
pub(crate) fn show_notes(console: &mut dyn Console, session: &mut Session, location: &str) -> io::Result<()> {
    let paint = console.paint();
    session.take_notes().iter().try_for_each(|note| console.talk(&format!("{location}{}", render::note(note, paint))))
}

/// Collects everything that is written, answers and talk in order, without colours.
#[derive(Debug, Default)]
pub struct Transcript {
    /// Everything that was written so far.
    pub text: String,
}

impl Console for Transcript {
    fn answer(&mut self, text: &str) -> io::Result<()> {
        self.text.push_str(text);
        Ok(())
    }

    fn talk(&mut self, text: &str) -> io::Result<()> {
        self.text.push_str(text);
        Ok(())
    }

    fn paint(&self) -> Paint {
        Paint::Plain
    }
}

/// The delay between positions at a terminal, if none is given.
const DELAY: Duration = Duration::from_millis(500);

/// The time between two checks of a delay for an interrupt.
const SLICE: Duration = Duration::from_millis(20);

/// Shows positions one after another.
pub(crate) struct Playback {
    delay: Duration,
    /// True if each position takes the place of the one before.
    replaces: bool,
    interrupt: Arc<AtomicBool>,
    /// The time at which the last position was shown, and its height in lines of the terminal.
    last: Option<(Instant, usize)>,
}

impl Playback {
    /// A playback. Without a delay, positions follow each other after half a second if each replaces the one before,
    /// and else at once. Setting the flag ends every delay.
    pub(crate) fn new(delay: Option<Seconds>, replaces: bool, interrupt: Arc<AtomicBool>) -> Self {
        let usual = if replaces { DELAY } else { Duration::ZERO };
        Self { delay: delay.map_or(usual, Seconds::duration), replaces, interrupt, last: None }
    }

    /// Waits until the delay since a moment has passed, or the flag is set.
    fn wait(&self, since: Instant) {
        while !self.interrupt.load(Ordering::Relaxed) {
            let left = self.delay.saturating_sub(since.elapsed());
            if left.is_zero() {
                break;
            }
            thread::sleep(left.min(SLICE));
        }
    }
}

/// The number of lines that a text takes at a terminal of this width.
fn lines(text: &str, width: usize) -> usize {
    plain(text).lines().map(|line| line.chars().count().div_ceil(width.max(1)).max(1)).sum()
}
