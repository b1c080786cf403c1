//! Rules that are added to the loaded game at the prompt, and written to a file.

use super::{Match, Misfit, Session};
use crate::engine::load_text;
use crate::repl::CommandError;
use crate::syntax::{self, Source};
use std::io;

impl Session {
    /// Adds clauses, in either dialect, to the rules of the loaded game, and repeats the plies as far as they are
    /// legal. If the rules would not be valid, the match stays as it is. Returns the first ply that could not be
    /// repeated.
    pub(crate) fn add_rules(&mut self, clauses: &str) -> Result<Option<Misfit>, CommandError> {
        let current = self.current()?;
        let (game, steps, loaded_as) = (&current.game, current.steps(), current.loaded_as.clone());
        let dialect = game.sheet.dialect;
        let added = Source::new("input", clauses);
        let added = syntax::format(&added, None, Some(dialect))
            .map_err(|diagnostics| CommandError::Syntax { text: added, diagnostics })?;
        let text = format!("{}\n{added}", game.source.text().trim_end_matches('\n'));
        let (name, source) = (game.name.clone(), Source::new(game.source.name(), text));
        let game = load_text(name, source, Some(dialect), self.engine.clone())?;
        let mut fresh = Match::new(game, &loaded_as)?;
        fresh.is_amended = true;
        let misfit = fresh.repeat(&steps)?;
        self.begin(fresh);
        Ok(misfit)
    }

    /// Writes the rules of the loaded game to a file, from which `reload` reads them from now on. An existing file is
    /// overwritten only if it is a rule sheet without syntax errors.
    pub(crate) fn save_rules(&mut self, file: &str) -> Result<&Match, CommandError> {
        let output = self.output(file);
        let current = self.current()?;
        match output.present() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Ok(text) if syntax::parse(&Source::new(file, text.as_str()), None).errors.is_empty() => {}
            _ => return Err(CommandError::Occupied { file: file.to_string(), wanted: "a rule sheet" }),
        }
        output.write(current.game.source.text())?;
        current.loaded_as = file.to_string();
        current.is_amended = false;
        Ok(current)
    }
}
