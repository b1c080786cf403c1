//! The dependencies of a relation as text.

use crate::rules::depends::{ChangesWith, Depends, Link};
use crate::syntax::LineColumn;
use std::fmt::Write;

/// The dependencies of a relation as lines of text; `name` is the file name for positions.
pub(super) fn depends(found: &Depends, name: &str) -> String {
    let mut text = found.relation.clone();
    if let Some(stratum) = found.stratum {
        write!(text, ", stratum {stratum}").expect(WRITES);
    }
    text += match found.changes_with {
        ChangesWith::Nothing => ", the same in every state",
        ChangesWith::State => ", depends on the state",
        ChangesWith::JointMove => ", depends on the joint move",
    };
    text += if found.recursive { ", recursive\n" } else { "\n" };
    let sections = [
        ("needs", &found.needs, &found.needs_indirectly),
        ("is needed by", &found.needed_by, &found.needed_indirectly_by),
    ];
    for (title, links, rest) in sections {
        if links.is_empty() {
            writeln!(text, "  {title} nothing").expect(WRITES);
            continue;
        }
        writeln!(text, "  {title}").expect(WRITES);
        links.iter().for_each(|link| write_link(link, name, &mut text));
        if !rest.is_empty() {
            let rest: Vec<&str> = rest.iter().map(|relative| relative.relation.as_str()).collect();
            writeln!(text, "    and through them {}", rest.join(", ")).expect(WRITES);
        }
    }
    text
}

const WRITES: &str = "a string takes all that is written to it";

fn write_link(Link { relative, negative, at: LineColumn { line, column } }: &Link, name: &str, text: &mut String) {
    let negation = if *negative { "~" } else { "" };
    let stratum = relative.stratum.map(|stratum| format!("stratum {stratum}, ")).unwrap_or_default();
    writeln!(text, "    {negation}{}  ({stratum}{name}:{line}:{column})", relative.relation).expect(WRITES);
}
