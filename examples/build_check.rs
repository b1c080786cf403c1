//! A checker for a build script: a project that ships rule sheets fails to build where one of them is wrong.
//!
//! Used as `build.rs`, with `ggp` below `[build-dependencies]`, cargo shows what it writes as errors and warnings. From
//! the shell it checks the sheets of this project:
//!
//!     cargo run --release --example build_check

use ggp::diagnostic::Diagnostic;
use ggp::engine::check_text;
use ggp::syntax::Source;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let errors = run(&mut io::stdout(), Path::new("gdl"))?;
    if errors > 0 { Err(format!("{errors} errors in rule sheets").into()) } else { Ok(()) }
}

/// Checks every sheet of a folder, and writes what is wrong as instructions for cargo; the number of errors.
pub(crate) fn run(out: &mut impl Write, folder: &Path) -> Result<usize, Box<dyn Error>> {
    writeln!(out, "cargo::rerun-if-changed={}", folder.display())?;
    let mut sheets: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    sheets.retain(|path| path.extension().is_some_and(|extension| extension == "gdl"));
    sheets.sort();
    let mut errors = 0;
    for path in sheets {
        let source = Source::from_bytes(path.display().to_string(), fs::read(&path)?);
        for problem in check_text(&source, None).diagnostics {
            errors += usize::from(problem.is_error());
            let severity = if problem.is_error() { "error" } else { "warning" };
            writeln!(out, "cargo::{severity}={}", line(&source, &problem))?;
        }
    }
    Ok(errors)
}

/// A problem on one line: where, which code, what.
fn line(source: &Source, problem: &Diagnostic) -> String {
    let place = problem.labels.first().map(|label| source.position(label.span.start));
    let place = place.map_or(String::new(), |at| format!(":{}:{}", at.line, at.column));
    format!("{}{place}: {}: {}", source.name(), problem.code.id, problem.message)
}
