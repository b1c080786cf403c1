//! The terminal: standard output and standard error of this process.

use super::console::Console;
use super::progress_line::ProgressLine;
use super::render;
use super::screen::{Screen, ScreenContent};
use crate::diagnostic::render::Paint;
use crate::fit::fold;
use crate::quantity::grouped;
use crate::search::SearchProgress;
use std::any::Any;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Instant;

/// The terminal, or a file or pipe in its place. At a terminal, lines are folded at spaces. Colours are removed if the
/// output is not a terminal or `NO_COLOR` is set.
pub(crate) struct Terminal {
    output: anstream::AutoStream<io::Stdout>,
    errors: anstream::AutoStream<io::Stderr>,
}

impl Terminal {
    /// Standard output and standard error of this process.
    pub(crate) fn new() -> Self {
        Self { output: anstream::AutoStream::auto(io::stdout()), errors: anstream::AutoStream::auto(io::stderr()) }
    }
}

impl Default for Terminal {
    fn default() -> Self {
        Self::new()
    }
}

impl Console for Terminal {
    fn answer(&mut self, text: &str) -> io::Result<()> {
        match self.screen_width() {
            Some(width) => self.data(&fold(text, width)),
            None => self.data(text),
        }
    }

    fn talk(&mut self, text: &str) -> io::Result<()> {
        match terminal_size::terminal_size_of(io::stderr()) {
            Some((width, _)) => self.errors.write_all(fold(text, width.0.into()).as_bytes()),
            None => self.errors.write_all(text.as_bytes()),
        }
    }

    fn data(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    fn paint(&self) -> Paint {
        Paint::Coloured
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
        let (started, content) = (Instant::now(), screen.clone());
        let line = ProgressLine::start(move || {
            let (nodes, depth) = (progress.nodes(), progress.depth());
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
