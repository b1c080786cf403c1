//! Lines of play: each is legal, and leads to the value that is shown, to the end of the game or to the horizon.

use super::{Judge, require};
use crate::values::{View, Worth, lead};
use serde_json::Value as Json;
use std::cmp::Ordering;

/// A line: the moves of roles that have a choice, by the number of the joint move.
pub(super) struct Line<'j> {
    judge: &'j Judge<'j>,
    moves: Vec<(usize, usize, String)>,
    /// Where the answer says that it ends.
    ends: String,
}

/// Where a line leads: a position, after so many joint moves.
pub(super) struct Place {
    pub(super) number: usize,
    pub(super) plies: usize,
}

impl<'j> Line<'j> {
    /// The line of an answer, or of a round of it.
    pub(super) fn read(judge: &'j Judge<'j>, answer: &Json) -> Result<Self, String> {
        let entry = |entry: &Json| {
            let ply = entry["ply"].as_u64().ok_or("a move of the line has no ply")?;
            let chosen = entry["move"].as_str().ok_or("an entry of the line has no move")?;
            Ok((ply as usize, judge.role(&entry["role"])?, chosen.to_string()))
        };
        let moves = answer["line"].as_array().into_iter().flatten().map(entry).collect::<Result<_, String>>()?;
        let ends = answer["line_ends"].as_str().unwrap_or_default().to_string();
        Ok(Self { judge, moves, ends })
    }

    /// Makes the moves, and between them what is forced.
    pub(super) fn follow(&self) -> Result<Place, String> {
        self.made(false)
    }

    /// Makes the moves of a line that may end at a mean: its last joint move need not name those that move at random.
    pub(super) fn follow_to_mean(&self) -> Result<Place, String> {
        self.made(true)
    }

    fn made(&self, ends_at_mean: bool) -> Result<Place, String> {
        let space = &self.judge.game.space;
        let last = self.moves.iter().map(|entry| entry.0).max().unwrap_or(0);
        let mut place = Place { number: 0, plies: 0 };
        while place.plies < last {
            let position = &space.positions[place.number];
            require(!position.is_terminal, || format!("the line goes on after its end at {}", place.plies))?;
            let ply = place.plies + 1;
            let mut joint_move = vec![0; position.legal.len()];
            let mut left = position.choosing();
            for (_, role, chosen) in self.moves.iter().filter(|entry| entry.0 == ply) {
                let index = position.legal[*role].iter().position(|own| own.to_string() == *chosen);
                joint_move[*role] = index.ok_or_else(|| format!("{chosen} is not legal at ply {ply} of the line"))?;
                left.retain(|other| other != role);
            }
            require(left.is_empty() || (ends_at_mean && ply == last), || {
                format!("the line leaves out a choice at ply {ply}")
            })?;
            place = Place { number: position.after(&joint_move), plies: ply };
        }
        Ok(place)
    }

    /// Checks that the line leads to these values: to an end of the game, or to the horizon.
    pub(super) fn leads_to(&self, worths: &[(usize, Worth)], view: View) -> Result<(), String> {
        let space = &self.judge.game.space;
        let mut place = self.follow()?;
        // What is forced need not be shown.
        let mut steps = 0;
        while !space.positions[place.number].is_terminal
            && space.positions[place.number].choosing().is_empty()
            && (view.extends || view.depth.is_none_or(|depth| place.plies < depth))
            && steps < 1000
        {
            place = Place { number: space.positions[place.number].next[0], plies: place.plies + 1 };
            steps += 1;
        }
        let position = &space.positions[place.number];
        let is_named = if position.is_terminal { self.ends == "game" } else { self.ends == "horizon" };
        require(is_named, || format!("the line is said to end at {:?}, terminal {}", self.ends, position.is_terminal))?;
        let is_at_horizon = view.extends || view.depth == Some(place.plies);
        if !position.is_terminal && (view.depth.is_none() || !is_at_horizon) {
            return Err(format!(
                "the line ends after {} joint moves, neither at an end nor at the horizon",
                place.plies
            ));
        }
        for &(role, shown) in worths {
            let there = match (position.is_terminal, view.evaluates) {
                (true, _) => Worth::of_end(view.utility(position, role), view.middle()),
                (false, true) if worths.len() > 1 => Worth::estimate(position.evaluations[role] as f64),
                (false, true) => Worth::estimate(lead(position, role) as f64),
                (false, false) => Worth::estimate(0.0),
            };
            require(shown.compare(&there) == Ordering::Equal, || {
                format!("the line leads to {there:?}, the answer says {shown:?}")
            })?;
        }
        Ok(())
    }
}
