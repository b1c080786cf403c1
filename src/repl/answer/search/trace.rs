//! Observations of a search as text: its events, a line for each expansion and below it one for each generated node; or
//! the steps of a textbook's procedure, indented by the calls around them.

use crate::repl::answer::text::{line, terms};
use crate::repl::answer::{Narration, estimate_text};
use gdl::quantity::{counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_game::Reasoner;
use ggp_search::events::{Bound, CutReason, Estimate, GeneratedNode, Window, shown_values, value_text};
use ggp_search::{
    CallVerdict, CodeReader, Event, NarratedEvent, NarratedStep, NodeId, Procedure, Pseudocode, Recorder, RoundCost,
    ScoredPlan,
};
use serde::Serialize;
use std::collections::HashMap;

/// The events of a search.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EventTrace {
    /// The events, in the order in which they happened.
    pub(crate) events: Vec<Event<'static, GroundTerm>>,
    /// The states of the nodes, if `--positions` was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) positions: Vec<NodePosition>,
    /// The number of later events, which are not shown.
    pub(crate) left_out: u64,
    /// The pseudo-code of the search, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<TracedCode>,
}

/// Pseudo-code with the lines at work.
#[derive(Clone, Debug, Serialize)]
struct TracedCode {
    lines: Vec<&'static str>,
    /// The index of the line at each event.
    at: Vec<usize>,
}

/// The state of a node.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NodePosition {
    /// The node.
    pub node: NodeId,
    /// The facts that hold in its state, in canonical order.
    pub facts: Vec<GroundTerm>,
    /// The facts on one line: what stands where.
    #[serde(skip)]
    pub text: String,
}

impl EventTrace {
    /// The recorded events of a search of this name, with moves as the reasoner's terms.
    pub(crate) fn from_recorder<R: Reasoner>(recorder: Recorder, search: &str, reasoner: &R) -> Self {
        let Recorder { events, left_out, .. } = recorder;
        let code = Pseudocode::of(search).map(|code| {
            let mut reader = CodeReader::new(code);
            TracedCode { lines: code.lines().collect(), at: events.iter().map(|event| reader.line(event)).collect() }
        });
        let shown = |event: &Event<'_>| event.map_moves(|&chosen| reasoner.move_term(chosen));
        Self { events: events.iter().map(shown).collect(), left_out, positions: Vec::new(), code }
    }

    /// Its lines.
    pub(super) fn text(&self, dialect: Dialect) -> String {
        let positions = self.positions.iter().map(|position| (position.node, position.text.as_str())).collect();
        let mut writer = TraceWriter {
            text: String::new(),
            last: None,
            expanded: None,
            first: 0,
            positions,
            estimates: HashMap::new(),
        };
        // The best line is the last event, and stands after the note on the events that were left out.
        let (last, events) = match self.events.split_last() {
            Some((last @ Event::BestLine { .. }, events)) => (Some(last), events),
            _ => (None, &self.events[..]),
        };
        events.iter().for_each(|event| writer.write(event, dialect));
        if self.left_out > 0 {
            writer.line(&format!("… {} events more", grouped(self.left_out)));
        }
        last.into_iter().for_each(|event| writer.write(event, dialect));
        writer.end_line();
        writer.text
    }
}

struct TraceWriter<'a> {
    text: String,
    /// The node of the current line, to which more can be added.
    last: Option<NodeId>,
    /// The node that was expanded last.
    expanded: Option<NodeId>,
    /// The number of the first node of this round: each round numbers its nodes from 0.
    first: u64,
    /// The positions of the nodes on one line each; empty without `--positions`.
    positions: HashMap<NodeId, &'a str>,
    /// The estimates of the nodes so far.
    estimates: HashMap<NodeId, Estimate>,
}

impl TraceWriter<'_> {
    /// The number of a node in its round.
    fn number(&self, node: NodeId) -> u64 {
        node.number().saturating_sub(self.first)
    }

    /// The position of a node, after a separator; empty without `--positions`.
    fn position(&self, separator: &str, node: NodeId) -> String {
        self.positions.get(&node).map_or(String::new(), |text| format!("{separator}{text}"))
    }

    /// The waiting nodes: on one line or, with their positions, a line for each.
    fn queue(&mut self, nodes: &[(NodeId, Option<u64>)]) {
        if nodes.is_empty() {
            self.line("queue: empty");
        } else if self.positions.is_empty() {
            let entry = |(node, order): &(NodeId, Option<u64>)| match order {
                Some(order) => format!("{} ({order})", self.number(*node)),
                // An estimate without a sum says that no goal can be reached.
                None if self.estimates.contains_key(node) => format!("{} (∞)", self.number(*node)),
                None => self.number(*node).to_string(),
            };
            let nodes: Vec<String> = nodes.iter().map(entry).collect();
            self.line(&format!("queue: {}", nodes.join(" ")));
        } else {
            self.line("queue:");
            for &(node, _) in nodes {
                let estimate =
                    self.estimates.get(&node).map_or(String::new(), |&own| format!(", {}", estimate_text(own)));
                self.line(&format!("    {}{estimate}{}", self.number(node), self.position(": ", node)));
            }
        }
    }

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
            self.text += &format!("{}: {what}", self.number(node));
            self.last = Some(node);
        }
    }

    /// Begins a line for a node: its number, the moves that lead there, its estimate and its position.
    fn generated(
        &mut self,
        GeneratedNode { node, parent, moves, estimate, .. }: &GeneratedNode<'_, GroundTerm>,
        dialect: Dialect,
    ) {
        self.end_line();
        if parent.is_none() {
            // A node without a parent begins a round, which numbers its nodes from 0 again.
            self.first = node.number();
        }
        self.estimates.extend(estimate.map(|estimate| (*node, estimate)));
        let moves = terms(moves, ", ", dialect);
        let way = match parent {
            None => "the first state".to_string(),
            Some(parent) if self.expanded == Some(*parent) => moves,
            Some(parent) => format!("{moves} from {}", self.number(*parent)),
        };
        let estimate = estimate.map_or(String::new(), |estimate| format!(", {}", estimate_text(estimate)));
        let indent = if parent.is_some() { "  " } else { "" };
        let position = self.position(": ", *node);
        self.text += &format!("{indent}{} {way}{estimate}{position}", self.number(*node));
        self.last = Some(*node);
    }

    fn write(&mut self, event: &Event<'_, GroundTerm>, dialect: Dialect) {
        match event {
            Event::Round { bound: Bound::Depth(depth) } => self.line(&format!("round to depth {depth}")),
            Event::Round { bound: Bound::Cost(cost) } => self.line(&format!("round up to cost {cost}")),
            Event::Round { bound: Bound::Unlimited } => self.line("round without a bound"),
            Event::RoundOver { cost: RoundCost { nodes, expanded, pops }, .. } => {
                let first = match pops {
                    Some(pops) => counted_as(*pops, "pop", "pops"),
                    None => counted_as(*nodes, "node", "nodes"),
                };
                self.line(&format!("end of the round: {first}, {} expanded", grouped(expanded)));
            }
            // Legal moves are not listed: those that are searched follow as generated nodes.
            Event::Legal { .. } => {}
            Event::Generated(generated) => self.generated(generated, dialect),
            Event::Expanded { node, window } => {
                let bounds = |Window { alpha, beta }: &Window| {
                    format!(" with alpha {}, beta {}", value_text(*alpha), value_text(*beta))
                };
                let window = window.as_ref().map(bounds);
                let position = self.position(": ", *node);
                self.line(&format!("expand {}{}{position}", self.number(*node), window.unwrap_or_default()));
                self.expanded = Some(*node);
            }
            Event::Ended { node, utility: Some(utility) } => self.add(*node, &format!("the end, worth {utility}")),
            Event::Ended { node, utility: None } => self.add(*node, "the end"),
            Event::Repeated { node } => self.add(*node, "seen before"),
            Event::Beyond { node } => self.add(*node, "not expanded"),
            Event::Valued { node, values, worths } => {
                self.add(*node, &format!("value {}", shown_values(values, worths).join(" ")));
            }
            Event::Narrowed { node, window: Window { alpha, beta } } => {
                self.add(*node, &format!("then alpha {}, beta {}", value_text(*alpha), value_text(*beta)));
            }
            Event::Cut { node, left_out, reason } => self.add(*node, &cut_text(*left_out, reason)),
            Event::Frontier { nodes } => self.queue(nodes),
            Event::Selected { node, bound } => {
                let bound = bound.map_or(String::new(), |bound| format!(" with the bound {}", value_text(bound)));
                self.line(&format!("go on to {}{bound}", self.number(*node)));
            }
            Event::Sampled { node, utilities } => {
                let utilities: Vec<String> = utilities.iter().copied().map(value_text).collect();
                self.add(*node, &format!("a random game ends with {}", utilities.join(" ")));
            }
            Event::Averaged { node, visits, mean } => {
                let mean = mean.map_or(String::new(), |mean| format!(", mean {}", value_text(mean)));
                let games = counted_as(u64::from(*visits), "game", "games");
                self.line(&format!("count {}: {games}{mean}", self.number(*node)));
            }
            Event::BestLine { nodes } => {
                self.first = nodes.first().map_or(0, |first| first.number());
                let nodes: Vec<String> = nodes.iter().map(|&node| self.number(node).to_string()).collect();
                self.line(&format!("best line: {}", nodes.join(" ")));
            }
        }
    }
}

/// The number of moves that were cut off, and the reason.
fn cut_text(left_out: Option<u64>, reason: &CutReason) -> String {
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
    format!("cut off {moves} ({reason})")
}

impl Narration {
    /// A line for each step, indented by the calls around it.
    pub(super) fn text(&self, dialect: Dialect) -> String {
        let mut text = String::new();
        for step in &self.steps {
            text += &line("  ".repeat(step.depth as usize) + &self.step(step, dialect));
        }
        if self.left_out > 0 {
            text += &line(format!("… {}", counted_as(self.left_out, "step more", "steps more")));
        }
        text
    }

    fn step(&self, NarratedStep { depth, what }: &NarratedStep<GroundTerm>, dialect: Dialect) -> String {
        match what {
            NarratedEvent::Call { number, chosen } => {
                let name = match self.procedure {
                    Procedure::BestMove if *depth == 0 => "bestmove",
                    Procedure::BestMove | Procedure::MaxScore => "maxscore",
                    Procedure::BestPlan => "bestplan",
                };
                match chosen {
                    Some(chosen) => format!("call {number}: {name} after {}", chosen.display(dialect)),
                    None => format!("call {number}: {name}"),
                }
            }
            NarratedEvent::TerminalTest { reward: None } => "terminal: no".to_string(),
            NarratedEvent::TerminalTest { reward: Some(reward) } => {
                let result = ScoredPlan { score: *reward, plan: Vec::new() };
                format!("terminal: yes, return {}", self.result(&result, dialect))
            }
            NarratedEvent::Moves { moves, score } => {
                let begin = match (score, moves.first()) {
                    (None, _) => String::new(),
                    (Some(score), Some(first)) if self.procedure == Procedure::BestMove && *depth == 0 => {
                        format!("; begin with {} and score {score}", first.display(dialect))
                    }
                    (Some(score), _) => format!("; begin with score {score}"),
                };
                format!("moves: {}{begin}", terms(moves, ", ", dialect))
            }
            NarratedEvent::Beyond => "beyond the limit on depth: not examined".to_string(),
            NarratedEvent::Compared { chosen, result, verdict } => {
                let result = result.as_ref().map_or("nothing".to_string(), |result| self.result(result, dialect));
                let verdict = match verdict {
                    CallVerdict::AtOnce => "return at once".to_string(),
                    CallVerdict::First => "the first result, keep".to_string(),
                    CallVerdict::Greater(than) => format!("greater than {than}, keep"),
                    CallVerdict::NotGreater(than) => format!("not greater than {than}"),
                    CallVerdict::Unknown => "nothing to keep".to_string(),
                };
                format!("{}: {result}, {verdict}", chosen.display(dialect))
            }
            NarratedEvent::Returned { result } => match (self.procedure, &result.plan[..]) {
                (Procedure::BestMove, [chosen]) if *depth == 0 => format!("return {}", chosen.display(dialect)),
                _ => format!("return {}", self.result(result, dialect)),
            },
        }
    }

    /// A score, or for `bestplan` the pair of a score and a plan, last move first.
    fn result(&self, ScoredPlan { score, plan }: &ScoredPlan<GroundTerm>, dialect: Dialect) -> String {
        match self.procedure {
            Procedure::BestPlan => format!("({score}, [{}])", terms(plan, " ", dialect)),
            _ => score.to_string(),
        }
    }
}
