//! `ggp propnet`: shows the network of a game, in numbers and in drawings.

use super::arguments::{BudgetArguments, OutputArguments, pass, source_of, write};
use super::ground::grounding;
use super::{Failure, complete, interrupt_flag, load};
use crate::repl::console::Console;
use crate::repl::render;
use crate::repl::terminal::{self, Terminal};
use crate::table::{Column, Table};
use gdl::limits::Limits;
use gdl::quantity::grouped;
use gdl::rules::GroundTerm;
use gdl::suggestion::{did_you_mean_or, nearest};
use gdl::syntax::{Source, parse_term};
use ggp_draw::network_picture;
use ggp_engine::EngineError;
use ggp_engine::ground::{
    Grounding, Symmetries, Symmetry, SymmetryProgress, ground, ground_merged, symmetries_watched,
};
use ggp_engine::lanes::VerifiedTarget;
use ggp_engine::propnet::{
    Census, Network, PassReport, Verification, VerificationProgress, VerifiedEvaluator, around, build, census,
    check_cycles, optimise_within, verify_watched,
};
use ggp_game::ReasonError;
use petgraph::graph::NodeIndex;
use serde::Serialize;
use std::ffi::OsString;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Show the propositional network of a game
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    view: NetworkView,
}

#[derive(clap::Subcommand)]
enum NetworkView {
    Stats(StatsArguments),
    Dot(DotArguments),
    Symmetries(SymmetriesArguments),
    Verify(VerifyArguments),
}

/// Count components by kind, before and after each pass of the optimiser
#[derive(clap::Args)]
struct StatsArguments {
    #[command(flatten)]
    which: NetworkArguments,
    /// Print the numbers as one JSON object
    #[arg(long)]
    json: bool,
}

/// Draw the network, or a part of it, for Graphviz or as SVG
#[derive(clap::Args)]
struct DotArguments {
    #[command(flatten)]
    which: NetworkArguments,
    /// Draw the network before any pass of the optimiser
    #[arg(long)]
    as_built: bool,
    /// Draw only the neighbourhood of this proposition: `terminal`, `legal(white,noop)`
    #[arg(long, value_name = "PROPOSITION")]
    around: Option<String>,
    /// The size of the neighbourhood, in edges
    #[arg(long, value_name = "N", default_value_t = 2, requires = "around")]
    distance: usize,
    /// Write an SVG drawing to this file instead
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    writing: OutputArguments,
}

/// Find the symmetries of the ground rules: permutations of facts and moves that keep the rules and the initial state
#[derive(clap::Args)]
struct SymmetriesArguments {
    /// A game of the library, a file, or `-`
    #[arg(add = complete::game())]
    game: OsString,
    /// Print the group as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    budget: BudgetArguments,
}

/// Compare the optimised network with the network as it was built, and lanes with the network, on states of random play
#[derive(clap::Args)]
struct VerifyArguments {
    #[command(flatten)]
    which: NetworkArguments,
    /// Compare about this many states
    #[arg(long, value_name = "N", default_value = "65536")]
    states: NonZeroUsize,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
    /// Write the result with the rule sheet to this file, for a bug report
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    writing: OutputArguments,
}

#[derive(clap::Args)]
struct NetworkArguments {
    /// A game of the library, a file, or `-`
    #[arg(add = complete::game())]
    game: OsString,
    /// Switch off a pass of the optimiser; may be repeated
    #[arg(long = "no-pass", value_name = "NAME", value_parser = pass)]
    no_pass: Vec<String>,
    #[command(flatten)]
    budget: BudgetArguments,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        match self.view {
            NetworkView::Stats(stats) => stats.run(console),
            NetworkView::Dot(dot) => dot.run(console),
            NetworkView::Symmetries(alike) => alike.run(console),
            NetworkView::Verify(verify) => verify.run(console),
        }
    }
}

/// No limit but an interrupt by Ctrl-C.
fn limits() -> Result<Limits, Failure> {
    Ok(Limits::none().with_interrupt(interrupt_flag()?))
}

impl NetworkArguments {
    /// The name of the game and its network before any pass.
    fn build(&self) -> Result<(String, Network), Failure> {
        let game = load(&self.game, self.budget.loading())?;
        let network = network_of(&grounding(&game, ground, &self.budget)?)?;
        Ok((game.name, network))
    }

    fn passes_left_out(&self) -> Vec<&str> {
        self.no_pass.iter().map(String::as_str).collect()
    }

    fn optimise(&self, network: &mut Network) -> Result<Vec<PassReport>, Failure> {
        Ok(optimise_within(network, &self.passes_left_out(), &limits()?, || true).map_err(ReasonError::from)?)
    }

    /// Compares the optimised network with `network`, and shows a line of progress meanwhile.
    fn verify(&self, network: &Network, states: usize) -> Result<Verification, Failure> {
        let (watch, _line) = terminal::with_progress_line(verification_progress);
        let verified = verify_watched(network, &self.passes_left_out(), states, &limits()?, &watch);
        Ok(verified.map_err(ReasonError::from)?)
    }
}

/// The network of ground rules before any pass.
fn network_of(grounding: &Grounding) -> Result<Network, Failure> {
    let network = build(grounding, &limits()?).map_err(EngineError::from)?;
    check_cycles(&network)?;
    Ok(network)
}

#[derive(Serialize)]
struct NetworkReport<'a> {
    game: &'a str,
    as_built: Census,
    optimised: Census,
    passes: &'a [PassReport],
}

impl StatsArguments {
    fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let (game, mut network) = self.which.build()?;
        let as_built = census(&network);
        let passes = self.which.optimise(&mut network)?;
        let report = NetworkReport { game: &game, as_built, optimised: census(&network), passes: &passes };
        console.answer(&if self.json { serde_json::to_string(&report)? + "\n" } else { table(&report) })?;
        Ok(0)
    }
}

/// Counts before and after all passes, and what each pass changed.
fn table(report: &NetworkReport) -> String {
    let built = &report.as_built;
    let optimised = &report.optimised;
    let rows = [
        ("components", built.components, optimised.components),
        ("  bases", built.bases, optimised.bases),
        ("  inputs", built.inputs, optimised.inputs),
        ("  constants", built.constants, optimised.constants),
        ("  views", built.views, optimised.views),
        ("  ands", built.ands, optimised.ands),
        ("  ors", built.ors, optimised.ors),
        ("  nots", built.nots, optimised.nots),
        ("  outputs", built.outputs, optimised.outputs),
        ("edges", built.edges, optimised.edges),
        ("depth", built.depth, optimised.depth),
        ("most inputs of one", built.most_inputs, optimised.most_inputs),
        ("most readers of one", built.most_readers, optimised.most_readers),
        ("cycles", built.cycles, optimised.cycles),
        ("  components on them", built.cyclic_components, optimised.cyclic_components),
    ];
    let counts = Table::new([Column::Left, Column::Right, Column::Right])
        .row([report.game, "as built", "optimised"])
        .rows(rows.map(|(name, before, after)| [name.to_string(), before.to_string(), after.to_string()]));
    let mut passes = Table::new([Column::Left, Column::Right, Column::Right]).row(["pass", "components", "edges"]);
    let mut idle = 0;
    let mut round = 0;
    for (number, pass) in report.passes.iter().enumerate() {
        // The passes run in rounds, which all begin with the same pass.
        if pass.name == report.passes[0].name {
            round = number;
        }
        let is_idle = pass.before == pass.after && pass.edges_before == pass.edges_after;
        // The first round is shown completely, later rounds only as far as they changed something.
        if is_idle && round > 0 {
            idle += 1;
            continue;
        }
        let change = |before: usize, after: usize| {
            if before == after { format!("{after}") } else { format!("{before} -> {after}") }
        };
        let components = change(pass.before, pass.after);
        let edges = change(pass.edges_before, pass.edges_after);
        passes = passes.row([pass.name.to_string(), components, edges]);
    }
    let mut text = format!("{counts}\n{passes}");
    if idle > 0 {
        text += &format!("and {idle} more runs that changed nothing\n");
    }
    text
}

impl DotArguments {
    fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let output =
            self.svg.as_deref().map(|file| self.writing.output(file, source_of(&self.which.game))).transpose()?;
        let (_, mut network) = self.which.build()?;
        let as_built = match self.as_built {
            true => None,
            false => {
                let built = network.names.clone();
                self.which.optimise(&mut network)?;
                Some(built)
            }
        };
        let nodes: Vec<NodeIndex> = match &self.around {
            None => network.graph.node_indices().collect(),
            Some(text) => self.near(text, &network, as_built.as_deref().unwrap_or_default())?,
        };
        let Some(output) = output else {
            console.data(&network_picture(&network, &nodes).dot())?;
            return Ok(0);
        };
        match network_picture(&network, &nodes).svg() {
            Ok(picture) => write(&output, picture)?,
            Err(error) => {
                let hint = if self.around.is_some() { "a smaller --distance" } else { "--around PROPOSITION" };
                let message = format!("{error}; {hint} shows a part");
                console.talk(&render::headline(&message, console.paint()))?;
                return Ok(3);
            }
        }
        console.talk(&format!("{} components drawn to {output}\n", nodes.len()))?;
        Ok(0)
    }

    /// The components around a proposition. `built` has the propositions before the passes, which tells apart those that a
    /// pass has removed and those that never were.
    fn near(
        &self,
        text: &str,
        network: &Network,
        built: &[(GroundTerm, NodeIndex)],
    ) -> Result<Vec<NodeIndex>, Failure> {
        let term = parse_term(&Source::new("proposition", text), None).ok();
        let term = term.and_then(|term| GroundTerm::from_term(&term));
        let found = term.as_ref().and_then(|term| around(network, term, self.distance));
        if let Some(nodes) = found {
            return Ok(nodes);
        }
        if let Some(term) = term.filter(|term| built.iter().any(|(name, _)| name == term)) {
            anyhow::bail!("a pass has removed `{term}` from the network; --as-built shows the network before any pass");
        }
        let names: Vec<String> = network.names.iter().map(|(name, _)| name.to_string()).collect();
        let near = nearest(text, names.iter().map(String::as_str));
        let hint = did_you_mean_or(&near, "");
        anyhow::bail!("the network has no proposition `{text}`{hint}")
    }
}

/// Bug report with everything that is needed to repeat a verification.
#[derive(Serialize)]
struct VerificationReport<'a> {
    game: &'a str,
    version: &'static str,
    no_pass: &'a [String],
    #[serde(flatten)]
    verification: &'a Verification,
    sheet: &'a str,
}

impl VerifyArguments {
    fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let output = self.report.as_deref().map(|file| self.writing.output(file, source_of(&self.which.game)));
        let output = output.transpose()?;
        let game = load(&self.which.game, self.which.budget.loading())?;
        let sheet = game.source.text().to_string();
        let name = game.name.clone();
        let network = network_of(&grounding(&game, ground_merged, &self.which.budget)?)?;
        let verification = self.which.verify(&network, self.states.get())?;
        if let Some(output) = &output {
            let version = env!("GGP_VERSION");
            let no_pass = &self.which.no_pass[..];
            let verification = &verification;
            let report = VerificationReport { game: &name, version, no_pass, verification, sheet: &sheet };
            write(output, serde_json::to_string_pretty(&report)? + "\n")?;
        }
        console.answer(&match self.json {
            true => serde_json::to_string(&verification)? + "\n",
            false => verification_text(&name, &verification),
        })?;
        let Verification { difference, evaluators, lanes, .. } = &verification;
        let is_wrong = difference.is_some()
            || evaluators.iter().any(|evaluator| evaluator.difference.is_some())
            || lanes.iter().any(|target| target.difference.is_some());
        Ok(u8::from(is_wrong))
    }
}

fn verification_progress(progress: VerificationProgress) -> String {
    let step = match progress {
        VerificationProgress::Pass(pass) => format!("the pass `{pass}` runs"),
        VerificationProgress::Compared { states, wanted, after } => {
            let after = after.map(|pass| format!(" after the pass `{pass}`")).unwrap_or_default();
            format!("{} of {} states compared{after}", grouped(states as u64), grouped(wanted as u64))
        }
        VerificationProgress::Evaluator(kind) => format!("the evaluator `{kind}` is compared"),
        VerificationProgress::Lanes(target) => format!("lanes on {target} are compared"),
    };
    format!("verify: {step} (Ctrl-C stops)")
}

fn verification_text(game: &str, verification: &Verification) -> String {
    let Verification { states, difference, left_out, evaluators, lanes } = verification;
    let blamed = match left_out {
        Some(left_out) => format!("the pass `{}` changes it", left_out.pass),
        None => "lowering changes it".to_string(),
    };
    let network = match difference {
        None => {
            format!("{game}: the network agrees with the rules as grounded in {} states\n", grouped(*states as u64))
        }
        Some(difference) => format!("{game}: the network differs from the rules as grounded: {difference}; {blamed}\n"),
    };
    let evaluator_text = |VerifiedEvaluator { evaluator, states, difference }: &VerifiedEvaluator| {
        let compared = compared_text(*states, difference.as_ref(), ["agrees", "differs"]);
        format!("evaluator {evaluator}: {}\n", compared.as_deref().unwrap_or("not for networks with such cycles"))
    };
    let target_text = |VerifiedTarget { target, states, difference }: &VerifiedTarget| {
        let compared = compared_text(*states, difference.as_ref(), ["agree", "differ"]);
        format!("lanes on {target}: {}\n", compared.as_deref().unwrap_or("not on this processor"))
    };
    let forms = evaluators.iter().map(evaluator_text).chain(lanes.iter().map(target_text));
    forms.fold(network, |text, form| text + &form)
}

/// Result of comparing an evaluator or a back end of lanes with the network; `None` if it was not compared.
fn compared_text(states: Option<usize>, difference: Option<&impl Display>, verbs: [&str; 2]) -> Option<String> {
    let [agrees, differs] = verbs;
    match difference {
        Some(difference) => Some(format!("{differs} from the network: {difference}")),
        None => states.map(|states| format!("{agrees} with the network in {} states", grouped(states as u64))),
    }
}

impl SymmetriesArguments {
    fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let game = load(&self.game, self.budget.loading())?;
        let grounding = grounding(&game, ground, &self.budget)?;
        let symmetries = watched_symmetries(&grounding)?;
        let text = match self.json {
            true => serde_json::to_string(&symmetries)? + "\n",
            false => group_text(&game.name, &symmetries),
        };
        console.answer(&text)?;
        Ok(0)
    }
}

/// Finds the symmetries of ground rules, and shows a line of progress meanwhile.
fn watched_symmetries(grounding: &Grounding) -> Result<Symmetries, Failure> {
    let (watch, _line) = terminal::with_progress_line(symmetry_progress);
    Ok(symmetries_watched(grounding, &limits()?, &watch).map_err(ReasonError::from)?)
}

fn symmetry_progress(progress: SymmetryProgress) -> String {
    let SymmetryProgress { vertices, classes, choices, tried, generators } = progress;
    let step = match choices {
        0 => format!("{classes} of {vertices} atoms and rules told apart"),
        _ => format!("{tried} of {choices} choices tried, {generators} generators found"),
    };
    format!("symmetries: {step} (Ctrl-C stops)")
}

/// The number of symmetries, and each generator as cycles of facts and of moves.
fn group_text(game: &str, symmetries: &Symmetries) -> String {
    let cycle = |cycle: &Vec<GroundTerm>| {
        let terms: Vec<String> = cycle.iter().map(ToString::to_string).collect();
        format!("({})", terms.join(" "))
    };
    let cycles = |cycles: &[Vec<GroundTerm>]| cycles.iter().map(cycle).collect::<Vec<_>>().join(" ");
    let order = symmetries.order_text();
    let word = if order == "1" { "symmetry, which changes nothing" } else { "symmetries" };
    let mut text = format!("{game}: {order} {word}\n");
    for (number, Symmetry { facts, moves }) in (1..).zip(&symmetries.generators) {
        text += &format!("generator {number}\n  facts {}\n", cycles(facts));
        for (role, moves) in moves {
            text += &format!("  moves of {role} {}\n", cycles(moves));
        }
    }
    text
}
