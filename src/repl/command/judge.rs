//! Command `plan`: checks, compares or shows plans of one player that the user gives.

use super::option::LIMITS;
use super::plan::PositionFormat;
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::{joined, line, plan_in_row, table};
use crate::repl::answer::{AnswerContent, AnswerValue, Boards, TextStyle};
use crate::repl::course::task::PlanProperty;
use crate::repl::{Answer, CommandError, Session, read};
use crate::table::{Column, Table};
use gdl::limits::Stop;
use gdl::quantity::{counted, counted_as};
use gdl::rules::GroundTerm;
use gdl::sorting;
use ggp_engine::interpreter::{Interpreter, State};
use ggp_game::{Reasoner, Role, Utility};
use ggp_play::ask::budget::StoppableAnswer;
use ggp_play::ask::searches;
use ggp_play::ask::spec::NamedOption;
use ggp_search as search;
use ggp_search::{Budget, Cost, Outcome, PlanEnd};
use serde::Serialize;
use std::cmp::Reverse;

pub(super) const PLAN: Command = Command {
    name: "plan",
    operands: "check MOVE … | compare MOVE … / MOVE … / … | show MOVE …",
    options: &[OptionGroup::own(&[BOARDS]), LIMITS],
    summary: "judge plans of one player: legal, complete, minimal (no state before the end is terminal), optimal, shortest; or show one step by step",
    example: "plan check up left left",
    example_game: "three_puzzle",
    takes: ArgumentKind::Moves,
    answers: AnswerKind::Truth,
    plays_openly: true,
    ..Command::run_by(plan)
};

fn plan(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = arguments.budget(session.budget())?;
    match read::word(arguments.operands()) {
        ("check", moves) if !moves.is_empty() => {
            let moves = read::list(moves)?;
            Ok(Answer::new(budget.run(|budget| checked(session, moves, budget))?))
        }
        ("compare", plans) if !plans.is_empty() => {
            let plans = plans.split(" / ").map(read::list).collect::<Result<Vec<_>, _>>()?;
            let check = |budget: &Budget| plans.into_iter().map(|moves| checked(session, moves, budget)).collect();
            Ok(Answer::new(ComparedPlans { plans: budget.run(check)? }))
        }
        ("show", moves) if !moves.is_empty() => shown(session, &read::list(moves)?, arguments.has(&BOARDS)),
        ("show", _) => Err(PLAN.misused("`plan show` needs moves")),
        ("compare", _) => Err(PLAN.misused("`plan compare` needs plans with ` / ` between them")),
        _ => Err(PLAN.misused("`plan check` needs moves")),
    }
}

const BOARDS: NamedOption = NamedOption::flag("--boards", "with `plan show`: draw the boards of each state");

/// Makes the moves of a plan one by one, without changing the match.
fn shown(session: &mut Session, moves: &[GroundTerm], draws: bool) -> Result<Answer, CommandError> {
    let dialect = session.dialect();
    let current = session.current()?;
    let writing = PositionFormat::from_match(current, dialect)?;
    let (reasoner, state) = current.position();
    if reasoner.roles().len() != 1 {
        return Err(search::SearchError::NotOneRole { roles: reasoner.roles().len() }.into());
    }
    let mut state = state.clone();
    let mut legal = Vec::new();
    let step = |reasoner: &Interpreter, state: &State, chosen| ShownStep {
        chosen,
        facts: reasoner.facts(state),
        text: writing.line(reasoner, state),
        drawn: None,
    };
    let mut steps = vec![step(reasoner, &state, None)];
    for (index, term) in moves.iter().enumerate() {
        let chosen = reasoner.find_move(term)?;
        reasoner.legal_moves(&state, Role::new(0), &mut legal)?;
        if reasoner.is_terminal(&state)? {
            return Err(PLAN.misused(format!("the game is over before move {}, {term}", index + 1)));
        }
        if !legal.contains(&chosen) {
            return Err(PLAN.misused(format!("move {}, {term}, is not legal", index + 1)));
        }
        state = reasoner.next_state(&state, &[chosen])?;
        steps.push(step(reasoner, &state, Some(term.clone())));
    }
    let utility = if reasoner.is_terminal(&state)? { Some(reasoner.goal(&state, Role::new(0))?) } else { None };
    if draws {
        for step in &mut steps {
            let drawn = Boards { facts: Vec::new(), ..Boards::from_facts(&*current.setting()?, &step.facts, None) };
            step.drawn = Some(drawn).filter(|drawn| !drawn.is_plain());
        }
    }
    Ok(Answer::new(ShownPlan { steps, utility }))
}

fn checked(session: &mut Session, moves: Vec<GroundTerm>, budget: &Budget) -> Result<CheckedPlan, CommandError> {
    let (reasoner, state) = session.current()?.position();
    let plan = moves.iter().map(|term| reasoner.find_move(term)).collect::<Result<Vec<_>, _>>()?;
    let Outcome { answer, cost, .. } = searches::plan_check(reasoner, state, &plan, budget)?;
    let Some(check) = answer else {
        return Err(CommandError::Stopped { stop: Stop::Interrupted, cost: Some(Box::new(cost)) });
    };
    let wrong = match check.end {
        PlanEnd::Illegal(index) | PlanEnd::Over { index, .. } => Some((index + 1, moves[index].clone())),
        PlanEnd::Complete | PlanEnd::Open => None,
    };
    Ok(CheckedPlan {
        length: moves.len(),
        moves,
        is_legal: !matches!(check.end, PlanEnd::Illegal(_) | PlanEnd::Over { is_legal: false, .. }),
        wrong,
        is_complete: check.end == PlanEnd::Complete,
        is_minimal: !matches!(check.end, PlanEnd::Over { .. }),
        utility: check.utility,
        best: check.best,
        fewest: check.fewest,
        stopped: check.stopped,
        cost,
    })
}

/// A plan step by step.
#[derive(Clone, Debug, Serialize)]
struct ShownPlan {
    /// The current state, and the state after each move.
    steps: Vec<ShownStep>,
    /// The utility at the end of the plan, if it ends the game.
    utility: Option<Utility>,
}

/// A state of a plan.
#[derive(Clone, Debug, Serialize)]
struct ShownStep {
    /// The move that leads to it; `None` for the first.
    #[serde(rename = "move")]
    chosen: Option<GroundTerm>,
    /// The facts that hold in it.
    facts: Vec<GroundTerm>,
    /// The facts on one line: what stands where.
    #[serde(skip)]
    text: String,
    /// The drawn position, if it is to be drawn; without the facts that are not drawn.
    #[serde(skip)]
    drawn: Option<Boards>,
}

impl AnswerContent for ShownPlan {
    fn kind(&self) -> &'static str {
        "shown_plan"
    }

    /// A line for each state of a plan, or its boards, and how the plan ends.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let chosen = |step: &ShownStep| {
            step.chosen.as_ref().map_or(String::new(), |term| term.display(style.dialect).to_string())
        };
        let is_drawn = self.steps.iter().any(|step| step.drawn.is_some());
        let text = if is_drawn {
            let states = self.steps.iter().enumerate().map(|(number, step)| {
                let boards = step.drawn.as_ref().map_or(String::new(), |drawn| drawn.text_beside(style));
                line(format!("step {number}  {}", chosen(step)).trim_end().to_string()) + &boards
            });
            joined(states, "\n")
        } else {
            let rows = self
                .steps
                .iter()
                .enumerate()
                .map(|(number, step)| [number.to_string(), chosen(step), step.text.clone()]);
            Table::new([Column::Right, Column::Left, Column::Left])
                .row(["step", "move", "position"])
                .rows(rows)
                .to_string()
        };
        let moves = counted_as(self.steps.len() as u64 - 1, "move", "moves");
        text + &line(match self.utility {
            Some(utility) => format!("the plan works: {moves}, and the game is over, worth {utility}"),
            None => format!("{moves}, and the game goes on"),
        })
    }
}

/// A plan, judged in the words of [`ggp_search::PlanCheck`].
#[derive(Clone, Debug, Serialize)]
pub(super) struct CheckedPlan {
    moves: Vec<GroundTerm>,
    /// The number of its moves.
    length: usize,
    /// True if each of its moves is legal in the state where it is made. A plan is not followed beyond a terminal
    /// state.
    #[serde(rename = "legal")]
    is_legal: bool,
    /// The first move that cannot be made: its index, from 1, and the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<(usize, GroundTerm)>,
    /// True if it leads to a terminal state.
    #[serde(rename = "complete")]
    is_complete: bool,
    /// True if no state before its end is terminal.
    #[serde(rename = "minimal")]
    is_minimal: bool,
    /// The utility of its end.
    utility: Option<Utility>,
    /// The greatest utility that a plan reaches.
    best: Option<Utility>,
    /// The fewest moves to a utility as good.
    fewest: Option<u32>,
    /// The limit that kept these two from being found.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    /// The cost of finding them.
    cost: Cost,
}

impl CheckedPlan {
    /// Whether it has a property; `None` if that is not known, or if it has no end that could have it.
    pub(super) fn has(&self, property: PlanProperty) -> Option<bool> {
        match property {
            PlanProperty::Legal => Some(self.is_legal),
            PlanProperty::Complete => Some(self.is_complete),
            PlanProperty::Minimal => Some(self.is_minimal),
            PlanProperty::Optimal => self.is_optimal(),
            PlanProperty::Shortest => self.is_shortest(),
        }
    }

    /// True if it is legal, complete, minimal, optimal and shortest.
    fn is_good(&self) -> bool {
        self.is_legal && self.is_minimal && self.is_optimal() == Some(true) && self.is_shortest() == Some(true)
    }

    /// True if no plan leads to a greater utility; `None` if that is not known.
    fn is_optimal(&self) -> Option<bool> {
        self.best.map(|best| self.utility == Some(best))
    }

    /// True if no shorter plan leads to as great a utility; `None` if that is not known.
    fn is_shortest(&self) -> Option<bool> {
        self.fewest.map(|fewest| fewest as usize == self.length)
    }
}

/// Several plans, judged.
#[derive(Clone, Debug, Serialize)]
struct ComparedPlans {
    /// The plans in the order in which they were given.
    plans: Vec<CheckedPlan>,
}

fn verdict(is_so: Option<bool>, stopped: Option<Stop>, otherwise: &str) -> String {
    match (is_so, stopped) {
        (Some(true), _) => "yes".to_string(),
        (Some(false), _) => format!("no: {otherwise}"),
        (None, Some(stop)) => format!("not known: {stop}"),
        (None, None) => "not known".to_string(),
    }
}

impl AnswerContent for CheckedPlan {
    fn kind(&self) -> &'static str {
        "checked_plan"
    }

    /// One line for each property of a plan.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let wrong = self.wrong.as_ref().map(|(number, chosen)| (number, chosen.display(style.dialect)));
        let legal = match (&wrong, self.is_legal) {
            (Some((number, chosen)), false) if self.is_minimal => {
                format!("no: move {number}, {chosen}, is not legal")
            }
            (Some((number, _)), false) => {
                format!("no: the game is over before move {number}, and the rules do not allow the moves from there on")
            }
            (Some((number, chosen)), true) => {
                format!("yes: the rules allow move {number}, {chosen}, in a terminal state")
            }
            (None, _) => "yes".to_string(),
        };
        let complete = match (&wrong, self.is_complete) {
            (_, true) => "yes".to_string(),
            (None, false) => "no: the game goes on".to_string(),
            (Some((number, _)), false) => format!("no: it is not followed beyond move {}", *number - 1),
        };
        let minimal = match &wrong {
            Some((number, _)) if !self.is_minimal => format!("no: the game is over before move {number}"),
            _ => "yes".to_string(),
        };
        let mut rows = vec![("moves", self.length.to_string()), ("legal", legal)];
        if self.is_legal {
            rows.extend([("complete", complete), ("minimal", minimal)]);
        }
        if let Some(utility) = self.utility {
            let nodes = counted_as(self.cost.nodes, "node", "nodes");
            rows.push(("utility", utility.to_string()));
            let best = self.best.map_or(String::new(), |best| format!("{best} can be reached"));
            rows.push(("optimal", verdict(self.is_optimal(), self.stopped, &best)));
            let fewest = self
                .fewest
                .map_or(String::new(), |fewest| counted(fewest as usize, "move") + " are enough for as much");
            rows.push(("shortest", format!("{} ({nodes})", verdict(self.is_shortest(), self.stopped, &fewest))));
        }
        table(rows)
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::Truth(self.is_good()))
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

impl AnswerContent for ComparedPlans {
    fn kind(&self) -> &'static str {
        "compared_plans"
    }

    /// A line for each plan, those with the greatest utility and the fewest moves first.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let mut sorted: Vec<_> = self.plans.iter().collect();
        sorting::sort_by_key(&mut sorted, |plan| (Reverse(plan.utility), plan.length));
        let word = |is_so: Option<bool>| is_so.map_or("", |is_so| if is_so { "yes" } else { "no" }).to_string();
        let rows = sorted.into_iter().map(|plan| {
            [
                plan.utility.map_or(String::new(), |utility| utility.to_string()),
                plan.length.to_string(),
                word(Some(plan.is_legal)),
                word(Some(plan.is_complete)),
                word(Some(plan.is_minimal)),
                word(plan.is_optimal()),
                word(plan.is_shortest()),
                plan_in_row(&plan.moves, style.dialect),
            ]
        });
        use Column::{Left, Right};
        Table::new([Right, Right, Left, Left, Left, Left, Left, Left])
            .row(["utility", "moves", "legal", "complete", "minimal", "optimal", "shortest", "plan"])
            .rows(rows)
            .to_string()
    }

    fn stopped(&self) -> Option<Stop> {
        self.plans.iter().find_map(|plan| plan.stopped)
    }
}

impl StoppableAnswer for CheckedPlan {
    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}
