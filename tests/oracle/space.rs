//! All positions of a small game below one of them, as the reference reasoner finds them.

use crate::games::Sheet;
use crate::reasoner::{Reasoner, Term, first_arguments, of_role};
use std::collections::{BTreeMap, BTreeSet};

/// A position, with all that the rules say of it.
pub(crate) struct Position {
    pub(crate) facts: BTreeSet<Term>,
    pub(crate) is_terminal: bool,
    /// The legal moves of each role in canonical order.
    pub(crate) legal: Vec<Vec<Term>>,
    /// The utility of each role, if it has one goal value, which is a whole number.
    pub(crate) utilities: Vec<Option<f64>>,
    /// What the evaluation of the sheet makes of it for each role.
    pub(crate) evaluations: Vec<i64>,
    /// The position after each joint move; the moves of the last role change first. Empty if it is terminal.
    pub(crate) next: Vec<usize>,
}

impl Position {
    /// The roles that have a choice.
    pub(crate) fn choosing(&self) -> Vec<usize> {
        let roles = 0..self.legal.len();
        if self.is_terminal { Vec::new() } else { roles.filter(|&role| self.legal[role].len() > 1).collect() }
    }

    /// The position after a joint move, given by the index of each role's move.
    pub(crate) fn after(&self, joint_move: &[usize]) -> usize {
        let index = joint_move.iter().zip(&self.legal).fold(0, |index, (own, legal)| index * legal.len() + own);
        self.next[index]
    }
}

/// The positions below a first one, which has the number 0.
pub(crate) struct Space {
    pub(crate) roles: Vec<Term>,
    pub(crate) chance: Option<usize>,
    pub(crate) positions: Vec<Position>,
    pub(crate) is_cyclic: bool,
}

impl Space {
    /// All positions below a state; nothing if there are more than `most`, or one is neither terminal nor playable.
    pub(crate) fn explore(sheet: &Sheet, reasoner: &Reasoner, first: &BTreeSet<Term>, most: usize) -> Option<Self> {
        let roles = reasoner.roles.clone();
        let mut numbers = BTreeMap::from([(first.clone(), 0)]);
        let mut waiting = vec![first.clone()];
        let mut positions = Vec::new();
        while let Some(facts) = waiting.get(positions.len()).cloned() {
            let model = reasoner.state(&facts);
            let is_terminal = model.contains_key("terminal");
            let legal = roles.iter().map(|role| of_role(&model, "legal", role).into_iter().collect());
            let legal: Vec<Vec<Term>> = legal.collect();
            let utilities = roles.iter().map(|role| utility(sheet, &of_role(&model, "goal", role))).collect();
            let evaluations = roles.iter().map(|role| evaluation(&model, role)).collect();
            let mut next = Vec::new();
            for joint_move in joint_moves(&legal).into_iter().filter(|_| !is_terminal) {
                let after = first_arguments(&reasoner.turn(&model, &joint_move), "next");
                let number = *numbers.entry(after.clone()).or_insert_with(|| {
                    waiting.push(after);
                    waiting.len() - 1
                });
                next.push(number);
            }
            if waiting.len() > most || (next.is_empty() && !is_terminal) {
                return None;
            }
            positions.push(Position { facts, is_terminal, legal, utilities, evaluations, next });
        }
        let chance = roles.iter().position(|role| &*role.name == "random");
        let is_cyclic = is_cyclic(&positions);
        Some(Self { roles, chance, positions, is_cyclic })
    }

    /// The roles that have an aim.
    pub(crate) fn players(&self) -> Vec<usize> {
        (0..self.roles.len()).filter(|&role| Some(role) != self.chance).collect()
    }

    pub(crate) fn ends(&self) -> impl Iterator<Item = &Position> {
        self.positions.iter().filter(|position| position.is_terminal)
    }

    /// Whether all players have utilities at all ends.
    pub(crate) fn has_utilities(&self) -> bool {
        self.ends().all(|end| self.players().iter().all(|&role| end.utilities[role].is_some()))
    }

    /// Whether two roles choose at the same time somewhere, chance among them.
    pub(crate) fn is_simultaneous(&self) -> bool {
        self.positions.iter().any(|position| position.choosing().len() > 1)
    }

    /// The sum of the utilities of two players, if all ends have the same.
    pub(crate) fn constant_sum(&self) -> Option<f64> {
        let &[first, second] = &self.players()[..] else { return None };
        let mut sums = self.ends().map(|end| Some(end.utilities[first]? + end.utilities[second]?));
        let sum = sums.next()??;
        sums.all(|other| other == Some(sum)).then_some(sum)
    }
}

/// The joint moves of these legal moves, those of the last role first.
pub(crate) fn joint_moves(legal: &[Vec<Term>]) -> Vec<Vec<Term>> {
    legal.iter().fold(vec![Vec::new()], |before, own| {
        let longer = |joint: &Vec<Term>, own: &Term| [&joint[..], std::slice::from_ref(own)].concat();
        before.iter().flat_map(|joint| own.iter().map(|own| longer(joint, own))).collect()
    })
}

fn utility(sheet: &Sheet, goals: &BTreeSet<Term>) -> Option<f64> {
    let only = goals.first().filter(|_| goals.len() == 1)?;
    only.name.parse::<i32>().ok().map(|goal| f64::from(goal) + sheet.added)
}

fn evaluation(model: &crate::reasoner::Model, role: &Term) -> i64 {
    let facts = model.get("evaluation").into_iter().flatten();
    facts.filter(|fact| fact[0] == *role).map(|fact| fact[2].name.parse::<i64>().expect("it is a number")).sum()
}

/// Whether play can come back to a position: not all of them can be taken away from the ends.
fn is_cyclic(positions: &[Position]) -> bool {
    let mut settled = vec![false; positions.len()];
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        for (number, position) in positions.iter().enumerate() {
            if !settled[number] && position.next.iter().all(|&next| settled[next]) {
                settled[number] = true;
                goes_on = true;
            }
        }
    }
    settled.contains(&false)
}
