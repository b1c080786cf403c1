//! Answers of one player: plans are legal, end the game, and reach what they say.

use super::{Judge, Judgement, Verdict, is_near, require};
use crate::values::View;
use crate::values::plans::{best, count, reached, reached_from, shortest};
use serde_json::Value as Json;

impl Judge<'_> {
    /// The answer of a search for a plan.
    pub(super) fn plan(&self, answer: &Json) -> Judgement {
        let space = &self.game.space;
        let shown = answer["utility"].as_f64().ok_or("there is no utility")?;
        let depth = match answer.get("instead") {
            Some(instead) => instead["depth"].as_u64().map(|depth| depth as usize),
            None => self.question.depth,
        };
        let ends = reached(space, View { depth, ..self.whole() });
        let right = best(&ends).ok_or("nothing ends the game within the depth")?;
        let goal = self.question.goal;
        for plan in answer["plans"].as_array().into_iter().flatten().chain(answer.get("moves")) {
            let length = self.plan_leads_to(plan, shown)?;
            require(depth.is_none_or(|depth| length <= depth), || "the plan is longer than the depth".to_string())?;
            let is_shortest = self.question.is_shortest && answer["exact"] == true && answer.get("missed").is_none();
            let fewest = shortest(&ends, goal.unwrap_or(right));
            require(!is_shortest || Some(length) == fewest, || {
                format!("the plan has {length} moves, a shortest one {fewest:?}")
            })?;
        }
        require(shown <= right + 1e-9, || format!("{shown} is reached, the best is {right}"))?;
        if answer.get("missed").is_some() {
            require(goal.is_some_and(|goal| shown < goal), || "the goal is not missed".to_string())?;
        }
        let is_limited = answer["stopped"]["limit"] == "depth" && depth.is_some();
        let is_complete = answer["exact"] == true || is_limited || answer.get("instead").is_some();
        let follows_lines = ["dive", "nested"].contains(&self.question.name);
        if !is_complete || follows_lines && answer["exact"] != true {
            return Ok(Verdict::Bound);
        }
        let whole = reached(space, self.whole());
        let right = if answer["exact"] == true { best(&whole).expect("an end is reached") } else { right };
        let is_reached = goal.is_some_and(|goal| shown >= goal && answer.get("missed").is_none());
        require(is_reached || is_near(shown, right, 1e-9), || format!("{shown} is called the best, right is {right}"))?;
        require(is_reached || goal.is_none_or(|goal| right < goal), || {
            format!("the goal is said to be missed, and {right} is reached")
        })?;
        self.counts(answer, shown)?;
        Ok(Verdict::Equal)
    }

    /// The numbers of plans that an answer counts.
    fn counts(&self, answer: &Json, utility: f64) -> Result<(), String> {
        let space = &self.game.space;
        if let (Some(shown), Some(length), true) =
            (answer["count"].as_u64(), answer["length"].as_u64(), answer["exact"] == true)
        {
            let right = count(space, 0, utility, length as usize);
            require(shown == right, || format!("{shown} plans are counted, right is {right}"))?;
        }
        for row in answer["lengths"].as_array().into_iter().flatten().filter(|_| answer["exact"] == true) {
            let (length, shown) = (row[0].as_u64().unwrap_or(0), row[1].as_u64());
            let right = count(space, 0, utility, length as usize);
            require(shown == Some(right), || format!("{row} plans are counted, right is {right}"))?;
        }
        Ok(())
    }

    /// The length of a plan, which is legal and ends the game with this utility.
    fn plan_leads_to(&self, plan: &Json, utility: f64) -> Result<usize, String> {
        let space = &self.game.space;
        let mut number = 0;
        let moves = plan.as_array().ok_or("a plan is no list")?;
        for chosen in moves {
            let position = &space.positions[number];
            let index = position.legal[0].iter().position(|own| Some(own.to_string().as_str()) == chosen.as_str());
            require(!position.is_terminal, || "the plan goes on after its end".to_string())?;
            number = position.next[index.ok_or_else(|| format!("{chosen} of the plan is not legal"))?];
        }
        let end = &space.positions[number];
        require(end.is_terminal && end.utilities[0].is_some_and(|reached| is_near(reached, utility, 1e-9)), || {
            format!("the plan leads to {:?}, terminal {}", end.utilities[0], end.is_terminal)
        })?;
        Ok(moves.len())
    }

    /// The answer of `plan check`.
    pub(super) fn checked_plan(&self, answer: &Json) -> Judgement {
        let space = &self.game.space;
        let moves: Vec<&str> = self.question.line.split(' ').skip(2).collect();
        // A plan is not followed beyond an end, but the move there is judged; later ones only where it is not legal.
        let (mut number, mut is_legal, mut is_minimal) = (Some(0), Some(true), true);
        for (at, &chosen) in moves.iter().enumerate() {
            let Some(position) = number.map(|number| &space.positions[number]) else { break };
            let index = position.legal[0].iter().position(|own| own.to_string() == chosen);
            let is_last = at + 1 == moves.len();
            is_legal = Some(index.is_some()).filter(|is_legal| !is_legal || !position.is_terminal || is_last);
            is_minimal &= !position.is_terminal;
            number = index.filter(|_| !position.is_terminal).map(|index| position.next[index]);
        }
        let end = number.map(|number| &space.positions[number]).filter(|end| end.is_terminal);
        let utility = end.map(|end| self.whole().utility(end, 0));
        require(is_legal.is_none_or(|is_legal| answer["legal"] == is_legal), || "whether it is legal".to_string())?;
        require(answer["minimal"] == is_minimal, || "whether it is minimal".to_string())?;
        require(answer["complete"] == end.is_some(), || "whether it is complete".to_string())?;
        require(answer["utility"].as_f64() == utility, || format!("its utility, right is {utility:?}"))?;
        if let Some(shown) = answer["best"].as_f64() {
            let ends = reached(space, self.whole());
            require(Some(shown) == best(&ends), || format!("the best utility, right is {:?}", best(&ends)))?;
            let fewest = utility.and_then(|utility| shortest(&ends, utility));
            let shown = answer["fewest"].as_u64().map(|moves| moves as usize);
            require(shown == fewest, || format!("the fewest moves, right is {fewest:?}"))?;
        }
        Ok(Verdict::Equal)
    }

    /// The answer of `maxscore --values`: the best utility now and after each move.
    pub(super) fn prospects(&self, answer: &Json) -> Judgement {
        let position = &self.game.space.positions[0];
        let rows = answer["rows"].as_array().ok_or("there are no rows")?;
        require(rows.len() == position.next.len() + 1, || "a row for each move".to_string())?;
        for row in rows.iter().filter(|row| row.get("stopped").is_none()) {
            let number = if row["move"].is_null() { 0 } else { position.next[self.first_move(0, &row["move"])?] };
            let right = best(&reached_from(&self.game.space, number, self.whole()));
            require(row["utility"].as_f64() == right, || format!("{row}, right is {right:?}"))?;
        }
        Ok(Verdict::Equal)
    }

    /// No plan was found.
    pub(super) fn nothing(&self, answer: &Json) -> Judgement {
        let whole = reached(&self.game.space, self.whole());
        let is_limited = answer["stopped"].is_object();
        require(is_limited || whole.is_empty(), || "nothing is found, and the game can end".to_string())?;
        Ok(Verdict::Refused)
    }
}
