//! `--trace` and `--tree`: what is shown of a search in addition to its answer.

use super::Arguments;
use super::option::{QUEUE, TRACE, TREE};
use crate::files;
use crate::game::Reasoner;
use crate::repl::answer::{DrawnTree, Found, SearchAnswer, Trace, TreeFormat};
use crate::repl::{Answer, CommandError, Session};
use crate::search::{ExploredTree, Outcome, Recorder};
use std::path::PathBuf;

/// The default number of events of a trace.
const EVENTS: usize = 1_000;
/// The greatest number of nodes of the explored tree that are kept.
const KEPT_NODES: usize = 200_000;
/// The greatest number of nodes that are drawn; larger trees are folded.
const DRAWN_NODES: usize = 300;

/// What to show of a search.
pub(super) struct Watch {
    recorder: Option<Recorder>,
    tree: Option<(TreeFormat, PathBuf, String)>,
}

/// The observer for a [`Watch`].
pub(super) type Watcher = (Option<Recorder>, Option<ExploredTree>);

impl Watch {
    /// Reads `--trace`, `--queue` and `--tree`.
    pub(super) fn of(arguments: &Arguments, session: &Session) -> Result<Self, CommandError> {
        let queue = arguments.has(&QUEUE);
        let most = arguments.optional_number(&TRACE, EVENTS)?;
        let most = most.or(queue.then_some(EVENTS));
        let tree = match arguments.two_words(&TREE) {
            None => None,
            Some((format, file)) => {
                let format = TreeFormat::find(format).ok_or_else(|| {
                    arguments.wrong(format!("a tree is drawn as `text`, `dot` or `svg`, not `{format}`"))
                })?;
                Some((format, session.directory().join(file), file.to_string()))
            }
        };
        Ok(Self { recorder: most.map(|most| Recorder::new(most, queue)), tree })
    }

    /// Whether anything is to be shown.
    pub(super) fn is_on(&self) -> bool {
        self.recorder.is_some() || self.tree.is_some()
    }

    /// The observer for the search.
    pub(super) fn watcher(&self) -> Watcher {
        (self.recorder.clone(), self.tree.as_ref().map(|_| ExploredTree::new(KEPT_NODES)))
    }

    /// The answer of a search with its trace; the drawn tree is written to its file. An error if the search found
    /// nothing and nothing was observed.
    pub(super) fn answer<R: Reasoner, T>(
        self,
        (recorder, tree): Watcher,
        reasoner: &R,
        outcome: Outcome<T>,
        found: impl FnOnce(T) -> Found,
    ) -> Result<Answer, CommandError> {
        if !self.is_on() {
            return Ok(Answer::Search(SearchAnswer::of(outcome, found)?));
        }
        let mut answer = SearchAnswer::of_any(outcome, found);
        answer.trace = recorder.map(|recorder| Trace::of(recorder, reasoner));
        if let Some(((format, path, file), explored)) = self.tree.zip(tree) {
            let (drawn, text) = DrawnTree::of(&explored, reasoner, format, file, DRAWN_NODES);
            files::write(&path, text).map_err(|error| CommandError::Unwritable { file: drawn.file.clone(), error })?;
            answer.tree = Some(drawn);
        }
        Ok(Answer::Search(answer))
    }
}
