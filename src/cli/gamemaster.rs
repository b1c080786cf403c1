//! `ggp gamemaster`: a page that plays at the table of Stanford's present course, and the library for players of one's
//! own there. Both are one file that needs no other: scripts, styles and the library as WebAssembly are in it.

use super::arguments::{OutputArguments, write};
use super::browser_module::{self, MODULE, PACKED};
use super::{Failure, complete};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use ggp_draw::THEME;
use ggp_play::{PlayerKind, PlayerSpec};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Write a page that plays in Stanford's course, where manager and players are tabs of one browser
///
/// The file is a whole player: open it beside the course's pages, or paste it where they are kept. With --script the file
/// is ggp-general.js, the functions of the course's starter pack on this library, for a player of your own
/// (docs/gamemaster.md).
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The player with its options; the page offers the others as well
    #[arg(long, value_name = "PLAYER", default_value = "auto", add = complete::player())]
    player: PlayerSpec,
    /// The name by which the manager knows the page; it can be changed there
    #[arg(long, value_name = "NAME", default_value = "ggp", value_parser = name)]
    name: String,
    /// The file to write [default: ggp-player.html; with --script ggp-general.js]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the script for players of your own instead
    #[arg(long, conflicts_with_all = ["player", "name"])]
    script: bool,
    /// Load the library from this address, so that the file is small
    #[arg(long, value_name = "URL", conflicts_with = "wasm")]
    module: Option<String>,
    /// The library as `web/wasm` builds it, also packed by gzip; by default beside this program, else in its checkout
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
    #[command(flatten)]
    writing: OutputArguments,
}

/// An identifier of the course: a name in small letters, as the manager writes it.
fn name(text: &str) -> Result<String, String> {
    let is_begun = text.starts_with(|first: char| first.is_ascii_lowercase());
    match is_begun && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        true => Ok(text.to_string()),
        false => Err("a name begins with a small letter, and has letters, digits and `_`".to_string()),
    }
}

macro_rules! web_file {
    ($name:literal) => {
        WebFile { name: $name, text: include_str!(concat!("../../web/", $name)) }
    };
}

/// A file of `web/`, which is part of the program.
struct WebFile {
    name: &'static str,
    text: &'static str,
}

const PAGE: WebFile = web_file!("gamemaster/player.html");
const STYLE: WebFile = web_file!("gamemaster/player.css");
const ENVELOPE: WebFile = web_file!("gamemaster/envelope.js");
const COMPILED: WebFile = web_file!("gamemaster/compiled.js");
const SEAT: WebFile = web_file!("gamemaster/seat.js");
const MATCH: WebFile = web_file!("gamemaster/match.js");
const SCRIPT: WebFile = web_file!("gamemaster/player.js");
const WORKER: WebFile = web_file!("gamemaster/worker.js");
const CLOCK: WebFile = web_file!("gamemaster/clock.js");
const LIBRARY: WebFile = web_file!("static/library.js");
const TERMS: WebFile = web_file!("gamemaster/terms.js");
const GENERAL: WebFile = web_file!("gamemaster/general.js");
const GLOBAL: WebFile = web_file!("gamemaster/global.js");

impl WebFile {
    /// The text; a debug build reads it in its checkout, so that a change needs no build.
    fn text(&self) -> String {
        let folder = cfg!(debug_assertions).then_some(concat!(env!("CARGO_MANIFEST_DIR"), "/web"));
        let edited = folder.and_then(|folder| std::fs::read_to_string(Path::new(folder).join(self.name)).ok());
        edited.unwrap_or_else(|| self.text.to_string())
    }
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let default = if self.script { "ggp-general.js" } else { "ggp-player.html" };
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from(default));
        let wasm = self.wasm.clone().unwrap_or_else(newest_module);
        let output = self.writing.output(&out, [wasm.clone()])?;
        let module = match &self.module {
            Some(_) => String::new(),
            None => base64(&browser_module::read(&wasm, &[MODULE, PACKED])?),
        };
        let text = if self.script { self.script(&module) } else { self.page(&module) };
        write(&output, &text)?;
        let megabytes = text.len() as f64 / 1e6;
        console.talk(&format!("{} has {megabytes:.1} MB; docs/gamemaster.md says how to use it\n", out.display()))?;
        Ok(0)
    }

    /// The page of a player.
    fn page(&self, module: &str) -> String {
        let settings = json!({
            "name": self.name,
            "player": self.player.to_string(),
            "players": players(),
            "module": self.module,
        });
        fill(
            PAGE.text(),
            &[
                ("/*STYLE*/", &format!("{THEME}{}", STYLE.text())),
                ("VERSION", env!("GGP_VERSION")),
                ("/*WORKER*/", &format!("{}{}", without_modules(&LIBRARY.text()), WORKER.text())),
                ("/*CLOCK*/", &CLOCK.text()),
                ("/*SETTINGS*/", &in_script(&settings)),
                ("/*SCRIPT*/", &[COMPILED, ENVELOPE, SEAT, MATCH, SCRIPT].map(|file| file.text()).join("\n")),
                ("/*MODULE*/", module),
            ],
        )
    }

    /// The script with the course's functions.
    fn script(&self, module: &str) -> String {
        let parts = [LIBRARY, COMPILED, TERMS, GENERAL].map(|file| without_modules(&file.text())).concat();
        fill(
            GLOBAL.text(),
            &[
                ("VERSION", env!("GGP_VERSION")),
                ("/*PARTS*/", &parts),
                ("/*URL*/", &in_script(&json!(self.module))),
                ("/*MODULE*/", module),
            ],
        )
    }
}

/// The players that the page offers.
fn players() -> Vec<serde_json::Value> {
    let kinds = PlayerKind::ALL.iter().filter(|&&kind| kind != PlayerKind::Human);
    kinds.map(|kind| json!({ "name": kind.name(), "summary": kind.summary() })).collect()
}

/// The file of the library, or the same packed by gzip if that is beside it and not older.
fn newest_module() -> PathBuf {
    let plain = browser_module::path();
    let mut packed = plain.clone().into_os_string();
    packed.push(".gz");
    let packed = PathBuf::from(packed);
    let changed = |path: &Path| std::fs::metadata(path).and_then(|found| found.modified()).ok();
    if changed(&packed).is_some() && changed(&packed) >= changed(&plain) { packed } else { plain }
}

/// A template with its gaps filled; each gap occurs in the template alone, and is filled in the order of the list.
fn fill(template: String, gaps: &[(&str, &str)]) -> String {
    gaps.iter().fold(template, |text, (gap, contents)| text.replacen(gap, contents, 1))
}

/// A script without what makes it a module: lines that import, and the word `export`.
fn without_modules(script: &str) -> String {
    let kept = script.lines().filter(|line| !line.starts_with("import "));
    kept.map(|line| format!("{}\n", line.strip_prefix("export ").unwrap_or(line))).collect()
}

/// A value as JavaScript within a page: nothing in it ends the script.
fn in_script(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Bytes in the alphabet of RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * index)) as usize & 63];
            text.push(if index <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}
