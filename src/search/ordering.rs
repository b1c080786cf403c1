//! Which moves an alpha-beta search tries first. The better the first move, the more is cut off.

use super::Observer;
use super::contest::Search;
use super::outcome::Halt;
use super::turn::Turn;
use super::value::Value;
use crate::game::Reasoner;

/// The order in which moves are tried; what is equal stays in canonical order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ordering {
    /// The canonical one.
    #[default]
    Canonical,
    /// By what each joint move leads to: the utility where the game is over there, the evaluation elsewhere. The states
    /// that are looked at for this do not count as nodes.
    Evaluation,
    /// The move first that was best when the state was searched before.
    Table,
}

/// Puts the joint moves of a turn into order; `best` is the place of the one that the table knows to be best.
pub(super) fn arrange<R: Reasoner, O: Observer>(
    search: &mut Search<'_, R, O>,
    state: &R::State,
    turn: &mut Turn<R::State>,
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

/// The others' best reply first, and of the role's moves the one whose best reply is worth most.
fn by_evaluation<R: Reasoner, O: Observer>(
    search: &mut Search<'_, R, O>,
    state: &R::State,
    turn: &mut Turn<R::State>,
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
