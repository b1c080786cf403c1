//! The dependencies of a relation in both directions, for display: with strata and positions.

use super::clause::{Keyword, RelationId, RuleSet};
use super::dependency::{Dependency, DependencyGraph};
use super::strata::stratify;
use crate::sorting;
use crate::syntax::{LineColumn, Source};
use serde::Serialize;

/// The dependencies of a relation, and the dependencies on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RelationDependencies {
    /// The relation, as a name with an arity.
    pub relation: String,
    /// The stratum of its rules, from 0; `None` if the rules are not stratified.
    pub stratum: Option<u32>,
    /// Input on which its answers depend.
    pub changes_with: ChangesWith,
    /// True if it depends on itself.
    pub recursive: bool,
    /// The relations that its rules mention, in the order of the text.
    pub needs: Vec<Link>,
    /// The relations that it depends on through those in `needs`.
    pub needs_indirectly: Vec<Relative>,
    /// The relations whose rules mention it, in the order of the text.
    pub needed_by: Vec<Link>,
    /// The relations that depend on it through those in `needed_by`.
    pub needed_indirectly_by: Vec<Relative>,
}

/// Input on which the answers of a relation depend.
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
    pub relation: String,
    /// The stratum of its rules; `None` if the rules are not stratified.
    pub stratum: Option<u32>,
}

/// A relation that mentions another, or is mentioned by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The relation at the other end.
    #[serde(flatten)]
    pub relative: Relative,
    /// True if the mention is under a negation.
    pub negative: bool,
    /// The position of the first mention.
    #[serde(flatten)]
    pub at: LineColumn,
}

/// The dependencies of a relation. `source` is the text of the rules. Linear in the size of the rules.
pub fn depends(rules: &RuleSet, source: &Source, relation: RelationId) -> RelationDependencies {
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
    let needs = graph.needs(relation);
    let needed_by = graph.needed_by(relation);
    let rest = |reached: Vec<bool>, direct: Vec<RelationId>| {
        let reached = (0..reached.len()).filter(|&index| reached[index]).map(RelationId::new);
        let mut rest: Vec<Relative> =
            reached.filter(|other| *other != relation && !direct.contains(other)).map(relative).collect();
        sorting::sort_by(&mut rest, |a, b| a.relation.cmp(&b.relation));
        rest
    };
    let depends_on = |keyword| graph.dependencies(relation)[rules.keyword(keyword).index()];
    RelationDependencies {
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
