//! Positions of a match in answers: the step that led there, the drawn state, goal values, and the game that was loaded.

use super::text::{joined, line, lines, table, terms};
use super::{AnswerContent, AnswerValue, TextStyle};
use crate::repl::session::MatchStep;
use gdl::quantity::{counted, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use gdl::syntax::operations::shown_moves;
use ggp_draw::board::{self, Board, DrawnPosition, Figure, Setting};
use ggp_draw::fit::paragraph;
use ggp_engine::Game;
use ggp_game::{ReasonError, Reasoner, Role, Utility};
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct MatchPosition {
    /// The step that led to it.
    #[serde(flatten)]
    pub(crate) last: MatchPly,
    /// The goal values, if the game is over; that of `random` only if it has one.
    pub(crate) result: Option<Vec<GoalValue>>,
    /// The difference from the state before, if the state was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) change: Option<StateChange>,
    /// The position as it is drawn, if the session draws boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) drawn: Option<Boards>,
    /// Warnings about the state, such as facts outside `base`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// The facts by which a state differs from the one before, in canonical order.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StateChange {
    /// The facts that hold now and did not before.
    pub(crate) added: Vec<GroundTerm>,
    /// The facts that held before and do not now.
    pub(crate) removed: Vec<GroundTerm>,
}

impl StateChange {
    /// The difference between two states, given by their facts in canonical order.
    pub(crate) fn between(before: &[GroundTerm], after: &[GroundTerm]) -> Self {
        let only = |facts: &[GroundTerm], others: &[GroundTerm]| {
            facts.iter().filter(|fact| others.binary_search(fact).is_err()).cloned().collect()
        };
        Self { added: only(after, before), removed: only(before, after) }
    }
}

/// One ply of a match: a joint move, a jump to a state, or, as ply 0, the initial state.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MatchPly {
    /// Its number, from 1; 0 for the initial state.
    pub(crate) ply: usize,
    /// The joint move; empty if it is not one.
    pub(crate) joint_move: Vec<RoleMove>,
    /// The facts of the state, if it was a jump.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) set: Option<Vec<GroundTerm>>,
}

/// The move of one role.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RoleMove {
    pub(crate) role: GroundTerm,
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
}

impl MatchPosition {
    /// The position of a state that a ply has led to, not drawn.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn at<R: Reasoner>(reasoner: &mut R, state: &R::State, last: MatchPly) -> Result<Self, ReasonError> {
        let result = if reasoner.is_terminal(state)? { Some(GoalValue::of_roles(reasoner, state)?) } else { None };
        Ok(Self { last, result, change: None, drawn: None, warnings: Vec::new() })
    }
}

impl MatchPly {
    /// The ply with this number and step; without a step the initial state.
    pub(crate) fn new(number: usize, roles: &[GroundTerm], step: Option<MatchStep>) -> Self {
        let mut ply = Self { ply: number, joint_move: Vec::new(), set: None };
        match step {
            Some(MatchStep::Played(moves)) => ply.joint_move = role_moves(roles, moves),
            Some(MatchStep::Set(facts)) => ply.set = Some(facts),
            None => {}
        }
        ply
    }
}

/// A joint move with its roles.
pub(crate) fn role_moves(roles: &[GroundTerm], moves: Vec<GroundTerm>) -> Vec<RoleMove> {
    roles.iter().cloned().zip(moves).map(|(role, chosen)| RoleMove { role, chosen }).collect()
}

impl AnswerContent for MatchPosition {
    fn kind(&self) -> &'static str {
        "position"
    }

    /// Its ply, the drawn state, and the result of the match.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let Self { last, result, change, drawn, .. } = self;
        let way = match &last.set {
            Some(facts) => {
                let change = change.as_ref().map_or(String::new(), change_text);
                format!("a state of {}{change}", counted(facts.len(), "fact"))
            }
            None => joint_move_text(&last.joint_move, style.dialect),
        };
        let mut text =
            if way.is_empty() { format!("ply {}\n", last.ply) } else { format!("ply {}: {way}\n", last.ply) };
        text += &drawn.as_ref().map_or(String::new(), |drawn| drawn.text_beside(style));
        if let Some(goals) = result {
            text += &result_text(goals);
        }
        text
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn warnings_mut(&mut self) -> Option<&mut Vec<String>> {
        Some(&mut self.warnings)
    }
}

/// The numbers of facts that are gone and that are new, in parentheses.
fn change_text(StateChange { added, removed }: &StateChange) -> String {
    match (removed.len(), added.len()) {
        (0, 0) => " (unchanged)".to_string(),
        (gone, new) => format!(" ({} gone, {} new)", grouped(gone), grouped(new)),
    }
}

/// A line for each ply.
pub(crate) fn history_text(plies: &[MatchPly], dialect: Dialect) -> String {
    let row = |ply: &MatchPly| match &ply.set {
        Some(facts) => (ply.ply.to_string(), format!("set {}", terms(facts, " ", dialect))),
        None => (ply.ply.to_string(), joint_move_text(&ply.joint_move, dialect)),
    };
    if plies.is_empty() { line("no ply yet".to_string()) } else { table(plies.iter().map(row)) }
}

/// The joint move with its roles, or only the move if there is one role. In a game with operations only the role in
/// control moves.
fn joint_move_text(joint_move: &[RoleMove], dialect: Dialect) -> String {
    match joint_move {
        [only] => only.chosen.display(dialect).to_string(),
        _ => {
            let show = |RoleMove { role, chosen }: &RoleMove| format!("{role} {}", chosen.display(dialect));
            joined(shown_moves(joint_move, |own| &*own.chosen.name, dialect).into_iter().map(show), ", ")
        }
    }
}

/// The most facts that are listed below a position that was drawn without being asked for.
const FACTS_BESIDE: usize = 8;

/// A state drawn as boards.
#[derive(Clone, Debug, Serialize)]
pub struct Boards {
    /// The relations that are drawn as boards, by name.
    pub boards: Vec<Board>,
    /// The other figures that the sheet declares.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
    /// The other facts, in canonical order.
    pub facts: Vec<GroundTerm>,
    /// The file to which the drawing was written, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Boards {
    /// A state as it is drawn; the squares that differ from those of an earlier state are marked.
    pub(crate) fn from_facts(setting: &Setting, facts: &[GroundTerm], before: Option<&[GroundTerm]>) -> Self {
        let DrawnPosition { mut boards, figures, facts, .. } = setting.draw(facts, &|axes| axes);
        if let Some(before) = before {
            let before = setting.boards(before);
            // The same declarations and relations give the same boards in the same order.
            for (board, old) in boards.iter_mut().zip(&before).filter(|(board, old)| board.relation == old.relation) {
                board.mark_changes(old);
            }
        }
        Self { boards, figures, facts, file: None }
    }

    /// True if nothing is drawn but facts.
    pub(crate) fn is_plain(&self) -> bool {
        self.boards.is_empty() && self.figures.is_empty()
    }

    /// A position that is drawn with an answer, with a few of the facts that are on no board.
    pub(crate) fn text_beside(&self, style: &TextStyle<'_>) -> String {
        let facts = &self.facts;
        // The note on further facts takes the line of the last one.
        let shown = if facts.len() > FACTS_BESIDE { FACTS_BESIDE - 1 } else { facts.len() };
        let more = match facts.len() - shown {
            0 => String::new(),
            more => format!("… {} more facts\n", grouped(more)),
        };
        Self { facts: facts[..shown].to_vec(), ..self.clone() }.figures_text(style) + &more
    }

    /// Boards and other figures, and the facts that are not drawn.
    fn figures_text(&self, style: &TextStyle<'_>) -> String {
        let &TextStyle { paint, width, .. } = style;
        let Self { boards, figures, facts, .. } = self;
        let mut parts: Vec<String> = boards.iter().map(|board| board::painted(board, paint, width)).collect();
        parts.extend(figures.iter().filter_map(|figure| board::sketched(figure, paint, width)));
        let rest: String = board::figure_lines(figures, paint, width).into_iter().map(line).collect();
        parts.extend(Some(rest + &lines(facts, style.dialect)).filter(|rest| !rest.is_empty()));
        parts.join("\n")
    }
}

impl AnswerContent for Boards {
    fn kind(&self) -> &'static str {
        "boards"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        if let Some(file) = &self.file {
            return line(format!("{file}: 1 picture"));
        }
        if self.is_plain() {
            let nothing = paragraph("no relation of this state looks like a board", "", "  ", style.width);
            return nothing + &lines(&self.facts, style.dialect);
        }
        self.figures_text(style)
    }
}

/// The goal value of a role in a state.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GoalValue {
    /// The role to which the value belongs.
    pub(crate) role: GroundTerm,
    /// The value, if there is exactly one.
    pub(crate) value: Option<Utility>,
    /// The reason for which there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    /// The facts of the state that the value rests on, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<Vec<GoalPart>>,
}

/// A fact of the state that a goal value rests on.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GoalPart {
    pub(crate) fact: String,
    /// The rules that use it, as file, line and column.
    pub(crate) rules: Vec<String>,
}

impl GoalValue {
    /// The values of the roles in a terminal state. `random` is left out if it has no value, since chance has no aim.
    pub(crate) fn of_roles<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<Vec<Self>, ReasonError> {
        let mut goals = Vec::new();
        for (index, role) in reasoner.roles().to_vec().into_iter().enumerate() {
            match reasoner.goal(state, Role::new(index)) {
                // Chance has no aim, so most sheets give it no goal.
                Err(ReasonError::GoalUndefined { .. }) if role.is_chance() => {}
                value => goals.push(Self::new(role, value)?),
            }
        }
        Ok(goals)
    }

    /// A value that is known; `None` if the rules give no single value.
    #[cfg(feature = "cli")]
    pub(crate) fn from_known(role: GroundTerm, value: Option<Utility>) -> Self {
        let problem = value.is_none().then(|| "the rules give no single value".to_string());
        Self { role, value, problem, parts: None }
    }

    /// Converts the answer of an engine; the absence of a single value is an answer as well, not an error.
    pub(crate) fn new(role: GroundTerm, value: Result<Utility, ReasonError>) -> Result<Self, ReasonError> {
        match value {
            Ok(utility) => Ok(Self { role, value: Some(utility), problem: None, parts: None }),
            Err(error @ ReasonError::Stopped(_)) => Err(error),
            Err(error) => Ok(Self { role, value: None, problem: Some(error.to_string()), parts: None }),
        }
    }

    /// The value of one role, or of several in their order, for `expect`.
    pub(crate) fn as_value(goals: &[Self]) -> AnswerValue {
        let value = |goal: &Self| match goal.value {
            Some(utility) => AnswerValue::term(utility),
            None => GroundTerm::symbol("none"),
        };
        match goals {
            [only] => AnswerValue::One(value(only)),
            _ => AnswerValue::List(goals.iter().map(value).collect()),
        }
    }
}

/// The end of a match.
pub(crate) fn result_text(goals: &[GoalValue]) -> String {
    line(format!("the game is over; {}", joined(goals.iter().map(goal_text), ", ")))
}

pub(crate) fn goal_text(GoalValue { role, value, problem, .. }: &GoalValue) -> String {
    match (value, problem) {
        (Some(utility), _) => format!("{role}: {utility}"),
        (None, problem) => format!("{role}: none ({})", problem.as_deref().unwrap_or("no value")),
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct LoadedGame {
    /// The name of the game.
    pub(crate) game: String,
    /// The roles, in the order of joint moves.
    pub(crate) roles: Vec<GroundTerm>,
    /// The number of facts and rules.
    pub(crate) clauses: usize,
    /// The number of warnings about the rule sheet.
    pub(crate) warnings: usize,
}

/// A match that has been restored.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ResumedMatch {
    #[serde(flatten)]
    pub(crate) loaded: LoadedGame,
    /// The position that has been reached again.
    pub(crate) position: MatchPosition,
}

impl LoadedGame {
    /// Describes a game that has been loaded.
    pub(crate) fn from_game(game: &Game) -> Self {
        Self {
            game: game.name.clone(),
            roles: game.interpreter.roles().to_vec(),
            clauses: game.sheet.clauses.len(),
            warnings: game.diagnostics.len(),
        }
    }
}

impl AnswerContent for LoadedGame {
    fn kind(&self) -> &'static str {
        "loaded"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { game, roles, clauses, warnings } = self;
        let warnings = match warnings {
            0 => String::new(),
            1 => "; 1 warning (`check` shows it)".to_string(),
            _ => format!("; {warnings} warnings (`check` shows them)"),
        };
        let roles = match roles.len() {
            0 => "rules without roles, for `?- QUERY`".to_string(),
            1 => format!("role {}", roles[0]),
            _ => format!("roles {}", joined(roles, ", ")),
        };
        line(format!("{game}: {roles}; {clauses} clauses{warnings}"))
    }
}

impl AnswerContent for ResumedMatch {
    fn kind(&self) -> &'static str {
        "resumed"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        // Rules without roles have no position.
        let position = if self.loaded.roles.is_empty() { String::new() } else { self.position.text(style) };
        self.loaded.text(style) + &position
    }

    fn warnings(&self) -> &[String] {
        &self.position.warnings
    }
}
