//! `--positions`: the states of the nodes of a trace, each on one line.

use super::show::places;
use crate::repl::CommandError;
use crate::repl::answer::{NodePosition, SearchAnswer};
use crate::repl::session::Match;
use gdl::syntax::Dialect;
use ggp_draw::board::Places;
use ggp_game::Reasoner;
use ggp_play::ask::spec::{NamedOption, OptionRelation};
use ggp_search::{Event, NodeId};
use std::collections::HashMap;

/// `--positions`, for searches of one player.
pub(super) const POSITIONS: NamedOption =
    NamedOption::flag("--positions", "with --trace: say beside each node what stands where")
        .needing(&[OptionRelation::to(&["--trace", "--queue"])]);

/// How positions are written.
pub(super) struct PositionFormat {
    places: Places,
    dialect: Dialect,
}

impl PositionFormat {
    /// Positions of the current game, in a dialect.
    pub(super) fn from_match(current: &mut Match, dialect: Dialect) -> Result<Self, CommandError> {
        Ok(Self { places: places(current)?, dialect })
    }

    /// The facts of a state on one line.
    pub(super) fn line<R: Reasoner>(&self, reasoner: &R, state: &R::State) -> String {
        self.places.line(&reasoner.facts(state), self.dialect)
    }

    /// Adds the positions of all nodes to the trace of an answer, by making the moves again from the first state.
    pub(super) fn add_to<R: Reasoner>(
        &self,
        answer: &mut SearchAnswer,
        reasoner: &mut R,
        first: &R::State,
    ) -> Result<(), CommandError> {
        let Some(trace) = &mut answer.trace else { return Ok(()) };
        let mut states: HashMap<NodeId, R::State> = HashMap::new();
        for event in &trace.events {
            let Event::Generated(generated) = event else { continue };
            let before = generated.parent.and_then(|parent| states.get(&parent));
            let state = match (before, generated.moves.first()) {
                (Some(before), Some(term)) => {
                    let chosen = reasoner.find_move(term)?;
                    reasoner.next_state(before, &[chosen])?
                }
                _ => first.clone(),
            };
            let facts = reasoner.facts(&state);
            let text = self.line(reasoner, &state);
            trace.positions.push(NodePosition { node: generated.node, facts, text });
            states.insert(generated.node, state);
        }
        Ok(())
    }
}
