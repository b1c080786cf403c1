//! Fluents by their names: the rules that make the facts of a name, and the dependencies between facts and relations
//! from one state to the next.

use super::clause::{Atom, Keyword, Pattern, RelationId, RuleSet};
use super::dependency::each_atom;
use super::depends::{Link, Relative};
use super::listing::{RelationRules, grouped};
use super::symbol::SymbolId;
use crate::sorting;
use crate::syntax::operations::ClauseOrigin;
use crate::syntax::{Source, Span};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::BTreeMap;

/// The dependencies of the facts of one name, and the dependencies on them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FluentDependencies {
    /// The name of the facts, with the number of their arguments.
    pub fluent: String,
    /// What the rules for `init` and `next` mention that make such a fact, in the order of the text. Other facts are
    /// written `true(step/1)`.
    pub needs: Vec<Link>,
    /// What they depend on through that, now or in earlier states.
    pub needs_indirectly: Vec<Relative>,
    /// The relations whose rules mention such a fact, and the facts that rules make of it: `next(step/1)`.
    pub needed_by: Vec<Link>,
    /// What depends on it through them, now or in later states.
    pub needed_indirectly_by: Vec<Relative>,
}

/// A name of facts, with the number of their arguments.
type Fluent = (SymbolId, usize);

/// The rules for `init`, `next` and `base` that make facts of this name, of any number of arguments or of this one;
/// among them those that make facts of any name. Empty if no rule mentions such a fact. Linear in the size of the rules.
pub fn select_fluent(rules: &RuleSet, name: &str, arity: Option<usize>) -> Vec<RelationRules> {
    let wanted = named(rules, name, arity);
    let makes = |index: usize| {
        let head = &rules.clauses[index].head;
        let is_made = matches!(rules.keyword_of(head.relation), Some(Keyword::Init | Keyword::Next | Keyword::Base));
        is_made && !wanted.is_empty() && fluent(head).is_none_or(|made| wanted.contains(&made))
    };
    grouped(rules, makes)
}

/// The dependencies of facts of this name, of any number of arguments or of this one; an entry for each number. Linear
/// in the size of the rules.
pub fn fluent_depends(rules: &RuleSet, source: &Source, name: &str, arity: Option<usize>) -> Vec<FluentDependencies> {
    let graph = FluentGraph::new(rules);
    let wanted = named(rules, name, arity);
    wanted.into_iter().map(|fluent| graph.dependencies(fluent, rules, source)).collect()
}

/// The facts of this name that rules mention.
fn named(rules: &RuleSet, name: &str, arity: Option<usize>) -> Vec<Fluent> {
    let is_meant =
        |fluent: &Fluent| &**rules.symbols.name(fluent.0) == name && arity.is_none_or(|arity| fluent.1 == arity);
    all(rules).into_iter().filter(is_meant).collect()
}

/// All names of facts that rules mention, in the order of the text.
fn all(rules: &RuleSet) -> Vec<Fluent> {
    let mut fluents = Vec::new();
    let mut seen = FxHashSet::default();
    let mut add = |atom: &Atom| {
        let keyword = rules.keyword_of(atom.relation);
        if matches!(keyword, Some(Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base)) {
            fluents.extend(fluent(atom).filter(|&fluent| seen.insert(fluent)));
        }
    };
    for clause in &rules.clauses {
        add(&clause.head);
        each_atom(&clause.body, false, &mut |atom, _| add(atom));
    }
    fluents
}

/// The name of the fact that an atom is about; `None` for a variable.
fn fluent(atom: &Atom) -> Option<Fluent> {
    match atom.arguments.first()? {
        Pattern::Variable(_) => None,
        Pattern::Symbol(name) => Some((*name, 0)),
        Pattern::Compound(name, arguments) => Some((*name, arguments.len())),
    }
}

/// A relation, the facts of a name, or the actions of a name in a sheet with operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Node {
    Relation(RelationId),
    Facts(Fluent),
    Actions(Fluent),
}

/// A mention in the body of a rule.
#[derive(Clone, Copy)]
struct Mention {
    from: Node,
    to: Node,
    negative: bool,
    span: Span,
}

/// The mentions of all rules. A rule for `init` or `next` belongs to the facts that it makes, and `true` leads to them. In
/// a sheet with operations, so does what takes facts away, and `does` leads to actions; implied rules are left out.
struct FluentGraph {
    mentions: Vec<Mention>,
    needs: BTreeMap<Node, Vec<Node>>,
    needed_by: BTreeMap<Node, Vec<Node>>,
}

impl FluentGraph {
    fn new(rules: &RuleSet) -> Self {
        let all = all(rules);
        let mut graph = Self { mentions: Vec::new(), needs: BTreeMap::new(), needed_by: BTreeMap::new() };
        let words = rules.operations.as_ref();
        let removed = words.and_then(|words| rules.find_relation(words.removed.as_ref()?, 1));
        for (index, clause) in rules.clauses.iter().enumerate() {
            if rules.origin(index) == Some(ClauseOrigin::Implied) {
                continue;
            }
            let is_made = matches!(rules.keyword_of(clause.head.relation), Some(Keyword::Init | Keyword::Next));
            let made = is_made || Some(clause.head.relation) == removed;
            let heads = match (made, fluent(&clause.head)) {
                (false, _) => vec![Node::Relation(clause.head.relation)],
                (true, Some(fluent)) => vec![Node::Facts(fluent)],
                // `next(F)` makes facts of every name.
                (true, None) => all.iter().copied().map(Node::Facts).collect(),
            };
            each_atom(&clause.body, false, &mut |atom, negative| {
                let named = match rules.keyword_of(atom.relation) {
                    Some(Keyword::True) => fluent(atom).map(Node::Facts),
                    Some(Keyword::Does) if words.is_some() => atom.arguments[1].functor().map(Node::Actions),
                    _ => None,
                };
                let to = named.unwrap_or(Node::Relation(atom.relation));
                for &from in &heads {
                    graph.add(Mention { from, to, negative, span: atom.span });
                }
            });
        }
        graph
    }

    fn add(&mut self, mention: Mention) {
        self.needs.entry(mention.from).or_default().push(mention.to);
        self.needed_by.entry(mention.to).or_default().push(mention.from);
        self.mentions.push(mention);
    }

    fn dependencies(&self, fluent: Fluent, rules: &RuleSet, source: &Source) -> FluentDependencies {
        let own = Node::Facts(fluent);
        let links = |keyword: Keyword, start: &dyn Fn(&Mention) -> Node, end: &dyn Fn(&Mention) -> Node| {
            let mut seen = FxHashSet::default();
            let mentions = self.mentions.iter().filter(|&mention| start(mention) == own);
            let first: Vec<&Mention> =
                mentions.filter(|mention| seen.insert((end(mention), mention.negative))).collect();
            let link = |mention: &&Mention| Link {
                relative: Relative { relation: label(rules, end(mention), keyword), stratum: None },
                negative: mention.negative,
                at: source.position(mention.span.start),
            };
            let direct: Vec<Node> = first.iter().map(|mention| end(mention)).collect();
            (first.iter().map(link).collect::<Vec<Link>>(), direct)
        };
        let (needs, below) = links(Keyword::True, &|mention| mention.from, &|mention| mention.to);
        let (needed_by, above) = links(Keyword::Next, &|mention| mention.to, &|mention| mention.from);
        FluentDependencies {
            fluent: format!("{}/{}", rules.symbols.name(fluent.0), fluent.1),
            needs,
            needs_indirectly: indirect(rules, &self.needs, own, &below),
            needed_by,
            needed_indirectly_by: indirect(rules, &self.needed_by, own, &above),
        }
    }
}

/// What is reached from a node, without what is reached directly.
fn indirect(rules: &RuleSet, edges: &BTreeMap<Node, Vec<Node>>, own: Node, direct: &[Node]) -> Vec<Relative> {
    let mut seen: FxHashSet<Node> = direct.iter().copied().chain([own]).collect();
    let mut open = direct.to_vec();
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        for &next in edges.get(&node).into_iter().flatten() {
            if seen.insert(next) {
                found.push(Relative { relation: label(rules, next, Keyword::True), stratum: None });
                open.push(next);
            }
        }
    }
    sorting::sort_by(&mut found, |left, right| left.relation.cmp(&right.relation));
    found
}

/// A relation with its arity; facts within a keyword, which tells them from a relation of the same name. A sheet with
/// operations writes facts without it, and `legal` without the role.
fn label(rules: &RuleSet, node: Node, keyword: Keyword) -> String {
    let has_operations = rules.operations.is_some();
    match node {
        Node::Relation(relation) if has_operations && relation == rules.keyword(Keyword::Legal) => {
            "legal/1".to_string()
        }
        Node::Relation(relation) => rules.relation_label(relation),
        Node::Facts((name, arity)) | Node::Actions((name, arity)) if has_operations => {
            format!("{}/{arity}", rules.symbols.name(name))
        }
        Node::Facts((name, arity)) | Node::Actions((name, arity)) => {
            format!("{}({}/{arity})", keyword.name(), rules.symbols.name(name))
        }
    }
}
