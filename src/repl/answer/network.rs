//! The answer of `network`: a part of the propositional network, with values.

use super::content::{AnswerContent, TextStyle};
use super::text::line;
use crate::engine::Inspected;
use crate::quantity::counted;
use crate::rules::GroundTerm;
use crate::table::{Column, Table};
use serde::Serialize;

/// Components near one that was asked for, which is the first.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkPart {
    /// The number of components of the whole network.
    pub(crate) size: usize,
    /// The joint move that the values suppose, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) moves: Option<Vec<GroundTerm>>,
    /// The components, nearest first.
    pub(crate) components: Vec<Inspected>,
    /// The number of components within the distance that are not shown.
    pub(crate) left_out: usize,
    /// The file that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
}

/// The greatest number of inputs that are listed.
const LISTED: usize = 8;

/// The numbers of the first inputs.
fn inputs(inputs: &[usize]) -> String {
    let shown: Vec<String> = inputs.iter().take(LISTED).map(ToString::to_string).collect();
    let more = if inputs.len() > LISTED { format!(" and {} more", inputs.len() - LISTED) } else { String::new() };
    shown.join(" ") + &more
}

impl AnswerContent for NetworkPart {
    fn kind(&self) -> &'static str {
        "network"
    }

    /// A table of the components: number, value, what it is, its proposition, its inputs.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let row = |component: &Inspected| {
            let value = component.value.map_or("by the moves".to_string(), |value| value.to_string());
            let proposition =
                component.proposition.as_ref().map_or(String::new(), |term| term.display(style.dialect).to_string());
            let what = format!("{} {proposition}", component.kind).trim_end().to_string();
            [component.component.to_string(), value, what, inputs(&component.inputs)]
        };
        let table = Table::new([Column::Right, Column::Left, Column::Left, Column::Left])
            .row(["component", "value", "is", "of"])
            .rows(self.components.iter().map(row));
        let more = match self.left_out {
            0 => String::new(),
            more => line(format!("and {} more within this distance", counted(more, "component"))),
        };
        let drawn = self.file.as_ref().map_or(String::new(), |file| line(format!("drawn to {file}")));
        format!("{table}{more}{drawn}")
    }
}
