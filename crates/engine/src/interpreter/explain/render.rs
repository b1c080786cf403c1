//! Explanations as text and as JSON. Nothing here prints.

use super::{
    Attempt, Binding, ClaimId, ClauseRef, ConjunctionSource as Attempted, FailureReason, Justification, Proof,
    ProofStep, Verdict,
};
use gdl::syntax::Source;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fmt::Write;

/// The explanation as a tree, with one claim on each line and reasons indented below it. The reasons of a claim are
/// shown once; later the claim is only named. Below `depth` (the question itself is at 0) reasons are left out, and the
/// last line says so.
///
/// `source` is the text of the rules.
pub fn text(why: &Justification, source: &Source, depth: Option<u32>) -> String {
    let mut writer = ProofWriter { why, source, depth, out: String::new(), shown: FxHashSet::default(), cut: 0 };
    writer.write_all();
    writer.out
}

/// A line that is still to be written.
enum ProofLine {
    Claim { node: ClaimId, indent: usize, depth: u32 },
    Attempt { node: ClaimId, number: usize, indent: usize, depth: u32 },
}

struct ProofWriter<'a> {
    why: &'a Justification,
    source: &'a Source,
    depth: Option<u32>,
    out: String,
    /// Claims whose reasons have been written.
    shown: FxHashSet<ClaimId>,
    /// The number of claims that have reasons but were written without them.
    cut: usize,
}

impl ProofWriter<'_> {
    fn write_all(&mut self) {
        let solution = bindings(&self.why.solution);
        if !solution.is_empty() && self.why.holds {
            self.line(0, &format!("the first solution of {}: {solution}", self.why.as_written(&self.why.question)));
        }
        // A stack with the next line at the end, so that long chains need no recursion.
        let mut lines = vec![ProofLine::Claim { node: self.why.root, indent: 0, depth: 0 }];
        while let Some(line) = lines.pop() {
            let first = lines.len();
            match line {
                ProofLine::Claim { node, indent, depth } => self.write_claim(node, indent, depth, &mut lines),
                ProofLine::Attempt { node, number, indent, depth } => {
                    self.attempt(node, number, indent, depth, &mut lines)
                }
            }
            lines[first..].reverse();
        }
        if self.cut > 0 {
            let claims = plural(self.cut, "claim");
            let depth = self.depth.unwrap_or(0);
            self.line(0, &format!("the reasons of {claims} at depth {depth} are not shown"));
        }
    }

    fn write_claim(&mut self, id: ClaimId, indent: usize, depth: u32, lines: &mut Vec<ProofLine>) {
        let node = self.why.node(id);
        let reasons = node.reasons();
        let mut remark = self.remark(&node.verdict);
        if let Some(denied) = self.simply_absent(&node.verdict) {
            remark = denied;
        } else if !reasons.is_empty() {
            if !self.shown.insert(id) {
                remark = "shown above".to_string();
            } else if self.depth.is_some_and(|most| depth >= most) {
                self.shown.remove(&id);
                self.cut += 1;
                remark = joined_remarks(&remark, "…");
            } else {
                let line = |(number, &reason): (usize, &ClaimId)| match node.verdict {
                    Verdict::Fails(FailureReason::Attempts(_)) => {
                        ProofLine::Attempt { node: id, number, indent: indent + 1, depth: depth + 1 }
                    }
                    _ => ProofLine::Claim { node: reason, indent: indent + 1, depth: depth + 1 },
                };
                lines.extend(reasons.iter().enumerate().map(line));
            }
        }
        let remark = if remark.is_empty() { remark } else { format!("  ({remark})") };
        self.line(indent, &format!("{}{remark}", self.why.as_written(&node.claim)));
    }

    /// The remark on the failure of a negated conjunction, if the failure has no reasons to list.
    fn simply_absent(&self, verdict: &Verdict) -> Option<String> {
        let Verdict::Holds(Proof::Absent(denied)) = verdict else { return None };
        let denied = self.why.node(*denied);
        let remark = self.remark(&denied.verdict);
        denied.reasons().is_empty().then(|| remark.trim_start_matches("fails: ").to_string())
    }

    /// The remark on a claim, without its reasons.
    fn remark(&self, verdict: &Verdict) -> String {
        match verdict {
            Verdict::Holds(proof) => match proof {
                Proof::Fact => "in the state".to_string(),
                Proof::Move => "played".to_string(),
                Proof::Clause(clause, step) => joined_remarks(&self.location(*clause), &bindings(&step.bindings)),
                Proof::Branch(number, step) => {
                    joined_remarks(&format!("alternative {}", number + 1), &bindings(&step.bindings))
                }
                Proof::All(step) => bindings(&step.bindings),
                Proof::Different => "they differ".to_string(),
                Proof::Same => "they are the same".to_string(),
                Proof::Absent(_) => String::new(),
                Proof::Unexplored => "not explained: the explanation is already long".to_string(),
            },
            Verdict::Fails(failure) => match failure {
                FailureReason::NoFact => "fails: not in the state",
                FailureReason::NoMove => "fails: not played",
                FailureReason::NoJointMove => "fails: no joint move is given",
                FailureReason::NoClause => "fails: no fact or rule is of this form",
                FailureReason::Attempts(_) => "fails",
                FailureReason::Same => "fails: they are the same",
                FailureReason::Different => "fails: they differ",
                FailureReason::Present(_) => "fails",
                FailureReason::Unexplored => "fails; ask `why` for more",
            }
            .to_string(),
        }
    }

    fn attempt(&mut self, id: ClaimId, number: usize, indent: usize, depth: u32, lines: &mut Vec<ProofLine>) {
        let Verdict::Fails(FailureReason::Attempts(attempts)) = &self.why.node(id).verdict else { return };
        let Attempt { source, bindings: values, held, literals, fails } = &attempts[number];
        let source = match source {
            Attempted::Clause(clause) => format!("rule {}", self.location(*clause)),
            Attempted::Branch(number) => format!("alternative {}", number + 1),
            Attempted::Body => "together".to_string(),
        };
        let values =
            if values.iter().all(is_anonymous) { String::new() } else { format!(" with {}", bindings(values)) };
        let of = if *literals == 1 { String::new() } else { format!(", literal {} of {literals}", held + 1) };
        self.line(indent, &format!("{source}{values}{of}:"));
        lines.push(ProofLine::Claim { node: *fails, indent: indent + 1, depth });
    }

    fn location(&self, clause: ClauseRef) -> String {
        let position = self.source.position(clause.span.start);
        format!("{}:{}:{}", self.source.name(), position.line, position.column)
    }

    fn line(&mut self, indent: usize, text: &str) {
        writeln!(self.out, "{:1$}{text}", "", 2 * indent).expect("a string takes all that is written to it");
    }
}

fn is_anonymous(binding: &Binding) -> bool {
    binding.variable.starts_with('_')
}

fn bindings(bindings: &[Binding]) -> String {
    let named = bindings.iter().filter(|binding| !is_anonymous(binding));
    named.map(|Binding { variable, value }| format!("{variable} = {value}")).collect::<Vec<_>>().join(", ")
}

fn joined_remarks(left: &str, right: &str) -> String {
    let separator = if left.is_empty() || right.is_empty() { "" } else { "; " };
    format!("{left}{separator}{right}")
}

fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// The explanation as JSON: the question, whether it holds, and a flat list of claims that refer to each other by
/// number, the question's first. Claims whose shortest path from the question is longer than `depth` are omitted;
/// claims that would refer to them have `"cut": true`. (A nested form would be deeper than most JSON readers allow.)
pub fn json(why: &Justification, source: &Source, depth: Option<u32>) -> Value {
    let (order, depths) = breadth_first(why, depth);
    let numbers: FxHashMap<ClaimId, usize> = order.iter().enumerate().map(|(number, &node)| (node, number)).collect();
    let context = RenderContext { why, source, numbers };
    let claims: Vec<Value> =
        order.iter().zip(depths).map(|(&node, at)| context.write_claim(node, depth == Some(at))).collect();
    json!({
        "question": why.as_written(&why.question),
        "holds": why.holds,
        "solution": values(&why.solution),
        "claims": claims,
    })
}

/// The claims within the depth of the question, nearest first, with their depths.
fn breadth_first(why: &Justification, most: Option<u32>) -> (Vec<ClaimId>, Vec<u32>) {
    let mut order = Vec::new();
    let mut depths = Vec::new();
    let mut seen = FxHashSet::from_iter([why.root]);
    let mut queue = VecDeque::from([(why.root, 0)]);
    while let Some((id, depth)) = queue.pop_front() {
        order.push(id);
        depths.push(depth);
        if most != Some(depth) {
            let fresh = why.node(id).reasons().into_iter().filter(|&reason| seen.insert(reason));
            queue.extend(fresh.map(|reason| (reason, depth + 1)));
        }
    }
    (order, depths)
}

struct RenderContext<'a> {
    why: &'a Justification,
    source: &'a Source,
    numbers: FxHashMap<ClaimId, usize>,
}

impl RenderContext<'_> {
    fn write_claim(&self, id: ClaimId, last: bool) -> Value {
        let node = self.why.node(id);
        let mut claim = json!({
            "number": self.numbers[&id],
            "claim": self.why.as_written(&node.claim),
            "holds": node.holds(),
            "reason": name(&node.verdict),
        });
        match &node.verdict {
            Verdict::Holds(Proof::Clause(clause, step)) => {
                claim["clause"] = self.clause(*clause);
                self.add_step(&mut claim, step);
            }
            Verdict::Holds(Proof::Branch(number, step)) => {
                claim["alternative"] = json!(number + 1);
                self.add_step(&mut claim, step);
            }
            Verdict::Holds(Proof::All(step)) => self.add_step(&mut claim, step),
            Verdict::Holds(Proof::Absent(why)) | Verdict::Fails(FailureReason::Present(why)) => {
                claim["because"] = self.references(&[*why]);
            }
            Verdict::Fails(FailureReason::Attempts(attempts)) => {
                claim["attempts"] = attempts.iter().map(|attempt| self.attempt(attempt)).collect();
            }
            Verdict::Holds(_) | Verdict::Fails(_) => {}
        }
        if last && !node.reasons().is_empty() {
            claim["cut"] = json!(true);
        }
        claim
    }

    fn add_step(&self, claim: &mut Value, step: &ProofStep) {
        claim["bindings"] = values(&step.bindings);
        claim["because"] = self.references(&step.premises);
    }

    fn attempt(&self, attempt: &Attempt) -> Value {
        let mut value = json!({
            "bindings": values(&attempt.bindings),
            "held": attempt.held,
            "literals": attempt.literals,
            "fails": self.numbers.get(&attempt.fails),
        });
        match attempt.source {
            Attempted::Clause(clause) => value["clause"] = self.clause(clause),
            Attempted::Branch(number) => value["alternative"] = json!(number + 1),
            Attempted::Body => {}
        }
        value
    }

    /// The numbers of claims, without those that are omitted.
    fn references(&self, nodes: &[ClaimId]) -> Value {
        nodes.iter().filter_map(|node| self.numbers.get(node)).copied().collect()
    }

    fn clause(&self, clause: ClauseRef) -> Value {
        let position = self.source.position(clause.span.start);
        json!({
            "index": clause.index,
            "file": self.source.name(),
            "line": position.line,
            "column": position.column,
        })
    }
}

fn values(bindings: &[Binding]) -> Value {
    let named = bindings.iter().filter(|binding| !is_anonymous(binding));
    named
        .map(|Binding { variable, value }| (variable.to_string(), json!(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds(proof) => match proof {
            Proof::Fact => "fact",
            Proof::Move => "move",
            Proof::Clause(..) => "clause",
            Proof::Branch(..) => "alternative",
            Proof::All(_) => "all",
            Proof::Different => "different",
            Proof::Same => "same",
            Proof::Absent(_) => "absent",
            Proof::Unexplored => "unexplored",
        },
        Verdict::Fails(failure) => match failure {
            FailureReason::NoFact => "no_fact",
            FailureReason::NoMove => "no_move",
            FailureReason::NoJointMove => "no_joint_move",
            FailureReason::NoClause => "no_clause",
            FailureReason::Attempts(_) => "attempts",
            FailureReason::Same => "same",
            FailureReason::Different => "different",
            FailureReason::Present(_) => "present",
            FailureReason::Unexplored => "unexplored",
        },
    }
}
