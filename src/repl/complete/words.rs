//! The words that the loaded game, the library and the file system offer.

use crate::repl::Session;
use crate::repl::session::Match;
use gdl::language::names::{self, Names};
use gdl::rules::{GroundTerm, Keyword, RuleSet};
use gdl::syntax::Dialect;
use ggp_engine::promised;
use ggp_game::{Reasoner, Role};

/// The facts that can follow what is typed: those of the current state, or after `+` those of `base` that do not hold.
/// A sign that is typed (`+` or `-`) stands before each.
pub(super) fn facts(current: &mut Match, begun: &str, dialect: Dialect) -> Vec<String> {
    let (reasoner, state) = current.position();
    let holding = reasoner.facts(state);
    let (sign, facts) = match begun.chars().next() {
        Some('+') => {
            let base = promised(&mut current.game, Keyword::Base).ok().flatten().into_iter().flatten().flatten();
            ("+", base.filter(|fact| holding.binary_search(fact).is_err()).collect())
        }
        Some('-') => ("-", holding),
        _ => ("", holding),
    };
    facts.iter().map(|fact| format!("{sign}{}", fact.display(dialect))).collect()
}

/// The legal moves that may follow `given` moves: those of the only role that has a choice, or of the next role.
pub(super) fn legal_moves(current: &mut Match, given: usize, dialect: Dialect) -> Option<Vec<String>> {
    let joint_moves = current.joint_moves().ok()?;
    let role = match joint_moves.choosing()[..] {
        [role] if given == 0 => role,
        _ if given < current.roles().len() => Role::new(given),
        _ => return None,
    };
    let reasoner = &current.game.interpreter;
    let text = |&chosen| reasoner.move_term(chosen).display(dialect).to_string();
    Some(joint_moves.legal(role).iter().map(text).collect())
}

/// The roles.
pub(super) fn roles(session: &mut Session) -> Vec<String> {
    session.current().map(|current| current.roles().iter().map(ToString::to_string).collect()).unwrap_or_default()
}

/// Each role with each of its legal moves, as the arguments of `legal` and `does`.
pub(super) fn roles_and_moves(current: &mut Match, dialect: Dialect) -> Vec<String> {
    let Ok(joint_moves) = current.joint_moves() else { return Vec::new() };
    let reasoner = &current.game.interpreter;
    let of_role = |(index, role)| {
        let sign = if dialect == Dialect::Prefix { " " } else { "," };
        let text = move |&chosen| format!("{role}{sign}{}", reasoner.move_term(chosen).display(dialect));
        joint_moves.legal(Role::new(index)).iter().map(text).collect::<Vec<_>>()
    };
    current.roles().iter().enumerate().flat_map(of_role).collect()
}

/// The relations of the facts that `base`, `init` and `next` define.
pub(super) fn fluents(rules: &RuleSet) -> Vec<String> {
    let with_arguments = names::fluents(rules).into_iter().filter(|&(_, arity)| arity > 0);
    written(with_arguments.collect(), Dialect::Infix)
}

/// The names of the relations that the rules define, and `true`.
pub(super) fn relations(session: &mut Session) -> Vec<String> {
    let Ok(current) = session.current() else { return Vec::new() };
    let mut defined = names::relations(&current.game.rules);
    defined.insert((Keyword::True.name().into(), 1));
    written(defined, Dialect::Infix)
}

/// Names as a dialect writes them, in order, each once.
pub(super) fn written(names: Names, dialect: Dialect) -> Vec<String> {
    let mut names: Vec<String> =
        names.into_iter().map(|(name, _)| GroundTerm::symbol(name).display(dialect).to_string()).collect();
    names.sort();
    names.dedup();
    names
}

/// The files and directories with this path prefix.
pub(super) fn files(session: &Session, begun: &str) -> Vec<String> {
    let Ok(directory) = session.directory() else { return Vec::new() };
    let (parent, _) = begun.split_at(begun.rfind('/').map_or(0, |at| at + 1));
    let Ok(entries) = std::fs::read_dir(directory.join(parent)) else { return Vec::new() };
    let mut paths: Vec<String> = entries
        .flatten()
        .map(|entry| {
            let slash = if entry.path().is_dir() { "/" } else { "" };
            format!("{parent}{}{slash}", entry.file_name().to_string_lossy())
        })
        .filter(|path| path.starts_with(begun) && (begun.contains('/') || !path.starts_with('.')))
        .collect();
    paths.sort();
    paths
}
