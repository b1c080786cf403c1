//! The boundary to the host: what it provides, and what it calls.

#![expect(unsafe_code, reason = "names of functions are shared with the host")]

// SAFETY: the host reads the bytes of a text, and nothing else.
#[link(wasm_import_module = "ggp")]
unsafe extern "C" {
    safe fn now() -> f64;
    safe fn progress(text: *const u8, length: usize);
    safe fn failed(text: *const u8, length: usize);
}

/// The milliseconds since the beginning of 1970.
pub(crate) fn clock() -> f64 {
    now()
}

/// Tells the host of the progress of a request.
pub(crate) fn tell(text: &str) {
    progress(text.as_ptr(), text.len());
}

/// Tells the host why the module ends.
pub(crate) fn fail(text: &str) {
    failed(text.as_ptr(), text.len());
}

// SAFETY: no other function of the module has these names.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    super::make_room(length)
}

#[unsafe(no_mangle)]
extern "C" fn ask() -> usize {
    super::answer_request()
}

#[unsafe(no_mangle)]
extern "C" fn reply() -> *const u8 {
    super::start_of_answer()
}

#[unsafe(no_mangle)]
extern "C" fn words(length: usize) -> *mut u32 {
    super::stepping::make_words(length)
}

#[unsafe(no_mangle)]
extern "C" fn look(game: u32) -> isize {
    super::stepping::look(game)
}

#[unsafe(no_mangle)]
extern "C" fn step(game: u32, role: u32, chosen: u32) -> isize {
    super::stepping::step(game, role, chosen)
}

#[unsafe(no_mangle)]
extern "C" fn expand(game: u32, role: u32, with_goals: u32) -> isize {
    super::stepping::expand(game, role, with_goals)
}

#[unsafe(no_mangle)]
extern "C" fn goals(game: u32) -> isize {
    super::stepping::goals(game)
}

#[unsafe(no_mangle)]
extern "C" fn seen() -> *const u32 {
    super::stepping::start_of_seen()
}
