//! Answers about the nodes of a tree: leaves that are cut, the order of nodes, their values.

use super::judgement::Judgement;
use super::tree::VisitedTree;
use super::typed::{TypedNumber, meant, words};
use crate::repl::{CommandError, Session};
use gdl::quantity::counted_as;
use std::collections::{BTreeMap, BTreeSet};

/// The word for no leaves.
pub(super) const NONE: &str = "none";

pub(super) fn judge_cut(session: &mut Session, command: &str, answer: &str) -> Result<Judgement, CommandError> {
    let whole = whole(session, command)?;
    let cut = cut_of(session, command, &whole)?;
    let is_none = answer.eq_ignore_ascii_case(NONE);
    let named = words(answer).filter(|_| !is_none).map(|word| meant(word, whole.leaves()));
    let named: BTreeSet<&str> = named.collect();
    let leaves: BTreeSet<&str> = whole.leaves().collect();
    if let Some(other) = named.iter().find(|name| !leaves.contains(*name)) {
        let problem = format!("`{other}` is no leaf of the tree; its leaves are {}", listed(whole.leaves()));
        return Err(CommandError::refused(problem));
    }
    if let Some(visited) = named.iter().find(|name| !cut.contains(**name)) {
        return Ok(Judgement::wrong(format!("`{visited}` is not cut: the search evaluates it")));
    }
    Ok(match cut.len() - named.len() {
        0 => Judgement::right(format!("{} cut", counted_as(cut.len() as u64, "leaf is", "leaves are"))),
        missing => {
            let more = counted_as(missing as u64, "further leaf is", "further leaves are");
            Judgement::wrong(format!("the leaves that you name are cut, but {more}"))
        }
    })
}

pub(super) fn judge_order(order: &[&str], tree: &VisitedTree, answer: &str) -> Result<Judgement, CommandError> {
    let named: Vec<&str> = words(answer).map(|word| meant(word, tree.names())).collect();
    if let Some(other) = named.iter().find(|name| !tree.names().any(|node| node == **name)) {
        let problem = format!("`{other}` is no node of the tree; its nodes are {}", listed(tree.names()));
        return Err(CommandError::refused(problem));
    }
    let right = named.iter().zip(order).take_while(|(named, right)| named == right).count();
    Ok(match (named.get(right), order.get(right)) {
        (None, None) => Judgement::right(format!("{} in this order", counted_as(right as u64, "node", "nodes"))),
        (None, Some(_)) => Judgement::wrong(format!(
            "{} in order, but the search comes to more",
            counted_as(right as u64, "node is", "nodes are")
        )),
        (Some(wrong), Some(_)) => {
            Judgement::wrong(format!("node {}, `{wrong}`, is the first that is out of order", right + 1))
        }
        (Some(wrong), None) => Judgement::wrong(format!("the search does not come to `{wrong}`, number {}", right + 1)),
    })
}

pub(super) fn judge_values(tree: &VisitedTree, answer: &str) -> Result<Judgement, CommandError> {
    let mut given = BTreeMap::new();
    for (name, value) in pairs(answer)? {
        let name = meant(name, tree.names());
        let index = tree.nodes.iter().position(|node| node.name == name && node.value.is_none());
        let index = index.ok_or_else(|| {
            let inner = tree.values.keys().map(|&index| &*tree.nodes[index].name);
            CommandError::refused(format!("`{name}` is no inner node of the tree; these are {}", listed(inner)))
        })?;
        given.insert(index, value);
    }
    // From the leaves up: a wrong value is first told where it begins.
    let mut known: BTreeMap<usize, String> = BTreeMap::new();
    for (&index, found) in tree.values.iter().rev() {
        let name = &tree.nodes[index].name;
        let Some(value) = given.get(&index) else {
            return Ok(Judgement::wrong(format!("the value of `{name}` is missing")));
        };
        let equal = tree.equal_values(index, found, &known);
        let mut right = None;
        for one in equal {
            if is_value(value, &one)? {
                right = Some(one);
                break;
            }
        }
        let Some(right) = right else {
            return Ok(Judgement::wrong(format!("`{name}` is not worth {value}")));
        };
        known.insert(index, right);
    }
    Ok(Judgement::right(format!("{} right", counted_as(tree.values.len() as u64, "value is", "values are"))))
}

/// The nodes with their values: `root=3 a1=1,2,6`, also with blanks or `:`.
fn pairs(answer: &str) -> Result<Vec<(&str, &str)>, CommandError> {
    let form =
        |text: &str| CommandError::refused(format!("`{}` is not of the form NODE=VALUE, such as root=3", text.trim()));
    let mut pairs = Vec::new();
    let mut rest = answer;
    while let Some((name, after)) = rest.split_once(['=', ':']) {
        let name = name.trim_matches(|letter: char| letter.is_whitespace() || ",;".contains(letter));
        // The next name is the word before the next sign; what stands before that is the value.
        let next = after.find(['=', ':']).map_or(after.len(), |sign| {
            let before = after[..sign].trim_end();
            before.rfind(|letter: char| letter.is_whitespace() || ",;".contains(letter)).map_or(0, |blank| blank + 1)
        });
        let value = after[..next].trim_matches(|letter: char| letter.is_whitespace() || ",;()".contains(letter));
        if name.is_empty() || name.contains(char::is_whitespace) || value.is_empty() {
            return Err(form(rest));
        }
        pairs.push((name, value));
        rest = &after[next..];
    }
    if pairs.is_empty() || !rest.trim().is_empty() { Err(form(rest)) } else { Ok(pairs) }
}

/// Names with commas between them; of many the first ones.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    /// More names say nothing to who has mistyped one.
    const MOST: usize = 16;
    let names: Vec<&str> = names.collect();
    let shown = names[..names.len().min(MOST)].join(", ");
    if names.len() > MOST { format!("{shown} …") } else { shown }
}

/// True if a typed value is that of a node; tuples have commas.
fn is_value(typed: &str, right: &str) -> Result<bool, CommandError> {
    let (typed, right): (Vec<&str>, Vec<&str>) = (typed.split(',').collect(), right.split(',').collect());
    if typed.len() != right.len() {
        return Ok(false);
    }
    let mut pairs = typed.iter().zip(&right);
    pairs.try_fold(true, |so_far, (typed, right)| {
        let typed = TypedNumber::read(typed)?;
        Ok(so_far && right.parse().is_ok_and(|right| typed.is(right)))
    })
}

/// The whole tree of a position.
fn whole(session: &mut Session, command: &str) -> Result<VisitedTree, CommandError> {
    let tree = session.in_fork(VisitedTree::whole);
    tree.ok_or_else(|| CommandError::refused(format!("the tree that `{command}` prunes is too large")))
}

/// The whole tree, if it is small enough, and the part that a command visits.
pub(super) fn trees(session: &mut Session, command: &str) -> Result<(Option<VisitedTree>, VisitedTree), CommandError> {
    let whole = session.in_fork(VisitedTree::whole);
    let visited = session.in_fork(|fork| VisitedTree::visited_by(fork, command, whole.as_ref()))?;
    Ok((whole, visited))
}

pub(super) fn cut_leaves(session: &mut Session, command: &str) -> Result<BTreeSet<String>, CommandError> {
    let whole = whole(session, command)?;
    cut_of(session, command, &whole)
}

/// The leaves that a search does not visit.
fn cut_of(session: &mut Session, command: &str, whole: &VisitedTree) -> Result<BTreeSet<String>, CommandError> {
    let visited = session.in_fork(|fork| VisitedTree::visited_by(fork, command, Some(whole)))?;
    let visited: BTreeSet<&str> = visited.nodes.iter().map(|node| node.name.as_str()).collect();
    Ok(whole.leaves().filter(|leaf| !visited.contains(leaf)).map(str::to_string).collect())
}
