//! The optional parts: what the program uses of the machine if it is there, and other ways to use ggp.

use super::super::arguments;
use super::super::browser_module;
use gdl::quantity::counted_as;
use ggp_engine::lanes::Target;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An optional part, in JSON as `{"name": …, "found": …}` or `{"name": …, "missing": …}`.
#[derive(Serialize)]
pub(super) struct OptionalPart {
    name: &'static str,
    #[serde(flatten)]
    presence: Presence,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Presence {
    /// What is there.
    Found(String),
    /// How to get it.
    Missing(String),
}

impl OptionalPart {
    fn new(name: &'static str, found: Option<String>, remedy: impl Into<String>) -> Self {
        let presence = found.map_or_else(|| Presence::Missing(remedy.into()), Presence::Found);
        Self { name, presence }
    }

    /// The part as a row: its name, and what is there or how to get it.
    pub(super) fn row(&self) -> (&'static str, String) {
        match &self.presence {
            Presence::Found(found) => (self.name, found.clone()),
            Presence::Missing(remedy) => (self.name, format!("missing: {remedy}")),
        }
    }
}

/// All optional parts: those of the machine that the program uses, and other ways to use it.
pub(super) fn parts() -> Vec<OptionalPart> {
    let mut parts = of_machine();
    parts.extend(other_doors());
    parts
}

fn of_machine() -> Vec<OptionalPart> {
    let code: Vec<&str> = lanes().into_iter().filter(|&name| name != Target::Portable.name()).collect();
    let corpus = corpus().map(|sheets| counted_as(sheets as u64, "sheet", "sheets"));
    let browser_library = Some(browser_module::path()).filter(|path| path.is_file());
    vec![
        OptionalPart::new(
            "machine code",
            joined(&code),
            "random games run in a slower portable loop; machine code needs Linux with AVX2, AVX-512 or NEON",
        ),
        OptionalPart::new(
            "networks",
            arguments::cache().map(|cache| cache.folder().display().to_string()),
            "they are not kept between calls; set GGP_CACHE to a folder",
        ),
        OptionalPart::new("corpus", corpus, "only tests of a checkout need it; set GGP_CORPUS to its folder"),
        OptionalPart::new("editors", joined(&editors()), "docs/editors.md shows how to set one up for `ggp lsp`"),
        OptionalPart::new("ggp", on_path("ggp").map(|path| path.display().to_string()), remedy_of_path()),
        OptionalPart::new(
            "browser library",
            browser_library.map(|path| path.display().to_string()),
            format!("`ggp serve --export` needs it; {}", browser_module::REMEDY),
        ),
    ]
}

/// How else ggp is used on this machine: from Python, from JavaScript, and in a container.
fn other_doors() -> Vec<OptionalPart> {
    let node = on_path("node").and_then(|path| answer(Command::new(path).arg("--version")));
    let containers: Vec<&str> = ["docker", "podman"].into_iter().filter(|name| on_path(name).is_some()).collect();
    vec![
        OptionalPart::new(
            "Python package",
            python_package(),
            "`pip install ./python` in a checkout, with Python 3.11 or newer",
        ),
        OptionalPart::new(
            "Node",
            node.map(|version| format!("{version} (the npm package needs 20 or newer)")),
            "the npm package runs in Node from version 20 on; it is on nodejs.org",
        ),
        OptionalPart::new(
            "container",
            joined(&containers).map(|names| format!("{names} on the path")),
            "docker or podman build an image from the Dockerfile of a checkout",
        ),
    ]
}

fn joined(words: &[&str]) -> Option<String> {
    (!words.is_empty()).then(|| words.join(", "))
}

/// How the shell and editors find this program.
fn remedy_of_path() -> String {
    let folder = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.display().to_string()));
    let folder = folder.unwrap_or_else(|| "the folder of this program".to_string());
    format!("editors look for it on the path; add {folder} to PATH")
}

/// The version of the Python package for the Python on the path.
fn python_package() -> Option<String> {
    let python = on_path("python3").or_else(|| on_path("python"))?;
    // `-I` leaves out the working directory, whose files must not be taken for packages, and with it the packages of the
    // user, which a virtual environment does not have in any case.
    let script = "import site, sys; sys.path += [site.getusersitepackages()] * (sys.prefix == sys.base_prefix); \
                  from importlib.metadata import version; print(version('ggp'))";
    let version = answer(Command::new(&python).args(["-I", "-c", script]))?;
    Some(format!("{version}, of {}", python.display()))
}

/// The first line that a program prints, if it succeeds.
fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).lines().next()?.trim().to_string();
    output.status.success().then_some(text)
}

/// The back ends of lanes that the processor has.
pub(super) fn lanes() -> Vec<&'static str> {
    Target::ALL.into_iter().filter(|target| target.is_available()).map(Target::name).collect()
}

/// Programs that speak the protocol of language servers.
const EDITORS: [&str; 6] = ["nvim", "vim", "emacs", "hx", "zed", "code"];

/// Editors on the path that can start the language server.
pub(super) fn editors() -> Vec<&'static str> {
    EDITORS.into_iter().filter(|name| on_path(name).is_some()).collect()
}

/// Number of sheets of the corpus, if it is there.
pub(super) fn corpus() -> Option<usize> {
    // The tests look for it beside the checkout as well.
    let folder = std::env::var_os("GGP_CORPUS").map_or_else(|| PathBuf::from("../shared/corpus"), PathBuf::from);
    let entries = std::fs::read_dir(folder.join("kif")).ok()?;
    Some(entries.flatten().filter(|entry| entry.path().extension().is_some_and(|extension| extension == "kif")).count())
}

/// The program with this name on the path.
pub(super) fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(&file)).find(|path| Path::is_file(path))
}
