//! The order in which an alpha-beta search tries moves. The better the first move, the more is pruned.

use super::Observer;
use super::contest::Search;
use super::outcome::Halt;
use super::turn::RoleTurn;
use super::value::Value;
use crate::game::Reasoner;

/// The order in which moves are tried; moves of equal rank stay in canonical order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ordering {
    /// Canonical order: by the printed text of the moves, numbers by value.
    #[default]
    Canonical,
    /// By the value of the state after each joint move: its utility if it is terminal, otherwise its evaluation. These
    /// states do not count as nodes.
    Evaluation,
    /// The best move of an earlier search of the state first.
    Table,
}

/// Orders the joint moves of a turn; `best` is the index of the joint move that the table recommends.
pub(super) fn arrange<R: Reasoner, O: Observer>(
    search: &mut Search<'_, R, O>,
    state: &R::State,
    turn: &mut RoleTurn<R::State>,
    ordering: Ordering,
    best: Option<u32>,
) -> Result<(), Halt> {
    match ordering {
        Ordering::Canonical => {}
        Ordering::Evaluation => by_evaluation(search, state, turn)?,
        Ordering::Table => best.into_iter().for_each(|index| turn.put_first(index)),
    }
    Ok(())
}

/// Puts the others' best reply first, and of the role's moves the one whose best reply has the greatest value for the
/// role.
fn by_evaluation<R: Reasoner, O: Observer>(
    search: &mut Search<'_, R, O>,
    state: &R::State,
    turn: &mut RoleTurn<R::State>,
) -> Result<(), Halt> {
    let joint_moves: usize = turn.options.iter().map(|option| option.replies.len()).sum();
    if joint_moves < 2 {
        return Ok(());
    }
    let mut values = vec![Value::estimate(0); joint_moves];
    for reply in turn.options.iter_mut().flat_map(|option| &mut option.replies) {
        let next = search.reasoner.next_state(state, &reply.joint_move)?;
        values[reply.index as usize] = static_value(search, &next)?;
        reply.next = Some(next);
    }
    for option in &mut turn.options {
        option.replies.sort_by_key(|reply| values[reply.index as usize]);
    }
    turn.options.sort_by_key(|option| std::cmp::Reverse(values[option.replies[0].index as usize]));
    Ok(())
}

fn static_value<R: Reasoner, O: Observer>(search: &mut Search<'_, R, O>, state: &R::State) -> Result<Value, Halt> {
    if search.reasoner.is_terminal(state)? { search.utility(state) } else { search.estimate(state) }
}
