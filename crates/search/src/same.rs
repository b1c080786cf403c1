//! Whether two reasoners play the same game: its roles in order, its moves by other names if need be.
//!
//! Two states are alike if both are terminal with the same goals, or if each role has equally many legal moves and these
//! can be paired so that paired joint moves lead to states that are alike. Two games are the same if their initial states
//! are alike: then their game trees differ in names alone. Facts are not compared, since what never matters to play is no
//! part of the game.
//!
//! [`compare_graphs`] decides this for games whose states can be listed, by partition refinement over the states of both
//! (Kanellakis and Smolka 1983). [`compare_games`] plays games in step where there are too many.

mod classes;
mod graph;
mod steps;

use gdl::rules::GroundTerm;
use ggp_game::{ReasonError, Reasoner, Role, Utility};

pub use classes::compare_graphs;
pub use steps::compare_games;

/// Two reasoners and how the roles of one stand for those of the other.
pub struct GamePair<'r, R> {
    /// The first reasoner.
    pub first: &'r mut R,
    /// The second one.
    pub second: &'r mut R,
    /// For each role of the first one, the role of the second that stands for it.
    pub roles: Vec<Role>,
}

/// Whether two games are the same, as far as it was found out.
#[derive(Clone, Debug, PartialEq)]
pub enum Sameness {
    /// They are: this was proven for all states.
    Same {
        /// The states of the first game, and of the second.
        states: [usize; 2],
        /// True if the moves that stand for each other have the same names everywhere.
        by_name: bool,
    },
    /// They are not.
    Different(GameDifference),
    /// No difference was found.
    Unknown {
        /// The games that were played in step.
        games: u64,
    },
}

/// The first difference of two games, and how to get there.
#[derive(Clone, Debug, PartialEq)]
pub struct GameDifference {
    /// The joint moves that lead there, as terms in the order of the roles of each game.
    pub lines: [Vec<Vec<GroundTerm>>; 2],
    /// The difference of the states at the ends of these lines.
    pub kind: DifferenceKind,
}

/// How two states differ. Of each pair the first entry is that of the first game.
#[derive(Clone, Debug, PartialEq)]
pub enum DifferenceKind {
    /// One of them is terminal.
    End {
        /// True if it is that of the first game.
        first_is_terminal: bool,
    },
    /// Both are terminal, and a role has another goal value.
    Goal {
        /// The role, as a role of the first game.
        role: Role,
        /// The values; `None` if the rules define none or several.
        values: [Option<Utility>; 2],
    },
    /// A role has other legal moves.
    Moves {
        /// The role, as a role of the first game.
        role: Role,
        /// The numbers of legal moves.
        counts: [usize; 2],
        /// Of the moves the names that the other game does not have here.
        only: [Vec<GroundTerm>; 2],
    },
    /// The moves are as many, and cannot be paired so that what follows is alike.
    Arrangement,
}

/// What one state shows without a look at those after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Shown {
    /// It is terminal, with these goals in the order of the roles of the first game.
    End(Vec<Option<Utility>>),
    /// The number of legal moves of each role, in that order.
    Moves(Vec<usize>),
}

impl Shown {
    /// True if there are joint moves: none if the state is terminal, or a role has no move.
    fn goes_on(&self) -> bool {
        matches!(self, Self::Moves(counts) if !counts.contains(&0))
    }
}

/// The goal of a role; `None` if the rules define none or several.
fn goal_of<R: Reasoner>(reasoner: &mut R, state: &R::State, role: Role) -> Result<Option<Utility>, ReasonError> {
    match reasoner.goal(state, role) {
        Ok(utility) => Ok(Some(utility)),
        Err(error) if error.is_about_goal() => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a state shows, with the roles in this order.
fn shown<R: Reasoner>(reasoner: &mut R, state: &R::State, roles: &[Role]) -> Result<Shown, ReasonError> {
    if reasoner.is_terminal(state)? {
        let goals = roles.iter().map(|&role| goal_of(reasoner, state, role));
        return Ok(Shown::End(goals.collect::<Result<_, _>>()?));
    }
    let mut legal = Vec::new();
    let mut counts = Vec::with_capacity(roles.len());
    for &role in roles {
        reasoner.legal_moves(state, role, &mut legal)?;
        counts.push(legal.len());
    }
    Ok(Shown::Moves(counts))
}

/// The terms of the legal moves of a role.
fn names<R: Reasoner>(reasoner: &mut R, state: &R::State, role: Role) -> Result<Vec<GroundTerm>, ReasonError> {
    let mut legal = Vec::new();
    reasoner.legal_moves(state, role, &mut legal)?;
    Ok(legal.into_iter().map(|chosen| reasoner.move_term(chosen)).collect())
}

impl<R: Reasoner> GamePair<'_, R> {
    /// The roles of the first game.
    fn first_roles(&self) -> Vec<Role> {
        (0..self.roles.len()).map(Role::new).collect()
    }

    /// What two states show, with the roles of the first game.
    fn shown(&mut self, first: &R::State, second: &R::State) -> Result<[Shown; 2], ReasonError> {
        let own = self.first_roles();
        Ok([shown(self.first, first, &own)?, shown(self.second, second, &self.roles)?])
    }

    /// The difference of two states by what they show; `None` if that is the same.
    fn difference(
        &mut self,
        first: &R::State,
        second: &R::State,
        shown: &[Shown; 2],
    ) -> Result<Option<DifferenceKind>, ReasonError> {
        let roles = self.first_roles();
        Ok(match shown {
            [left, right] if left == right => None,
            [Shown::End(left), Shown::End(right)] => {
                let differs = |role: &Role| left[role.index()] != right[role.index()];
                let role = roles.into_iter().find(differs).expect("they differ");
                Some(DifferenceKind::Goal { role, values: [left[role.index()], right[role.index()]] })
            }
            [Shown::Moves(left), Shown::Moves(right)] => {
                let differs = |role: &Role| left[role.index()] != right[role.index()];
                let role = roles.into_iter().find(differs).expect("they differ");
                Some(self.moves_kind(first, second, role)?)
            }
            [left, _] => Some(DifferenceKind::End { first_is_terminal: matches!(left, Shown::End(_)) }),
        })
    }

    fn moves_kind(&mut self, first: &R::State, second: &R::State, role: Role) -> Result<DifferenceKind, ReasonError> {
        let left = names(self.first, first, role)?;
        let right = names(self.second, second, self.roles[role.index()])?;
        let counts = [left.len(), right.len()];
        let missing = |names: &[GroundTerm], other: &[GroundTerm]| {
            names.iter().filter(|name| !other.contains(name)).cloned().collect::<Vec<_>>()
        };
        let only = [missing(&left, &right), missing(&right, &left)];
        Ok(DifferenceKind::Moves { role, counts, only })
    }
}
