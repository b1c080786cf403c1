//! Changes of the loaded game's rules at the prompt, and the file to which they are written.

use super::course::EarlierRules;
use super::{Match, Session};
use crate::repl::CommandError;
use gdl::diagnostic::{TextEdit, apply};
use gdl::rules::check::variants;
use gdl::syntax::{self, Dialect, Source};
use ggp_engine::{GameOrigin, load_text};
use ggp_game::files::is_standard;
use std::path::PathBuf;

impl Session {
    /// Adds clauses to the rules of the loaded game: in prefix or infix, or in the dialect of a sheet with operations.
    ///
    /// # Errors
    /// Those of [`Session::amend`], and of clauses that do not parse.
    pub(crate) fn add_rules(&mut self, clauses: &str) -> Result<Option<String>, CommandError> {
        let game = &self.current()?.game;
        let added = in_dialect(clauses, game.sheet.dialect)?;
        let text = format!("{}\n{added}", game.source.text().trim_end_matches('\n'));
        self.change(text)
    }

    /// Replaces a clause of the rules, wherever it occurs, by others, or removes it if there are none. Variables may
    /// have other names.
    ///
    /// # Errors
    /// Those of [`Session::amend`]; or if the rules do not have the clause.
    pub(crate) fn replace_rules(&mut self, clause: &str, others: &str) -> Result<Option<String>, CommandError> {
        let game = &self.current()?.game;
        let dialect = game.sheet.dialect;
        let others = in_dialect(others, dialect)?;
        let wanted = Source::new("input", clause);
        let parsed = syntax::parse(&wanted, of_input(clause, dialect));
        if !parsed.errors.is_empty() {
            return Err(CommandError::Syntax { text: wanted, diagnostics: parsed.errors });
        }
        let [wanted] = &parsed.sheet.clauses[..] else {
            let problem = format!("one clause is needed, and here are {}", parsed.sheet.clauses.len());
            return Err(CommandError::usage(problem, "rules replace CLAUSE with CLAUSE…"));
        };
        let found = variants(&game.sheet, wanted);
        if found.is_empty() {
            let relation = &wanted.head.relation.text;
            let clause = wanted.display(dialect);
            let problem =
                format!("the rules have no clause `{clause}`; `rules {relation}` lists those of the relation");
            return Err(CommandError::refused(problem));
        }
        // All copies of the clause go; the others take the place of the first.
        let replacement = |index| if index == found[0] { others.trim_end() } else { "" };
        let edit = |&index: &usize| [TextEdit::new(game.sheet.clauses[index].span, replacement(index))];
        let edits: Vec<[TextEdit; 1]> = found.iter().map(edit).collect();
        let fixed = apply(game.source.text(), edits.iter().map(|edit| &edit[..]));
        self.change(fixed.text)
    }

    /// Takes back the last change of the rules at the prompt.
    ///
    /// # Errors
    /// Those of [`Session::amend`]; or if there is no such change.
    pub(crate) fn undo_rules(&mut self) -> Result<Option<String>, CommandError> {
        let mut earlier = std::mem::take(&mut self.current()?.earlier_rules);
        let Some(last) = earlier.pop() else {
            return Err(CommandError::refused("no change of the rules is left to take back"));
        };
        match self.amend(&last.text) {
            Ok(impossible) => {
                let current = self.current()?;
                (current.is_amended, current.earlier_rules) = (last.is_amended, earlier);
                Ok(impossible)
            }
            Err(error) => {
                earlier.push(last);
                self.current()?.earlier_rules = earlier;
                Err(error)
            }
        }
    }

    /// Replaces the text of the rules, and remembers it for [`Session::undo_rules`].
    fn change(&mut self, text: String) -> Result<Option<String>, CommandError> {
        let current = self.current()?;
        let old = EarlierRules { text: current.game.source.text().to_string(), is_amended: current.is_amended };
        // A change begins a new match, which has no earlier rules, so they are carried over.
        let mut earlier = std::mem::take(&mut current.earlier_rules);
        let result = self.amend(&text);
        if result.is_ok() {
            earlier.push(old);
        }
        let current = self.current()?;
        current.is_amended |= result.is_ok();
        current.earlier_rules = earlier;
        result
    }

    /// Begins the match again with other rules, and repeats the plies as far as they are legal. If the rules are not
    /// valid, the match stays as it is. Describes the first ply that could not be
    /// repeated ([`Match::repeat`]).
    fn amend(&mut self, text: &str) -> Result<Option<String>, CommandError> {
        let current = self.current()?;
        let game = &current.game;
        let steps = current.steps();
        let loaded_as = current.loaded_as.clone();
        let name = game.name.clone();
        let source = Source::new(game.source.name(), text);
        let dialect = game.sheet.dialect;
        let is_lenient = game.options().is_lenient;
        let game = load_text(name, source, Some(dialect), self.loading(is_lenient))?;
        let mut fresh = Match::new(game, loaded_as)?;
        let impossible = fresh.repeat(&steps)?;
        self.begin(fresh);
        Ok(impossible)
    }

    /// Writes the rules of the loaded game to a file, from which `reload` reads them from now on. Files that the
    /// session has saved are replaced, other files only if that is forced: also the rule sheet of the game, since it is
    /// what is written, but no tree, layout or compiled game.
    pub(crate) fn save_rules(&mut self, file: &str, is_forced: bool) -> Result<&Match, CommandError> {
        let current = self.current()?;
        let text = current.game.source.text().to_string();
        let source = current.loaded_as.clone();
        let source = self.source_of(&source).filter(|path| !GameOrigin::File(path.clone()).is_sheet(self.engine.input));
        let is_written = self.outputs.file(file, is_forced || self.has_saved(file), source)?.write(text)?;
        if is_standard(file) {
            return self.current().map(|current| &*current);
        }
        let path = self.outputs.path(file);
        // The files of a script may go to another folder.
        let elsewhere = path.clone().filter(|path| self.path(file).is_ok_and(|here| here != *path));
        let elsewhere = elsewhere.and_then(|path| std::path::absolute(path).ok());
        if is_written {
            self.saves.extend(path);
        }
        let current = self.current()?;
        current.loaded_as = elsewhere.map_or(file.into(), PathBuf::into_os_string);
        current.is_amended = false;
        // Rules that come back with `rules undo` differ from those of the file.
        current.earlier_rules.iter_mut().for_each(|earlier| earlier.is_amended = true);
        Ok(current)
    }
}

/// The dialect of clauses that are typed for a sheet in this dialect: a rule without an operation reads the same in both
/// dialects that are infix. `None` if the text shows it.
fn of_input(clauses: &str, dialect: Dialect) -> Option<Dialect> {
    let is_own = dialect == Dialect::Operations && Dialect::detect(clauses).is_infix();
    is_own.then_some(Dialect::Operations)
}

/// Clauses as text in a dialect.
fn in_dialect(clauses: &str, dialect: Dialect) -> Result<String, CommandError> {
    let text = Source::new("input", clauses);
    syntax::format(&text, of_input(clauses, dialect), Some(dialect))
        .map_err(|diagnostics| CommandError::Syntax { text, diagnostics })
}
