//! The answers of settings.

use super::content::{AnswerContent, TextStyle};
use super::text::line;
use crate::engine::EngineKind;
use crate::repl::value::AnswerValue;
use crate::rules::GroundTerm;
use crate::syntax::Dialect;
use serde::Serialize;

/// The dialect in which the terms of answers are written.
#[derive(Clone, Debug, Serialize)]
pub struct DialectSetting {
    /// The dialect in which answers write terms.
    pub(crate) dialect: Dialect,
}

impl AnswerContent for DialectSetting {
    fn kind(&self) -> &'static str {
        "format"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        line(self.dialect.name().to_string())
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::One(GroundTerm::symbol(self.dialect.name())))
    }
}

/// Whether positions are drawn when they change.
#[derive(Clone, Debug, Serialize)]
pub struct BoardSetting {
    /// Whether they are.
    pub(crate) on: bool,
}

impl AnswerContent for BoardSetting {
    fn kind(&self) -> &'static str {
        "board_setting"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let when = if self.on { "when they change" } else { "only by `show` and `board`" };
        line(format!("positions are drawn {when}"))
    }
}

/// The seed of random play.
#[derive(Clone, Debug, Serialize)]
pub struct SeedSetting {
    /// The seed, 0 unless it was set.
    pub(crate) seed: u64,
}

impl AnswerContent for SeedSetting {
    fn kind(&self) -> &'static str {
        "seed"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        line(self.seed.to_string())
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.seed))
    }
}

/// The engine that plays and searches.
#[derive(Clone, Debug, Serialize)]
pub struct EngineSetting {
    /// The engine in use or requested.
    pub(crate) engine: EngineKind,
}

impl AnswerContent for EngineSetting {
    fn kind(&self) -> &'static str {
        "engine"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        line(self.engine.to_string())
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::One(GroundTerm::symbol(self.engine.name())))
    }
}
