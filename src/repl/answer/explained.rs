//! Answers about the rules: explanations, clauses, dependencies.

use crate::interpreter::Why;
use crate::interpreter::explain::render;
use crate::rules::depends::Depends;
use crate::syntax::Source;
use crate::syntax::span::LineColumn;
use serde::{Serialize, Serializer};

/// Why a literal holds or fails.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The explanation.
    pub why: Box<Why>,
    /// The text of the rules.
    pub source: Source,
    /// How deep it is shown; without it, whole.
    pub depth: Option<u32>,
    /// Whether it was asked why the literal does not hold.
    pub denied: bool,
    /// What is odd about the question.
    pub warnings: Vec<String>,
}

impl Explained {
    /// Whether things are as the question has them: the literal holds, or, where that was asked, it does not.
    pub fn is_as_asked(&self) -> bool {
        self.why.holds != self.denied
    }
}

impl Serialize for Explained {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = render::json(&self.why, &self.source, self.depth);
        value["warnings"] = self.warnings.clone().into();
        value.serialize(serializer)
    }
}

/// Facts and rules of one relation.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// The relation, as a name with an arity.
    pub relation: String,
    /// The clauses, in the order of the text.
    pub clauses: Vec<ListedClause>,
}

/// A clause of the sheet.
#[derive(Clone, Debug, Serialize)]
pub struct ListedClause {
    /// Where it stands.
    #[serde(flatten)]
    pub at: LineColumn,
    /// Its text on one line, in the dialect of the sheet.
    pub text: String,
}

/// What some relations depend on: mostly one, several where a name has several arities.
#[derive(Clone, Debug, Serialize)]
pub struct Dependencies {
    /// One entry a relation.
    pub relations: Vec<Depends>,
    /// As graphs in the language of Graphviz, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graphs: Vec<String>,
    /// The name of the text that places are in.
    pub file: String,
}
