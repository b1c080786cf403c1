//! The trait that every engine implements.

use super::{Fluent, Move, Percept, Role, Utility, UtilityRange};
use gdl::limits::Stop;
use gdl::rules::{GroundTerm, Utilities};
use std::hash::Hash;

/// An engine that knows the rules of one game.
///
/// A state is the set of facts that hold for `true`; every answer is that of the unique stratified model of the rules
/// with `true` (and `does`) given. Moves and facts come in canonical order ([`GroundTerm`]'s). Methods have `&mut self`
/// because an engine keeps tables for the state that it was last asked about: ask all questions about one state before
/// going on to the next. For another thread use a [`Reasoner::fork`].
///
/// No method has a default body, so that an engine that wraps another cannot forget to forward a method. What is common
/// to engines without a better way is a function: [`random_step_by_moves`].
pub trait Reasoner {
    /// A state of the game.
    type State: Clone + Eq + Hash + Send + Sync;

    /// The roles, in the order of the rule sheet.
    #[doc(alias = "findroles")]
    fn roles(&self) -> &[GroundTerm];

    /// The state in which the facts of `init` hold.
    #[doc(alias = "findinits")]
    fn initial_state(&mut self) -> Result<Self::State, ReasonError>;

    /// Replaces the contents of `moves` by all legal moves of a role, in canonical order.
    #[doc(alias = "findlegals")]
    #[doc(alias = "findlegalx")]
    fn legal_moves(&mut self, state: &Self::State, role: Role, moves: &mut Vec<Move>) -> Result<(), ReasonError>;

    /// The state after a joint move, given in the order of the roles. The moves are not checked to be legal.
    #[doc(alias = "findnexts")]
    #[doc(alias = "simulate")]
    fn next_state(&mut self, state: &Self::State, joint_move: &[Move]) -> Result<Self::State, ReasonError>;

    /// As [`Reasoner::next_state`], but replaces the contents of `next`, a state of this engine whose memory is reused.
    ///
    /// # Errors
    /// Those of [`Reasoner::next_state`]; `next` is then as it was.
    fn next_state_into(
        &mut self,
        state: &Self::State,
        joint_move: &[Move],
        next: &mut Self::State,
    ) -> Result<(), ReasonError>;

    /// The number of successors of a state that a search should compute one after the other before it asks about any of
    /// them. An engine that updates the values of the state before goes from one successor to the next in fewer steps
    /// than by way of their predecessor; 1 for engines that gain nothing.
    fn successors_at_once(&self) -> usize;

    /// Plays one joint move in place. For each role in turn `choose` is called with the number of its legal moves, at
    /// least one, and returns the index of one of them in canonical order. Returns false without playing if the game is
    /// over.
    ///
    /// For random play: an engine need not list the moves, and can reuse the memory of the state.
    ///
    /// # Errors
    /// [`ReasonError::NoLegalMove`] if a role has none.
    ///
    /// # Panics
    /// If `choose` returns an index that is not below the number.
    fn random_step(
        &mut self,
        state: &mut Self::State,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<bool, ReasonError>;

    /// True if the state is terminal.
    #[doc(alias = "findterminalp")]
    fn is_terminal(&mut self, state: &Self::State) -> Result<bool, ReasonError>;

    /// The utility of the state for a role; an error if the rules give no value, or more than one.
    #[doc(alias = "findreward")]
    fn goal(&mut self, state: &Self::State, role: Role) -> Result<Utility, ReasonError>;

    /// The bounds between which all utilities lie: 0 and 100, unless the rules declare others or have goal values
    /// beyond them. Searches stop when they have found the greatest.
    fn utility_range(&self) -> UtilityRange;

    /// The bytes that a state uses on the heap in addition to `size_of::<Self::State>()`, with the allocator's overhead
    /// ([`heap_block`](gdl::limits::heap_block)). Searches that remember states count them towards their memory
    /// limit.
    fn heap_bytes(&self, state: &Self::State) -> usize;

    /// The facts of a state, in canonical order.
    fn facts(&self, state: &Self::State) -> Vec<GroundTerm>;

    /// The state in which exactly these facts hold.
    fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<Self::State, ReasonError>;

    /// Replaces the contents of `fluents` by the facts of a state, in increasing order of their numbers. Cheaper than
    /// [`Reasoner::facts`], since it makes no terms.
    fn fluents(&self, state: &Self::State, fluents: &mut Vec<Fluent>);

    /// Replaces the contents of `words` by the fluents of a state: a bit for each number, from the least of the first
    /// word on. States may have different numbers of words. Cheaper than [`Reasoner::fluents`].
    fn fluent_words(&self, state: &Self::State, words: &mut Vec<u64>);

    /// The state in which exactly these fluents hold; they come from [`Reasoner::fluents`], in any order.
    fn state_from_fluents(&mut self, fluents: &[Fluent]) -> Result<Self::State, ReasonError>;

    /// The term of a fluent.
    fn fluent_term(&self, fluent: Fluent) -> GroundTerm;

    /// The fluent that holds in a state if a fact does. Facts that always hold together may have the same one; `None`
    /// if the fact holds in all states that play can reach, or in none of them, and needs no fluent.
    fn find_fluent(&mut self, fact: &GroundTerm) -> Result<Option<Fluent>, ReasonError>;

    /// The term of a move.
    fn move_term(&self, chosen: Move) -> GroundTerm;

    /// The move of a term. The move need not be legal in any state.
    fn find_move(&mut self, term: &GroundTerm) -> Result<Move, ReasonError>;

    /// Another reasoner for the same game with its own working memory. States and moves that this one has returned
    /// before are valid for both; those that either returns afterwards, only for itself.
    fn fork(&self) -> Self
    where
        Self: Sized;
}

/// An engine that knows what each role perceives of a joint move (GDL-II).
///
/// A role knows its own moves and its percepts, and nothing else. Where the rules do not define `sees`, every role is
/// told the whole joint move.
pub trait PerceptReasoner: Reasoner {
    /// True if the rules define `sees`.
    fn has_percepts(&self) -> bool;

    /// Replaces the contents of `percepts` by what a role perceives of a joint move in a state, in canonical order;
    /// nothing if the rules do not define `sees`.
    ///
    /// # Errors
    /// If the engine has no answer.
    fn percepts(
        &mut self,
        state: &Self::State,
        joint_move: &[Move],
        role: Role,
        percepts: &mut Vec<Percept>,
    ) -> Result<(), ReasonError>;

    /// The term of a percept.
    fn percept_term(&self, percept: Percept) -> GroundTerm;

    /// What a role perceives of a joint move in a state, as terms ([`PerceptReasoner::percepts`]).
    ///
    /// # Errors
    /// If the engine has no answer.
    fn percept_terms(
        &mut self,
        state: &Self::State,
        joint_move: &[Move],
        role: Role,
    ) -> Result<Vec<GroundTerm>, ReasonError> {
        let mut percepts = Vec::new();
        self.percepts(state, joint_move, role, &mut percepts)?;
        Ok(percepts.into_iter().map(|percept| self.percept_term(percept)).collect())
    }

    /// The percept of a term. It need not be one that a role ever has.
    ///
    /// # Errors
    /// If the term is nested too deep.
    fn find_percept(&mut self, term: &GroundTerm) -> Result<Percept, ReasonError>;
}

/// Plays one joint move in place, as [`Reasoner::random_step`] defines it, by listing the legal moves.
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
    let mut moves = Vec::new();
    let mut joint_move = Vec::with_capacity(reasoner.roles().len());
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

/// The error of a reasoner that has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReasonError {
    /// The rules give no goal value.
    #[error("the rules give {role} no goal value in this state")]
    GoalUndefined {
        /// The role without a value.
        role: GroundTerm,
    },
    /// The rules give more than one goal value.
    #[error("the rules give {role} more than one goal value in this state: {}", list(values))]
    GoalNotUnique {
        /// The role with several values.
        role: GroundTerm,
        /// All the values, in canonical order.
        values: Vec<GroundTerm>,
    },
    /// The only goal value is not an integer of 32 bits.
    #[error("the goal value of {role} is {value}, which is {}", no_number(value, (i32::MIN.into(), i32::MAX.into())))]
    GoalNotInteger {
        /// The role whose goal value is not an integer.
        role: GroundTerm,
        /// The value that the rules give.
        value: GroundTerm,
    },
    /// The rules declare what goal values stand for, and this one has no utility.
    #[error("the goal value of {role} is {value}, for which the sheet declares no utility")]
    GoalUndeclared {
        /// The role whose goal value has no utility.
        role: GroundTerm,
        /// The value that the rules give.
        value: GroundTerm,
    },
    /// A heuristic or an evaluation yields something that is not an integer.
    #[error("`{relation}` yields {value}, which is {}", no_number(value, (i64::MIN, i64::MAX)))]
    NotInteger {
        /// The relation: `heuristic` or `evaluation`.
        relation: &'static str,
        /// The last argument of the instance.
        value: GroundTerm,
    },
    /// The state is of another game, or of the same sheet loaded a second time. [`Reasoner::facts`] and
    /// [`Reasoner::state_from_facts`] take a state from one to the other.
    #[error("the state is of another game")]
    OtherGame,
    /// A role has no legal move in a state that is not terminal.
    #[error("{role} has no legal move, and the state is not terminal")]
    NoLegalMove {
        /// The role that cannot move.
        role: GroundTerm,
    },
    /// The move of a role is legal for it in no state. Only engines that know all moves in advance report it.
    #[error("{chosen} can never be legal for {role}")]
    NeverLegal {
        /// The role that would make it.
        role: GroundTerm,
        /// The move that is never legal for it.
        chosen: GroundTerm,
    },
    /// A term is a move of no role. Only engines that know all moves in advance report it.
    #[error("{chosen} is not a move of any role")]
    NoSuchMove {
        /// The term that is not a move.
        chosen: GroundTerm,
    },
    /// The engine can represent only states that play can reach.
    #[error("play cannot reach this state: in reachable states {fact} {} holds", if *holds { "never" } else { "always" })]
    OutOfReach {
        /// A fact that distinguishes the state from all reachable states.
        fact: GroundTerm,
        /// True if the fact holds in the given state.
        holds: bool,
    },
    /// A relation that is the same in every state depends on `true` or `does`. The checks report it (E106).
    #[error("`{relation}` depends on `true` or `does`")]
    StateDependent {
        /// The relation: `init`, `base` or `input`.
        relation: &'static str,
    },
    /// The answer was interrupted, or it needs more than a limit allows.
    #[error("{}", stopped(.0))]
    Stopped(Stop),
    /// A rule cannot be evaluated, since a variable in the head or in a negation does not occur in a positive literal.
    /// Rule sheets that pass the checks have no such rule.
    #[error("a rule cannot be evaluated: one of its variables has no value")]
    Unsafe,
    /// A state has no key: two fluents hold in it that never hold together in a state that play reaches.
    #[error("the state does not fit the keys that were chosen for this search")]
    NoKey,
}

/// Interrupts and limits end the answer.
impl From<Stop> for ReasonError {
    #[inline]
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl ReasonError {
    /// True if the rules do not give a role exactly one goal value that is an integer.
    #[inline]
    pub fn is_about_goal(&self) -> bool {
        matches!(self, Self::GoalUndefined { .. } | Self::GoalNotUnique { .. } | Self::GoalNotInteger { .. })
    }

    /// The role for which the rules do not give a usable goal value, if that is the reason.
    pub fn role_without_goal(&self) -> Option<&GroundTerm> {
        match self {
            Self::GoalUndefined { role }
            | Self::GoalNotUnique { role, .. }
            | Self::GoalNotInteger { role, .. }
            | Self::GoalUndeclared { role, .. } => Some(role),
            _ => None,
        }
    }

    /// The limit or the interrupt that ended the answer, if that is the reason. The search that asked then still has
    /// its best answer so far.
    #[inline]
    pub fn stop(&self) -> Option<Stop> {
        match self {
            Self::Stopped(stop) => Some(stop.of_answer()),
            _ => None,
        }
    }

    /// The error of a goal value that stands for no utility ([`Utilities::value`]).
    #[inline]
    pub fn no_utility(utilities: &Utilities, role: GroundTerm, value: GroundTerm) -> Self {
        let is_integer = value.arguments.is_empty() && value.name.parse::<i32>().is_ok();
        match is_integer && !utilities.is_empty() {
            true => Self::GoalUndeclared { role, value },
            false => Self::GoalNotInteger { role, value },
        }
    }
}

/// The reason for which a term is no integer from the first to the last of these, as the end of a sentence.
fn no_number(term: &GroundTerm, (first, last): (i64, i64)) -> String {
    let digits = term.name.strip_prefix(['-', '+']).unwrap_or(&term.name);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match is_whole && term.arguments.is_empty() {
        true => format!("out of range: it can be an integer from {first} to {last}"),
        false => "not an integer".to_string(),
    }
}

fn stopped(stop: &Stop) -> String {
    match stop {
        Stop::Interrupted => stop.to_string(),
        limit => format!("the answer needs more than the limit of {}", limit.amount()),
    }
}

#[inline]
fn list(terms: &[GroundTerm]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
