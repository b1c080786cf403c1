//! Draws as text what a sheet declares beside boards: stacks, bars, hands and values.

use super::Piece;
use super::abbreviate::full_name;
use super::figure::{Content, Figure, number};
use super::sign::{label, length, styled};
use crate::fit::{cut, paragraph};
use gdl::diagnostic::render::Paint;
use gdl::rules::GroundTerm;
use gdl::rules::picture::{Colour, Glyph};
use std::collections::BTreeMap;

/// The greatest height of stacks that are drawn with room for all pieces.
const HEIGHT: usize = 20;

/// The blanks between values on one line.
pub(super) const GAP: &str = "   ";

/// A figure as text in lines of at most this width, if it is one of several lines: stacks and bars.
pub fn sketched(figure: &Figure, paint: Paint, width: usize) -> Option<String> {
    let body = match &figure.content {
        Content::Stacks { stacks, pieces } => stacks_text(stacks, pieces, paint, width),
        Content::Bars { bars, mark, .. } => bars_text(bars, mark, paint, width),
        Content::Tree { .. } | Content::Hands { .. } | Content::Values { .. } => return None,
    };
    Some(cut(&format!("{}\n{body}", figure.title), width))
}

/// Hands, each wrapped at this width, and values, on one line as far as the width allows.
pub fn lines(figures: &[Figure], paint: Paint, width: usize) -> Vec<String> {
    let mut values = String::new();
    let mut lines = Vec::new();
    for figure in figures {
        match &figure.content {
            Content::Hands { hands, colours } => {
                for (owner, pieces) in hands {
                    let name = if owner.is_empty() { String::new() } else { format!("{} ", label(owner)) };
                    lines.push(format!("{name}{}: {}", figure.title, hand_text(pieces, colours, paint)));
                }
            }
            Content::Values { values: of_owners, is_flag } => {
                let Some(text) = value(&figure.title, of_owners, *is_flag) else { continue };
                if values.is_empty() {
                    values = text;
                } else if length(&values) + length(GAP) + length(&text) <= width {
                    values += &format!("{GAP}{text}");
                } else {
                    lines.push(std::mem::replace(&mut values, text));
                }
            }
            Content::Stacks { .. } | Content::Bars { .. } | Content::Tree { .. } => {}
        }
    }
    lines.extend(Some(values).filter(|values| !values.is_empty()));
    lines
        .iter()
        .flat_map(|line| paragraph(line, "", "  ", width).lines().map(str::to_string).collect::<Vec<_>>())
        .collect()
}

/// The name of a stack, and its pieces from the top.
type Stack = (GroundTerm, Vec<GroundTerm>);

/// The number of pieces for which stacks have room.
pub(super) fn height(stacks: &[Stack], pieces: usize) -> usize {
    if pieces <= HEIGHT { pieces } else { stacks.iter().map(|(_, stack)| stack.len()).max().unwrap_or(0) }
}

/// The sign of a piece of a stack.
pub(super) fn sign<'a>(pieces: &'a [(GroundTerm, Glyph)], piece: &GroundTerm) -> &'a Glyph {
    let found = pieces.binary_search_by(|(known, _)| known.cmp(piece));
    &pieces[found.expect("a piece that is there may be there")].1
}

/// Stacks side by side, and below each other where they are too many for the width. The sizes of pieces rise in
/// canonical order, and are drawn if there is room for them.
fn stacks_text(stacks: &[Stack], pieces: &[(GroundTerm, Glyph)], paint: Paint, width: usize) -> String {
    let text = pieces.iter().map(|(_, glyph)| length(&glyph.text)).max().unwrap_or(1);
    let name = stacks.iter().map(|(name, _)| length(&name.to_string())).max().unwrap_or(0);
    let full = (text + 2 * pieces.len()).max(name);
    let has_sizes = (full + 2) * stacks.len() <= width + 2;
    let wide = if has_sizes { full } else { text.max(name) };
    let piece = |piece: &GroundTerm| {
        let glyph = sign(pieces, piece);
        let rank = pieces.iter().position(|(known, _)| known == piece).unwrap_or(0);
        let inner = if has_sizes { text + 2 * rank } else { text };
        let drawn = if has_sizes { format!("({})", centred(&glyph.text, inner)) } else { glyph.text.clone() };
        let line = centred(&drawn, wide);
        let (start, drawn) = line.split_at(line.len() - line.trim_start().len());
        format!("{start}{}{}", styled(drawn.trim_end(), glyph.colour, false, paint), &drawn[drawn.trim_end().len()..])
    };
    let height = height(stacks, pieces.len());
    let group = |stacks: &[Stack]| {
        let row = |row: usize| {
            let cell = |(_, stack): &Stack| {
                let index = (row + stack.len()).checked_sub(height);
                index.map_or_else(|| centred("│", wide), |index| piece(&stack[index]))
            };
            stacks.iter().map(cell).collect::<Vec<_>>().join("  ")
        };
        let names = stacks.iter().map(|(name, _)| centred(&name.to_string(), wide)).collect::<Vec<_>>().join("  ");
        let rule = "─".repeat((wide + 2) * stacks.len() - 2);
        (0..height).map(row).chain([rule, names]).map(|line| line.trim_end().to_string() + "\n").collect::<String>()
    };
    stacks.chunks(((width + 2) / (wide + 2)).max(1)).map(group).collect()
}

fn centred(text: &str, width: usize) -> String {
    format!("{text:^width$}")
}

/// A row of marks for each number, and the number; without blanks between the marks, or cut, where there is no room.
fn bars_text(bars: &[(GroundTerm, GroundTerm)], mark: &Glyph, paint: Paint, width: usize) -> String {
    let margin = bars.iter().map(|(row, _)| length(&row.to_string())).max().unwrap_or(0);
    let longest = bars.iter().map(|(_, count)| length(&count.to_string())).max().unwrap_or(0);
    let most = bars.iter().filter_map(|(_, count)| number(count)).max().unwrap_or(0);
    let room = width.saturating_sub(margin + 3 + 2 + longest);
    let gap = if most * (length(&mark.text) + 1) <= room + 1 { " " } else { "" };
    let line = |(row, count): &(GroundTerm, GroundTerm)| {
        let marks = cut(&vec![mark.text.as_str(); number(count).unwrap_or(0)].join(gap), room);
        let gap = if marks.is_empty() { "" } else { "  " };
        format!("{:>margin$} │ {}{gap}{count}\n", row.to_string(), styled(&marks, mark.colour, false, paint))
    };
    bars.iter().map(line).collect()
}

/// The pieces of a hand.
fn hand_text(pieces: &[Piece], colours: &BTreeMap<Piece, Colour>, paint: Paint) -> String {
    if pieces.is_empty() {
        return "nothing".to_string();
    }
    let name = |piece: &Piece| styled(&full_name(piece), colours.get(piece).copied(), false, paint);
    pieces.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// The values of all owners; nothing if there are neither owners nor values.
fn value(title: &str, of_owners: &[(Vec<GroundTerm>, Vec<Piece>)], is_flag: bool) -> Option<String> {
    if is_flag {
        return of_owners.iter().any(|(_, values)| !values.is_empty()).then(|| title.to_string());
    }
    let owner = |(owner, values): &(Vec<GroundTerm>, Vec<Piece>)| {
        let values = match &values[..] {
            [] => "none".to_string(),
            values => values.iter().map(full_name).collect::<Vec<_>>().join(", "),
        };
        if owner.is_empty() { values } else { format!("{} {values}", label(owner)) }
    };
    let is_shown = of_owners.iter().any(|(owner, values)| !owner.is_empty() || !values.is_empty());
    is_shown.then(|| format!("{title}: {}", of_owners.iter().map(owner).collect::<Vec<_>>().join(", ")))
}
