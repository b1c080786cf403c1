//! Command `network`: the part of the propositional network around a proposition, with its values in the current state.

use super::moves::joint_move;
use super::option::{FORCE, file};
use super::{ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, TextStyle};
use crate::repl::{Answer, CommandError, Session, read};
use crate::table::{Column, Table};
use gdl::quantity::counted;
use gdl::rules::GroundTerm;
use gdl::suggestion::{did_you_mean_or, nearest};
use ggp_draw::network_picture;
use ggp_engine::{Inspected, Inspector};
use ggp_game::Reasoner;
use ggp_play::ask::spec::NamedOption;
use petgraph::graph::NodeIndex;
use serde::Serialize;

pub(super) const NETWORK: Command = Command {
    name: "network",
    operands: "[PROPOSITION] [after MOVE…]",
    options: &[OptionGroup::own(&[COMPONENT, DISTANCE, MOST, PICTURE, FORCE])],
    summary: "show the components of the propositional network around a proposition, with their values in the current state",
    example: "network legal(xplayer,mark(1,1)) --distance 2",
    takes: ArgumentKind::Literal,
    ..Command::run_by(network)
};

const COMPONENT: NamedOption =
    NamedOption::number("--component", "N", "the number of a component", "around this component instead");
const DISTANCE: NamedOption =
    NamedOption::number("--distance", "N", "a number of edges", "how far to go, along edges in either direction")
        .default("2");
const MOST: NamedOption =
    NamedOption::number("--most", "N", "a number of components", "show no more components than this, the nearest")
        .default("100");
const PICTURE: NamedOption = file("--svg", "draw these components to a file");

/// The default size of a neighbourhood, in edges and in components.
const NEAR: (usize, usize) = (2, 100);

fn network(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let distance = arguments.number(&DISTANCE)?.unwrap_or(NEAR.0);
    let most = arguments.number::<usize>(&MOST)?.unwrap_or(NEAR.1).max(1);
    let (proposition, moves) = read::split_at_word(arguments.operands(), "after");
    let output = arguments.output(&PICTURE, session)?;
    let current = session.current()?;
    let joint_move = moves.map(|moves| joint_move(current, moves)).transpose()?;
    let inspector = current.game.inspector()?;
    let centre = centre(&inspector, proposition, arguments)?;
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state);
    let moves: Option<Vec<GroundTerm>> =
        joint_move.map(|moves| moves.into_iter().map(|chosen| reasoner.move_term(chosen)).collect());
    // A state that was set may have facts without a component.
    if let Some(fact) = inspector.unknown_fact(&facts) {
        let problem = format!("no play reaches a state with `{fact}`, so the network has no values for this one");
        return Err(arguments.wrong(problem));
    }
    let (components, left_out) = inspector.around(centre, distance, most, &facts, moves.as_deref());
    if let Some(output) = &output {
        let mut nodes: Vec<NodeIndex> = components.iter().map(|near| NodeIndex::new(near.component)).collect();
        nodes.sort_unstable();
        let picture = network_picture(inspector.network(), &nodes).svg();
        let picture = picture.map_err(|error| arguments.wrong(format!("{error}; `--most` draws fewer")))?;
        output.write(picture)?;
    }
    Ok(Answer::new(NetworkPart {
        size: inspector.len(),
        moves,
        components,
        left_out,
        file: output.map(|output| output.name),
    }))
}

/// The component that the arguments name.
fn centre(inspector: &Inspector, proposition: &str, arguments: &Arguments) -> Result<usize, CommandError> {
    match (arguments.number::<usize>(&COMPONENT)?, proposition.is_empty()) {
        (Some(_), false) => Err(arguments.wrong("either a proposition or `--component`")),
        (Some(number), true) if number < inspector.len() => Ok(number),
        (Some(number), true) => {
            let count = inspector.len();
            Err(arguments.wrong(format!("there is no component {number}: the network has {count}, from 0 on")))
        }
        (None, true) => Err(arguments.wrong("which proposition?")),
        (None, false) => {
            let term = read::term(proposition)?;
            inspector.find(&term).ok_or_else(|| {
                let names: Vec<String> = inspector.propositions().map(ToString::to_string).collect();
                let near = nearest(proposition, names.iter().map(String::as_str));
                let hint = did_you_mean_or(&near, "; it has those that can hold in play");
                CommandError::refused(format!("the network has no proposition `{term}`{hint}"))
            })
        }
    }
}

/// Components near one that was asked for, which is the first.
#[derive(Clone, Debug, Serialize)]
struct NetworkPart {
    /// The number of components of the whole network.
    size: usize,
    /// The joint move that the values suppose, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<GroundTerm>>,
    /// The components, nearest first.
    components: Vec<Inspected>,
    /// The number of components within the distance that are not shown.
    left_out: usize,
    /// The file that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
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

    /// A table of the components: number, value, kind, proposition, inputs.
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
