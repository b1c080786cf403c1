//! Sessions as a user has them: lines go in, text comes out.

use ggp::diagnostic::render::Paint;
use ggp::repl::{Session, evaluate, render};
use std::path::Path;
use std::sync::Arc;

/// A session in the package's directory, after these lines.
pub(crate) fn session(lines: &[&str]) -> Session {
    session_in(Path::new(env!("CARGO_MANIFEST_DIR")), lines)
}

/// A session in a directory, after these lines.
pub(crate) fn session_in(directory: &Path, lines: &[&str]) -> Session {
    let mut session = Session::new(directory, Arc::default());
    for line in lines {
        evaluate(&mut session, line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    session
}

/// The answer of a session to a line, or its error.
pub(crate) fn say(session: &mut Session, line: &str) -> String {
    match evaluate(session, line) {
        Ok(answer) => render::text(&answer, Paint::Plain, session.dialect()),
        Err(error) => render::error(&error, Paint::Plain),
    }
}

/// The answer of a session to a line, as JSON.
pub(crate) fn json(session: &mut Session, line: &str) -> serde_json::Value {
    let result = evaluate(session, line);
    let record: serde_json::Value =
        serde_json::from_str(&render::Record::new(line, &result).to_line()).expect("records are JSON");
    record["answer"].clone()
}

/// The answer of a session to a line with its warnings before it, or its error.
pub(crate) fn say_with_warnings(session: &mut Session, line: &str) -> String {
    match evaluate(session, line) {
        Ok(answer) => {
            let warnings = answer.warnings().iter().map(|warning| render::warning(warning, Paint::Plain));
            warnings.collect::<String>() + &render::text(&answer, Paint::Plain, session.dialect())
        }
        Err(error) => render::error(&error, Paint::Plain),
    }
}
