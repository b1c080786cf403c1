//! How the tree grows: lines down to leaves, random play from there, and what it was worth handed up.

use super::Uct;
use super::tree::{Place, RoleChoice, Tree};
use crate::game::chance::below;
use crate::game::{Move, Reasoner};
use crate::search::Stop;
use crate::search::budget::Meter;
use crate::search::outcome::Halt;
use crate::search::playouts::Playouts;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A line from the first node on.
#[derive(Default)]
struct Line {
    /// The nodes in which moves were chosen, and where their picks begin.
    steps: Vec<(Place, usize)>,
    /// For each of these nodes the place of the move of each role that had a choice.
    picks: Vec<u32>,
}

/// Lines that wait for random play from their leaves.
struct Batch<S> {
    lines: Vec<Line>,
    states: Vec<S>,
}

/// Where a line came to.
enum Reached {
    /// A state whose worth is certain.
    Proven(Place),
    /// A state to be judged by random play.
    Leaf(Place),
}

impl<R: Reasoner> Uct<R> {
    /// Grows the tree until the budget is spent, or all is proven.
    pub(super) fn grow(
        &mut self,
        reasoner: &mut R,
        playouts: &mut dyn Playouts<R>,
        meter: &mut Meter<'_>,
        memory: u64,
    ) -> Result<(), Halt> {
        self.tree.expand(reasoner, Tree::<R::State>::ROOT)?;
        let mut utilities = Vec::new();
        while self.tree.proven(Tree::<R::State>::ROOT).is_none() {
            meter.pause()?;
            let (batch, halt) = self.collect(reasoner, playouts.width(), meter, memory)?;
            // The last games that the budget allows are played, unless it is the time that is over.
            let is_wanted = matches!(halt, None | Some(Halt::Stopped(Stop::Nodes { .. })));
            let played = is_wanted
                && (batch.states.is_empty()
                    || playouts.play(reasoner, &batch.states, &mut utilities, &mut || meter.pause().is_err())?);
            if played {
                for (line, worth) in batch.lines.iter().zip(utilities.chunks_exact(self.roles)) {
                    self.hand_up(line, worth);
                }
            } else {
                batch.lines.iter().for_each(|line| self.take_back(line));
            }
            if let Some(halt) = halt {
                return Err(halt);
            }
        }
        Ok(())
    }

    /// Goes down to leaves until enough of them wait, or a limit is met. Lines that end in what is known are done at once.
    fn collect(
        &mut self,
        reasoner: &mut R,
        width: usize,
        meter: &mut Meter<'_>,
        memory: u64,
    ) -> Result<(Batch<R::State>, Option<Halt>), Halt> {
        let mut batch = Batch { lines: Vec::with_capacity(width), states: Vec::with_capacity(width) };
        // Where nearly everything is proven hardly a line reaches a leaf.
        for _ in 0..2 * width {
            if let Err(halt) = meter.visit(0) {
                return Ok((batch, Some(halt)));
            }
            let mut line = Line::default();
            match self.descend(reasoner, &mut line, memory)? {
                Reached::Leaf(leaf) => {
                    batch.states.push(self.tree.state(leaf).clone());
                    batch.lines.push(line);
                }
                Reached::Proven(end) => {
                    let worth = self.tree.proven(end).unwrap_or_default().to_vec();
                    self.hand_up(&line, &worth);
                    self.prove(&line.steps, end);
                }
            }
            if batch.lines.len() == width || self.tree.proven(Tree::<R::State>::ROOT).is_some() {
                break;
            }
        }
        Ok((batch, None))
    }

    /// Goes down one line, and makes a node at its end.
    fn descend(&mut self, reasoner: &mut R, line: &mut Line, memory: u64) -> Result<Reached, Halt> {
        let mut place = Tree::<R::State>::ROOT;
        loop {
            if self.tree.proven(place).is_some() {
                return Ok(Reached::Proven(place));
            }
            let is_full = self.tree.bytes() >= memory;
            let is_fresh = self.tree.node(place).visits == 0 && place != Tree::<R::State>::ROOT;
            self.tree.node_mut(place).visits += 1;
            if is_fresh || is_full && self.tree.node(place).turn.is_none() {
                return Ok(Reached::Leaf(place));
            }
            self.tree.expand(reasoner, place)?;
            let (joint, joint_move) = self.pick(place, line);
            place = match self.tree.child(place, joint) {
                Some(child) => child,
                None if is_full => return Ok(Reached::Leaf(place)),
                None => {
                    let next = reasoner.next_state(self.tree.state(place), &joint_move)?;
                    self.tree.add_child(reasoner, place, joint, next)?
                }
            };
        }
    }

    /// Lets every role that has a choice take a move, and counts that as a visit.
    fn pick(&mut self, place: Place, line: &mut Line) -> (u64, Vec<Move>) {
        let start = line.picks.len();
        line.steps.push((place, start));
        let worths = self.proven_worths(place);
        let node = self.tree.node_mut(place);
        let visits = node.visits;
        let turn = node.turn.as_mut().expect("the node has been expanded");
        let mut joint_move = turn.joint_move.to_vec();
        for choice in &mut turn.choices {
            let pick = if Some(choice.role) == self.chance {
                below(&mut self.random, choice.arms.len())
            } else {
                most_promising(choice, visits, &worths, self.options.exploration, &mut self.random)
            };
            let arm = &mut choice.arms[pick];
            arm.visits += 1;
            joint_move[choice.role.index()] = arm.chosen;
            line.picks.push(pick as u32);
        }
        (turn.joint(&line.picks[start..]), joint_move)
    }

    /// Adds what a line was worth to the moves on it.
    fn hand_up(&mut self, line: &Line, worth: &[f32]) {
        for &(place, start) in &line.steps {
            let Some(turn) = &mut self.tree.node_mut(place).turn else { continue };
            for (choice, &pick) in turn.choices.iter_mut().zip(&line.picks[start..]) {
                choice.arms[pick as usize].sum += f64::from(worth[choice.role.index()]);
            }
        }
    }

    /// Counts a line no more that has not been played.
    fn take_back(&mut self, line: &Line) {
        for &(place, start) in &line.steps {
            let node = self.tree.node_mut(place);
            node.visits -= 1;
            let Some(turn) = &mut node.turn else { continue };
            for (choice, &pick) in turn.choices.iter_mut().zip(&line.picks[start..]) {
                choice.arms[pick as usize].visits -= 1;
            }
        }
    }
}

/// The place of the move that is to be tried: one never tried yet, else that of the greatest upper confidence bound (UCB1). Of moves
/// whose worth is proven only the best is of interest.
fn most_promising(
    choice: &RoleChoice,
    visits: u32,
    worths: &[Option<f32>],
    exploration: f64,
    random: &mut Xoshiro256PlusPlus,
) -> usize {
    const SCALE: f64 = 100.0;
    let logarithm = f64::from(visits.max(1)).ln();
    let best_proven = worths.iter().flatten().copied().fold(f32::NEG_INFINITY, f32::max);
    let (mut best, mut best_bound, mut ties) = (0, f64::NEG_INFINITY, 0);
    for (place, arm) in choice.arms.iter().enumerate() {
        let bound = match worths.get(place).copied().flatten() {
            Some(worth) if worth < best_proven => continue,
            Some(worth) if arm.visits > 0 => f64::from(worth) / SCALE,
            _ if arm.visits == 0 => f64::INFINITY,
            _ => {
                let tried = f64::from(arm.visits);
                arm.sum / tried / SCALE + exploration * (logarithm / tried).sqrt()
            }
        };
        // Of equal bounds any, with the same probability.
        if bound > best_bound {
            (best, best_bound, ties) = (place, bound, 1);
        } else if bound == best_bound {
            ties += 1;
            if below(random, ties) == 0 {
                best = place;
            }
        }
    }
    best
}
