//! Command `info`: the kind and size of a loaded game, as far as its rules and some of its states show them.

use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::text::{joined, table};
use crate::repl::answer::{AnswerContent, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::limits::Stop;
use gdl::quantity::{counted, counted_as, grouped};
use gdl::rules::{Clause, GroundTerm, Keyword, RelationId, RuleSet};
use gdl::syntax::Dialect;
use gdl::syntax::operations::ClauseOrigin;
use ggp_engine::{Engine, EngineKind, Game, promised};
use ggp_game::{ReasonError, Reasoner, Role};
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::searches;
use ggp_play::ask::spec::NamedOption;
use ggp_search::{SearchError, Sums, Survey};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

const STATES: NamedOption = NamedOption::number(
    "--states",
    "N",
    "a number of states",
    "visit at most this number of states to find out the kind of game",
)
.default("10000");

/// The default of `--states`.
const SURVEYED_STATES: u64 = 10_000;

pub(super) const INFO: Command = Command {
    name: "info",
    options: &[OptionGroup::own(&[STATES])],
    summary: "describe the loaded game: its source, roles, clauses, relations and engine",
    example: "info",
    ..Command::run_by(info)
};

fn info(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let most = arguments.number(&STATES)?.unwrap_or(SURVEYED_STATES);
    let budget = session.budget().with(|budget| budget.with_nodes(most));
    let game = &mut session.current()?.game;
    let engine = game.engine_in_use();
    let engine_in_use = engine.map(Engine::kind);
    let passes = engine.map_or(&[][..], Engine::left_out).iter().map(|left_out| left_out.pass.to_string());
    let of_lanes = engine.map(Engine::techniques_left_out).unwrap_or_default();
    let left_out = passes.chain(of_lanes.iter().map(|left_out| left_out.technique.name())).collect();
    let chance = Role::chance(game.interpreter.roles());
    let players = Role::players(game.interpreter.roles()).count();
    let percepts = game.rules.has_percepts();
    let survey = if most > 0 { surveyed(game, chance, &budget)? } else { None };
    let base = promised(game, Keyword::Base)?.map(|facts| facts.len());
    let rules = Arc::clone(&game.rules);
    let is_own = |row: &&Vec<GroundTerm>| row.get(1).is_none_or(|chosen| !rules.is_idle(chosen));
    let input = promised(game, Keyword::Input)?.map(|moves| moves.iter().filter(is_own).count());
    let operations = game.sheet.clauses.iter().filter(|clause| clause.effects.is_some()).count();
    let clauses = written_clauses(&rules);
    let facts = clauses.iter().filter(|clause| clause.body.is_empty()).count();
    let heads: BTreeSet<RelationId> = clauses.iter().map(|clause| clause.head.relation).collect();
    let own = heads.into_iter().filter(|&relation| rules.keyword_of(relation).is_none());
    let mut relations: Vec<String> = own.map(|relation| rules.relation_label(relation)).collect();
    relations.sort();
    Ok(Answer::new(GameInfo {
        game: game.name.clone(),
        source: game.source.name().to_string(),
        dialect: game.sheet.dialect,
        engine: game.options().kind,
        engine_in_use,
        is_building: game.is_building(),
        left_out,
        roles: game.interpreter.roles().to_vec(),
        facts,
        rules: clauses.len() - facts,
        operations: (operations > 0).then_some(operations),
        relations,
        base,
        input,
        warnings: game.diagnostics.len(),
        players,
        chance: chance.is_some(),
        percepts,
        survey,
    }))
}

/// The facts and rules of a sheet; of one with operations without those to which its operations are translated.
fn written_clauses(rules: &RuleSet) -> Vec<&Clause> {
    let is_written = |index: usize| matches!(rules.origin(index), None | Some(ClauseOrigin::Clause(_)));
    rules.clauses.iter().enumerate().filter(|(index, _)| is_written(*index)).map(|(_, clause)| clause).collect()
}

/// Survey of the states within the budget, breadth first from the initial state; `None` if a role cannot move in one of
/// them.
fn surveyed(game: &mut Game, chance: Option<Role>, budget: &QuestionBudget) -> Result<Option<Survey>, CommandError> {
    let engine = game.engine()?;
    let start = engine.initial_state()?;
    match budget.run(|budget| searches::survey(engine, &start, chance, budget)) {
        Ok(outcome) if outcome.stopped == Some(Stop::Interrupted) => {
            Err(CommandError::Stopped { stop: Stop::Interrupted, cost: Some(Box::new(outcome.cost)) })
        }
        Ok(outcome) => Ok(outcome.answer),
        // A sheet in which a role cannot move is described as far as the rest goes; `check --simulate` reports it.
        Err(SearchError::Reason(ReasonError::NoLegalMove { .. })) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The description of a game.
#[derive(Clone, Debug, Serialize)]
struct GameInfo {
    /// The name of the game.
    game: String,
    /// The origin of the text.
    source: String,
    /// The dialect of the rule sheet.
    dialect: Dialect,
    /// The engine that was requested.
    engine: EngineKind,
    /// The engine that plays and searches, if it has been set up.
    engine_in_use: Option<EngineKind>,
    /// True if a network is built, which then replaces the interpreter.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_building: bool,
    /// The passes that were left out of the network, since they changed the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
    /// The roles, in the order of joint moves.
    roles: Vec<GroundTerm>,
    /// The number of clauses without a body.
    facts: usize,
    /// The number of clauses with a body.
    rules: usize,
    /// The number of operations, in a sheet that has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<usize>,
    /// The relations that are not keywords, with their arities, by name.
    relations: Vec<String>,
    /// The number of facts of `base`, if the rule sheet defines it.
    base: Option<usize>,
    /// The number of moves of `input` for all roles together, if the rule sheet defines it.
    input: Option<usize>,
    /// The number of warnings about the rule sheet.
    warnings: usize,
    /// The number of roles except chance.
    players: usize,
    /// True if `random` is a role.
    chance: bool,
    /// True if the sheet has rules for `sees`, so that roles do not see the whole state.
    percepts: bool,
    /// Survey of the states that were visited, if any were to be visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    survey: Option<Survey>,
}

impl AnswerContent for GameInfo {
    fn kind(&self) -> &'static str {
        "info"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let promised = |count: Option<usize>, word| count.map_or("not given".to_string(), |count| counted(count, word));
        let operations = self.operations.map_or(String::new(), |count| format!(", {}", counted(count, "operation")));
        let clauses = self.facts + self.rules + self.operations.unwrap_or_default();
        let clauses =
            format!("{clauses}: {}, {}{operations}", counted(self.facts, "fact"), counted(self.rules, "rule"));
        let engine = match self.engine_in_use {
            Some(kind) if self.is_building => format!("{kind}, until the propnet is built"),
            Some(kind) if self.left_out.is_empty() => kind.to_string(),
            Some(kind) => format!("{kind} without {}, which would change the game", joined(&self.left_out, ", ")),
            None => format!("{}, set up when it is needed", self.engine),
        };
        let relations = match &self.relations[..] {
            [] => "none of its own".to_string(),
            relations => joined(relations, ", "),
        };
        let rows = [
            ("game", self.game.clone()),
            ("source", self.source.clone()),
            ("dialect", self.dialect.name().to_string()),
            ("engine", engine),
            ("roles", joined(&self.roles, ", ")),
            ("clauses", clauses),
            ("relations", relations),
            ("base", promised(self.base, "fact")),
            ("input", promised(self.input, "move")),
            ("warnings", grouped(self.warnings as u64)),
            ("kind", kind_text(self)),
        ];
        table(rows)
    }
}

/// The kind of game, with the results of the survey.
fn kind_text(info: &GameInfo) -> String {
    let mut words = vec![counted(info.players, "player")];
    let survey = info.survey.as_ref();
    if info.players + usize::from(info.chance) > 1 {
        words.extend(survey.and_then(|survey| match (survey.most_choosing, survey.complete) {
            (2.., _) => Some("simultaneous moves".to_string()),
            (_, true) => Some("turns".to_string()),
            (_, false) => None,
        }));
    }
    words.push(if info.chance { "chance" } else { "deterministic" }.to_string());
    words.push(if info.percepts { "imperfect information" } else { "perfect information" }.to_string());
    let Some(survey) = survey else { return joined(words, ", ") };
    let states = counted_as(survey.states, "state", "states");
    match survey.repeats {
        Some(true) => words.extend([format!("{states}, some of which repeat")]),
        Some(false) => words.extend(["finite".to_string(), states]),
        None => words.push(format!("more than {states}")),
    }
    if info.players > 1 {
        words.push(match (survey.sums, survey.complete) {
            (Sums::Different, _) => "the sum of the utilities is not constant".to_string(),
            (Sums::Constant(sum), true) => format!("the utilities sum to {sum}"),
            (Sums::Constant(sum), false) => format!("the utilities sum to {sum} as far as was seen"),
            (Sums::None, _) => "the sum of the utilities is unknown".to_string(),
        });
    }
    joined(words, ", ")
}
