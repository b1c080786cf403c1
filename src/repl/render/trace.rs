//! Renders traces of searches: a line for each expansion, and below it one for each generated node.

use crate::repl::answer::{DrawnTree, Trace, estimate_text};
use crate::rules::GroundTerm;
use crate::search::trace::{Bound, CutReason, Generated, Window, value_text};
use crate::search::{Event, NodeId, RoundCost};
use crate::syntax::Dialect;

/// The lines of a trace.
pub(super) fn trace(trace: &Trace, dialect: Dialect) -> String {
    let mut writer = Writer { text: String::new(), last: None, expanded: None };
    let (last, events) = match trace.events.split_last() {
        Some((last @ Event::BestLine { .. }, events)) => (Some(last), events),
        _ => (None, &trace.events[..]),
    };
    events.iter().for_each(|event| writer.write(event, dialect));
    if trace.left_out > 0 {
        writer.line(&format!("… {} events more", super::grouped(trace.left_out)));
    }
    last.into_iter().for_each(|event| writer.write(event, dialect));
    writer.end_line();
    writer.text
}

/// A sentence about a file with a drawn tree.
pub(super) fn drawn(tree: &DrawnTree) -> String {
    let folded = match tree.drawn == tree.nodes {
        true => String::new(),
        false => format!(", {} of them drawn, the others counted", super::grouped(tree.drawn)),
    };
    format!("{}: the explored tree, {}{folded}\n", tree.file, super::counted_as(tree.nodes, "node", "nodes"))
}

struct Writer {
    text: String,
    /// The node of the current line, to which more can be added.
    last: Option<NodeId>,
    /// The node that was expanded last.
    expanded: Option<NodeId>,
}

impl Writer {
    fn end_line(&mut self) {
        if self.last.take().is_some() {
            self.text.push('\n');
        }
    }

    fn line(&mut self, line: &str) {
        self.end_line();
        self.text += line;
        self.text.push('\n');
    }

    /// Adds something about a node: to the current line if it is about the same node, otherwise on a new line.
    fn add(&mut self, node: NodeId, what: &str) {
        if self.last == Some(node) {
            self.text += &format!(", {what}");
        } else {
            self.end_line();
            self.text += &format!("{}: {what}", node.number());
            self.last = Some(node);
        }
    }

    fn write(&mut self, event: &Event<'_, GroundTerm>, dialect: Dialect) {
        match event {
            Event::Round { bound: Bound::Depth(depth) } => self.line(&format!("round to depth {depth}")),
            Event::Round { bound: Bound::Cost(cost) } => self.line(&format!("round up to cost {cost}")),
            Event::RoundOver { cost: RoundCost { nodes, expanded, pops }, .. } => {
                let first = match pops {
                    Some(pops) => super::counted_as(*pops, "pop", "pops"),
                    None => super::counted_as(*nodes, "node", "nodes"),
                };
                self.line(&format!("end of the round: {first}, {} expanded", super::grouped(expanded)));
            }
            Event::Legal { .. } => {}
            Event::Generated(Generated { node, parent, moves, estimate, .. }) => {
                self.end_line();
                let moves: Vec<String> = moves.iter().map(|term| term.display(dialect).to_string()).collect();
                let way = match parent {
                    None => "the first state".to_string(),
                    Some(parent) if self.expanded == Some(*parent) => moves.join(", "),
                    Some(parent) => format!("{} from {}", moves.join(", "), parent.number()),
                };
                let estimate = estimate.map_or(String::new(), |estimate| format!(", {}", estimate_text(estimate)));
                let indent = if parent.is_some() { "  " } else { "" };
                self.text += &format!("{indent}{} {way}{estimate}", node.number());
                self.last = Some(*node);
            }
            Event::Expanded { node, window } => {
                let bounds = |Window { alpha, beta }: &Window| {
                    format!(" with alpha {}, beta {}", value_text(*alpha), value_text(*beta))
                };
                let window = window.as_ref().map(bounds);
                self.line(&format!("expand {}{}", node.number(), window.unwrap_or_default()));
                self.expanded = Some(*node);
            }
            Event::Ended { node, utility: Some(utility) } => self.add(*node, &format!("the end, worth {utility}")),
            Event::Ended { node, utility: None } => self.add(*node, "the end"),
            Event::Repeated { node } => self.add(*node, "seen before"),
            Event::Beyond { node } => self.add(*node, "not expanded"),
            Event::Valued { node, values } => {
                let values: Vec<String> = values.iter().copied().map(value_text).collect();
                self.add(*node, &format!("value {}", values.join(" ")));
            }
            Event::Cut { node, left_out, reason } => {
                let moves = match left_out {
                    None => "the rest".to_string(),
                    Some(1) => "1 move".to_string(),
                    Some(count) => format!("{count} moves"),
                };
                let reason = match reason {
                    CutReason::Best => "nothing is better",
                    CutReason::Beta => "at least beta",
                    CutReason::Alpha => "at most alpha",
                };
                self.add(*node, &format!("cut off {moves} ({reason})"));
            }
            Event::Frontier { nodes } => {
                let entry = |(node, order): &(NodeId, Option<u64>)| match order {
                    Some(order) => format!("{} ({order})", node.number()),
                    None => node.number().to_string(),
                };
                let nodes: Vec<String> = nodes.iter().map(entry).collect();
                let nodes = if nodes.is_empty() { "empty".to_string() } else { nodes.join(" ") };
                self.line(&format!("queue: {nodes}"));
            }
            Event::BestLine { nodes } => {
                let nodes: Vec<String> = nodes.iter().map(|node| node.number().to_string()).collect();
                self.line(&format!("best line: {}", nodes.join(" ")));
            }
        }
    }
}
