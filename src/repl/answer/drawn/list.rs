//! The explored tree as a list: a line for each node, indented by its depth, with the move that led there and who made
//! it, and the score. Of alpha-beta also alpha and beta after it, and all of it from the side of the player who made
//! the move, as negamax reports its scores.

use super::Scene;
use crate::table::{Column, Table};
use ggp_game::Reasoner;
use ggp_search::events::{NodeKind, value_text};
use ggp_search::{ExploredTree, Worth};

/// The greatest number of nodes of a list.
const MOST: usize = 10_000;

pub(super) fn list<R: Reasoner>(explored: &ExploredTree, scene: &Scene, reasoner: &R) -> String {
    let mut columns = vec![Column::Right, Column::Left, Column::Right];
    let mut head = vec!["node".to_string(), "move".to_string(), "score".to_string()];
    if scene.has_windows {
        columns.extend([Column::Right, Column::Right]);
        head.extend(["α".to_string(), "β".to_string()]);
    }
    let is_sampled = explored.nodes.iter().any(|node| node.sampled.is_some());
    if is_sampled {
        columns.push(Column::Right);
        head.push("visits".to_string());
    }
    let mut rows = vec![head];
    for (index, node) in explored.nodes.iter().enumerate().take(MOST) {
        let moves: Vec<String> =
            node.generated.moves.iter().map(|&chosen| reasoner.move_term(chosen).to_string()).collect();
        let who = node.parent.map_or("", |parent| &scene.node(parent).roles);
        let what = if who.is_empty() { moves.join(", ") } else { format!("{who}: {}", moves.join(", ")) };
        // Without windows the values of negamax are already those of the side that has moved.
        let by_others = node.parent.is_some_and(|parent| explored.nodes[parent].generated.kind == NodeKind::Min);
        let turned = by_others && scene.has_windows;
        let side = |value: f64| if turned { scene.sum - value } else { value };
        let rounded = |value: f64| if node.sampled.is_some() { (value * 10.0).round() / 10.0 } else { value };
        let score: Vec<String> = (0..node.values.len())
            .map(|index| match node.worths.get(index) {
                Some(Worth::Unknown) => Worth::Unknown.number(),
                _ => value_text(side(rounded(node.values[index]))),
            })
            .collect();
        let indent = "  ".repeat(node.generated.depth as usize);
        let mut row = vec![index.to_string(), format!("{indent}{what}"), score.join(", ")];
        if scene.has_windows {
            let window = node.narrowed.map(|window| match turned {
                true => (side(window.beta), side(window.alpha)),
                false => (window.alpha, window.beta),
            });
            let (alpha, beta) =
                window.map_or_else(Default::default, |(alpha, beta)| (value_text(alpha), value_text(beta)));
            row.extend([alpha, beta]);
        }
        row.extend(node.sampled.map(|sampled| sampled.visits.to_string()));
        rows.push(row);
    }
    let mut text = Table::new(columns).rows(rows).to_string();
    if explored.nodes.len() > MOST {
        text += &format!("… {} nodes more\n", explored.nodes.len() - MOST);
    }
    text
}
