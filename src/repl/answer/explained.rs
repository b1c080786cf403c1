//! Answers about the rules: explanations, clauses, dependencies.

use super::content::{AnswerContent, TextStyle};
use super::text::line;
use crate::interpreter::Justification;
use crate::interpreter::explain::render;
use crate::quantity::counted_as;
use crate::repl::value::AnswerValue;
use crate::rules::GroundTerm;
use crate::rules::depends::{ChangesWith, Link, RelationDependencies};
use crate::syntax::LineColumn;
use crate::syntax::Source;
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Why a literal holds or fails.
#[derive(Clone, Debug)]
pub struct ExplanationAnswer {
    /// The proof, or the reasons for failure.
    pub(crate) why: Box<Justification>,
    /// The text of the rules.
    pub(crate) source: Source,
    /// The depth to which it is shown; `None` for all of it.
    pub(crate) depth: Option<u32>,
    /// Whether the question was why the literal does not hold.
    pub(crate) denied: bool,
    /// Warnings about the question, such as unknown relations.
    pub(crate) warnings: Vec<String>,
}

impl ExplanationAnswer {
    /// Whether the question is right about the literal: it holds or, if that was asked, does not hold.
    pub(crate) fn is_as_asked(&self) -> bool {
        self.why.holds != self.denied
    }
}

impl Serialize for ExplanationAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = render::json(&self.why, &self.source, self.depth);
        value["warnings"] = self.warnings.clone().into();
        value.serialize(serializer)
    }
}

impl AnswerContent for ExplanationAnswer {
    fn kind(&self) -> &'static str {
        "explained"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        render::text(&self.why, &self.source, self.depth)
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::Truth(self.is_as_asked()))
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// Facts and rules of the rule sheet.
#[derive(Clone, Debug, Serialize)]
pub struct ListedRules {
    /// The clauses, by relation, in the order of the rule sheet.
    pub(crate) relations: Vec<ListedRelation>,
}

/// Facts and rules of one relation.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ListedRelation {
    /// The relation, as a name with an arity.
    pub(crate) relation: String,
    /// The clauses, in the order of the text.
    pub(crate) clauses: Vec<ListedClause>,
}

/// A clause of the rule sheet.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ListedClause {
    /// Its position in the text.
    #[serde(flatten)]
    pub(crate) at: LineColumn,
    /// Its text on one line, in the dialect of the sheet.
    pub(crate) text: String,
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

/// The dependencies of some relations: usually one, several if a name has several arities.
#[derive(Clone, Debug, Serialize)]
pub struct Dependencies {
    /// One entry for each relation.
    pub(crate) relations: Vec<RelationDependencies>,
    /// The graphs in Graphviz's language, if they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) graphs: Vec<String>,
    /// The name of the text to which positions refer.
    pub(crate) file: String,
}

impl AnswerContent for Dependencies {
    fn kind(&self) -> &'static str {
        "depends"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        match &self.graphs[..] {
            [] => self.relations.iter().map(|found| dependencies_text(found, &self.file)).collect(),
            graphs => graphs.concat(),
        }
    }

    /// The names of the relations on which the given relations depend directly.
    fn value(&self) -> Option<AnswerValue> {
        let links = self.relations.iter().flat_map(|relation| &relation.needs);
        let names = links.filter_map(|link| link.relative.relation.rsplit_once('/'));
        let names: BTreeSet<GroundTerm> = names.map(|(name, _)| GroundTerm::symbol(name)).collect();
        Some(AnswerValue::Set(names.into_iter().collect()))
    }
}

/// The dependencies of a relation as lines of text; `name` is the file name for positions.
fn dependencies_text(found: &RelationDependencies, name: &str) -> String {
    let mut text = found.relation.clone();
    if let Some(stratum) = found.stratum {
        write!(text, ", stratum {stratum}").expect(WRITES);
    }
    text += match found.changes_with {
        ChangesWith::Nothing => ", the same in every state",
        ChangesWith::State => ", depends on the state",
        ChangesWith::JointMove => ", depends on the joint move",
    };
    text += if found.recursive { ", recursive\n" } else { "\n" };
    let sections = [
        ("needs", &found.needs, &found.needs_indirectly),
        ("is needed by", &found.needed_by, &found.needed_indirectly_by),
    ];
    for (title, links, rest) in sections {
        if links.is_empty() {
            writeln!(text, "  {title} nothing").expect(WRITES);
            continue;
        }
        writeln!(text, "  {title}").expect(WRITES);
        links.iter().for_each(|link| write_link(link, name, &mut text));
        if !rest.is_empty() {
            let rest: Vec<&str> = rest.iter().map(|relative| relative.relation.as_str()).collect();
            writeln!(text, "    and through them {}", rest.join(", ")).expect(WRITES);
        }
    }
    text
}

const WRITES: &str = "a string takes all that is written to it";

fn write_link(Link { relative, negative, at: LineColumn { line, column } }: &Link, name: &str, text: &mut String) {
    let negation = if *negative { "~" } else { "" };
    let stratum = relative.stratum.map(|stratum| format!("stratum {stratum}, ")).unwrap_or_default();
    writeln!(text, "    {negation}{}  ({stratum}{name}:{line}:{column})", relative.relation).expect(WRITES);
}
