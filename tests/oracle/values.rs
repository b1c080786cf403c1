//! What positions are worth, computed in full width: each function is the definition of a value, applied to every
//! position, with a memory for the positions that it has done.

pub(crate) mod endless;
pub(crate) mod matrix;
pub(crate) mod plans;
pub(crate) mod possible;

use crate::space::{Position, Space};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How far a search looks, and what counts there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// The joint moves to the horizon.
    pub(crate) depth: Option<usize>,
    /// Whether joint moves of roles without a choice do not count.
    pub(crate) extends: bool,
    /// Whether a state at the horizon is evaluated; otherwise it counts as the middle of the utilities.
    pub(crate) evaluates: bool,
    /// The least and the greatest utility of the game, as answers scale it.
    pub(crate) range: (f64, f64),
    /// What an end counts for a role that has no usable goal value.
    pub(crate) missing: f64,
}

impl View {
    /// A view to the ends of the game.
    pub(crate) fn whole(range: (f64, f64)) -> Self {
        Self { depth: None, extends: false, evaluates: false, range, missing: f64::NAN }
    }

    pub(crate) fn middle(&self) -> f64 {
        f64::midpoint(self.range.0, self.range.1)
    }

    /// Whether a position lies on the horizon.
    fn cuts(&self, position: &Position) -> bool {
        self.depth == Some(0) && !(self.extends && position.choosing().is_empty())
    }

    /// The view from the position after a joint move in this one.
    fn after(mut self, position: &Position) -> Self {
        let is_free = self.extends && position.choosing().is_empty();
        self.depth = self.depth.map(|depth| if is_free { depth } else { depth - 1 });
        self
    }

    pub(crate) fn utility(&self, position: &Position, role: usize) -> f64 {
        position.utilities[role].unwrap_or(self.missing)
    }

    fn end(&self, position: &Position, role: usize) -> Worth {
        Worth::of_end(self.utility(position, role), self.middle())
    }
}

/// A value as searches compare it: first whether it is a loss, undecided or a win, then the number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Worth {
    decided: i8,
    pub(crate) number: f64,
    /// Whether the game ends there.
    pub(crate) is_end: bool,
}

impl Worth {
    /// An end; in the middle of the utilities it ranks as the estimate 0.
    pub(crate) fn of_end(utility: f64, middle: f64) -> Self {
        let decided = if utility > middle { 1 } else { -i8::from(utility < middle) };
        Self { decided, number: utility, is_end: true }
    }

    pub(crate) fn estimate(estimate: f64) -> Self {
        Self { decided: 0, number: estimate, is_end: false }
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let key = |worth: &Self| if worth.decided == 0 && worth.is_end { 0.0 } else { worth.number };
        self.decided.cmp(&other.decided).then_with(|| key(self).total_cmp(&key(other)))
    }
}

/// The memory of a value: what it is in a position, from which so many joint moves lead to the horizon.
type Known<V> = BTreeMap<(usize, Option<usize>), V>;

/// What a role can force if all others reply to its moves together.
pub(crate) struct Forced<'s> {
    pub(crate) space: &'s Space,
    pub(crate) role: usize,
    known: Known<Worth>,
}

impl<'s> Forced<'s> {
    pub(crate) fn new(space: &'s Space, role: usize) -> Self {
        Self { space, role, known: Known::new() }
    }

    pub(crate) fn value(&mut self, number: usize, view: View) -> Worth {
        let position = &self.space.positions[number];
        if position.is_terminal {
            return view.end(position, self.role);
        }
        if view.cuts(position) {
            return Worth::estimate(if view.evaluates { lead(position, self.role) as f64 } else { 0.0 });
        }
        if let Some(known) = self.known.get(&(number, view.depth)) {
            return *known;
        }
        let moves = 0..position.legal[self.role].len();
        let best = moves.map(|own| self.after(number, own, view)).max_by(Worth::compare).expect("it has a move");
        self.known.insert((number, view.depth), best);
        best
    }

    /// The value of a move of the role.
    pub(crate) fn after(&mut self, number: usize, own: usize, view: View) -> Worth {
        let position = &self.space.positions[number];
        let role = self.role;
        let replies = indices(position).into_iter().filter(|joint_move| joint_move[role] == own);
        let values = replies.map(|joint_move| self.value(position.after(&joint_move), view.after(position)));
        values.min_by(Worth::compare).expect("the others have moves")
    }
}

/// The evaluation of a role less those of the others.
pub(crate) fn lead(position: &Position, role: usize) -> i64 {
    2 * position.evaluations[role] - position.evaluations.iter().sum::<i64>()
}

/// All joint moves, as the indices of the roles' moves.
pub(crate) fn indices(position: &Position) -> Vec<Vec<usize>> {
    position.legal.iter().fold(vec![Vec::new()], |before, own| {
        before.iter().flat_map(|joint| (0..own.len()).map(|index| [&joint[..], &[index]].concat())).collect()
    })
}

/// What all roles get if each takes the first of the moves that are best for itself, and knows the choices of the roles
/// before it: first the role that asks, then the others in their order.
pub(crate) struct Shares<'s> {
    space: &'s Space,
    role: usize,
    known: Known<Vec<Worth>>,
}

impl<'s> Shares<'s> {
    pub(crate) fn new(space: &'s Space, role: usize) -> Self {
        Self { space, role, known: Known::new() }
    }

    pub(crate) fn values(&mut self, number: usize, view: View) -> Vec<Worth> {
        let position = &self.space.positions[number];
        let roles = 0..self.space.roles.len();
        if position.is_terminal {
            return roles.map(|role| view.end(position, role)).collect();
        }
        if view.cuts(position) {
            let estimate = |role: usize| if view.evaluates { position.evaluations[role] as f64 } else { 0.0 };
            return roles.map(|role| Worth::estimate(estimate(role))).collect();
        }
        if let Some(known) = self.known.get(&(number, view.depth)) {
            return known.clone();
        }
        let mut order = vec![self.role];
        order.extend(roles.filter(|&role| role != self.role));
        let values = self.decide(number, &order, &mut vec![0; order.len()], view);
        self.known.insert((number, view.depth), values.clone());
        values
    }

    /// The values once the roles before these have decided.
    fn decide(&mut self, number: usize, order: &[usize], joint_move: &mut Vec<usize>, view: View) -> Vec<Worth> {
        let position = &self.space.positions[number];
        let Some((&role, later)) = order.split_first() else {
            return self.values(position.after(joint_move), view.after(position));
        };
        let mut best: Option<Vec<Worth>> = None;
        for own in 0..position.legal[role].len() {
            joint_move[role] = own;
            let values = self.decide(number, later, joint_move, view);
            if best.as_ref().is_none_or(|best| values[role].compare(&best[role]) == Ordering::Greater) {
                best = Some(values);
            }
        }
        best.expect("it has a move")
    }
}

/// The mean utility of a role that maximises it, where `random` and, if they are `uniform`, all others make each move
/// with the same probability; otherwise the others reply together.
pub(crate) struct Mean<'s> {
    space: &'s Space,
    role: usize,
    uniform: bool,
    known: Known<f64>,
}

impl<'s> Mean<'s> {
    pub(crate) fn new(space: &'s Space, role: usize, uniform: bool) -> Self {
        Self { space, role, uniform, known: Known::new() }
    }

    pub(crate) fn value(&mut self, number: usize, view: View) -> f64 {
        let position = &self.space.positions[number];
        if position.is_terminal {
            return view.utility(position, self.role);
        }
        if view.cuts(position) {
            let estimate = if view.evaluates { lead(position, self.role) as f64 } else { 0.0 };
            return (view.middle() + estimate).clamp(view.range.0, view.range.1);
        }
        if let Some(known) = self.known.get(&(number, view.depth)) {
            return *known;
        }
        let moves = 0..position.legal[self.role].len();
        let best = moves.map(|own| self.after(number, own, view)).fold(f64::NEG_INFINITY, f64::max);
        self.known.insert((number, view.depth), best);
        best
    }

    /// The mean after a move of the role.
    pub(crate) fn after(&mut self, number: usize, own: usize, view: View) -> f64 {
        let Self { space, role, uniform, .. } = *self;
        let next = view.after(&space.positions[number]);
        after_move(space, role, uniform, number, own, |after| self.value(after, next))
    }
}

/// The mean of a move of a role: the least that the adversaries can choose, where the others move at random afterwards.
fn after_move(
    space: &Space,
    role: usize,
    uniform: bool,
    number: usize,
    own: usize,
    mut value: impl FnMut(usize) -> f64,
) -> f64 {
    let position = &space.positions[number];
    let is_random = |&other: &usize| Some(other) == space.chance || (uniform && other != role);
    let mut replies: BTreeMap<Vec<usize>, Vec<f64>> = BTreeMap::new();
    for joint_move in indices(position).into_iter().filter(|joint_move| joint_move[role] == own) {
        let chosen = (0..joint_move.len()).filter(|other| !is_random(other)).map(|other| joint_move[other]).collect();
        replies.entry(chosen).or_default().push(value(position.after(&joint_move)));
    }
    let means = replies.values().map(|values| values.iter().sum::<f64>() / values.len() as f64);
    means.fold(f64::INFINITY, f64::min)
}

/// The mean utility of a role under uniformly random play.
pub(crate) fn random_mean(space: &Space, role: usize, number: usize) -> f64 {
    fn mean(space: &Space, role: usize, number: usize, known: &mut BTreeMap<usize, f64>) -> f64 {
        if let Some(mean) = known.get(&number) {
            return *mean;
        }
        let position = &space.positions[number];
        let value = if position.is_terminal {
            position.utilities[role].expect("ends have utilities")
        } else {
            let sum: f64 = position.next.iter().map(|&next| mean(space, role, next, known)).sum();
            sum / position.next.len() as f64
        };
        known.insert(number, value);
        value
    }
    mean(space, role, number, &mut BTreeMap::new())
}
