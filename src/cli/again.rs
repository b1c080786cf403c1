//! `ggp again`: runs the command that computed the figures of a file once more, and compares them.

use super::Failure;
use super::arguments::InputArguments;
use crate::provenance::{Provenance, beside};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use anyhow::{Context, bail};
use gdl::quantity::{counted, counted_as};
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Run the command of a file of figures once more, and say whether they are the same
///
/// Beside each CSV file of `ggp match`, `ggp bench` and the prompt's `compare` is its provenance: the version, the command
/// with its options, the digests of the sheets, and the processor. The JSON of `--json` and `--out` has it within. Times,
/// speeds and memory are listed and not compared. The exit code is 1 if other figures differ.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The file of figures, or its provenance
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArguments,
}

/// The most differences that are listed, and the most times.
const LISTED: usize = 10;

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let (file, provenance) = self.provenance()?;
        let before = self.read(&file)?;
        for warning in changes(&provenance) {
            console.talk(&format!("{warning}\n"))?;
        }
        let folder = std::env::temp_dir().join(format!("ggp_again_{}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let now = computed(&provenance, &folder);
        // The system empties the folder for temporary files, so an error here is no error of the command.
        let _ = fs::remove_dir_all(&folder);
        let is_table = file.extension().is_some_and(|end| end == "csv");
        let figures = |text: &str| if is_table { of_table(text) } else { of_json(text) };
        let [before, now] = [figures(&before), figures(&now?)];
        let (before, now) = (before.with_context(|| format!("{} has no figures", file.display()))?, now?);
        let compared = Compared::new(&before, &now);
        console.answer(&compared.text())?;
        Ok(u8::from(!compared.differences.is_empty()))
    }

    /// The file of figures, and its provenance.
    fn provenance(&self) -> Result<(PathBuf, Provenance), Failure> {
        let text = self.read(&self.file)?;
        let first = text.lines().next().unwrap_or_default();
        // The provenance stands among the figures: in their object, or in the first of several lines.
        let figures: serde_json::Result<Value> = serde_json::from_str(&text).or_else(|_| serde_json::from_str(first));
        if let Ok(provenance) = figures.and_then(|figures| Provenance::deserialize(&figures["provenance"])) {
            return Ok((self.file.clone(), provenance));
        }
        if let Ok(provenance) = serde_json::from_str::<Provenance>(&text)
            && let Some(output) = &provenance.output
        {
            return Ok((provenance.folder.join(output), provenance));
        }
        let kept = beside(&self.file);
        if !kept.exists() {
            bail!("{} has no provenance, and there is no {}", self.file.display(), kept.display());
        }
        let provenance = serde_json::from_str(&self.read(&kept)?);
        Ok((self.file.clone(), provenance.with_context(|| format!("{} is no provenance", kept.display()))?))
    }

    fn read(&self, file: &Path) -> Result<String, Failure> {
        self.input.limit().read_text(file).with_context(|| format!("cannot read {}", file.display()))
    }
}

/// The differences from then: of the version, the sheets and the processor.
fn changes(then: &Provenance) -> Vec<String> {
    let now = Provenance::of_command();
    let mut changes = Vec::new();
    if then.version != now.version {
        changes.push(format!("computed by ggp {}; this is {}", then.version, now.version));
    }
    if (&then.processor, then.threads) != (&now.processor, now.threads) {
        changes.push(format!("computed on {} ({})", then.processor, counted(then.threads, "thread")));
    }
    changes.extend(then.changed_files().iter().map(|name| format!("{name} has changed since")));
    changes
}

/// Runs the command, and returns the text of the file of figures, or of standard output.
fn computed(provenance: &Provenance, folder: &Path) -> Result<String, Failure> {
    let (redirected, target) = provenance.redirected(folder);
    let program = std::env::current_exe().context("the program of this process is not known")?;
    let mut command = Command::new(program);
    command.args(&redirected.command).current_dir(&provenance.folder).stdout(Stdio::piped());
    command.stdin(if redirected.input.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child = command.spawn().context("the command cannot be started")?;
    if let (Some(input), Some(mut pipe)) = (&redirected.input, child.stdin.take()) {
        // If the command ends early, its exit code tells why.
        let _ = pipe.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().context("the command cannot be run")?;
    if !output.status.success() && target.as_ref().is_none_or(|target| !target.exists()) {
        bail!("`ggp {}` failed", provenance.command.join(" "));
    }
    match target {
        Some(target) => fs::read_to_string(&target).with_context(|| format!("cannot read {}", target.display())),
        None => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
    }
}

/// A figure: where it stands, and its value.
type Figure = (String, String);

/// The figures of a table with commas, row by row, named by their columns.
fn of_table(text: &str) -> Result<Vec<Figure>, Failure> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = reader.headers()?.clone();
    let mut figures = Vec::new();
    for (row, record) in (1..).zip(reader.records()) {
        for (column, value) in (0..).zip(&record?) {
            let name = header.get(column).unwrap_or_default();
            figures.push((format!("row {row}, {name}"), value.to_string()));
        }
    }
    Ok(figures)
}

/// The figures of JSON, one value or one on each line, named by their keys.
fn of_json(text: &str) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    let values = serde_json::Deserializer::from_str(text).into_iter::<Value>().collect::<Result<Vec<_>, _>>()?;
    for (line, value) in (1..).zip(&values) {
        let name = if values.len() == 1 { String::new() } else { format!("line {line}") };
        add_figures(&name, value, &mut figures);
    }
    Ok(figures)
}

fn add_figures(name: &str, value: &Value, figures: &mut Vec<Figure>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields.iter().filter(|(key, _)| *key != "provenance") {
                let joined = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                add_figures(&joined, value, figures);
            }
        }
        Value::Array(values) => {
            (1..).zip(values).for_each(|(index, value)| add_figures(&format!("{name}[{index}]"), value, figures));
        }
        Value::String(text) => figures.push((name.to_string(), text.clone())),
        value => figures.push((name.to_string(), value.to_string())),
    }
}

/// A value in a line: the first line of a text, and no more than a reader compares at a glance.
fn shortened(value: &str) -> String {
    const WIDTH: usize = 40;
    let first = value.lines().next().unwrap_or_default();
    if first == value && value.chars().count() <= WIDTH {
        return value.to_string();
    }
    first.chars().take(WIDTH).collect::<String>() + "…"
}

/// True for a figure that a clock or the machine decides: a time, a speed, memory, lanes and threads.
fn is_measured(name: &str) -> bool {
    let last = name.rsplit([',', '.']).next().unwrap_or(name).trim();
    ["seconds", "_second", "memory_bytes", "lanes", "threads", "version"].iter().any(|end| last.ends_with(end))
}

/// Two runs of a command.
struct Compared {
    /// The number of figures that are the same.
    same: usize,
    /// Those that differ, with both values; a missing one is empty.
    differences: Vec<(String, String, String)>,
    measured: Vec<(String, String, String)>,
}

impl Compared {
    fn new(before: &[Figure], now: &[Figure]) -> Self {
        let mut compared = Self { same: 0, differences: Vec::new(), measured: Vec::new() };
        let value = |figures: &[Figure], name: &str| figures.iter().find(|(known, _)| known == name).cloned();
        for index in 0..before.len().max(now.len()) {
            // Runs with the same rows have their figures in the same order, which is looked at first.
            let (one, other) = (before.get(index), now.get(index));
            let Some((name, _)) = one.or(other) else { continue };
            let find = |figure: Option<&Figure>, figures: &[Figure]| {
                let found = figure.filter(|(known, _)| known == name).cloned().or_else(|| value(figures, name));
                found.map(|(_, value)| value)
            };
            let (then, now) = (find(one, before), find(other, now));
            let entry = |value: &Option<String>| value.clone().unwrap_or_default();
            let row = (name.clone(), entry(&then), entry(&now));
            match () {
                () if is_measured(name) => compared.measured.push(row),
                () if then == now => compared.same += 1,
                () => compared.differences.push(row),
            }
        }
        compared
    }

    fn text(&self) -> String {
        let list = |rows: &[(String, String, String)]| {
            let lines = rows.iter().take(LISTED);
            let lines = lines.map(|(name, then, now)| format!("  {name}: {} → {}\n", shortened(then), shortened(now)));
            let more = rows.len().saturating_sub(LISTED);
            lines.collect::<String>() + &if more > 0 { format!("  and {more} more\n") } else { String::new() }
        };
        let all = self.same + self.differences.len();
        let mut text = match self.differences.len() {
            0 => format!("the same: {}\n", counted(all, "figure")),
            some => format!("{some} of {} differ\n", counted(all, "figure")) + &list(&self.differences),
        };
        if !self.measured.is_empty() {
            let count = counted_as(self.measured.len() as u64, "figure", "figures");
            text += &format!("measured, then and now ({count}):\n{}", list(&self.measured));
        }
        text
    }
}
