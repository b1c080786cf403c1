//! The page as files for any web server: with the library as a WebAssembly module in place of this server.

use super::course;
use super::page;

/// What takes the place of the server, from `web/static/`.
const STATIC: &[(&str, &str)] = &[
    ("library.js", include_str!("../../web/static/library.js")),
    ("server.js", include_str!("../../web/static/server.js")),
    ("worker.js", include_str!("../../web/static/worker.js")),
];
/// The service worker, which keeps the files: with gaps for their names, and for what tells them from others.
const OFFLINE: &str = include_str!("../../web/static/offline.js");
/// The name of the module.
const MODULE: &str = "ggp.wasm";

/// The files of the page without a server, by their paths in its folder, with this module.
pub(crate) fn exported_files(module: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let own = page::files().filter(|(name, _)| STATIC.iter().all(|(replaced, _)| replaced != name));
    let own = own.map(|(name, bytes)| (name.to_string(), bytes.to_vec()));
    let replaced = STATIC.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()));
    let course = course::pages().map(|(name, text)| (format!("course/{name}"), text.into_bytes()));
    let module = [(MODULE.to_string(), module)];
    let mut files: Vec<(String, Vec<u8>)> = own.chain(replaced).chain(course).chain(module).collect();
    let names: Vec<String> = files.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let offline =
        OFFLINE.replace("/*VERSION*/", &version(&files)).replace("/*FILES*/", &(names.join(", ") + ", \"./\""));
    files.push(("offline.js".to_string(), offline.into_bytes()));
    files
}

/// What tells these files from those of another export: a hash of 64 bits (FNV-1a) of their names and contents.
fn version(files: &[(String, Vec<u8>)]) -> String {
    let bytes = files.iter().flat_map(|(name, bytes)| name.as_bytes().iter().chain(bytes));
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("ggp-{hash:016x}")
}
