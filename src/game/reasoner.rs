//! The trait behind which every engine stands.

use super::{Fluent, Move, Role, Utility};
use crate::limits::Stopped;
use crate::rules::GroundTerm;
use std::hash::Hash;

/// An engine that knows the rules of one game.
///
/// A state is the set of facts that hold for `true`; every answer is that of the unique stratified model of the rules with
/// `true` (and `does`) given. Moves and facts come in canonical order ([`GroundTerm`]'s). Methods take `&mut self` because
/// an engine keeps tables for the state it was asked about last: ask all about one state before going on to the next. For
/// another thread take a [`Reasoner::fork`].
///
/// No method has a body here, so that an engine around another one cannot forget to pass a method on. What serves engines that have
/// no better way is a function: [`random_step_by_moves`].
pub trait Reasoner {
    /// A state of the game.
    type State: Clone + Eq + Hash + Send + Sync;

    /// The roles, in the order of the rule sheet.
    #[doc(alias = "findroles")]
    fn roles(&self) -> &[GroundTerm];

    /// The initial state.
    #[doc(alias = "findinits")]
    fn initial_state(&mut self) -> Result<Self::State, ReasonError>;

    /// Writes all legal moves of a role to `moves`, in canonical order, instead of what it held.
    #[doc(alias = "findlegals")]
    #[doc(alias = "findlegalx")]
    fn legal_moves(&mut self, state: &Self::State, role: Role, moves: &mut Vec<Move>) -> Result<(), ReasonError>;

    /// The state after a joint move: one move a role, in the order of the roles. They are not checked to be legal.
    #[doc(alias = "findnexts")]
    #[doc(alias = "simulate")]
    fn next_state(&mut self, state: &Self::State, joint_move: &[Move]) -> Result<Self::State, ReasonError>;

    /// Plays one joint move in place: for each role in turn `choose` is told how many legal moves there are, at least one, and
    /// gives the place of one of them in canonical order. False, and nothing played, where the game is over.
    ///
    /// For random play: an engine need not list the moves, and can use the memory of the state again.
    ///
    /// # Errors
    /// [`ReasonError::NoLegalMove`] where a role has none.
    ///
    /// # Panics
    /// Where `choose` gives a place that is not below the number.
    fn random_step(
        &mut self,
        state: &mut Self::State,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<bool, ReasonError>;

    /// Whether the game is over.
    #[doc(alias = "findterminalp")]
    fn is_terminal(&mut self, state: &Self::State) -> Result<bool, ReasonError>;

    /// What the state is worth to a role; an error where the rules give no value, or more than one.
    #[doc(alias = "findreward")]
    fn goal(&mut self, state: &Self::State, role: Role) -> Result<Utility, ReasonError>;

    /// How many bytes of the heap a state takes beside its own `size_of::<Self::State>()`, the allocator's share included
    /// ([`heap_block`](crate::limits::heap_block)): what searches that remember states reckon with.
    fn heap_bytes(&self, state: &Self::State) -> usize;

    /// The facts of a state, in canonical order.
    fn facts(&self, state: &Self::State) -> Vec<GroundTerm>;

    /// The state in which exactly these facts hold.
    fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<Self::State, ReasonError>;

    /// Writes the facts of a state to `fluents`, in increasing order of their numbers, instead of what it held. What packs
    /// many states into little memory asks this in place of [`Reasoner::facts`], since it makes no terms.
    fn fluents(&self, state: &Self::State, fluents: &mut Vec<Fluent>);

    /// The state in which exactly these fluents hold; they come from [`Reasoner::fluents`], in any order.
    fn state_from_fluents(&mut self, fluents: &[Fluent]) -> Result<Self::State, ReasonError>;

    /// The term of a fluent.
    fn fluent_term(&self, fluent: Fluent) -> GroundTerm;

    /// The term of a move.
    fn move_term(&self, chosen: Move) -> GroundTerm;

    /// The move that a term stands for. The move need not be legal anywhere.
    fn find_move(&mut self, term: &GroundTerm) -> Result<Move, ReasonError>;

    /// Another reasoner for the same game with working memory of its own; states and moves mean the same to both.
    fn fork(&self) -> Self
    where
        Self: Sized;
}

/// Plays one joint move in place, as [`Reasoner::random_step`] asks for it, by the lists of legal moves.
///
/// # Errors
/// Those of [`Reasoner::random_step`].
pub fn random_step_by_moves<R: Reasoner>(
    reasoner: &mut R,
    state: &mut R::State,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Result<bool, ReasonError> {
    if reasoner.is_terminal(state)? {
        return Ok(false);
    }
    let (mut moves, mut joint_move) = (Vec::new(), Vec::with_capacity(reasoner.roles().len()));
    for index in 0..reasoner.roles().len() {
        reasoner.legal_moves(state, Role::new(index), &mut moves)?;
        if moves.is_empty() {
            return Err(ReasonError::NoLegalMove { role: reasoner.roles()[index].clone() });
        }
        joint_move.push(moves[choose(moves.len())]);
    }
    *state = reasoner.next_state(state, &joint_move)?;
    Ok(true)
}

/// Why a reasoner has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReasonError {
    /// The rules give no goal value.
    #[error("the rules give {role} no goal value in this state")]
    GoalUndefined {
        /// The role that was asked for.
        role: GroundTerm,
    },
    /// The rules give more than one goal value.
    #[error("the rules give {role} more than one goal value in this state: {}", list(values))]
    GoalNotUnique {
        /// The role that was asked for.
        role: GroundTerm,
        /// All the values, in canonical order.
        values: Vec<GroundTerm>,
    },
    /// The only goal value is not an integer of 32 bits.
    #[error("the goal value of {role} is {value}, which is not an integer")]
    GoalNotInteger {
        /// The role that was asked for.
        role: GroundTerm,
        /// The value.
        value: GroundTerm,
    },
    /// A number that a heuristic or an evaluation has to be, and is not.
    #[error("`{relation}` gives {value}, which is not an integer")]
    NotInteger {
        /// The relation.
        relation: &'static str,
        /// What it gives.
        value: GroundTerm,
    },
    /// A role has no legal move in a state that is not terminal.
    #[error("{role} has no legal move, and the state is not terminal")]
    NoLegalMove {
        /// The role that cannot move.
        role: GroundTerm,
    },
    /// A role is given a move that is legal for it in no state. Only engines that know all moves beforehand see it.
    #[error("{chosen} can never be legal for {role}")]
    NeverLegal {
        /// Who would make it.
        role: GroundTerm,
        /// The move.
        chosen: GroundTerm,
    },
    /// A term is a move of nobody. Only engines that know all moves beforehand see it.
    #[error("{chosen} is a move of no role")]
    NoSuchMove {
        /// The term.
        chosen: GroundTerm,
    },
    /// The engine has room only for states that play can reach.
    #[error("no state that play can reach is like this: there {fact} {} holds", if *holds { "never" } else { "always" })]
    OutOfReach {
        /// A fact that shows it.
        fact: GroundTerm,
        /// Whether the fact was to hold.
        holds: bool,
    },
    /// A relation that is the same in every state depends on `true` or `does`. The checks report it (E106).
    #[error("`{relation}` depends on `true` or `does`")]
    StateDependent {
        /// The relation: `init`, `base` or `input`.
        relation: &'static str,
    },
    /// A question needs more work or memory than it was given.
    #[error("the answer needs more than the limit of {limit} {what}")]
    Limit {
        /// What ran out, in the plural.
        what: &'static str,
        /// How much of it was given.
        limit: u64,
    },
    /// A rule cannot be evaluated, since nothing gives a value to a variable under a negation or in the head. Sheets that pass
    /// the checks have no such rule.
    #[error("a rule cannot be evaluated: nothing gives a value to one of its variables")]
    Unsafe,
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// What stops work stops the answer.
impl From<Stopped> for ReasonError {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Interrupted => Self::Interrupted,
            Stopped::Time { given } => Self::Limit { what: "milliseconds", limit: given.as_millis() as u64 },
            Stopped::Memory { limit } if limit >= 1 << 20 && limit.is_multiple_of(1 << 20) => {
                Self::Limit { what: "MiB of memory", limit: limit >> 20 }
            }
            Stopped::Memory { limit } => Self::Limit { what: "bytes of memory", limit },
        }
    }
}

fn list(terms: &[GroundTerm]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
