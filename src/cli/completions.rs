//! `ggp completions`: completion of the command line for a shell.

use super::Failure;
use super::complete::VARIABLE;
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use anyhow::Context;
use clap_complete::Shell;
use clap_complete::env::Shells;

/// Print the completions of this program for a shell
///
/// In bash `source <(ggp completions bash)` loads them, in zsh `source <(ggp completions zsh)`, in fish `ggp
/// completions fish | source`; docs/editors.md says where to keep them. They ask the program, so they know its games,
/// and in `ggp eval` the legal moves.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

/// bash ends words at colons and equals signs, so `mcts:seed=1` is five words to a completion. This joins them again,
/// and takes what stands before the last sign from the answers, since bash replaces only what follows it.
const WHOLE_WORDS: &str = r#"
_ggp() {
    local line="${COMP_LINE:0:COMP_POINT}" typed=() word
    for word in "${COMP_WORDS[@]:0:COMP_CWORD}" ""; do
        [[ -n "$word" ]] || word="${line#"${line%%[![:space:]]*}"}"
        if [[ ${#typed[@]} -gt 0 && "$line" != [[:space:]]* ]]; then
            typed[${#typed[@]}-1]+="$word"
        else
            typed+=("$word")
            line="${line#"${line%%[![:space:]]*}"}"
        fi
        line="${line#"$word"}"
    done
    local COMP_WORDS=("${typed[@]}") COMP_CWORD=$((${#typed[@]} - 1)) begun="$2"
    local whole="${typed[COMP_CWORD]}"
    [[ "$whole" == *[:=]* && "$whole" != [\'\"]* ]] || whole="$begun"
    _clap_complete_ggp "$1" "$whole" "$3"
    COMPREPLY=("${COMPREPLY[@]#"${whole%"$begun"}"}")
}
complete -o nospace -o bashdefault -F _ggp ggp
[[ "${BASH_VERSINFO[0]}${BASH_VERSINFO[1]}" -lt 44 ]] || complete -o nospace -o bashdefault -o nosort -F _ggp ggp
"#;

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let mut script = Vec::new();
        let shells = Shells::builtins();
        let shell = shells.completer(&self.shell.to_string()).context("the shell has no completions")?;
        shell.write_registration(VARIABLE, "ggp", "ggp", "ggp", &mut script)?;
        if self.shell == Shell::Bash {
            script.extend_from_slice(WHOLE_WORDS.as_bytes());
        }
        console.data(&String::from_utf8(script)?)?;
        Ok(0)
    }
}
