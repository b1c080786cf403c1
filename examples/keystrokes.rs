//! Measures what a keystroke costs in an editor: each character typed into a rule sheet makes a new document, whose
//! problems are found, and whose words are coloured.
//!
//!     cargo run --release --example keystrokes -- [FILE]
//!
//! Without a file it takes connect_four of the library.

use ggp::language::Document;
use ggp::syntax::Source;
use std::time::{Duration, Instant};

/// What is typed, in the middle of the sheet, and taken back again.
const TYPED: &str = "\nwinning(X,Y) :- true(cell(X,Y,b)) & ~does(X,Y)";
const ROUNDS: usize = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(file) => String::from_utf8_lossy(&std::fs::read(file)?).into_owned(),
        None => ggp::Game::library("connect_four")?.source.text().to_string(),
    };
    let middle = text.len() / 2 + text[text.len() / 2..].find('\n').unwrap_or(0);
    let (mut checks, mut all) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        for end in (1..=TYPED.len()).filter(|&end| TYPED.is_char_boundary(end)) {
            let edited = [&text[..middle], &TYPED[..end], &text[middle..]].concat();
            let begun = Instant::now();
            let document = Document::new(Source::new("typed", edited), None);
            let problems = document.diagnostics().len();
            checks.push(begun.elapsed());
            let words = document.coloured().len();
            let offered = document.completions(u32::try_from(middle + end)?).candidates.len();
            all.push(begun.elapsed());
            std::hint::black_box((problems, words, offered));
        }
    }
    println!("{} lines, {} bytes, {} keystrokes", text.lines().count(), text.len(), all.len());
    println!("problems:                          {}", percentiles(&mut checks));
    println!("problems, colours and completion:  {}", percentiles(&mut all));
    Ok(())
}

fn percentiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
    format!("median {:.2} ms, 95th percentile {:.2} ms, longest {:.2} ms", at(50), at(95), at(100))
}
