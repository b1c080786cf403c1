//! `ggp check --fix`: sound fixes are applied, guesses only if the author accepts them.

use super::{Arguments, ExaminedProblems, Failure};
use crate::cli::person::line;
use crate::cli::{engine_code, interrupt_flag};
use crate::repl::console::Console;
use crate::repl::render;
use crate::repl::terminal::Terminal;
use anyhow::Context;
use gdl::diagnostic::render::to_text;
use gdl::diagnostic::{Certainty, Diagnostic, FixedSource, apply_all};
use gdl::syntax::Source;
use ggp_engine::{DeclarationError, GameOrigin, MissingDeclarations, load_text, missing_declarations};
use ggp_game::files;
use std::io::{self, IsTerminal};

/// How guesses are accepted.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Acceptance {
    /// Show each one at the terminal, and ask whether to apply it
    Ask,
    /// Apply all of them
    All,
}

impl Arguments {
    /// Applies fixes to a file, also those of problems that show only when others are fixed, and shows the problems that
    /// are left; the exit code.
    pub(super) fn fix(&self, origin: &GameOrigin, source: Source, console: &mut Terminal) -> Result<u8, Failure> {
        let GameOrigin::File(path) = origin else {
            anyhow::bail!("{}: `--fix` changes files only", source.name());
        };
        let mut problems = |source: &Source| Ok::<_, Failure>(self.examine(origin, source, console)?.diagnostics);
        let found = problems(&source)?;
        // Guesses come last: what a sound fix removes needs no question.
        let sound = apply_all(source, found, |_, _| Ok(false), &mut problems)?;
        let fixed = match self.guesses {
            None => sound,
            Some(acceptance) => {
                let mut author = Author::new(acceptance);
                let accept = |source: &Source, problem: &Diagnostic| author.accepts(source, problem);
                let fixed = apply_all(sound.source, sound.diagnostics, accept, &mut problems)?;
                FixedSource { applied: sound.applied + fixed.applied, ..fixed }
            }
        };
        let FixedSource { source, diagnostics, applied } = self.declare(origin, fixed, console)?;
        if applied > 0 {
            // Bytes that are not text would be lost.
            self.engine.input().read_text(path).with_context(|| format!("cannot fix {}", source.name()))?;
            files::write(path, source.text())?;
        }
        let plural = if applied == 1 { "" } else { "es" };
        console.talk(&format!("{}: {applied} fix{plural} applied\n", source.name()))?;
        self.judge(&source, &ExaminedProblems::of(diagnostics, &[]), console)
    }

    /// Writes `base` and `input` at the end of a sheet that lacks them. A sheet with an error, or with a guess that was
    /// not accepted, stays as it is: its rules may not be what the author means.
    fn declare(&self, origin: &GameOrigin, fixed: FixedSource, console: &mut Terminal) -> Result<FixedSource, Failure> {
        let lacks = |diagnostics: &[Diagnostic]| diagnostics.iter().filter(|problem| is_undeclared(problem)).count();
        let missing = lacks(&fixed.diagnostics);
        let is_doubtful = |problem: &Diagnostic| problem.is_error() || problem.fix.is_some();
        if missing == 0 || fixed.diagnostics.iter().any(is_doubtful) {
            return Ok(fixed);
        }
        let options = self.engine.options().with_interrupt(interrupt_flag()?);
        let dialect = self.dialect.map(Into::into);
        // What does not load although it has no error is left to the verdict.
        let Ok(game) = load_text(origin.game_name(), fixed.source.clone(), dialect, options) else { return Ok(fixed) };
        let declarations = match missing_declarations(&game) {
            Ok(Some(declarations)) => declarations,
            Ok(None) => return Ok(fixed),
            Err(DeclarationError::Engine(error)) if engine_code(&error) == 130 => return Err(error.into()),
            Err(error) => {
                let note = format!("`base` and `input` are not written: {error}");
                console.talk(&render::note(&note, console.paint()))?;
                return Ok(fixed);
            }
        };
        let before = fixed.source.text().trim_end();
        let source = Source::new(fixed.source.name(), format!("{before}\n\n{}", declarations.text));
        let diagnostics = self.examine(origin, &source, console)?.diagnostics;
        // An end that reads on, such as a dangling `&`, would take the clauses in.
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Ok(fixed);
        }
        for told in remarks(&declarations) {
            console.talk(&render::note(&told, console.paint()))?;
        }
        let applied = fixed.applied + missing.saturating_sub(lacks(&diagnostics));
        Ok(FixedSource { source, diagnostics, applied })
    }
}

/// What an author is told about clauses that list more than grounding finds, or only one of the two relations.
fn remarks(declarations: &MissingDeclarations) -> Vec<String> {
    let wide = declarations.imprecision.as_ref().map(|reason| {
        format!(
            "what is written lists every combination of the values that each argument can have, which may be more than \
             can happen: {reason}"
        )
    });
    let left_out =
        declarations.left_out.as_ref().map(|(keyword, error)| format!("`{}` is not written: {error}", keyword.name()));
    wide.into_iter().chain(left_out).collect()
}

/// True if the problem is that `base` or `input` is missing, and not `action`, about which the author gets help.
fn is_undeclared(problem: &Diagnostic) -> bool {
    matches!(problem.code.name, "no-base" | "no-input") && problem.help.is_none()
}

/// The author of a sheet, who accepts guesses or does not.
struct Author {
    acceptance: Acceptance,
    /// Whether there is a terminal at which to ask, and the author still answers.
    answers: bool,
    /// The guesses that were declined, which are found again when others have been applied.
    declined: Vec<(&'static str, String, Option<String>)>,
}

impl Author {
    fn new(acceptance: Acceptance) -> Self {
        let answers = io::stdin().is_terminal() && io::stderr().is_terminal();
        Self { acceptance, answers, declined: Vec::new() }
    }

    fn accepts(&mut self, source: &Source, problem: &Diagnostic) -> Result<bool, Failure> {
        if self.acceptance == Acceptance::All {
            return Ok(true);
        }
        let guess = (problem.code.id, problem.message.clone(), problem.help.clone());
        if !self.answers || self.declined.contains(&guess) {
            return Ok(false);
        }
        let mut terminal = Terminal::new();
        let paint = terminal.paint();
        terminal.talk(&to_text(problem, source, paint))?;
        let answer = line("apply this guess? [y/N] ", &[]);
        self.answers = answer.is_some();
        let is_accepted = answer.is_some_and(|answer| ["y", "yes"].contains(&&*answer.trim().to_lowercase()));
        if !is_accepted {
            self.declined.push(guess);
        }
        Ok(is_accepted)
    }
}

/// What `--fix` would do about problems, as the end of a line. If it has been done, what is missing cannot be written,
/// and guesses that it asked about were declined, or there was no terminal.
pub(super) fn offer(diagnostics: &[Diagnostic], is_done: bool, has_asked: bool) -> String {
    let shown = offer_of_changes(diagnostics, if has_asked { "=all` makes" } else { "` asks about" });
    let mut missing = diagnostics.iter().filter(|problem| is_undeclared(problem)).map(|problem| problem.code.name);
    if is_done || !shown.is_empty() || diagnostics.iter().any(Diagnostic::is_error) {
        return shown;
    }
    match (missing.next(), missing.next()) {
        (None, _) => shown,
        (Some("no-base"), None) => "; `--fix` writes `base`".to_string(),
        (Some(_), None) => "; `--fix` writes `input`".to_string(),
        (Some(_), Some(_)) => "; `--fix` writes `base` and `input`".to_string(),
    }
}

/// What `--fix` would do about problems with edits. What it does about guesses is the end of the option and a verb.
fn offer_of_changes(diagnostics: &[Diagnostic], on_guesses: &str) -> String {
    let count = |certainty| {
        let fixes = diagnostics.iter().filter_map(|problem| problem.fix.as_ref());
        fixes.filter(|fix| fix.certainty == certainty).count()
    };
    let changes = |count| match count {
        1 => "the change that is shown".to_string(),
        _ => format!("the {count} changes that are shown"),
    };
    match (count(Certainty::Sound), count(Certainty::Guess)) {
        (0, 0) => String::new(),
        (sound, 0) => format!("; `--fix` makes {}", changes(sound)),
        (0, guesses) => format!("; `--fix --guesses{on_guesses} {}", changes(guesses)),
        (sound, guesses) => {
            format!(
                "; of the changes that are shown, `--fix` makes {sound}, and `--fix --guesses{on_guesses} {guesses}"
            )
        }
    }
}
