//! `network`: the part of the propositional network around a proposition, with its values in the current state.

use super::option::{FORCE, file};
use super::play::joint_move;
use super::{ArgumentKind, Arguments, Command, OptionGroup};
use crate::ask::spec::NamedOption;
use crate::engine::Inspector;
use crate::game::Reasoner;
use crate::repl::answer::NetworkPart;
use crate::repl::{Answer, CommandError, Session, read};
use crate::rules::GroundTerm;
use crate::suggestion::nearest;

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
    if let Some(fact) = inspector.unknown_fact(&facts) {
        let problem = format!("no play reaches a state with `{fact}`, so the network has no values for this one");
        return Err(arguments.wrong(problem));
    }
    let (components, left_out) = inspector.around(centre, distance, most, &facts, moves.as_deref());
    if let Some(output) = &output {
        let picture = inspector.picture(components.iter().map(|near| near.component)).svg();
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
                CommandError::UnknownProposition { near: near.into_iter().map(str::to_string).collect(), name: term }
            })
        }
    }
}
