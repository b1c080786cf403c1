//! Commands `tree` and `perft`: count the game tree below the current state.

use super::estimate::{EstimatedTree, quick_estimate};
use super::hidden::Beginning;
use super::option::{FORCE, LIMITS, file};
use super::{AnswerKind, Arguments, Command, OptionGroup};
use crate::repl::answer::{AnswerContent, AnswerValue, NodeCount, RoleMove, TextStyle};
use crate::repl::output::{OutputFile, ScreenContent};
use crate::repl::{Answer, CommandError, Session};
use gdl::limits::Stop;
use gdl::quantity::{counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::operations::shown_moves;
use ggp_game::Reasoner;
use ggp_play::ask::HiddenQuestion;
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::searches;
use ggp_play::ask::spec::NamedOption;
use ggp_search::{Budget, Cost, Count, DepthCount, EndCount, GameTree, Outcome, RoleUtilities, TreeSize, UtilityCount};
use serde::Serialize;

pub(super) const TREE: Command = Command {
    name: "tree",
    options: &[OWN, OptionGroup::own(&[EFG, FORCE]), LIMITS],
    summary: "count the whole tree below the current state by its states: nodes, terminal nodes, states, utilities",
    example: "tree",
    answers: AnswerKind::Value,
    ..Command::run_by(tree)
};

pub(super) const PERFT: Command = Command {
    name: "perft",
    operands: "N",
    options: &[OWN, LIMITS],
    summary: "count the nodes at each depth down to N, and those below each first joint move",
    example: "perft 4",
    answers: AnswerKind::Value,
    ..Command::run_by(perft)
};

/// The number of states up to which a tree is counted before it is estimated: most need no more.
const FEW: u64 = 2_000;

const OWN: OptionGroup = OptionGroup::own(&[STATES]);
const EFG: NamedOption = file(
    "--efg",
    "write the tree from the start of the match on for Gambit, with chance and information sets, if it has at most 100,000 nodes",
);
/// The most nodes of a tree that is written for Gambit.
const MOST_WRITTEN: u64 = 100_000;
const STATES: NamedOption = NamedOption::number(
    "--states",
    "N",
    "a number of states",
    "visit at most this number of states: the same as --nodes, because each state is visited once",
);

fn tree(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = limits(session.budget(), arguments)?;
    let efg = arguments.output(&EFG, session)?;
    if let Some(output) = &efg {
        write_for_gambit(session, &budget, output)?;
    }
    let whole = budget.most_nodes();
    // A small tree is counted at once; only a larger one is worth the time of an estimate.
    let few = budget.with(|budget| budget.with_nodes(whole.min(FEW)));
    let mut counted = count(session, &few)?;
    let estimate = match counted.stopped {
        None | Some(Stop::Interrupted) => None,
        Some(_) => quick_estimate(session),
    };
    // The limit of the first count is lifted; any other limit holds for the second as well.
    if whole > FEW && matches!(counted.stopped, Some(Stop::Nodes { .. })) {
        let screen = session.screen();
        screen.set(estimate.as_ref().map(|estimate| {
            let heading = format!("tree: {}", estimate.nodes_text());
            ScreenContent { heading, unit: "states", rows: String::new(), answer: None }
        }));
        let all = count(session, &budget);
        screen.set(None);
        counted = all?;
    }
    let Outcome { answer, stopped, cost } = counted;
    let Some(tree) = answer else { return Err(stopped_before(stopped)) };
    let estimate = if tree.tree == TreeSize::Unknown { estimate } else { None };
    let roles = session.current()?.roles().to_vec();
    Ok(Answer::new(CountedTree { roles, tree, estimate, stopped, efg: efg.map(|output| output.name), cost }))
}

/// Writes the tree from the start of the match on as an extensive form.
fn write_for_gambit(session: &mut Session, budget: &QuestionBudget, output: &OutputFile) -> Result<(), CommandError> {
    let current = session.current()?;
    let title = current.game.name.clone();
    let start = Beginning::of_match(current);
    let (rules, _) = current.position();
    let budget = budget.with(|budget| {
        let nodes = budget.most_nodes().min(MOST_WRITTEN);
        budget.with_nodes(nodes)
    });
    let Outcome { answer, stopped, cost } = HiddenQuestion::tree(rules, &start.state, &budget)?;
    let form = answer.ok_or_else(|| CommandError::without_answer(stopped, cost))?;
    output.write(searches::gambit(&form, rules, &title)).map(drop)
}

/// Counts the tree below the current state.
fn count(session: &mut Session, budget: &QuestionBudget) -> Result<Outcome<GameTree>, CommandError> {
    let (reasoner, state) = session.current()?.engine()?;
    Ok(budget.run(|budget| searches::tree(reasoner, &state, budget))?)
}

fn perft(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = limits(session.budget(), arguments)?;
    let depth = match arguments.operands() {
        "" => return Err(PERFT.misused("how deep?")),
        number => match number.parse() {
            Ok(depth) if depth <= Budget::DEPTH => depth,
            Ok(_) => return Err(PERFT.misused(format!("the greatest depth is {}", Budget::DEPTH))),
            Err(_) => return Err(PERFT.misused(format!("`{number}` is not a depth"))),
        },
    };
    let current = session.current()?;
    let roles = current.roles().to_vec();
    let (reasoner, state) = current.engine()?;
    let outcome = budget.run(|budget| searches::perft(reasoner, &state, depth, budget))?;
    let stopped = outcome.stopped;
    let cost = outcome.cost;
    let Some(perft) = outcome.answer else { return Err(stopped_before(stopped)) };
    let counted = |(joint_move, nodes): (Vec<ggp_game::Move>, _)| {
        let moves = roles.iter().cloned().zip(joint_move);
        let moves = moves.map(|(role, chosen)| RoleMove { role, chosen: reasoner.move_term(chosen) });
        CountedMove { joint_move: moves.collect(), nodes }
    };
    let first_moves = perft.first_moves.into_iter().map(counted).collect();
    Ok(Answer::new(CountedDepths { depths: perft.depths, first_moves, stopped, cost }))
}

/// The budget with the given limits.
fn limits(budget: QuestionBudget, arguments: &Arguments) -> Result<QuestionBudget, CommandError> {
    let budget = arguments.budget(budget)?;
    Ok(match arguments.number(&STATES)? {
        Some(states) => budget.with(|budget| budget.with_nodes(states)),
        None => budget,
    })
}

fn stopped_before(stopped: Option<Stop>) -> CommandError {
    CommandError::Stopped { stop: stopped.unwrap_or(Stop::Interrupted), cost: None }
}

/// The size of the game tree below the current state.
#[derive(Clone, Debug, Serialize)]
struct CountedTree {
    /// The roles, in the order of the utilities.
    roles: Vec<GroundTerm>,
    /// The counts; complete unless `stopped` is set.
    #[serde(flatten)]
    tree: GameTree,
    /// An estimate by random games, if the tree was not counted completely.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<EstimatedTree>,
    /// The limit that stopped the count, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    /// The file with the tree, if `--efg` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    efg: Option<String>,
    /// The cost of counting, in states.
    cost: Cost,
}

/// The nodes of the game tree by depth and by first joint move.
#[derive(Clone, Debug, Serialize)]
struct CountedDepths {
    /// The counts for each depth, from 0.
    depths: Vec<DepthCount>,
    /// For each first joint move, the nodes below it at the last depth.
    first_moves: Vec<CountedMove>,
    /// The limit that stopped the count, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    /// The cost of counting, in states.
    cost: Cost,
}

/// A first joint move with its count.
#[derive(Clone, Debug, Serialize)]
struct CountedMove {
    /// The joint move, role by role.
    joint_move: Vec<RoleMove>,
    /// The number of nodes below it.
    nodes: Count,
}

fn distances(tree: &ggp_search::GameTree) -> String {
    let farthest = tree.farthest_state;
    let moves = if farthest == 1 { "move" } else { "moves" };
    match tree.first_end {
        Some(first) => format!("the farthest is {farthest} {moves} away, the nearest end {first}"),
        None => format!("the farthest is {farthest} {moves} away"),
    }
}

fn utilities_of(role: &str, utilities: &RoleUtilities) -> Vec<String> {
    let values = utilities.values.iter().map(|UtilityCount { utility, ends }| (utility.to_string(), ends));
    let without = Some(("no single value".to_string(), &utilities.without)).filter(|(_, ends)| ends.states > 0);
    let line = |(value, ends): (String, &EndCount)| {
        let terminal =
            |count: String, word: &str| format!("{count} terminal {word}{}", if count == "1" { "" } else { "s" });
        let nodes = ends.nodes.map(|nodes| terminal(count_text(nodes), "node") + ", ").unwrap_or_default();
        let nearest = ends.nearest.map(|nearest| format!("; nearest {nearest}")).unwrap_or_default();
        format!("{role} {value}: {nodes}{}{nearest}", terminal(grouped(ends.states), "state"))
    };
    values.chain(without).map(line).collect()
}

fn count_text(count: Count) -> String {
    count.exact().map_or_else(|| count.to_string(), grouped)
}

impl AnswerContent for CountedTree {
    fn kind(&self) -> &'static str {
        "tree"
    }

    /// The size of a tree: a few lines, then a line for each role and utility.
    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { roles, tree, estimate, stopped, efg, .. } = self;
        let mut lines = Vec::new();
        match tree.tree {
            TreeSize::Finite { nodes, terminal_nodes, depth, .. } => {
                let nodes = count_text(nodes);
                let terminal_nodes = count_text(terminal_nodes);
                let word = if nodes == "1" { "node" } else { "nodes" };
                lines.push(format!("tree: {nodes} {word}, {terminal_nodes} of them terminal; depth {depth}"));
            }
            TreeSize::Infinite => lines.push("tree: infinite, since a state can repeat".to_string()),
            TreeSize::Unknown => {
                let estimate = estimate.as_ref().map_or(String::new(), |estimate| {
                    let games = counted_as(estimate.games, "random game", "random games");
                    format!(": {}, by {games}", estimate.nodes_text())
                });
                lines.push(format!("tree: not counted completely{estimate}"));
            }
        }
        let so_far = if stopped.is_some() { " so far" } else { "" };
        let states = grouped(tree.states);
        let terminal = grouped(tree.terminal_states);
        lines.push(format!("states: {states}{so_far}, {terminal} of them terminal; {}", distances(tree)));
        let mean = match tree.tree {
            TreeSize::Finite { mean_branching: Some(mean), .. } => format!("{mean:.2} a node on average, "),
            _ => String::new(),
        };
        let moves = grouped(tree.joint_moves);
        let most = grouped(tree.most_branching);
        lines.push(format!("joint moves: {moves}{so_far}; {mean}at most {most}"));
        for (role, utilities) in roles.iter().zip(&tree.utilities) {
            lines.extend(utilities_of(&role.to_string(), utilities));
        }
        if let Some(stop) = stopped {
            lines.push(format!("stopped: {stop}"));
        }
        if let Some(file) = efg {
            lines.push(format!("{file}: the tree for Gambit"));
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::List(self.counts()))
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.tree.states))
    }

    fn nodes(&self, _named: Option<NodeCount>) -> Option<AnswerValue> {
        self.counts().into_iter().next().map(AnswerValue::One)
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

impl AnswerContent for CountedDepths {
    fn kind(&self) -> &'static str {
        "depths"
    }

    /// The counts by depth, then by first joint move.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let Self { depths, first_moves, stopped, .. } = self;
        let mut text = String::new();
        for (depth, counted) in depths.iter().enumerate() {
            let nodes = count_text(counted.nodes);
            let terminal = count_text(counted.terminal_nodes);
            let word = if nodes == "1" { "node" } else { "nodes" };
            text += &format!("depth {depth}: {nodes} {word}, {terminal} of them terminal\n");
        }
        for CountedMove { joint_move, nodes } in first_moves {
            let shown = shown_moves(joint_move, |step| &*step.chosen.name, style.dialect);
            let moves: Vec<String> =
                shown.into_iter().map(|step| step.chosen.display(style.dialect).to_string()).collect();
            text += &format!("{}: {}\n", moves.join(" "), count_text(*nodes));
        }
        if let Some(stop) = stopped {
            text += &format!("stopped: {stop}\n");
        }
        text
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::numbers(self.depths.iter().map(|depth| depth.nodes)))
    }

    fn nodes(&self, _named: Option<NodeCount>) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.depths.last()?.nodes))
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

impl CountedTree {
    /// The numbers of nodes, terminal nodes and distinct states.
    fn counts(&self) -> Vec<GroundTerm> {
        let (nodes, terminal_nodes) = match self.tree.tree {
            TreeSize::Finite { nodes, terminal_nodes, .. } => {
                (AnswerValue::term(nodes), AnswerValue::term(terminal_nodes))
            }
            TreeSize::Infinite => (GroundTerm::symbol("infinite"), GroundTerm::symbol("infinite")),
            TreeSize::Unknown => (GroundTerm::symbol("unknown"), GroundTerm::symbol("unknown")),
        };
        vec![nodes, terminal_nodes, AnswerValue::term(self.tree.states)]
    }
}
