//! A question at the terminal that is answered by one of some moves, which Tab completes argument by argument.

use super::prompt::CompletingWord;
use crate::repl::complete::{next_arguments, without_spaces};
use gdl::mask::masked;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{CompletionType, Config, Context, Editor, Helper, Highlighter, Hinter, Validator};

/// The line that answers a question; Tab completes it to one of the moves.
///
/// # Errors
/// If the line is left by Ctrl-C or Ctrl-D, or if the terminal cannot be read or written.
pub(crate) fn ask(question: &str, moves: Vec<String>) -> Result<String, ReadlineError> {
    // The process may end while a line is being read, so the terminal must not be in another mode then.
    let config = Config::builder().completion_type(CompletionType::List).completion_show_all_if_ambiguous(true);
    let config = config.bracketed_paste(false).build();
    let mut editor: Editor<MoveCompleter, MemHistory> = Editor::with_history(config, MemHistory::new())?;
    editor.set_helper(Some(MoveCompleter { moves }));
    editor.readline(masked(question).as_ref())
}

/// Completes moves.
#[derive(Helper, Hinter, Highlighter, Validator)]
struct MoveCompleter {
    moves: Vec<String>,
}

impl Completer for MoveCompleter {
    type Candidate = CompletingWord;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<CompletingWord>)> {
        let begun = line[..at].trim_start();
        let words = next_arguments(&self.moves, &without_spaces(begun));
        Ok((at - begun.len(), words.into_iter().map(CompletingWord::new).collect()))
    }
}
