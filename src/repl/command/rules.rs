//! Command `rules`: lists the rules of the game, changes them, and writes them to a file.

use super::game::{problems, resumed_with};
use super::option::FORCE;
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, AnswerValue, Statement, TextStyle};
use crate::repl::{Answer, CommandError, Session, read};
use gdl::diagnostic::Diagnostic;
use gdl::quantity::counted_as;
use gdl::rules::fluents::select_fluent;
use gdl::rules::listing::{RelationRules, Selection, select};
use gdl::sorting;
use gdl::suggestion::{did_you_mean_or, nearest};
use gdl::syntax::ast::{Formula, ParsedAtom, ParsedClause};
use gdl::syntax::operations::facts_mentioned;
use gdl::syntax::{Dialect, LineColumn};
use ggp_engine::Game;
use serde::Serialize;

pub(super) const RULES: Command = Command {
    name: "rules",
    operands: "[RELATION|PATTERN] | add CLAUSE… | remove CLAUSE | replace CLAUSE with CLAUSE… | undo | save FILE",
    options: &[OptionGroup::own(&[FORCE])],
    summary: "list the facts and rules, all or those of a relation, those that make the facts of a name (`rules cell`), or those whose head unifies with an atom; `add`, `remove` and `replace` change the clauses of the game, `undo` takes the last change back, and `save` writes the rules to a file",
    example: "rules next(cell(R,C,b))",
    takes: ArgumentKind::Rules,
    answers: AnswerKind::Value,
    ..Command::for_rules(rules)
};

fn rules(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    match read::word(arguments.operands()) {
        ("add", clauses) if !clauses.is_empty() => changed(session, |session| session.add_rules(clauses)),
        ("remove", clause) if !clause.is_empty() => changed(session, |session| session.replace_rules(clause, "")),
        ("replace", clauses) if !clauses.is_empty() => match read::split_at_word(clauses, "with") {
            (old, Some(new)) if !old.is_empty() && !new.is_empty() => {
                changed(session, |session| session.replace_rules(old, new))
            }
            _ => Err(arguments.wrong("two clauses are needed, with the word `with` between them")),
        },
        ("undo", "") => changed(session, Session::undo_rules),
        ("save", file) if !file.is_empty() => save(session, file, arguments.has(&FORCE)),
        _ => list(session, arguments),
    }
}

/// Changes the rules, and warns of the problems that `check` finds in them and did not find before.
fn changed(
    session: &mut Session,
    change: impl FnOnce(&mut Session) -> Result<Option<String>, CommandError>,
) -> Result<Answer, CommandError> {
    let before = problems(&mut session.current()?.game)?;
    let impossible = change(session)?;
    let mut resumed = resumed_with(session, impossible)?;
    // The rules have changed already, so a check that cannot finish is no error.
    let after = problems(&mut session.current()?.game).unwrap_or_default();
    let is_new = |problem: &&Diagnostic| !before.iter().any(|old| is_same(old, problem));
    let warning = |problem: &Diagnostic| match &problem.help {
        Some(help) => format!("{} ({}): {help}", problem.message, problem.code.id),
        None => format!("{} ({})", problem.message, problem.code.id),
    };
    resumed.position.warnings.extend(after.iter().filter(is_new).map(warning));
    Ok(Answer::new(resumed))
}

/// True if two texts have the same problem, maybe at different positions.
fn is_same(left: &Diagnostic, right: &Diagnostic) -> bool {
    left.code == right.code && left.message == right.message
}

fn save(session: &mut Session, file: &str, is_forced: bool) -> Result<Answer, CommandError> {
    let game = &session.save_rules(file, is_forced)?.game;
    let clauses = game.sheet.clauses.len();
    let text = line(format!("{file}: {}, {clauses} clauses", game.name));
    let saved = Statement::new("saved_rules", text).with("file", file).with("game", &game.name);
    Ok(Answer::new(saved.with("clauses", clauses)))
}

fn list(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let game = &session.current()?.game;
    let asked = arguments.operands();
    if game.sheet.dialect == Dialect::Operations {
        return match with_operations(game, asked)? {
            listed if listed.relations.is_empty() => Err(unknown(arguments, game, asked)),
            listed => Ok(Answer::new(listed)),
        };
    }
    let mut found = if asked.is_empty() {
        select(&game.rules, Selection::All)
    } else if asked.contains('(') {
        match &read::query(asked)?[..] {
            [Formula::Atom(atom)] => select(&game.rules, Selection::Head(atom)),
            _ => return Err(arguments.wrong("a relation or an atom is needed")),
        }
    } else {
        let mut found = select(&game.rules, selection(asked));
        if found.is_empty() {
            let (name, arity) = fluent_name(asked);
            found = select_fluent(&game.rules, name, arity);
        }
        if found.is_empty() {
            return Err(unknown(arguments, game, asked));
        }
        found
    };
    // Rules that a lenient reading has added have no clause of their own.
    let written = game.sheet.clauses.len();
    found.iter_mut().for_each(|rules| rules.clauses.retain(|&clause| clause < written));
    found.retain(|rules| !rules.clauses.is_empty());
    Ok(Answer::new(ListedRules { relations: found.iter().map(|rules| listed(game, rules)).collect() }))
}

fn listed(game: &Game, RelationRules { relation, clauses }: &RelationRules) -> ListedRelation {
    let clause = |&index: &usize| {
        let written = &game.sheet.clauses[index];
        let text = written.display(game.sheet.dialect).to_string();
        ListedClause { at: game.source.position(written.span.start), text }
    };
    ListedRelation { relation: game.rules.relation_label(*relation), clauses: clauses.iter().map(clause).collect() }
}

/// The clauses of a sheet with operations: all, or those of a relation or an action with this name, or else those that
/// introduce, add or take away facts of the name.
fn with_operations(game: &Game, asked: &str) -> Result<ListedRules, CommandError> {
    let atom = match asked.contains('(') {
        true => match read::query(asked)?.into_iter().next() {
            Some(Formula::Atom(atom)) => Some(atom),
            _ => return Ok(ListedRules { relations: Vec::new() }),
        },
        false => None,
    };
    let (name, arity) = match &atom {
        Some(atom) => (&*atom.relation.text, Some(atom.arguments.len())),
        None => fluent_name(asked),
    };
    let is_of =
        |found: &ParsedAtom| *found.relation.text == *name && arity.is_none_or(|arity| arity == found.arguments.len());
    let clauses = &game.sheet.clauses;
    let mut found: Vec<&ParsedClause> =
        clauses.iter().filter(|clause| asked.is_empty() || is_of(&clause.head)).collect();
    if found.is_empty() {
        found = clauses.iter().filter(|clause| facts_mentioned(clause).iter().any(is_of)).collect();
    }
    let mut relations: Vec<ListedRelation> = Vec::new();
    for clause in found {
        let relation = format!("{}/{}", clause.head.relation.text, clause.head.arguments.len());
        let at = game.source.position(clause.span.start);
        let listed = ListedClause { at, text: clause.display(game.sheet.dialect).to_string() };
        match relations.iter_mut().find(|known| known.relation == relation) {
            Some(known) => known.clauses.push(listed),
            None => relations.push(ListedRelation { relation, clauses: vec![listed] }),
        }
    }
    Ok(ListedRules { relations })
}

/// Parses a relation: `name` means every arity, `name/arity` one.
pub(super) fn selection(text: &str) -> Selection<'_> {
    let relation = text.rsplit_once('/').and_then(|(name, arity)| Some(Selection::Relation(name, arity.parse().ok()?)));
    relation.unwrap_or(Selection::Name(text))
}

/// Parses a name of facts, with or without the number of their arguments.
pub(super) fn fluent_name(text: &str) -> (&str, Option<usize>) {
    let named = text.rsplit_once('/').and_then(|(name, arity)| Some((name, Some(arity.parse().ok()?))));
    named.unwrap_or((text, None))
}

pub(super) fn unknown(arguments: &Arguments, game: &Game, text: &str) -> CommandError {
    let name = text.rsplit_once('/').map_or(text, |(name, _)| name);
    let mut names: Vec<&str> =
        game.rules.clauses.iter().map(|clause| game.rules.relation_name(clause.head.relation)).collect();
    sorting::sort(&mut names);
    names.dedup();
    let hint = did_you_mean_or(&nearest(name, names), "");
    arguments.wrong(format!("the rules have no relation `{text}`{hint}"))
}

/// Facts and rules of the rule sheet.
#[derive(Clone, Debug, Serialize)]
struct ListedRules {
    /// The clauses, by relation, in the order of the rule sheet.
    relations: Vec<ListedRelation>,
}

/// Facts and rules of one relation.
#[derive(Clone, Debug, Serialize)]
struct ListedRelation {
    /// The relation, as a name with an arity.
    relation: String,
    /// The clauses, in the order of the text.
    clauses: Vec<ListedClause>,
}

/// A clause of the rule sheet.
#[derive(Clone, Debug, Serialize)]
struct ListedClause {
    /// Its position in the text.
    #[serde(flatten)]
    at: LineColumn,
    /// Its text on one line, in the dialect of the sheet.
    text: String,
}

impl ListedRules {
    fn clauses(&self) -> usize {
        self.relations.iter().map(|listed| listed.clauses.len()).sum()
    }
}

impl AnswerContent for ListedRules {
    fn kind(&self) -> &'static str {
        "rules"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let mut text = String::new();
        for ListedRelation { relation, clauses } in &self.relations {
            text += &line(relation.clone());
            for ListedClause { at, text: clause } in clauses {
                text += &line(format!("  {}:{}  {clause}", at.line, at.column));
            }
        }
        text + &line(counted_as(self.clauses() as u64, "clause", "clauses"))
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.clauses()))
    }

    fn is_no(&self) -> bool {
        self.relations.is_empty()
    }
}
