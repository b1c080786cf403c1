//! The terminal: standard output and standard error of this process, and lines of progress on standard error about long
//! work, which are erased when the work is done.

use super::console::{Console, PageChoice};
use super::output::{Screen, ScreenContent};
use super::render::{self, WIDTH};
use ::console::{Key, Term};
use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use gdl::diagnostic::render::Paint;
use gdl::mask::{masked, shown};
use gdl::quantity::grouped;
use ggp_draw::fit::{cut, fold};
use ggp_game::threads;
use ggp_search::SearchProgress;
use indicatif::{ProgressBar, ProgressStyle};
use std::any::Any;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The terminal, or a file or pipe in its place. At a terminal, lines are folded at spaces, and characters on which it
/// would act are masked. Colours are left out if the output is not a terminal or `NO_COLOR` is set.
pub(crate) struct Terminal {
    output: ShownStream<io::Stdout>,
    errors: ShownStream<io::Stderr>,
    /// True if a person types commands and reads the answers.
    is_prompt: bool,
}

/// A stream of this process, which writes text with signed styles.
struct ShownStream<S: RawStream> {
    stream: AutoStream<S>,
    is_terminal: bool,
    has_colours: bool,
}

impl<S: RawStream + AsLockedWrite> ShownStream<S> {
    fn new(raw: S) -> Self {
        let is_terminal = raw.is_terminal();
        let choice = AutoStream::choice(&raw);
        let has_colours = choice != ColorChoice::Never;
        // Without colours nothing is left for the stream to strip: what a file contains goes out as it is.
        let stream = if has_colours { AutoStream::new(raw, choice) } else { AutoStream::always_ansi(raw) };
        Self { stream, is_terminal, has_colours }
    }

    fn write(&mut self, text: &str, width: Option<usize>) -> io::Result<()> {
        let shown = shown(text, self.is_terminal, self.has_colours);
        match width {
            Some(width) => self.stream.write_all(fold(&shown, width).as_bytes())?,
            None => self.stream.write_all(shown.as_bytes())?,
        }
        self.stream.flush()
    }
}

impl Terminal {
    /// Standard output and standard error of this process.
    pub(crate) fn new() -> Self {
        Self { output: ShownStream::new(io::stdout()), errors: ShownStream::new(io::stderr()), is_prompt: false }
    }

    /// Says that a person types commands at this terminal and reads the answers.
    pub(crate) fn set_prompt(&mut self) {
        self.is_prompt = true;
    }

    /// Clears the screen, if the output is a terminal.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        if !self.can_erase() {
            return Ok(());
        }
        // Erases all and moves to the upper left; written raw, as in `erase`.
        let mut terminal = io::stdout();
        write!(terminal, "\x1b[2J\x1b[H")?;
        terminal.flush()
    }
}

impl Default for Terminal {
    fn default() -> Self {
        Self::new()
    }
}

impl Console for Terminal {
    fn answer(&mut self, text: &str) -> io::Result<()> {
        let width = self.screen_width();
        self.output.write(text, width)
    }

    fn talk(&mut self, text: &str) -> io::Result<()> {
        let width = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| width.0.into());
        self.errors.write(text, width)
    }

    fn data(&mut self, text: &str) -> io::Result<()> {
        self.output.write(text, None)
    }

    fn paint(&self) -> Paint {
        if self.output.has_colours || self.errors.has_colours { Paint::Signed } else { Paint::Plain }
    }

    fn width(&self) -> usize {
        terminal_size::terminal_size_of(io::stdout()).map_or(render::WIDTH, |(width, _)| usize::from(width.0))
    }

    fn height(&self) -> usize {
        terminal_size::terminal_size_of(io::stdout()).map_or(usize::MAX, |(_, height)| usize::from(height.0))
    }

    fn can_erase(&self) -> bool {
        io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
    }

    fn erase(&mut self, lines: usize) -> io::Result<()> {
        // Moves up, and erases from there. It is no colour, so it is written where colours are not wanted as well.
        let mut terminal = io::stdout();
        write!(terminal, "\x1b[{lines}A\x1b[J")?;
        terminal.flush()
    }

    fn screen_width(&self) -> Option<usize> {
        terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
    }

    fn has_pages(&self) -> bool {
        self.is_prompt && self.can_erase() && self.height() < usize::MAX
    }

    fn next_page(&mut self, question: &str) -> io::Result<PageChoice> {
        let mut terminal = io::stdout();
        // A line that fills the width would wrap.
        write!(terminal, "{}", cut(question, self.width().saturating_sub(1)))?;
        terminal.flush()?;
        let key = Term::stdout().read_key_raw();
        // To the first column, and erases from there.
        write!(terminal, "\r\x1b[K")?;
        terminal.flush()?;
        Ok(match key? {
            Key::Char('q' | 'Q' | '\x04') | Key::Escape | Key::CtrlC => PageChoice::End,
            Key::Char('a' | 'A') => PageChoice::All,
            _ => PageChoice::Next,
        })
    }

    fn watch(&self, progress: Arc<SearchProgress>, screen: Arc<Screen>) -> Option<Box<dyn Any>> {
        let started = Instant::now();
        let content = screen.clone();
        let line = ProgressLine::start(move || {
            let nodes = progress.nodes();
            let depth = progress.depth();
            match content.get() {
                Some(ScreenContent { heading, unit, rows, .. }) => {
                    let rate = (nodes as f64 / started.elapsed().as_secs_f64()).round();
                    Some(format!("{heading}; {} {unit}, {} {unit}/s\n{rows}", grouped(nodes), grouped(rate)))
                }
                None => (nodes > 0).then(|| format!("{} nodes, depth {depth}", grouped(nodes))),
            }
        });
        screen.set_watched(line.is_some());
        line.map(|line| Box::new(line) as Box<dyn Any>)
    }
}

/// The time before anything is shown: most work is shorter.
const PATIENCE: Duration = Duration::from_millis(500);
/// The time between two updates of the line.
const PERIOD: Duration = Duration::from_millis(250);

/// Shows progress until it is dropped.
pub(crate) struct ProgressLine {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Starts to show the result of `text`, each line cut at the width of the terminal, if there is one, which is
    /// called several times a second on its own thread. `None` without a terminal or a thread.
    pub(crate) fn start(text: impl Fn() -> Option<String> + Send + 'static) -> Option<Self> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let (stop, stopped) = channel();
        let thread = threads::start(move || {
            let style = ProgressStyle::with_template("{msg}").expect("the template is right");
            let bar = ProgressBar::new_spinner().with_style(style);
            let mut wait = PATIENCE;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = PERIOD;
                if let Some(text) = text() {
                    bar.set_message(cut(masked(text.trim_end()).as_ref(), talk_width()));
                }
            }
            bar.finish_and_clear();
        });
        Some(Self { stop: Some(stop), thread: Some(thread.ok()?) })
    }
}

/// A reporter for the steps of some work, and the line of progress that shows the last of them in the words of `text`.
pub(crate) fn with_progress_line<T: Copy + Send + 'static>(
    text: impl Fn(T) -> String + Send + 'static,
) -> (impl Fn(T) + Send + Sync + 'static, Option<ProgressLine>) {
    let latest = Arc::new(Mutex::new(None));
    let shown = latest.clone();
    let line = ProgressLine::start(move || shown.lock().ok()?.map(&text));
    let tell = move |step| {
        if let Ok(mut latest) = latest.lock() {
            *latest = Some(step);
        }
    };
    (tell, line)
}

/// The width of the terminal of standard error.
pub(crate) fn talk_width() -> usize {
    terminal_size::terminal_size_of(io::stderr()).map_or(WIDTH, |(width, _)| usize::from(width.0))
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        // Dropping the sender ends the thread.
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread can only panic while writing, and then there is nothing left to show.
            let _ = thread.join();
        }
    }
}
