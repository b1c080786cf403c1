//! What sampled searches, analyses and `solve` claim.

use super::{Judge, Judgement, Verdict, is_near, require};
use crate::values::matrix::Equilibrium;
use crate::values::plans::{best, reached};
use crate::values::{Forced, Shares, endless, possible};
use serde_json::Value as Json;

impl Judge<'_> {
    /// The values that a role can have in a position if all play best; nothing if the reference does not know.
    fn best_play(&self, role: usize, number: usize) -> Option<Vec<f64>> {
        let space = &self.game.space;
        if space.roles.len() == 1 {
            return if number == 0 { Some(vec![best(&reached(space, self.whole()))?]) } else { None };
        }
        if space.is_cyclic {
            let is_solved = space.constant_sum().is_some() && !space.is_simultaneous() && space.chance.is_none();
            let middle = space.constant_sum()? / 2.0;
            return (is_solved && number == 0).then(|| vec![endless::forced(space, role, middle)]);
        }
        if space.is_simultaneous() {
            space.constant_sum()?;
            return Some(vec![Equilibrium::new(space, role).values(number, self.whole())?[0]]);
        }
        possible::shares(space, number, self.whole()).map(|shares| shares.iter().map(|share| share[role]).collect())
    }

    /// Compares a value that is called proven or exact with those of best play.
    fn claim(&self, role: usize, number: usize, shown: f64) -> Judgement {
        let Some(right) = self.best_play(role, number) else { return Ok(Verdict::Estimate) };
        require(right.iter().any(|right| is_near(shown, *right, 1e-5)), || {
            format!("{shown} is claimed, right is {right:?}")
        })?;
        Ok(Verdict::Equal)
    }

    /// The answer of `mcts` or `montecarlo`.
    pub(super) fn sampled(&self, answer: &Json) -> Judgement {
        let space = &self.game.space;
        let role = self.role(&answer["role"])?;
        let mut verdict = Verdict::Estimate;
        if answer["exact"] == true || answer["proven"] == true {
            verdict = self.claim(role, 0, answer["mean"].as_f64().ok_or("there is no mean")?)?;
        }
        let position = &space.positions[0];
        let is_alone = position.choosing() == [role] && !space.is_cyclic && space.roles.len() > 1;
        for row in answer["moves"].as_array().into_iter().flatten().filter(|_| is_alone) {
            if let Some(proven) = row["proven"].as_f64() {
                let mut joint_move = vec![0; position.legal.len()];
                joint_move[role] = self.first_move(role, &row["move"])?;
                let judged = self.claim(role, position.after(&joint_move), proven);
                verdict = judged.map_err(|wrong| format!("{}: {wrong}", row["move"]))?;
            }
        }
        super::line::Line::read(self, answer)?.follow()?;
        Ok(verdict)
    }

    /// The answer of `analyse`.
    pub(super) fn analysis(&self, answer: &Json) -> Judgement {
        let role = self.role(&answer["role"])?;
        let Some(first) = answer["moves"].as_array().and_then(|moves| moves.first()) else {
            return Ok(Verdict::Estimate);
        };
        if answer["exact"] != true {
            return Ok(Verdict::Estimate);
        }
        let shown = first["utility"].as_f64().or_else(|| first["mean"].as_f64()).ok_or("the best move has no value")?;
        let algorithm = answer["algorithm"].as_str().unwrap_or_default();
        if algorithm == "alphabeta" && !self.game.space.is_cyclic {
            let right = Forced::new(&self.game.space, role).value(0, self.whole());
            self.compare(self.worth(first)?, right, true)?;
            return Ok(Verdict::Equal);
        }
        self.claim(role, 0, shown)
    }

    /// The answer of `solve`.
    pub(super) fn solution(&self, answer: &Json) -> Judgement {
        let space = &self.game.space;
        if let Some(expected) = answer.get("expected").filter(|expected| !expected.is_null()) {
            for row in expected["means"].as_array().into_iter().flatten() {
                let shown = row[1].as_f64().ok_or("a mean is no number")?;
                let role = self.role(&row[0])?;
                if !space.is_cyclic {
                    self.claim(role, 0, shown)?;
                } else if space.roles.len() <= 2 || space.constant_sum().is_some() {
                    self.mean_of_endless(role, false, shown)?;
                }
            }
            return Ok(Verdict::Equal);
        }
        let endless = answer["value"].is_null();
        for role in space.players() {
            let right = if space.roles.len() == 1 {
                best(&reached(space, self.whole()))
            } else if let (Some(sum), false) = (space.constant_sum(), space.is_simultaneous()) {
                Some(endless::forced(space, role, sum / 2.0))
            } else if space.is_cyclic || space.is_simultaneous() || answer.get("symmetries").is_some() {
                // Up to symmetry another of several moves that are best for a role may be the first, and worth something
                // else to the others.
                return Ok(Verdict::Estimate);
            } else {
                Some(Shares::new(space, role).values(0, self.whole())[role].number)
            };
            let rows = answer["value"].as_array().into_iter().flatten();
            let shown = rows.map(|row| (self.role(&row[0]), row[1].as_f64())).find(|row| row.0 == Ok(role));
            match (shown.and_then(|row| row.1), right) {
                (Some(shown), Some(right)) => {
                    require(is_near(shown, right, 1e-9), || format!("{shown} for role {role}, right is {right}"))?;
                }
                (None, right) => {
                    let middle = space.constant_sum().map(|sum| sum / 2.0);
                    require(endless && (right.is_none() || right == middle), || {
                        format!("no value, right is {right:?}")
                    })?;
                }
                (Some(shown), None) => return Err(format!("{shown}, and nothing ends the game")),
            }
        }
        self.counted_states(answer)?;
        let states = answer["states"].as_u64();
        require(answer.get("symmetries").is_some() || states == Some(space.positions.len() as u64), || {
            format!("{states:?} states, right is {}", space.positions.len())
        })?;
        super::line::Line::read(self, answer)?.follow()?;
        Ok(Verdict::Equal)
    }

    /// The numbers of states of each value, in games of two opponents; which draws are open is not compared.
    fn counted_states(&self, answer: &Json) -> Result<(), String> {
        let space = &self.game.space;
        let Some(sum) = space.constant_sum().filter(|_| answer.get("symmetries").is_none()) else { return Ok(()) };
        let values = endless::forced_everywhere(space, space.players()[0], sum / 2.0);
        for row in answer["worths"].as_array().into_iter().flatten() {
            let Some(value) = row["utilities"][space.players()[0]].as_f64().filter(|value| *value != sum / 2.0) else {
                continue;
            };
            let right = values.iter().filter(|other| is_near(**other, value, 1e-9)).count();
            require(row["states"].as_u64() == Some(right as u64), || format!("{row}, right are {right} states"))?;
        }
        Ok(())
    }
}
