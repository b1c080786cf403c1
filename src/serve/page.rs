//! The files of the page and of the course, which are part of the program: for this server, and exported for any web
//! server, with the library as a WebAssembly module in place of this server.
//!
//! A debug build reads the files of the page from `web/` in its checkout where they are there, so that a change of the page
//! needs no build.

use ggp_draw::{THEME, pictograms};
use hyper::body::Bytes;
use pulldown_cmark::{Options, Parser, html};

/// A file of the page.
pub(super) struct PageFile {
    pub(super) content_type: &'static str,
    pub(super) bytes: Bytes,
}

/// The content type of pages.
const HTML: &str = "text/html; charset=utf-8";

/// The content types of files, by their extensions.
const TYPES: [(&str, &str); 12] = [
    ("html", HTML),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("wasm", "application/wasm"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("gif", "image/gif"),
    ("txt", "text/plain; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
];

/// The content type of a file, by the extension of its name.
pub(super) fn content_type(name: &str) -> &'static str {
    let extension = name.rsplit('.').next().unwrap_or_default();
    TYPES
        .iter()
        .find(|(known, _)| *known == extension)
        .map_or("application/octet-stream", |(_, content_type)| content_type)
}

macro_rules! page_files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../web/", $name)))),*]
    };
}

/// The files of the page that no other room shares, by their paths after `/`.
const FILES: &[(&str, &[u8])] = page_files![
    "index.html",
    "style.css",
    "tools.css",
    "match.css",
    "icon.svg",
    "app.js",
    "asking.js",
    "server.js",
    "terms.js",
    "files.js",
    "home.js",
    "board.js",
    "seats.js",
    "manager.js",
    "match.js",
    "tree.js",
    "store.js",
    "router.js",
    "hidden.js",
    "cover.js",
    "faint.js",
    "strategy.js",
    "ending.js",
    "views.js",
    "connections.js",
    "moves.js",
    "opening.js",
    "page.js",
    "handle.js",
    "clock.js",
    "headline.js",
    "panes.js",
    "icons.js",
    "companion.js",
    "pieces.js",
    "motion.js",
    "ahead.js",
    "dialog.js",
    "template.js",
    "embed.js",
    "film.js",
    "shapes.js",
    "sounds.js",
    "storage.js",
    "analysis.js",
    "values.js",
    "facts.js",
    "judging.js",
    "options.js",
    "rules.js",
    "editor.js",
    "codemirror.js",
    "prompt.js",
    "pseudocode.js",
    "lessons.js",
    "course.js",
    "tasks.js",
    "search.js",
    "trace.js",
    "network.js",
    "overview.js",
    "port.js",
    "simulation.js",
    "tournament.js",
];

/// The files that the page shares with pictures and films: the shapes of pieces, and the colours, sizes and spaces.
const SHARED: [&str; 2] = ["pieces.svg", "theme.css"];

/// One of the [`SHARED`] files.
fn shared(name: &str) -> Option<Bytes> {
    match name {
        "pieces.svg" => Some(Bytes::from(pictograms())),
        "theme.css" => Some(Bytes::from_static(THEME.as_bytes())),
        _ => None,
    }
}

/// All files of the page, by their names.
fn files() -> impl Iterator<Item = (&'static str, Bytes)> {
    let own = FILES.iter().map(|&(name, bytes)| (name, edited(name).unwrap_or(Bytes::from_static(bytes))));
    own.chain(SHARED.into_iter().filter_map(|name| Some((name, shared(name)?))))
}

/// The file at a path; `/` is `index.html`, and pages of the course lie below `/course/`.
pub(super) fn file(path: &str) -> Option<PageFile> {
    if let Some(name) = path.strip_prefix("/course/") {
        let (_, text) = COURSE.iter().find(|(known, _)| *known == name)?;
        return Some(PageFile { content_type: HTML, bytes: to_html(text).into() });
    }
    let name = if path == "/" { "index.html" } else { path.strip_prefix('/')? };
    let own = || FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| Bytes::from_static(bytes));
    Some(PageFile { content_type: content_type(name), bytes: edited(name).or_else(own).or_else(|| shared(name))? })
}

/// The file in `web/` of the checkout; `None` in a release build.
fn edited(name: &str) -> Option<Bytes> {
    let folder = cfg!(debug_assertions).then_some(concat!(env!("CARGO_MANIFEST_DIR"), "/web"))?;
    // Nothing outside the folder can be named.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    let path = is_plain.then(|| std::path::Path::new(folder).join(name))?;
    std::fs::read(path).ok().map(Bytes::from)
}

/// The pages of the course as Markdown, by their names: examples and exercises, whose commands a page runs.
const COURSE: [(&str, &str); 8] = [
    ("README", include_str!("../../docs/course/README.md")),
    ("slides", include_str!("../../docs/course/slides.md")),
    ("chapter", include_str!("../../docs/course/chapter.md")),
    ("video", include_str!("../../docs/course/video.md")),
    ("coursework", include_str!("../../docs/course/coursework.md")),
    ("lecture", include_str!("../../docs/course/lecture.md")),
    ("conventions", include_str!("../../docs/course/conventions.md")),
    ("tasks", include_str!("../../docs/course/tasks.md")),
];

/// A page of the course as HTML without a head.
fn to_html(text: &str) -> String {
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(text, Options::ENABLE_TABLES));
    page
}

/// The files of `web/static/`, which replace those that ask the server.
const STATIC: &[(&str, &str)] = &[
    ("library.js", include_str!("../../web/static/library.js")),
    ("server.js", include_str!("../../web/static/server.js")),
    ("worker.js", include_str!("../../web/static/worker.js")),
];
/// The service worker, which caches the files: a template with gaps for their names and their version.
const OFFLINE: &str = include_str!("../../web/static/offline.js");
/// The file of the WebAssembly module.
const MODULE: &str = "ggp.wasm";

/// The files of a page without a server, by their paths in its folder. `module` is the library as WebAssembly.
pub(crate) fn exported_files(module: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let own = files().filter(|(name, _)| STATIC.iter().all(|(replaced, _)| replaced != name));
    let own = own.map(|(name, bytes)| (name.to_string(), bytes.to_vec()));
    let replaced = STATIC.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()));
    let course = COURSE.iter().map(|(name, text)| (format!("course/{name}"), to_html(text).into_bytes()));
    let module = [(MODULE.to_string(), module)];
    let mut files: Vec<(String, Vec<u8>)> = own.chain(replaced).chain(course).chain(module).collect();
    let names: Vec<String> = files.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let offline =
        OFFLINE.replace("/*VERSION*/", &version(&files)).replace("/*FILES*/", &(names.join(", ") + ", \"./\""));
    files.push(("offline.js".to_string(), offline.into_bytes()));
    files
}

/// The version of an export: a 64-bit hash (FNV-1a) of the names and contents of its files.
fn version(files: &[(String, Vec<u8>)]) -> String {
    let bytes = files.iter().flat_map(|(name, bytes)| name.as_bytes().iter().chain(bytes));
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("ggp-{hash:016x}")
}
