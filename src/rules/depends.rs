//! The dependencies of a relation in both directions, for display: with strata and positions, as text or as a graph in
//! the DOT language.

use super::clause::{Keyword, RelationId, RuleSet};
use super::dependency::{Dependency, DependencyGraph};
use super::strata::stratify;
use crate::drawing::Digraph;
use crate::syntax::{LineColumn, Source};
use serde::Serialize;
use std::fmt::Write;

/// The dependencies of a relation, and the dependencies on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Depends {
    /// The relation, as a name with an arity.
    pub(crate) relation: String,
    /// The stratum of its rules, from 0; `None` if the rules are not stratified.
    pub stratum: Option<u32>,
    /// What its answers depend on.
    pub changes_with: ChangesWith,
    /// Whether it depends on itself.
    pub recursive: bool,
    /// The relations that its rules mention, in the order of the text.
    pub(crate) needs: Vec<Link>,
    /// The relations that it depends on through those.
    pub(crate) needs_indirectly: Vec<Relative>,
    /// The relations whose rules mention it, in the order of the text.
    pub(crate) needed_by: Vec<Link>,
    /// The relations that depend on it through those.
    pub(crate) needed_indirectly_by: Vec<Relative>,
}

/// What the answers of a relation depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangesWith {
    /// They are the same in every state.
    Nothing,
    /// They depend on `true`, but not on `does`.
    State,
    /// They depend on `does`, and possibly on `true`.
    JointMove,
}

/// A related relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Relative {
    /// The name with the arity.
    pub(crate) relation: String,
    /// The stratum of its rules; `None` if the rules are not stratified.
    pub(crate) stratum: Option<u32>,
}

/// A relation that mentions another, or is mentioned by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The relation at the other end.
    #[serde(flatten)]
    pub(crate) relative: Relative,
    /// Whether the mention is under a negation.
    pub(crate) negative: bool,
    /// The position of the first mention.
    #[serde(flatten)]
    pub(crate) at: LineColumn,
}

/// The dependencies of a relation. `source` is the text of the rules. Linear in the size of the rules.
pub fn depends(rules: &RuleSet, source: &Source, relation: RelationId) -> Depends {
    let graph = DependencyGraph::new(rules);
    let strata = stratify(rules, &graph).ok();
    let relative = |relation: RelationId| Relative {
        relation: rules.relation_label(relation),
        stratum: strata.as_ref().map(|strata| strata.of_relation[relation.index()]),
    };
    let link = |relation: RelationId, &Dependency { negative, span, .. }: &Dependency| Link {
        relative: relative(relation),
        negative,
        at: source.position(span.start),
    };
    let (needs, needed_by) = (graph.needs(relation), graph.needed_by(relation));
    let rest = |reached: Vec<bool>, direct: Vec<RelationId>| {
        let reached = (0..reached.len()).filter(|&index| reached[index]).map(RelationId::new);
        let mut rest: Vec<Relative> =
            reached.filter(|other| *other != relation && !direct.contains(other)).map(relative).collect();
        rest.sort_by(|a, b| a.relation.cmp(&b.relation));
        rest
    };
    let depends_on = |keyword| graph.dependencies(relation)[rules.keyword(keyword).index()];
    Depends {
        relation: rules.relation_label(relation),
        stratum: relative(relation).stratum,
        changes_with: match (depends_on(Keyword::Does), depends_on(Keyword::True)) {
            (true, _) => ChangesWith::JointMove,
            (_, true) => ChangesWith::State,
            _ => ChangesWith::Nothing,
        },
        recursive: needs.iter().any(|need| graph.dependencies(need.to)[relation.index()]),
        needs_indirectly: rest(graph.dependencies(relation), needs.iter().map(|need| need.to).collect()),
        needed_indirectly_by: rest(graph.dependents(relation), needed_by.iter().map(|need| need.from).collect()),
        needs: needs.iter().map(|need| link(need.to, need)).collect(),
        needed_by: needed_by.iter().map(|need| link(need.from, need)).collect(),
    }
}

impl Depends {
    /// The dependencies as lines of text; `name` is the file name for positions.
    pub fn text(&self, name: &str) -> String {
        let mut text = self.relation.clone();
        if let Some(stratum) = self.stratum {
            write!(text, ", stratum {stratum}").expect(WRITES);
        }
        text += match self.changes_with {
            ChangesWith::Nothing => ", the same in every state",
            ChangesWith::State => ", depends on the state",
            ChangesWith::JointMove => ", depends on the joint move",
        };
        text += if self.recursive { ", recursive\n" } else { "\n" };
        let sections = [
            ("needs", &self.needs, &self.needs_indirectly),
            ("is needed by", &self.needed_by, &self.needed_indirectly_by),
        ];
        for (title, links, rest) in sections {
            if links.is_empty() {
                writeln!(text, "  {title} nothing").expect(WRITES);
                continue;
            }
            writeln!(text, "  {title}").expect(WRITES);
            links.iter().for_each(|link| link.write(name, &mut text));
            if !rest.is_empty() {
                let rest: Vec<&str> = rest.iter().map(|relative| relative.relation.as_str()).collect();
                writeln!(text, "    and through them {}", rest.join(", ")).expect(WRITES);
            }
        }
        text
    }
}

const WRITES: &str = "a string takes all that is written to it";

impl Link {
    fn write(&self, name: &str, text: &mut String) {
        let negation = if self.negative { "~" } else { "" };
        let stratum = self.relative.stratum.map(|stratum| format!("stratum {stratum}, ")).unwrap_or_default();
        let LineColumn { line, column } = self.at;
        writeln!(text, "    {negation}{}  ({stratum}{name}:{line}:{column})", self.relative.relation).expect(WRITES);
    }
}

/// The relation with everything that it depends on and everything that depends on it, as a graph in the DOT language:
/// an edge leads to the relation that is needed, and is dashed if the dependency is negative.
pub fn dot(rules: &RuleSet, relation: RelationId) -> String {
    let graph = DependencyGraph::new(rules);
    let strata = stratify(rules, &graph).ok();
    let (below, above) = (graph.dependencies(relation), graph.dependents(relation));
    let shown = |index: &usize| below[*index] || above[*index];
    let mut drawn = Digraph::new(&[]);
    for shown in (0..rules.relations.len()).filter(shown).map(RelationId::new) {
        let stratum = strata.as_ref().map(|strata| format!("stratum {}", strata.of_relation[shown.index()]));
        let label: Vec<String> = std::iter::once(rules.relation_label(shown)).chain(stratum).collect();
        drawn.node(shown.index(), &label, (shown == relation).then_some("style=bold"));
    }
    for from in (0..rules.relations.len()).filter(shown).map(RelationId::new) {
        for need in graph.needs(from).into_iter().filter(|need| shown(&need.to.index())) {
            let (label, style) = if need.negative { (Some("not"), Some("style=dashed")) } else { (None, None) };
            drawn.edge(from.index(), need.to.index(), label, style);
        }
    }
    drawn.end()
}
