//! `ggp check FOLDER`: one line for each sheet in a folder, and a total.

use super::{Arguments, Failure};
use crate::cli::folder::some_sheets;
use crate::repl::console::Console;
use crate::repl::error::origin_code;
use crate::repl::terminal::Terminal;
use gdl::diagnostic::Diagnostic;
use gdl::diagnostic::render::count;
use gdl::quantity::counted;
use gdl::syntax::Source;
use ggp_engine::GameOriginError;
use std::path::Path;

/// The sheets of a folder that have been checked, by verdict.
#[derive(Default)]
struct FolderTotal {
    valid: usize,
    with_warnings: usize,
    with_errors: usize,
    /// Those that could not be read, or whose check reached a limit.
    unchecked: usize,
    code: u8,
}

impl Arguments {
    /// Checks the sheets of a folder; the exit code. With `--json` and with `--fix` each is checked as if it were
    /// named.
    pub(super) fn check_folder(&self, folder: &Path, console: &mut Terminal) -> Result<u8, Failure> {
        let sheets = some_sheets(folder)?;
        if self.json || self.fix {
            let mut code = 0;
            for sheet in &sheets {
                code = code.max(self.check(sheet.as_os_str(), console)?);
            }
            return Ok(code);
        }
        let mut total = FolderTotal::default();
        for sheet in &sheets {
            let line = self.summarise(sheet, &mut total, console)?;
            console.answer(&format!("{}: {line}\n", sheet.display()))?;
        }
        console.answer(&total.line(sheets.len()))?;
        Ok(total.code)
    }

    /// The verdict on a sheet as a line, which is counted in the total.
    fn summarise(&self, sheet: &Path, total: &mut FolderTotal, console: &mut Terminal) -> Result<String, Failure> {
        let (origin, source) = match self.read(sheet.as_os_str()) {
            Ok(found) => found,
            Err(GameOriginError::NoTree { source_text, diagnostics, .. }) => {
                total.add(&diagnostics, true);
                return Ok(line(&diagnostics, &source_text));
            }
            Err(error) => {
                total.unchecked += 1;
                total.code = total.code.max(origin_code(&error));
                return Ok(format!("not checked: {error}"));
            }
        };
        let diagnostics = match self.examine(&origin, &source, console).map(|found| found.diagnostics) {
            Ok(diagnostics) => diagnostics,
            // A limit of one sheet says nothing of the others; an interrupt ends them all.
            Err(failure) => match crate::cli::exit_code(&failure) {
                130 => return Err(failure),
                code => {
                    total.unchecked += 1;
                    total.code = total.code.max(code);
                    return Ok(format!("not checked: {failure:#}"));
                }
            },
        };
        total.add(&diagnostics, self.rejects(&diagnostics));
        Ok(line(&diagnostics, &source))
    }
}

impl FolderTotal {
    fn add(&mut self, diagnostics: &[Diagnostic], is_rejected: bool) {
        let has_errors = diagnostics.iter().any(Diagnostic::is_error);
        match (has_errors, diagnostics.is_empty()) {
            (true, _) => self.with_errors += 1,
            (false, false) => self.with_warnings += 1,
            (false, true) => self.valid += 1,
        }
        self.code = self.code.max(is_rejected.into());
    }

    fn line(&self, sheets: usize) -> String {
        let unchecked = match self.unchecked {
            0 => String::new(),
            unchecked => format!(", {unchecked} not checked"),
        };
        let Self { valid, with_warnings, with_errors, .. } = self;
        let all = counted(sheets, "sheet");
        format!("{all}: {valid} valid, {with_warnings} with warnings, {with_errors} with errors{unchecked}\n")
    }
}

/// The names of problems that leave the game as it is meant: lists that are missing, style, and how positions are drawn.
const MILD: [&str; 13] = [
    "no-base",
    "no-input",
    "variable-once",
    "unused-relation",
    "unusual-name",
    "duplicate-clause",
    "parenthesised-proposition",
    "empty-body",
    "prefix-and",
    "board-declaration",
    "board-relation",
    "glyph-twice",
    "glyph-colour",
];

/// The weight of a problem, the least for the most severe: an error, what play has shown, what the rules show, and what
/// leaves the game as it is meant.
fn weight(problem: &Diagnostic) -> u8 {
    match problem.code {
        code if problem.is_error() => u8::from(code.id.starts_with("E3")),
        code if code.id.starts_with("W3") => 2,
        code if !MILD.contains(&code.name) => 3,
        _ => 4,
    }
}

/// The verdict on a sheet with the counts of its problems, and the most severe of them; of several the first.
fn line(diagnostics: &[Diagnostic], source: &Source) -> String {
    let Some(worst) = diagnostics.iter().min_by_key(|problem| weight(problem)) else { return "valid".to_string() };
    let verdict = if worst.is_error() { "error" } else { "warnings" };
    let at = worst.labels.first().map(|label| source.position(label.span.start));
    let at = at.map(|position| format!("line {}: ", position.line)).unwrap_or_default();
    format!("{verdict}, {}; {at}{} ({})", count(diagnostics), worst.message, worst.code.id)
}
