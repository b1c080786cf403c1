//! Random games: sheets in the prefix dialect, small enough that all their positions are known.

mod graphs;
mod idioms;

use crate::random::Random;
use crate::reasoner::{Reasoner, Term, first_arguments, of_role};
use crate::space::{Space, joint_moves};
use std::collections::BTreeSet;

/// A rule sheet with what the reference does not read off it.
pub(crate) struct Sheet {
    pub(crate) text: String,
    /// What is added to goal values to get utilities, as the sheet declares.
    pub(crate) added: f64,
    /// The least and the greatest utility.
    pub(crate) range: (f64, f64),
}

impl Sheet {
    /// A sheet whose ends have these goal values at most.
    fn new(text: String, goals: &[i32], added: i32) -> Self {
        let least = goals.iter().copied().min().unwrap_or(0).min(0) + added;
        let most = goals.iter().copied().max().unwrap_or(100).max(100) + added;
        let declared = match added {
            0 => String::new(),
            added if added < 0 => format!(";! utility = goal - {}\n", -added),
            added => format!(";! utility = goal + {added}\n"),
        };
        Self { text: declared + &text, added: f64::from(added), range: (f64::from(least), f64::from(most)) }
    }
}

/// A game in one of its positions.
pub(crate) struct Game {
    pub(crate) sheet: Sheet,
    /// The joint moves that lead to the position.
    pub(crate) moves: Vec<Vec<Term>>,
    /// A sheet with rules for `evaluation`.
    pub(crate) evaluation: String,
    /// The positions below the position, evaluated.
    pub(crate) space: Space,
}

/// The greatest number of positions of a game.
const MOST_POSITIONS: usize = 120;

impl Game {
    /// A random game in a position that is not terminal.
    pub(crate) fn random(random: &mut Random) -> Self {
        loop {
            let sheet = if random.percent(60) { graphs::sheet(random) } else { idioms::sheet(random) };
            if let Some(game) = Self::begun(sheet, random) {
                return game;
            }
        }
    }

    /// The game after some random moves; nothing if it is too large or not playable.
    fn begun(sheet: Sheet, random: &mut Random) -> Option<Self> {
        let reasoner = Reasoner::new(&sheet.text);
        let (moves, facts) = played(&reasoner, random)?;
        let space = Space::explore(&sheet, &reasoner, &facts, MOST_POSITIONS)?;
        let evaluation = evaluation(&space, random);
        let evaluated = Reasoner::new(&format!("{}{evaluation}", sheet.text));
        let space = Space::explore(&sheet, &evaluated, &facts, MOST_POSITIONS)?;
        Some(Self { sheet, moves, evaluation, space })
    }
}

/// Some random moves from the initial state that do not end the game.
fn played(reasoner: &Reasoner, random: &mut Random) -> Option<(Vec<Vec<Term>>, BTreeSet<Term>)> {
    let mut facts = reasoner.initial();
    let mut moves = Vec::new();
    let mut left = if random.percent(50) { 0 } else { random.between(1, 4) };
    loop {
        let model = reasoner.state(&facts);
        let legal: Vec<Vec<Term>> =
            reasoner.roles.iter().map(|role| of_role(&model, "legal", role).into_iter().collect()).collect();
        if model.contains_key("terminal") || legal.iter().any(Vec::is_empty) {
            return None;
        }
        if left == 0 {
            return Some((moves, facts));
        }
        left -= 1;
        let joint_move = random.pick(&joint_moves(&legal)).clone();
        let next = first_arguments(&reasoner.turn(&model, &joint_move), "next");
        if reasoner.state(&next).contains_key("terminal") {
            return Some((moves, facts));
        }
        facts = next;
        moves.push(joint_move);
    }
}

/// Weights for some facts of the positions, and for each role.
fn evaluation(space: &Space, random: &mut Random) -> String {
    let facts: BTreeSet<&Term> = space.positions.iter().flat_map(|position| &position.facts).collect();
    let facts: Vec<Term> = facts.into_iter().cloned().collect();
    let rule = |key: usize| {
        let role = &space.roles[random.below(space.roles.len())];
        let weight = random.between(0, 60) as i32 - 30;
        let fact = prefix(random.pick(&facts));
        format!("(<= (evaluation {role} k{key} {weight}) (true {fact}))\n")
    };
    (0..12).map(rule).collect()
}

/// A term in the prefix dialect.
pub(crate) fn prefix(term: &Term) -> String {
    if term.arguments.is_empty() {
        return term.name.to_string();
    }
    let arguments: Vec<String> = term.arguments.iter().map(prefix).collect();
    format!("({} {})", term.name, arguments.join(" "))
}
