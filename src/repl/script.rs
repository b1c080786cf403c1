//! Scripts: the commands of the prompt, from a file.
//!
//! One command on each line; `%` or `#` begins a comment. A comment `% Takes about 5 minutes and 2 GB` is shown before the
//! commands after it run, so that a person knows what they are waiting for. A script stops at its first error, which is shown with file
//! and line, unless `keep_going` is set. The output is the same on every run: no times, unless a command requests them.

use super::answer::{MetExpectation, SessionEnd};
use super::console::{show, show_notes};
use super::render::Record;
use super::{Answer, CommandError, Console, Session, evaluate, read};
use gdl::limits::Stop;
use std::io;

/// The options for running a script.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Continues after an error instead of stopping.
    pub keep_going: bool,
    /// Shows each command before its answer.
    pub echo: bool,
    /// Shows one JSON object for each command instead of text.
    pub json: bool,
}

/// The result of running a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of expectations that were met.
    pub(crate) met: usize,
    /// The number of commands that failed, including unmet expectations.
    pub(crate) failed: usize,
    /// 0, or the exit code of the first command that failed or was cut off.
    pub exit_code: u8,
}

/// Runs the commands of a script line by line, as the lines arrive.
///
/// # Errors
/// If a line cannot be read, or the console cannot be written.
pub fn run(
    session: &mut Session,
    name: &str,
    lines: impl Iterator<Item = io::Result<String>>,
    options: Options,
    console: &mut dyn Console,
) -> io::Result<Report> {
    let mut report = Report::default();
    for (index, line) in lines.enumerate() {
        let line = line?;
        let command = read::without_comment(&line);
        if command.is_empty() {
            if let Some(cost) = stated_cost(&line).filter(|_| options.echo && !options.json) {
                console.talk(&format!("{name}:{}: {cost} Ctrl-C stops it.\n", index + 1))?;
            }
            continue;
        }
        if options.echo && !options.json {
            console.answer(&format!("> {command}\n"))?;
        }
        let line_shown = console.watch(session.progress(), session.screen());
        let result = evaluate(session, command);
        drop(line_shown);
        let location = format!("{name}:{}: ", index + 1);
        if options.json {
            let record = Record { file: Some(name), line: Some(index + 1), ..Record::new(command, &result) };
            show_notes(console, session, &location)?;
            console.answer(&record.with_lesson(session.take_remark()).to_line())?;
        } else {
            show(console, session, &result, &location)?;
        }
        report.count(&result);
        if ends(&result, options) {
            break;
        }
    }
    Ok(report)
}

/// The time and memory that a comment of a script states: `Takes about 5 minutes and 2 GB.`
fn stated_cost(line: &str) -> Option<&str> {
    let comment = line.trim().trim_start_matches(['%', '#']).trim();
    comment.starts_with("Takes about ").then_some(comment)
}

/// A summary of a script with its name; empty if it has no expectations and no failures.
pub fn summary(name: &str, report: &Report) -> String {
    let plural = |count, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    match (report.met, report.failed) {
        (0, 0) => String::new(),
        (met, 0) => format!("{name}: {} met\n", plural(met, "expectation")),
        (met, failed) => format!("{name}: {} met, {}\n", plural(met, "expectation"), plural(failed, "failure")),
    }
}

fn ends(result: &Result<Answer, CommandError>, options: Options) -> bool {
    match result {
        Ok(answer) => answer.is::<SessionEnd>() || answer.stopped() == Some(Stop::Interrupted),
        // An interrupt ends the script in any case.
        Err(error) => !options.keep_going || error.exit_code() == 130,
    }
}

impl Report {
    fn count(&mut self, result: &Result<Answer, CommandError>) {
        let code = match result {
            Ok(answer) => {
                self.met += usize::from(answer.is::<MetExpectation>());
                answer.stopped().map_or(0, super::error::stop_code)
            }
            Err(error) => {
                self.failed += 1;
                error.exit_code()
            }
        };
        // The first failure decides, since later ones may follow from it.
        if self.exit_code == 0 {
            self.exit_code = code;
        }
    }
}
