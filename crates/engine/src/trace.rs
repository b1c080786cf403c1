//! Reading traces of recorded games, one JSON object for each line.
//!
//! The first line has the game, its roles and its initial facts. Every other line has one visited state: its facts,
//! true or false for the end of the game, the legal moves and the goal value of each role, and the joint move that was
//! played. Facts and moves are in prefix syntax.

use gdl::rules::GroundTerm;
use gdl::syntax::{self, Dialect, Source};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::BufRead;

/// The first line of a trace.
#[derive(Clone, Debug)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// The roles, in the order of the rule sheet.
    pub(crate) roles: Vec<GroundTerm>,
    /// The facts of the initial state.
    pub(crate) init: Vec<GroundTerm>,
}

/// A visited state: one line of a trace.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The line of the file, from 1.
    pub(crate) line: usize,
    /// The number of the game in which it was visited.
    pub playout: u64,
    /// The number of joint moves before it.
    pub(crate) step: u64,
    /// The facts of the state.
    pub state: Vec<GroundTerm>,
    /// True if the state is terminal.
    pub(crate) terminal: bool,
    /// The legal moves of each role; empty in a terminal state.
    pub(crate) legal: Vec<(GroundTerm, Vec<GroundTerm>)>,
    /// The goal value of each role; `None` if there is not exactly one integer.
    pub(crate) goal: Vec<(GroundTerm, Option<i64>)>,
    /// The joint move that was played, in the order of the roles; `None` if the game ended or was cut off.
    pub moves: Option<Vec<GroundTerm>>,
}

/// An error in a trace.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TraceError {
    /// The number of the line, from 1.
    pub(crate) line: usize,
    /// The problem of the line.
    pub(crate) problem: TraceProblem,
}

/// A problem of a line.
#[derive(Debug, thiserror::Error)]
pub enum TraceProblem {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It is not the expected JSON object.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A fact or a move is not a ground term.
    #[error("`{0}` is not a ground term in prefix form")]
    Term(String),
    /// The file has no line that is not blank.
    #[error("the trace is empty: its first line should have the game, the roles and the initial facts")]
    Empty,
}

/// Reads a trace line by line.
pub struct Trace<B> {
    input: B,
    line: usize,
    text: String,
    /// The terms read so far: traces repeat the same few thousand.
    terms: FxHashMap<String, GroundTerm>,
}

#[derive(Deserialize)]
struct HeaderLine {
    #[serde(default)]
    game: String,
    roles: Vec<String>,
    init: Vec<String>,
}

#[derive(Deserialize)]
struct VisitLine {
    playout: u64,
    step: u64,
    state: Vec<String>,
    terminal: bool,
    legal: BTreeMap<String, Vec<String>>,
    goal: BTreeMap<String, Option<i64>>,
    moves: Option<Vec<String>>,
}

impl<B: BufRead> Trace<B> {
    /// Reads the first line; [`Trace::next_visit`] reads the states.
    pub fn open(input: B) -> Result<(Header, Self), TraceError> {
        let mut trace = Self { input, line: 0, text: String::new(), terms: FxHashMap::default() };
        let header = trace.header().map_err(|problem| TraceError { line: trace.line.max(1), problem })?;
        Ok((header, trace))
    }

    /// The next visited state; `None` at the end of the file.
    pub fn next_visit(&mut self) -> Result<Option<Visit>, TraceError> {
        self.visit().map_err(|problem| TraceError { line: self.line, problem })
    }

    fn header(&mut self) -> Result<Header, TraceProblem> {
        if !self.next_line()? {
            return Err(TraceProblem::Empty);
        }
        let line: HeaderLine = serde_json::from_str(&self.text)?;
        Ok(Header { game: line.game, roles: self.terms(&line.roles)?, init: self.terms(&line.init)? })
    }

    fn visit(&mut self) -> Result<Option<Visit>, TraceProblem> {
        if !self.next_line()? {
            return Ok(None);
        }
        let line: VisitLine = serde_json::from_str(&self.text)?;
        let mut legal = Vec::new();
        for (role, moves) in &line.legal {
            legal.push((self.term(role)?, self.terms(moves)?));
        }
        let mut goal = Vec::new();
        for (role, &value) in &line.goal {
            goal.push((self.term(role)?, value));
        }
        Ok(Some(Visit {
            line: self.line,
            playout: line.playout,
            step: line.step,
            state: self.terms(&line.state)?,
            terminal: line.terminal,
            legal,
            goal,
            moves: line.moves.map(|moves| self.terms(&moves)).transpose()?,
        }))
    }

    /// Reads the next line that is not empty; false at the end of the file.
    fn next_line(&mut self) -> Result<bool, TraceProblem> {
        loop {
            self.text.clear();
            self.line += 1;
            if self.input.read_line(&mut self.text)? == 0 {
                return Ok(false);
            }
            if !self.text.trim().is_empty() {
                return Ok(true);
            }
        }
    }

    fn terms(&mut self, texts: &[String]) -> Result<Vec<GroundTerm>, TraceProblem> {
        texts.iter().map(|text| self.term(text)).collect()
    }

    fn term(&mut self, text: &str) -> Result<GroundTerm, TraceProblem> {
        if let Some(term) = self.terms.get(text) {
            return Ok(term.clone());
        }
        let parsed = syntax::parse_term(&Source::new("trace", text), Some(Dialect::Prefix)).ok();
        let term = parsed.as_ref().and_then(GroundTerm::from_term);
        let term = term.ok_or_else(|| TraceProblem::Term(text.to_string()))?;
        self.terms.insert(text.to_string(), term.clone());
        Ok(term)
    }
}
