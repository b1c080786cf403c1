//! The files of the page, which are part of the program.
//!
//! A debug build serves them from `web/` of its checkout where they are there, so that a change of the page needs no
//! build.

use ggp_draw::{THEME, pictograms};
use hyper::body::Bytes;

/// A file of the page.
pub(super) struct PageFile {
    pub(super) content_type: &'static str,
    pub(super) bytes: Bytes,
}

/// Content types by the extension of files.
const TYPES: [(&str, &str); 4] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("svg", "image/svg+xml"),
];

macro_rules! page_files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../web/", $name)))),*]
    };
}

/// All files, by their paths after `/`.
const FILES: &[(&str, &[u8])] = page_files![
    "index.html",
    "style.css",
    "icon.svg",
    "app.js",
    "asking.js",
    "server.js",
    "terms.js",
    "files.js",
    "home.js",
    "board.js",
    "seats.js",
    "match.js",
    "headline.js",
    "panes.js",
    "icons.js",
    "companion.js",
    "pieces.js",
    "motion.js",
    "storage.js",
    "analysis.js",
    "values.js",
    "facts.js",
    "options.js",
    "rules.js",
    "editor.js",
    "codemirror.js",
    "prompt.js",
    "lessons.js",
    "course.js",
    "search.js",
    "trace.js",
    "network.js",
    "overview.js",
    "simulation.js",
    "tournament.js",
];

/// The files that pictures and films share with the page: the shapes of pieces; colours, sizes and spaces.
const SHARED: [&str; 2] = ["pieces.svg", "theme.css"];

/// A file that pictures and films share with the page.
fn shared(name: &str) -> Option<Bytes> {
    match name {
        "pieces.svg" => Some(Bytes::from(pictograms())),
        "theme.css" => Some(Bytes::from_static(THEME.as_bytes())),
        _ => None,
    }
}

/// All files, by their names.
pub(super) fn files() -> impl Iterator<Item = (&'static str, Bytes)> {
    let own = FILES.iter().map(|&(name, bytes)| (name, edited(name).unwrap_or(Bytes::from_static(bytes))));
    own.chain(SHARED.into_iter().filter_map(|name| Some((name, shared(name)?))))
}

/// The file at a path; that at `/` is `index.html`.
pub(super) fn file(path: &str) -> Option<PageFile> {
    let name = if path == "/" { "index.html" } else { path.strip_prefix('/')? };
    let extension = name.rsplit('.').next()?;
    let (_, content_type) = TYPES.iter().find(|(known, _)| *known == extension)?;
    let own = || FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| Bytes::from_static(bytes));
    Some(PageFile { content_type, bytes: edited(name).or_else(own).or_else(|| shared(name))? })
}

/// The file of the checkout, in a debug build.
fn edited(name: &str) -> Option<Bytes> {
    let folder = cfg!(debug_assertions).then_some(concat!(env!("CARGO_MANIFEST_DIR"), "/web"))?;
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    let path = is_plain.then(|| std::path::Path::new(folder).join(name))?;
    std::fs::read(path).ok().map(Bytes::from)
}
