//! The terminal: standard output and standard error of this process.

use super::console::Console;
use super::progress_line::ProgressLine;
use super::render;
use super::screen::{Screen, ScreenContent};
use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use gdl::diagnostic::render::Paint;
use gdl::mask::shown;
use gdl::quantity::grouped;
use ggp_draw::fit::fold;
use ggp_search::SearchProgress;
use std::any::Any;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Instant;

/// The terminal, or a file or pipe in its place. At a terminal, lines are folded at spaces, and characters on which it
/// would act are masked. Colours are left out if the output is not a terminal or `NO_COLOR` is set.
pub(crate) struct Terminal {
    output: ShownStream<io::Stdout>,
    errors: ShownStream<io::Stderr>,
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
        Self { output: ShownStream::new(io::stdout()), errors: ShownStream::new(io::stderr()) }
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

    fn watch(&self, progress: Arc<SearchProgress>, screen: Arc<Screen>) -> Option<Box<dyn Any>> {
        let started = Instant::now();
        let content = screen.clone();
        let line = ProgressLine::start(move || {
            let nodes = progress.nodes();
            let depth = progress.depth();
            match content.get() {
                Some(ScreenContent { heading, what, rows, .. }) => {
                    let rate = (nodes as f64 / started.elapsed().as_secs_f64()).round();
                    Some(format!("{heading}; {} {what}, {} {what}/s\n{rows}", grouped(nodes), grouped(rate)))
                }
                None => (nodes > 0).then(|| format!("{} nodes, depth {depth}", grouped(nodes))),
            }
        });
        screen.set_watched(line.is_some());
        line.map(|line| Box::new(line) as Box<dyn Any>)
    }
}
