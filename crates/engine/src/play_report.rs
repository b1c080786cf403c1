//! Problems of states that random games have reached, as diagnostics: with the moves that lead there, the rules that
//! give the values or fail to, and a line for the prompt that goes to the state.

use crate::Game;
use crate::interpreter::explain::{
    Binding, ClauseRef, ConjunctionSource, FailureReason, Justification, Proof, Verdict,
};
use crate::interpreter::{QueryError, State};
use gdl::diagnostic::{Code, Diagnostic, Label};
use gdl::rules::check::in_play::{GOALS, NO_GOAL, NO_MOVE};
use gdl::rules::{GroundTerm, Keyword};
use gdl::syntax::ast::{Formula, Name, ParsedAtom, Term};
use gdl::syntax::operations::{ClauseOrigin, shown_moves};
use gdl::syntax::{Dialect, Span};
use ggp_game::{JointMoves, Move, ReasonError, Reasoner, Role};
use std::time::Duration;

/// The number of facts that are shown with a problem.
const SHOWN_FACTS: usize = 30;

/// The number of rules that are shown with a problem.
const SHOWN_RULES: usize = 8;

/// The number of joint moves up to which a line is shown in full.
const SHOWN_LINE: usize = 500;

/// The time for one explanation; without it, the rules are not shown.
const EXPLAINING: Duration = Duration::from_secs(1);

/// A problem of a state that random games have reached.
pub(super) struct PlayedProblem {
    pub(super) code: &'static Code,
    /// The role that has the problem.
    pub(super) role: GroundTerm,
    pub(super) message: String,
    /// The goal values that are wrong.
    pub(super) values: Vec<GroundTerm>,
    /// The number of the game, from 1.
    pub(super) game: u64,
    /// The joint moves from the initial state.
    pub(super) line: Vec<Vec<GroundTerm>>,
    /// The facts of the state.
    pub(super) facts: Vec<GroundTerm>,
}

impl PlayedProblem {
    /// The diagnostic, with explanations by the interpreter of the game. What cannot be explained within the limits is
    /// left out.
    pub(super) fn diagnostic(&self, game: &mut Game) -> Diagnostic {
        let dialect = game.sheet.dialect;
        let mut problem = Diagnostic::of_sheet(self.code, self.message.clone());
        let mut help = format!("{}\nthe state: {}", self.way(dialect), self.state(dialect));
        if problem.is_error() {
            let limits = game.interpreter.limits().clone();
            game.interpreter.set_limits(limits.clone().with_time(EXPLAINING));
            problem.labels = self.rules(game).unwrap_or_default();
            if let Ok(Some(rule)) = self.missing_wait(game) {
                help.push_str(&format!("\na role that waits has a legal move too, for example by `{rule}`"));
            }
            if let Ok(Some(command)) = self.command(game) {
                help.push_str(&format!("\nat the prompt, `{command}` leads to this state"));
            }
            game.interpreter.set_limits(limits);
        }
        problem.with_help(help)
    }

    /// The way to the state. Of a line that the command has in full, only the number of moves is named.
    fn way(&self, dialect: Dialect) -> String {
        let game = self.game;
        match self.line.len() {
            0 => "in the initial state".to_string(),
            1 => format!("in random game {game}, after {}", last_moves_text(&self.line, dialect)),
            steps => {
                format!("in random game {game}, after {steps} joint moves: {}", last_moves_text(&self.line, dialect))
            }
        }
    }

    fn state(&self, dialect: Dialect) -> String {
        if self.facts.is_empty() {
            return "nothing holds".to_string();
        }
        let shown = self.facts.iter().take(SHOWN_FACTS).map(|fact| fact.display(dialect).to_string());
        let more = (self.facts.len() > SHOWN_FACTS).then(|| format!("and {} more", self.facts.len() - SHOWN_FACTS));
        shown.chain(more).collect::<Vec<_>>().join(", ")
    }

    /// A rule by which a role waits while another moves, if it is this role that has no move and a fact of the state names
    /// one that has: `control(x)`.
    fn missing_wait(&self, game: &mut Game) -> Result<Option<String>, ReasonError> {
        // In a sheet with operations, that the others wait is implied.
        if self.code != &NO_MOVE || game.sheet.dialect == Dialect::Operations {
            return Ok(None);
        }
        let interpreter = &mut game.interpreter;
        let state = interpreter.state_from_facts(&self.facts)?;
        let mut legal = Vec::new();
        for role in (0..interpreter.roles().len()).map(Role::new) {
            interpreter.legal_moves(&state, role, &mut legal)?;
            let mover = &interpreter.roles()[role.index()];
            let turn = self.facts.iter().find(|fact| fact.arguments[..] == [mover.clone()]);
            if let (false, Some(GroundTerm { name, .. })) = (legal.is_empty(), turn) {
                return Ok(Some(match game.sheet.dialect {
                    Dialect::Prefix => format!("(<= (legal ?p noop) (role ?p) (not (true ({name} ?p))))"),
                    _ => format!("legal(P,noop) :- role(P) & ~true({name}(P))"),
                }));
            }
        }
        Ok(None)
    }

    /// The `do` command that goes to the state from the initial one; `None` if it is the initial one, or the line is
    /// very long.
    fn command(&self, game: &mut Game) -> Result<Option<String>, ReasonError> {
        if self.line.is_empty() || self.line.len() > SHOWN_LINE {
            return Ok(None);
        }
        let dialect = game.sheet.dialect;
        let interpreter = &mut game.interpreter;
        let mut state = interpreter.initial_state()?;
        // The moves of the only role that decides, as long as there is one at each step.
        let mut deciding = Some(Vec::new());
        for terms in &self.line {
            let choosing = JointMoves::in_state(interpreter, &state)?.choosing();
            let decider = if terms.len() == 1 { Some(0) } else { None };
            let decider = decider.or(if let [only] = choosing[..] { Some(only.index()) } else { None });
            match (&mut deciding, decider) {
                (Some(moves), Some(role)) => moves.push(terms[role].display(dialect).to_string()),
                _ => deciding = None,
            }
            let joint_move = terms.iter().map(|term| interpreter.find_move(term));
            let joint_move = joint_move.collect::<Result<Vec<Move>, _>>()?;
            state = interpreter.next_state(&state, &joint_move)?;
        }
        let joint = || self.line.iter().map(|joint_move| joint_move_text(joint_move, dialect)).collect();
        Ok(Some(format!("do {}", deciding.unwrap_or_else(joint).join(" "))))
    }

    /// The rules that give the wrong values, or each rule that could give a value with the literal at which it fails.
    fn rules(&self, game: &mut Game) -> Result<Vec<Label>, QueryError> {
        let state = game.interpreter.state_from_facts(&self.facts)?;
        let mut labels = Vec::new();
        if self.code == &GOALS {
            for value in &self.values {
                let why = why(game, &state, Keyword::Goal, &self.role, value.to_term())?;
                add_proof(&why, &value.display(game.sheet.dialect).to_string(), &mut labels);
            }
            return Ok(labels);
        }
        let nowhere = Span::default();
        let (keyword, variable) = match self.code {
            code if code == &NO_MOVE => (Keyword::Legal, "M"),
            code if code == &NO_GOAL => (Keyword::Goal, "N"),
            _ => return Ok(labels),
        };
        let why = why(game, &state, keyword, &self.role, Term::Variable(Name::new(variable, nowhere)))?;
        add_failures(game, &why, &mut labels);
        labels.truncate(SHOWN_RULES);
        Ok(labels)
    }
}

/// The explanation of `keyword(role, argument)` in a state.
fn why(
    game: &mut Game,
    state: &State,
    keyword: Keyword,
    role: &GroundTerm,
    argument: Term,
) -> Result<Justification, QueryError> {
    let nowhere = Span::default();
    let arguments = vec![role.to_term(), argument];
    let relation = Name::new(keyword.name(), nowhere);
    let atom = ParsedAtom { relation, arguments, parenthesised: false, span: nowhere };
    game.interpreter.why_to_level(state, None, &Formula::Atom(atom), 1)
}

/// A label at the clause that gives a value, with its bindings.
fn add_proof(why: &Justification, value: &str, labels: &mut Vec<Label>) {
    let Verdict::Holds(Proof::Clause(clause, step)) = &why.node(why.root).verdict else { return };
    let message = joined(&format!("value {value}"), &bindings_text(&step.bindings));
    add_label(*clause, message, labels);
}

/// A label at each clause that could hold, with the literal at which it fails.
fn add_failures(game: &Game, why: &Justification, labels: &mut Vec<Label>) {
    let Verdict::Fails(FailureReason::Attempts(attempts)) = &why.node(why.root).verdict else { return };
    for attempt in attempts {
        let ConjunctionSource::Clause(clause) = attempt.source else { continue };
        // What a sheet with operations implies is not in its text.
        if game.rules.origin(clause.index) == Some(ClauseOrigin::Implied) {
            continue;
        }
        let failing = why.as_written(&why.node(attempt.fails).claim);
        let message = joined(&format!("fails at `{failing}`"), &bindings_text(&attempt.bindings));
        add_label(clause, message, labels);
    }
}

/// Adds a label at a clause, or its message to the label that is already there.
fn add_label(clause: ClauseRef, message: String, labels: &mut Vec<Label>) {
    match labels.iter_mut().find(|label| label.span == clause.span) {
        Some(label) => label.message = format!("{}; {message}", label.message),
        None => labels.push(Label { span: clause.span, message }),
    }
}

fn bindings_text(bindings: &[Binding]) -> String {
    let named = bindings.iter().filter(|binding| !binding.variable.starts_with('_'));
    named.map(|Binding { variable, value }| format!("{variable} = {value}")).collect::<Vec<_>>().join(", ")
}

fn joined(text: &str, bindings: &str) -> String {
    if bindings.is_empty() { text.to_string() } else { format!("{text} with {bindings}") }
}

/// The number of last joint moves that are shown.
const SHOWN_MOVES: usize = 12;

/// The last joint moves of a line, in the dialect of the rule sheet; in a game of one role without brackets.
pub(super) fn line_text(reasoner: &impl Reasoner, line: &[Vec<Move>], dialect: Dialect) -> String {
    let terms = |joint_move: &Vec<Move>| joint_move.iter().map(|&chosen| reasoner.move_term(chosen)).collect();
    last_moves_text(&line.iter().map(terms).collect::<Vec<_>>(), dialect)
}

/// The last joint moves of a line of terms.
fn last_moves_text(line: &[Vec<GroundTerm>], dialect: Dialect) -> String {
    let shown = line_of_play(&line[line.len().saturating_sub(SHOWN_MOVES)..], dialect);
    if line.len() > SHOWN_MOVES { format!("…, {shown}") } else { shown }
}

/// Joint moves in a dialect, separated by commas: in a game of one role `right, down`, else `[a, b], [c, d]`.
pub fn line_of_play(line: &[Vec<GroundTerm>], dialect: Dialect) -> String {
    line.iter().map(|joint_move| joint_move_text(joint_move, dialect)).collect::<Vec<_>>().join(", ")
}

/// A joint move: in brackets, unless there is only one role. In a game with operations only the role in control moves.
pub fn joint_move_text(joint_move: &[GroundTerm], dialect: Dialect) -> String {
    let shown = shown_moves(joint_move, |term| &*term.name, dialect);
    let moves: Vec<String> = shown.iter().map(|term| term.display(dialect).to_string()).collect();
    if let [only] = &moves[..] { only.clone() } else { format!("[{}]", moves.join(", ")) }
}
