//! Commands about games with hidden information: searches for strategies of roles that do not see the whole state
//! (`equilibrium`, `cfr`, `mccfr`), `exploit`, which measures strategies, and `infosets`, which counts information sets.

use super::contest::asking_role;
use super::option::{FORCE, file};
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::{json, line};
use crate::repl::answer::{
    AnswerContent, AnswerValue, FoundStrategies, RoleGain, SearchAnswer, SearchFound, SetStrategy, TextStyle, small,
};
use crate::repl::session::{Match, MatchStep};
use crate::repl::{Answer, CommandError, Session};
use crate::table::{Column, Table};
use gdl::quantity::{counted, grouped};
use gdl::rules::GroundTerm;
use gdl::sorting;
use gdl::syntax::Dialect;
use ggp_engine::interpreter::{Interpreter, State};
use ggp_game::{JointMoves, Move, Reasoner, Role};
use ggp_play::ask::options::{MEMORY, NODES, SECONDS};
use ggp_play::ask::spec::NamedOption;
use ggp_play::ask::{HiddenAlgorithm, HiddenFound, HiddenQuestion};
use ggp_search::events::value_text;
use ggp_search::{
    ExtensiveForm, InformationSet, LearnedProfile, Observation, Outcome, ProfileValues, SearchError, StrategyProfile,
    ViewStep, WeightedMove,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

pub(super) const EQUILIBRIUM: Command = Command {
    name: HiddenAlgorithm::Equilibrium.name(),
    options: &[OptionGroup::own(HiddenAlgorithm::Equilibrium.options()), OF_SEARCH],
    summary: "find an equilibrium of two roles that do not see the whole state, by a linear program (sequence form)",
    example: "equilibrium",
    example_game: "kuhn_poker",
    ..Command::about_role(|session, arguments| answer(session, HiddenAlgorithm::Equilibrium, arguments))
};

pub(super) const CFR: Command = Command {
    name: HiddenAlgorithm::Cfr.name(),
    options: &[OptionGroup::own(HiddenAlgorithm::Cfr.options()), OF_SEARCH],
    summary: "approach an equilibrium of roles that do not see the whole state, by counterfactual regrets over the tree",
    example: "cfr --iterations 200 --sets 3",
    example_game: "kuhn_poker",
    ..Command::about_role(|session, arguments| answer(session, HiddenAlgorithm::Cfr, arguments))
};

pub(super) const MCCFR: Command = Command {
    name: HiddenAlgorithm::Mccfr.name(),
    options: &[OptionGroup::own(HiddenAlgorithm::Mccfr.options()), OF_SEARCH],
    summary: "approach an equilibrium of roles that do not see the whole state, by counterfactual regrets on sampled lines",
    example: "mccfr --iterations 20000 --sets 3",
    example_game: "kuhn_poker",
    ..Command::about_role(|session, arguments| answer(session, HiddenAlgorithm::Mccfr, arguments))
};

pub(super) const EXPLOIT: Command = Command {
    name: "exploit",
    operands: "[FILE]",
    takes: ArgumentKind::File,
    options: &[OptionGroup::own(&[NODES, SECONDS, MEMORY, STRATEGY, FORCE])],
    summary: "measure strategies: what each role gains by its best response to the strategies of a file, or to those that were found last",
    example: "exploit",
    example_game: "kuhn_poker",
    example_after: &["cfr --iterations 10"],
    answers: AnswerKind::Value,
    ..Command::run_by(exploit)
};

pub(super) const INFOSETS: Command = Command {
    name: "infosets",
    options: &[OptionGroup::own(&[NODES, SECONDS, MEMORY])],
    summary: "count the information sets of each role, by the number of joint moves before them",
    example: "infosets",
    example_game: "kuhn_poker",
    answers: AnswerKind::Value,
    ..Command::run_by(infosets)
};

/// The options of a search for strategies, for all of which the prompt has the same.
const OF_SEARCH: OptionGroup = OptionGroup::own(&[NODES, SECONDS, MEMORY, SETS, STRATEGY, FORCE]);
pub(super) const SETS: NamedOption = NamedOption::number(
    "--sets",
    "N",
    "a number of information sets",
    "list the strategy at the first N information sets of the role",
)
.default("12");
const STRATEGY: NamedOption =
    file("--strategy", "write the strategies of all roles to a file: as JSON if its name ends in .json, else as text");
/// The default number of listed information sets.
const LISTED: usize = 12;

/// The strategies of all roles of a game, as a file.
#[derive(Serialize, Deserialize)]
struct StrategyFile {
    game: String,
    strategies: Vec<SetStrategy>,
}

fn answer(session: &mut Session, algorithm: HiddenAlgorithm, arguments: &Arguments) -> Result<Answer, CommandError> {
    let question = HiddenQuestion::new(algorithm, arguments, session.seed());
    let budget = arguments.budget(session.budget())?;
    let listed = arguments.number(&SETS)?.unwrap_or(LISTED);
    let output = arguments.output(&STRATEGY, session)?;
    let dialect = session.dialect();
    let current = session.current()?;
    let game = current.game.name.clone();
    let role = asking_role(current, arguments)?;
    let start = Beginning::of_match(current);
    let view: Vec<Observation> = start.view(current, role)?.into_iter().map(|(own, _)| own).collect();
    let (rules, _) = current.position();
    let Outcome { answer, stopped, cost } = question.ask(rules, &start.state, &budget)?;
    let Some(found) = answer else { return Err(CommandError::without_answer(stopped, cost)) };
    let HiddenFound { form, learned, values } = &found;
    let player = form.player(role).ok_or(SearchError::AsksChance)?;
    let mut sets: Vec<usize> = form.sets_of(player).collect();
    let further_sets = sets.len().saturating_sub(listed);
    sorting::sort_by_key(&mut sets, |&set| form.information_sets()[set].ply());
    sets.truncate(listed);
    let named = |set: usize| named_set(rules, form, &learned.profile, set);
    let here = form.set_after(player, &view).map(named);
    if let Some(output) = &output {
        let all = (0..form.information_sets().len()).map(named).collect();
        output.write(strategies_text(StrategyFile { game, strategies: all }, &output.name, dialect))?;
    }
    let strategies = FoundStrategies {
        role: rules.roles()[role.index()].clone(),
        mean: rounded(values.values[player]),
        values: gains(rules, form, values),
        exploitability: rounded(values.exploitability()),
        iterations: learned.iterations,
        unit: if algorithm.is_exact() { "pivot" } else { "iteration" },
        information_sets: form.information_sets().len(),
        here,
        strategy: sets.into_iter().map(named).collect(),
        further_sets,
        file: output.map(|output| output.name),
    };
    let warnings = if form.regrets_lead_to_equilibrium() { Vec::new() } else { vec![NO_EQUILIBRIUM.to_string()] };
    session.keep_strategies(Arc::new(found))?;
    let outcome = Outcome { answer: Some(SearchFound::Strategies(strategies)), stopped, cost };
    let answer = SearchAnswer::from_outcome(outcome)?;
    let exact = algorithm.is_exact() && answer.exact;
    Ok(Answer::new(SearchAnswer { exact, ..answer }.warned(warnings)))
}

/// The guarantee of strategies in games other than those of two roles with a constant sum.
const NO_EQUILIBRIUM: &str = "the game is not one of two roles whose utilities have a constant sum, so the strategies \
    need not approach an equilibrium: in the mean over the iterations no role regrets its moves (a coarse correlated \
    equilibrium), and the exploitability says what roles gain by other strategies";

/// The state in which a match began, which all roles know: the first one, or that after the last jump.
pub(super) struct Beginning {
    pub(super) state: State,
    /// The first ply after it.
    ply: usize,
}

impl Beginning {
    pub(super) fn of_match(current: &mut Match) -> Self {
        let jump = current.steps().iter().rposition(|step| matches!(step, MatchStep::Set(_)));
        let ply = jump.map_or(0, |jump| jump + 1);
        Self { state: current.state_after(ply).1.clone(), ply }
    }

    /// What a role knows of the joint moves since then, each with whether it had a choice.
    pub(super) fn view(&self, current: &mut Match, role: Role) -> Result<Vec<(Observation, bool)>, CommandError> {
        let mut view = Vec::new();
        for ply in self.ply..current.ply() {
            let Some((rules, before, joint_move)) = current.state_before(ply) else { continue };
            let is_choice = JointMoves::in_state(rules, before)?.legal(role).len() > 1;
            view.push((Observation::of(rules, before, joint_move, role)?, is_choice));
        }
        Ok(view)
    }
}

/// The strategy at an information set, in terms.
fn named_set(rules: &Interpreter, form: &ExtensiveForm, profile: &StrategyProfile, set: usize) -> SetStrategy {
    let moves = form.moves(set).iter().zip(profile.at(form, set));
    let moves = moves
        .map(|(&chosen, &probability)| WeightedMove {
            chosen: rules.move_term(chosen),
            probability: rounded(probability),
        })
        .collect();
    SetStrategy { role: rules.roles()[form.role_of(set).index()].clone(), view: form.view(rules, set), moves }
}

/// Strategies as a file: JSON if its name says so, otherwise a line for each information set.
fn strategies_text(file: StrategyFile, name: &str, dialect: Dialect) -> String {
    match is_json(name) {
        true => json(&file),
        false => file.strategies.iter().map(|set| line(set.text(dialect))).collect(),
    }
}

fn is_json(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn gains(rules: &Interpreter, form: &ExtensiveForm, values: &ProfileValues) -> Vec<RoleGain> {
    let each = form.players().iter().zip(values.values.iter().zip(&values.best_responses));
    let gain = |(role, (&mean, &best)): (&Role, (&f64, &f64))| RoleGain {
        role: rules.roles()[role.index()].clone(),
        mean: rounded(mean),
        best_response: rounded(best),
    };
    each.map(gain).collect()
}

fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

fn exploit(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = arguments.budget(session.budget())?;
    let output = arguments.output(&STRATEGY, session)?;
    let dialect = session.dialect();
    let (found, missing) = match arguments.operands() {
        "" => {
            let none = "there are no strategies: `cfr` finds some, and `exploit FILE` reads them from a file";
            (session.strategies().ok_or_else(|| CommandError::refused(none))?, 0)
        }
        file => {
            let text = session.input(file)?;
            let given: StrategyFile = serde_json::from_str(&text).map_err(|error| {
                arguments.wrong(format!("`{file}` has no strategies as `--strategy FILE.json` writes them: {error}"))
            })?;
            let current = session.current()?;
            let start = Beginning::of_match(current);
            let (rules, _) = current.position();
            let Outcome { answer, stopped, cost } = HiddenQuestion::tree(rules, &start.state, &budget)?;
            let Some(form) = answer else { return Err(CommandError::without_answer(stopped, cost)) };
            let (profile, missing) = profile_of(rules, &form, given);
            (Arc::new(HiddenFound::new(form, LearnedProfile { profile, iterations: 0 })), missing)
        }
    };
    let current = session.current()?;
    let game = current.game.name.clone();
    let (rules, _) = current.position();
    let HiddenFound { form, values, .. } = &*found;
    if let Some(output) = &output {
        let sets = 0..form.information_sets().len();
        let strategies = sets.map(|set| named_set(rules, form, &values.responses, set)).collect();
        output.write(strategies_text(StrategyFile { game, strategies }, &output.name, dialect))?;
    }
    let roles = gains(rules, form, values);
    let exploitability = rounded(values.exploitability());
    let answer = ExploitAnswer { roles, exploitability, file: output.map(|output| output.name) };
    let warning = (missing > 0).then(|| {
        let sets = counted(missing, "information set");
        format!("the file has no strategy for {sets}, where all moves are taken to be equally likely")
    });
    Ok(Answer::new(answer).warned(warning))
}

/// The profile of a file, and the number of information sets that it lacks.
fn profile_of(rules: &Interpreter, form: &ExtensiveForm, file: StrategyFile) -> (StrategyProfile, usize) {
    let key = |role: &GroundTerm, view: &[ViewStep]| {
        let steps = view.iter().map(|step| (step.chosen.clone(), step.percepts.clone())).collect::<Vec<_>>();
        (role.clone(), steps)
    };
    let given: HashMap<_, _> = file.strategies.iter().map(|set| (key(&set.role, &set.view), &set.moves)).collect();
    let mut missing = 0;
    let profile = StrategyProfile::of_sets(form, |set| {
        let role = &rules.roles()[form.role_of(set).index()];
        let Some(moves) = given.get(&key(role, &form.view(rules, set))) else {
            missing += 1;
            return None;
        };
        let probability = |&chosen: &Move| {
            let term = rules.move_term(chosen);
            moves.iter().find(|own| own.chosen == term).map_or(0.0, |own| own.probability.max(0.0))
        };
        Some(form.moves(set).iter().map(probability).collect())
    });
    (profile, missing)
}

/// What roles gain by their best responses.
#[derive(Clone, Debug, Serialize)]
struct ExploitAnswer {
    /// The values, role by role.
    roles: Vec<RoleGain>,
    /// The mean of the gains: 0 in an equilibrium.
    exploitability: f64,
    /// The file with the best responses, if `--strategy` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl AnswerContent for ExploitAnswer {
    fn kind(&self) -> &'static str {
        "exploited"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let rows = self.roles.iter().map(|RoleGain { role, mean, best_response }| {
            let gain = small((best_response - mean).max(0.0));
            [role.display(style.dialect).to_string(), value_text(*mean), value_text(*best_response), gain]
        });
        let table = Table::new([Column::Left, Column::Right, Column::Right, Column::Right]);
        let table = table.row(["role", "mean", "best response", "gain"]).rows(rows).to_string();
        let file = self.file.as_ref().map_or(String::new(), |file| line(format!("{file}: the best responses")));
        table + &line(format!("exploitability {}", small(self.exploitability))) + &file
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.exploitability))
    }
}

fn infosets(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = arguments.budget(session.budget())?;
    let current = session.current()?;
    let start = Beginning::of_match(current);
    let (rules, _) = current.position();
    let Outcome { answer, stopped, cost } = HiddenQuestion::tree(rules, &start.state, &budget)?;
    let Some(form) = answer else { return Err(CommandError::without_answer(stopped, cost)) };
    let mut rows: Vec<CountedSets> = Vec::new();
    for player in 0..form.players().len() {
        let role = &rules.roles()[form.players()[player].index()];
        let mut sets: Vec<&InformationSet> = form.information_sets()[form.sets_of(player)].iter().collect();
        sorting::sort_by_key(&mut sets, |set| set.ply());
        for same in sets.chunk_by(|one, other| one.ply() == other.ply()) {
            rows.push(CountedSets {
                role: role.clone(),
                ply: same[0].ply(),
                sets: same.len(),
                nodes: same.iter().map(|set| set.size()).sum(),
                largest: same.iter().map(|set| set.size()).max().unwrap_or(0),
            });
        }
    }
    let information_sets = form.information_sets().len();
    Ok(Answer::new(CountedInformation { information_sets, nodes: form.size(), rows }))
}

/// The information sets of a game.
#[derive(Clone, Debug, Serialize)]
struct CountedInformation {
    /// Their number.
    information_sets: usize,
    /// The number of nodes of the tree: of chance, of decisions, and terminal ones.
    nodes: usize,
    /// Those of each role after each number of joint moves.
    rows: Vec<CountedSets>,
}

/// The information sets of a role after a number of joint moves.
#[derive(Clone, Debug, Serialize)]
struct CountedSets {
    role: GroundTerm,
    ply: u32,
    sets: usize,
    /// The nodes in them.
    nodes: usize,
    /// The nodes in the largest.
    largest: usize,
}

impl AnswerContent for CountedInformation {
    fn kind(&self) -> &'static str {
        "infosets"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let rows = self.rows.iter().map(|CountedSets { role, ply, sets, nodes, largest }| {
            [role.display(style.dialect).to_string(), ply.to_string(), grouped(sets), grouped(nodes), grouped(largest)]
        });
        let columns = [Column::Left, Column::Right, Column::Right, Column::Right, Column::Right];
        let table = Table::new(columns).row(["role", "joint moves", "sets", "nodes", "largest"]).rows(rows).to_string();
        let sets = counted(self.information_sets, "information set");
        table + &line(format!("{sets}, {}", counted(self.nodes, "node")))
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.information_sets))
    }
}
