//! `ggp bench FOLDER`: every sheet of a folder with each engine, as a table, and as a file of comma-separated values.

use super::{Arguments, Failure};
use crate::cli::arguments::write_figures;
use crate::cli::folder::some_sheets;
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use anyhow::Context;
use gdl::quantity::grouped;
use ggp_engine::EngineKind;
use ggp_game::files::OutputPath;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// A row of the file: a sheet with an engine. The fields of a measurement are empty if the engine could not play. Times
/// are in seconds, memory is in bytes.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct BenchRow {
    sheet: String,
    engine: String,
    setup_seconds: Option<f64>,
    setup_cpu_seconds: Option<f64>,
    peak_memory_bytes: Option<u64>,
    states_per_second: Option<f64>,
    states_per_cpu_second: Option<f64>,
    gates: Option<usize>,
    evaluator: Option<String>,
    /// The message of an engine that could not play.
    error: Option<String>,
}

impl Arguments {
    /// Measures the sheets of a folder, each engine in a process of its own, so that memory and time are those of one
    /// measurement. Rows that the file has are kept, and not measured again.
    pub(super) fn measure_folder(
        &self,
        folder: &Path,
        interrupt: &AtomicBool,
        console: &mut Terminal,
    ) -> Result<u8, Failure> {
        let sheets = some_sheets(folder)?;
        let mut rows = self.csv.as_deref().map_or_else(|| Ok(Vec::new()), read)?;
        let known: BTreeSet<(String, String)> =
            rows.iter().map(|row| (row.sheet.clone(), row.engine.clone())).collect();
        // Also before the first measurement: a file that cannot be written is found at once.
        self.keep(&rows)?;
        for sheet in &sheets {
            let name = sheet.strip_prefix(folder).unwrap_or(sheet).display().to_string();
            let mut line = name.clone();
            let before = rows.len();
            for engine in EngineKind::ALL {
                if known.contains(&(name.clone(), engine.to_string())) {
                    continue;
                }
                let row = self.measure_apart(sheet, name.clone(), engine)?;
                if interrupt.load(Ordering::Relaxed) {
                    return Ok(130);
                }
                line += &match row.states_per_second {
                    Some(states) => format!("  {engine} {} states/s", grouped(states.round())),
                    None => format!("  {engine} cannot play"),
                };
                rows.push(row);
            }
            if rows.len() == before {
                line += "  is in the table";
            }
            console.answer(&(line + "\n"))?;
            self.keep(&rows)?;
        }
        Ok(0)
    }

    /// Writes the rows to the file that `--csv` names, if any.
    fn keep(&self, rows: &[BenchRow]) -> Result<(), Failure> {
        self.csv.as_deref().map_or(Ok(()), |file| write(file, rows))
    }

    /// Measures one engine in another process.
    fn measure_apart(&self, sheet: &Path, name: String, engine: EngineKind) -> Result<BenchRow, Failure> {
        let program = std::env::current_exe().context("the program of this process is not known")?;
        let mut command = Command::new(program);
        command.arg("bench").arg(sheet).args(["--json", "--engine", engine.name(), "--seed", &self.seed.to_string()]);
        command.args(["--seconds", &self.seconds.to_string()]).args(self.engine.budget_options());
        // A network that an earlier run has kept would hide what set-up costs.
        command.env("GGP_CACHE", "off").stdin(Stdio::null());
        let output = command.output().context("the program cannot be started")?;
        let failed = |_| BenchRow { error: Some(first_line(&output.stderr)), ..BenchRow::default() };
        let row = serde_json::from_slice(&output.stdout).unwrap_or_else(failed);
        Ok(BenchRow { sheet: name, engine: engine.to_string(), ..row })
    }
}

fn first_line(text: &[u8]) -> String {
    String::from_utf8_lossy(text).lines().next().unwrap_or_default().to_string()
}

/// The rows of a file; none if there is no file.
fn read(file: &Path) -> Result<Vec<BenchRow>, Failure> {
    if !file.exists() {
        return Ok(Vec::new());
    }
    let context = || format!("{} is no table of `ggp bench`", file.display());
    let mut reader = csv::Reader::from_path(file).with_context(context)?;
    reader.deserialize().collect::<Result<_, _>>().with_context(context)
}

fn write(file: &Path, rows: &[BenchRow]) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    let text = writer.into_inner().map_err(|error| error.into_error())?;
    write_figures(&OutputPath::new(file).forced(true), text)
}
