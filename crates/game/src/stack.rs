//! Room on the stack for recursion: searches recurse once for each ply and role, the interpreter once for each nested
//! relation, and threads have stacks of very different sizes (8 MiB, 2 MiB, on macOS 512 KiB).

/// The stack that a step of a recursion may need before it asks for room again, in bytes.
#[cfg(not(target_family = "wasm"))]
const STEP: usize = 256 << 10;
/// The size of the stack that is added, in bytes.
#[cfg(not(target_family = "wasm"))]
const ADDED: usize = 4 << 20;
/// The number of levels that fit what a step may need.
const LEVELS: u32 = 8;

/// Runs a step of a recursion, on another stack if this one is nearly full. Costs some two nanoseconds where it is not.
#[cfg(not(target_family = "wasm"))]
pub fn with_room<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STEP, ADDED, step)
}

/// WebAssembly has one stack, whose size its host chooses.
#[cfg(target_family = "wasm")]
pub fn with_room<T>(step: impl FnOnce() -> T) -> T {
    step()
}

/// As [`with_room`] for a recursion that goes one level deeper with each call and needs little stack for a level,
/// `depth` levels below the first one. Asks for room at every eighth level only, since the cost matters to a search.
pub fn with_room_at<T>(depth: u32, step: impl FnOnce() -> T) -> T {
    if depth.is_multiple_of(LEVELS) { with_room(step) } else { step() }
}
