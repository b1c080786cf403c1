//! The judge: what an answer says of itself is compared with the reference. What is called exact is equal, what is
//! called a bound is one, a line is legal and leads to the value; what is called an estimate is not compared.

mod claims;
mod line;
mod plan;
mod refusal;

use crate::games::Game;
use crate::questions::Question;
use crate::values::matrix::Equilibrium;
use crate::values::{Forced, Mean, Shares, View, Worth, endless};
use line::Line;
use serde_json::Value as Json;
use std::cmp::Ordering;

/// What an answer has claimed, and kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// A value, which is right.
    Equal,
    /// A bound, which holds.
    Bound,
    /// Nothing that can be compared.
    Estimate,
    /// That the question has no answer, which is so.
    Refused,
}

/// A judgement: what was kept, or what is wrong.
pub(crate) type Judgement = Result<Verdict, String>;

/// The judge of an answer.
pub(crate) struct Judge<'g> {
    game: &'g Game,
    question: &'g Question,
    /// What an end counts that has no usable goal value.
    missing: f64,
}

/// Numbers of answers are rounded to nine digits at most, those of linear programs to six.
fn is_near(left: f64, right: f64, tolerance: f64) -> bool {
    (left - right).abs() <= tolerance * (1.0 + right.abs())
}

fn require(holds: bool, wrong: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(wrong()) }
}

impl<'g> Judge<'g> {
    pub(crate) fn new(game: &'g Game, question: &'g Question) -> Self {
        Self { game, question, missing: f64::NAN }
    }

    /// Judges an answer, or an error. Where an end has no usable goal value, the answer is right whatever that is.
    pub(crate) fn judge(&self, answer: &Result<Json, String>) -> Judgement {
        if let Ok(answer) = answer {
            // Where roles do not see the whole state, searches play as if they did, and say so.
            let warns = answer.to_string().contains("`sees`");
            let hides = self.game.sheet.text.contains("(sees ");
            require(warns == hides, || format!("a warning about percepts: {warns}, right is {hides}"))?;
        }
        match answer {
            Ok(answer) if self.game.space.has_utilities() => self.answer(answer),
            Ok(answer) => {
                let (least, most) = self.game.sheet.range;
                Self { missing: least, ..*self }.answer(answer)?;
                Self { missing: most, ..*self }.answer(answer)
            }
            Err(error) => self.refusal(error),
        }
    }

    fn answer(&self, answer: &Json) -> Judgement {
        match answer["kind"].as_str() {
            Some("best") => self.answer(&answer["answer"]),
            Some("solved") => self.solution(answer),
            Some("analysed") => self.analysis(answer),
            Some("checked_plan") => self.checked_plan(answer),
            Some("prospects") => self.prospects(answer),
            Some("search") => match answer["found"].as_str() {
                Some("nothing") => self.nothing(answer),
                Some("score" | "move" | "plan" | "plans" | "optimal_plans") => self.plan(answer),
                Some("value") => self.choice(answer),
                Some("deepened") => self.deepened(answer),
                Some("shares") => self.shares(answer),
                Some("expectation") => self.expectation(answer),
                Some("equilibrium") => self.equilibrium(answer),
                Some("sampled") => self.sampled(answer),
                _ => Err("an answer of an unknown form".to_string()),
            },
            _ => Err("an answer of an unknown kind".to_string()),
        }
    }

    /// How far the search has looked: as it was asked, or as another one that has answered instead.
    fn view(&self, answer: &Json) -> View {
        let mut view = self.whole();
        view.extends = self.question.extends;
        view.evaluates = self.question.evaluates;
        view.depth = self.question.depth;
        if answer.get("instead").is_some() {
            view.depth = answer["instead"]["depth"].as_u64().map(|depth| depth as usize);
        }
        view
    }

    fn whole(&self) -> View {
        View { missing: self.missing, ..View::whole(self.game.sheet.range) }
    }

    fn role(&self, name: &Json) -> Result<usize, String> {
        let roles = &self.game.space.roles;
        let found = roles.iter().position(|role| Some(role.to_string().as_str()) == name.as_str());
        found.ok_or_else(|| format!("no role is called {name}"))
    }

    /// The index of a move of a role in the first position.
    fn first_move(&self, role: usize, name: &Json) -> Result<usize, String> {
        let moves = &self.game.space.positions[0].legal[role];
        let found = moves.iter().position(|own| Some(own.to_string().as_str()) == name.as_str());
        found.ok_or_else(|| format!("{name} is not a legal move"))
    }

    /// The value that an answer shows: a utility, an estimate or unknown.
    fn worth(&self, answer: &Json) -> Result<Worth, String> {
        if let Some(utility) = answer["utility"].as_f64() {
            return Ok(Worth::of_end(utility, self.whole().middle()));
        }
        let estimate = if answer["unknown"] == true { Some(0.0) } else { answer["estimate"].as_f64() };
        estimate.map(Worth::estimate).ok_or_else(|| "the answer has no value".to_string())
    }

    /// Compares a value that is called exact, or that of a search to a horizon.
    fn compare(&self, shown: Worth, right: Worth, is_exact: bool) -> Result<(), String> {
        let is_equal = shown.compare(&right) == Ordering::Equal;
        let is_end = !is_exact || (shown.is_end && right.is_end && is_near(shown.number, right.number, 1e-9));
        require(is_equal && is_end, || format!("the value is {shown:?}, right is {right:?}"))
    }

    /// The answer of a search for what a role can force.
    fn choice(&self, answer: &Json) -> Judgement {
        let space = &self.game.space;
        let role = self.role(&answer["role"])?;
        let shown = self.worth(answer)?;
        let view = self.view(answer);
        if view.depth.is_none() && space.is_cyclic {
            Line::read(self, answer)?.follow()?;
            return self.endless(role, shown, answer);
        }
        let mut forced = Forced::new(space, role);
        let right = forced.value(0, view);
        if answer.get("finished").is_some() {
            self.bound(&answer["finished"], shown.compare(&right))?;
            Line::read(self, answer)?.follow()?;
            return Ok(Verdict::Bound);
        }
        let is_exact = answer["exact"] == true;
        if is_exact && view.depth.is_some() && space.is_cyclic {
            return self.endless(role, shown, answer);
        } else if is_exact && view.depth.is_some() {
            let whole = View { depth: None, ..view };
            self.compare(shown, forced.value(0, whole), true)?;
        }
        self.compare(shown, right, is_exact)?;
        if let Some(chosen) = answer.get("move").filter(|chosen| !chosen.is_null()) {
            let own = self.first_move(role, chosen)?;
            let after = forced.after(0, own, view);
            require(after.compare(&right) == Ordering::Equal, || {
                format!("the move {chosen} is worth {after:?}, the best {right:?}")
            })?;
        }
        for rated in answer["moves"].as_array().into_iter().flatten() {
            let after = forced.after(0, self.first_move(role, &rated["move"])?, view);
            // A win found before the horizon makes the answer exact, and leaves other moves unknown.
            self.compare(self.worth(rated)?, after, is_exact && view.depth.is_none())
                .map_err(|wrong| format!("{}: {wrong}", rated["move"]))?;
        }
        if self.question.line.contains("--ties") {
            let count = space.positions[0].legal[role].len();
            let equal = (0..count).filter(|&own| forced.after(0, own, view).compare(&right) == Ordering::Equal);
            let equal: Vec<usize> = equal.collect();
            let equals = answer["equals"].as_array().into_iter().flatten();
            let mut shown = equals.map(|own| self.first_move(role, own)).collect::<Result<Vec<usize>, String>>()?;
            shown.sort_unstable();
            require(shown == equal, || format!("equally good are the moves {equal:?}, not {shown:?}"))?;
        }
        Line::read(self, answer)?.leads_to(&[(role, shown)], view)?;
        Ok(Verdict::Equal)
    }

    /// A value in a game that may not end. Where play without end counts, the answer comes from all states.
    fn endless(&self, role: usize, shown: Worth, answer: &Json) -> Judgement {
        if answer["exact"] != true {
            return Ok(Verdict::Estimate);
        }
        let (least, most) = self.game.sheet.range;
        let counts = match answer.get("from_all_states") {
            Some(from) => vec![from["endless"].as_f64().unwrap_or(least)],
            None => vec![least, most],
        };
        for endless in counts {
            let right = endless::forced(&self.game.space, role, endless);
            self.compare(shown, Worth::of_end(right, self.whole().middle()), true)?;
        }
        Ok(Verdict::Equal)
    }

    /// The answer of iterative deepening, with its rounds.
    fn deepened(&self, answer: &Json) -> Judgement {
        let space = &self.game.space;
        let role = self.role(&answer["role"])?;
        let mut forced = Forced::new(space, role);
        let rounds = answer["rounds"].as_array().ok_or("there are no rounds")?;
        let mut last = self.view(answer);
        for round in rounds {
            let depth = round["depth"].as_u64().map(|depth| depth as usize);
            let view = View { depth, ..self.view(answer) };
            let (shown, right) = (self.worth(round)?, forced.value(0, view));
            self.compare(shown, right, false).map_err(|wrong| format!("depth {depth:?}: {wrong}"))?;
            let line = Line::read(self, round)?.leads_to(&[(role, shown)], view);
            line.map_err(|wrong| format!("depth {depth:?}: {wrong}"))?;
            last = view;
        }
        let shown = self.worth(answer)?;
        if answer["exact"] == true && space.is_cyclic {
            return self.endless(role, shown, answer);
        } else if answer["exact"] == true {
            self.compare(shown, forced.value(0, View { depth: None, ..last }), true)?;
            last.depth = None;
        } else if rounds.is_empty() {
            let first = View { depth: Some(1), ..last };
            self.bound(&answer["begun"], shown.compare(&forced.value(0, first)))?;
            return Ok(Verdict::Bound);
        } else {
            self.compare(shown, forced.value(0, last), false)?;
        }
        Line::read(self, answer)?.leads_to(&[(role, shown)], last)?;
        Ok(Verdict::Equal)
    }

    /// The answer of `maxn`.
    fn shares(&self, answer: &Json) -> Judgement {
        let space = &self.game.space;
        let view = self.view(answer);
        let asking = self.asking();
        let shown = answer["shares"].as_array().ok_or("there are no shares")?;
        let shown: Vec<Worth> = shown.iter().map(|share| self.worth(share)).collect::<Result<_, String>>()?;
        if answer.get("finished").is_some() {
            return Ok(Verdict::Bound);
        }
        if view.depth.is_none() && space.is_cyclic {
            return self.endless(asking, shown[asking], answer);
        }
        let right = Shares::new(space, asking).values(0, view);
        for (shown, right) in shown.iter().zip(&right) {
            self.compare(*shown, *right, answer["exact"] == true)?;
        }
        let shown: Vec<(usize, Worth)> = shown.into_iter().enumerate().collect();
        Line::read(self, answer)?.leads_to(&shown, view)?;
        Ok(Verdict::Equal)
    }

    /// The role that the line of the question names; without one, the first that has a choice.
    fn asking(&self) -> usize {
        let space = &self.game.space;
        let named = self.question.line.split(' ').nth(1).unwrap_or_default();
        let named = space.roles.iter().position(|role| role.to_string() == named);
        named.unwrap_or_else(|| space.positions[0].choosing().first().copied().unwrap_or(0))
    }

    /// The answer of `expectimax`.
    fn expectation(&self, answer: &Json) -> Judgement {
        let space = &self.game.space;
        let role = self.role(&answer["role"])?;
        let shown = answer["mean"].as_f64().ok_or("there is no mean")?;
        let view = self.view(answer);
        let uniform = answer["opponents"] == "uniform";
        if space.is_cyclic && view.depth.is_none() {
            if answer["exact"] != true {
                return Ok(Verdict::Estimate);
            }
            return self.mean_of_endless(role, uniform, shown);
        }
        let mut mean = Mean::new(space, role, uniform);
        let right = mean.value(0, view);
        if answer.get("finished").is_some() {
            let order = if is_near(shown, right, 1e-9) { Ordering::Equal } else { shown.total_cmp(&right) };
            self.bound(&answer["finished"], order)?;
            return Ok(Verdict::Bound);
        }
        require(is_near(shown, right, 1e-9), || format!("the mean is {shown}, right is {right}"))?;
        if let Some(fraction) = answer["fraction"].as_str() {
            let (above, below) = fraction.split_once('/').unwrap_or((fraction, "1"));
            let fraction = above.parse::<f64>().ok().zip(below.parse::<f64>().ok()).map(|(above, below)| above / below);
            require(fraction.is_some_and(|fraction| is_near(fraction, right, 1e-9)), || {
                format!("the fraction is {fraction:?}, right is {right}")
            })?;
        }
        if let Some(chosen) = answer.get("move").filter(|chosen| !chosen.is_null()) {
            let after = mean.after(0, self.first_move(role, chosen)?, view);
            require(is_near(after, right, 1e-9), || format!("the move {chosen} is worth {after}, the best {right}"))?;
        }
        for rated in answer["moves"].as_array().into_iter().flatten() {
            let after = mean.after(0, self.first_move(role, &rated["move"])?, view);
            let shown = rated["mean"].as_f64().ok_or("a move has no mean")?;
            require(is_near(shown, after, 1e-9), || format!("{}: {shown}, right is {after}", rated["move"]))?;
        }
        Line::read(self, answer)?.follow_to_mean()?;
        Ok(Verdict::Equal)
    }

    /// A mean in a game that may not end: between those where play without end counts least and most.
    fn mean_of_endless(&self, role: usize, uniform: bool, shown: f64) -> Judgement {
        let (least, most) = self.game.sheet.range;
        let bound = |endless: f64| endless::mean(&self.game.space, role, uniform, endless);
        let (least, most) = (bound(least), bound(most));
        require((least - 1e-4..=most + 1e-4).contains(&shown), || {
            format!("the mean is {shown}, right is a value from {least} to {most}")
        })?;
        Ok(if is_near(least, most, 1e-4) { Verdict::Equal } else { Verdict::Bound })
    }

    /// The answer of `nash`.
    fn equilibrium(&self, answer: &Json) -> Judgement {
        let space = &self.game.space;
        let role = self.role(&answer["role"])?;
        let shown = answer["mean"].as_f64().ok_or("there is no mean")?;
        let view = self.view(answer);
        let is_endless = view.depth.is_none() && space.is_cyclic;
        if answer.get("finished").is_some() || is_endless {
            return Ok(Verdict::Estimate);
        }
        let mut equilibrium = Equilibrium::new(space, role);
        let Some(right) = equilibrium.values(0, view) else { return Ok(Verdict::Estimate) };
        require(is_near(shown, right[0], 1e-5), || format!("the mean is {shown}, right is {right:?}"))?;
        // A search that has seen no other sum takes two roles for opponents with that of the range of utilities, so what it
        // says of the other role is an estimate where lines were cut off.
        let (least, most) = self.game.sheet.range;
        let knows_sum = view.depth.is_none() || space.constant_sum() == Some(least + most);
        let values = answer["values"].as_array().into_iter().flatten();
        for (mean, right) in values.zip(&right).filter(|_| knows_sum) {
            let shown = mean["mean"].as_f64().ok_or("a role has no mean")?;
            require(is_near(shown, *right, 1e-5), || format!("the means are {}, right is {right}", answer["values"]))?;
        }
        Ok(Verdict::Equal)
    }

    /// A bound that the best of the finished moves gives.
    fn bound(&self, finished: &Json, shown_to_right: Ordering) -> Result<(), String> {
        let holds = match finished["guarantee"].as_str() {
            Some("at_least") => shown_to_right != Ordering::Greater,
            Some("at_most") => shown_to_right != Ordering::Less,
            _ => false,
        };
        require(holds, || format!("{finished} does not hold: the value is {shown_to_right:?} than what is right"))
    }
}
