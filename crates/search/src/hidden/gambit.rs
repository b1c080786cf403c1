//! The extensive form as a file of Gambit.

use super::ExtensiveForm;
use super::extensive_form::FormNodeKind;
use ggp_game::{Move, PerceptReasoner};
use std::fmt::Write;

/// The tree in Gambit's format for extensive games (`.efg`), with the moves as labels, what roles know as information
/// sets, and utilities as payoffs.
///
/// - Source: *The Gambit project*, File formats: the extensive game (.efg) file format.
pub fn gambit<R: PerceptReasoner>(form: &ExtensiveForm, reasoner: &R, title: &str) -> String {
    let roles: Vec<String> = form.players.iter().map(|role| quoted(&reasoner.roles()[role.index()])).collect();
    let mut text = format!("EFG 2 R {} {{ {} }}\n\"\"\n\n", quoted(&title), roles.join(" "));
    // Chance has a set for each of its nodes, and an outcome is one of a terminal state.
    let mut chance_sets = 0;
    let mut pending = vec![0];
    while let Some(index) = pending.pop() {
        let node = form.nodes[index];
        let moves =
            |list: &[Move]| -> Vec<String> { list.iter().map(|&chosen| quoted(&reasoner.move_term(chosen))).collect() };
        // Writing to a text cannot fail.
        let _ = match node.kind {
            FormNodeKind::Terminal(number) => {
                let payoffs: Vec<String> = form.payoffs_at(number).iter().map(ToString::to_string).collect();
                writeln!(text, "t \"\" {} \"\" {{ {} }}", number + 1, payoffs.join(", "))
            }
            FormNodeKind::Chance(list) => {
                chance_sets += 1;
                let moves = moves(form.moves_of_list(list));
                let actions: Vec<String> = moves.iter().map(|name| format!("{name} 1/{}", moves.len())).collect();
                writeln!(text, "c \"\" {chance_sets} \"\" {{ {} }} 0", actions.join(" "))
            }
            FormNodeKind::Decision(set) => {
                let player = form.sets[set as usize].player as usize;
                let number = set as usize - form.sets_of(player).start + 1;
                let moves = moves(form.moves(set as usize));
                writeln!(text, "p \"\" {} {number} \"\" {{ {} }} 0", player + 1, moves.join(" "))
            }
        };
        // Nodes follow in the order of lines, the first child first.
        pending.extend(form.children(node).rev());
    }
    text
}

fn quoted(name: &impl ToString) -> String {
    format!("\"{}\"", name.to_string().replace('\\', "\\\\").replace('"', "\\\""))
}
