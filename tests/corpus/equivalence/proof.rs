//! The proof that passes keep the answers of a game.
//!
//! What the last network claims is an invariant: which fluents never change or mirror another one, which moves are
//! never legal, which groups of fluents exclude each other and which of them always have a member that holds. It is
//! proved by induction on the network as built, so that nothing that a pass has assumed is believed: the initial state
//! satisfies it, and so does the state after any legal joint move in any state that does.
//!
//! Then the networks before and after each run of a pass are compared, output by output. A pass of [`FOR_PLAY`] must
//! keep them in all states of the invariant and under legal joint moves; any other pass in all states that the network
//! after it can represent, and under all joint moves of one possible move for each role.

use super::circuit::{Circuit, Literal};
use super::encode::{Outputs, Variables, encode, stored};
use super::solver::{Answer, Questions};
use ggp_engine::program::{FluentId, FluentStorage, MoveInput};
use ggp_engine::propnet::{Group, Network, PASSES, Pass};
use std::ops::AddAssign;

/// The passes that may rely on the invariant and on legal play.
const FOR_PLAY: [&str; 2] = ["turns", "implied"];

/// What has been proved, in numbers.
#[derive(Default, Debug)]
pub(super) struct Proved {
    /// Components of the network as built.
    pub(super) components: u64,
    /// Runs of passes that changed the network.
    pub(super) runs: u64,
    /// Outputs that agree, over all runs.
    pub(super) outputs: Count,
    /// Claims of the invariant.
    pub(super) claims: Count,
}

/// The reason for which there is no proof.
#[derive(Debug)]
pub(super) enum Unproved {
    /// It is false, with a counterexample.
    Refuted(String),
    /// It is too hard, for this reason.
    TooHard(&'static str),
}

impl From<&'static str> for Unproved {
    fn from(reason: &'static str) -> Self {
        Self::TooHard(reason)
    }
}

/// The network after a run of a pass that changed it.
pub(super) struct Run {
    pub(super) pass: &'static Pass,
    pub(super) network: Network,
}

/// The runs of all passes on a network as built, round after round, as the optimiser makes them.
pub(super) fn runs(built: &Network) -> Vec<Run> {
    let mut now = built.clone();
    let (mut runs, mut version) = (Vec::new(), 0);
    let mut idle_in = vec![None; PASSES.len()];
    loop {
        let before = weight(&now);
        for (pass, idle_in) in PASSES.iter().zip(&mut idle_in) {
            if *idle_in == Some(version) {
                continue;
            }
            let last = now.clone();
            pass.apply(&mut now);
            if is_same(&last, &now) {
                *idle_in = Some(version);
            } else {
                version += 1;
                runs.push(Run { pass, network: now.clone() });
            }
        }
        if weight(&now) + before / 1_000 >= before {
            // Groups are no change of the graph.
            if let Some(last) = runs.last_mut() {
                last.network = now;
            }
            return runs;
        }
    }
}

/// The number of components and edges.
pub(super) fn weight(network: &Network) -> usize {
    network.graph.node_count() + network.graph.edge_count()
}

fn is_same(one: &Network, other: &Network) -> bool {
    let inputs = |network: &Network| network.graph.node_indices().map(|node| network.inputs(node)).collect::<Vec<_>>();
    one.graph.node_weights().eq(other.graph.node_weights()) && inputs(one) == inputs(other)
}

/// Proves the invariant, and that each run of a pass keeps all outputs.
pub(super) fn prove(built: &Network, runs: &[Run]) -> Result<Proved, Unproved> {
    let mut proved = Proved { components: built.graph.node_count() as u64, ..Proved::default() };
    let Some(last) = runs.last().map(|run| &run.network) else { return Ok(proved) };
    holds_initially(built, last)?;
    proved.claims = is_inductive(built, last).map_err(|unproved| about("by induction", unproved))?;
    let mut before = built;
    for run in runs {
        is_weaker(&run.network, last).map_err(|claim| refuted(run.pass.name, &claim))?;
        proved.outputs += agree(before, run, last).map_err(|unproved| about(run.pass.name, unproved))?;
        proved.runs += 1;
        before = &run.network;
    }
    Ok(proved)
}

fn refuted(what: &str, why: &str) -> Unproved {
    Unproved::Refuted(format!("{what}: {why}"))
}

/// The initial state satisfies all claims.
fn holds_initially(built: &Network, last: &Network) -> Result<(), Unproved> {
    let initially = |fluent: FluentId| built.fluents[fluent.index()].initially;
    for (fluent, claimed) in built.fluents.iter().zip(&last.fluents) {
        let holds = match claimed.storage {
            FluentStorage::Own => true,
            FluentStorage::Always(value) => fluent.initially == value,
            FluentStorage::Same(other) => fluent.initially == initially(other),
        };
        if !holds || fluent.initially != claimed.initially {
            return Err(refuted("initially", &format!("`{}` is not what is claimed", fluent.fact)));
        }
    }
    for group in &last.groups.proved {
        let held = group.fluents.iter().filter(|&&fluent| initially(fluent)).count();
        if held > 1 || group.is_complete && held == 0 {
            return Err(refuted("initially", &format!("{held} members of {} hold", name(built, group))));
        }
    }
    Ok(())
}

/// The claims of an earlier network about fluents and moves follow from those of the last.
fn is_weaker(network: &Network, last: &Network) -> Result<(), String> {
    let mut circuit = Circuit::new();
    let own = Variables::new(last, &mut circuit).stored_in(last);
    let claimed = stored(network, &own.fluents);
    let lost = network.fluents.iter().zip(claimed.iter().zip(&own.fluents)).find(|(_, (one, other))| one != other);
    if let Some((fluent, _)) = lost {
        return Err(format!("what it claims about `{}` was withdrawn", fluent.fact));
    }
    let withdrawn = network.moves.iter().zip(&last.moves).find(|(one, other)| !one.is_possible && other.is_possible);
    withdrawn.map_or(Ok(()), |(chosen, _)| Err(format!("what it claims about `{}` was withdrawn", chosen.term)))
}

fn name(network: &Network, group: &Group) -> String {
    let facts: Vec<String> =
        group.fluents.iter().map(|fluent| network.fluents[fluent.index()].fact.to_string()).collect();
    format!("{{{}}}", facts.join(" "))
}

/// What is asked: it must never hold.
struct Question {
    what: String,
    bad: Literal,
}

/// The names of what a circuit computes with.
struct Named<'a> {
    network: &'a Network,
    variables: &'a Variables,
}

impl Named<'_> {
    /// A state and a joint move in words, given the nodes that are true.
    fn describe(&self, nodes: &[usize]) -> String {
        let is_true = |literal: &Literal| nodes.contains(&literal.node());
        let facts = self.network.fluents.iter().zip(&self.variables.fluents).filter(|(_, literal)| is_true(literal));
        let facts: Vec<String> = facts.map(|(fluent, _)| fluent.fact.to_string()).collect();
        let moves = self.network.moves.iter().zip(&self.variables.moves).filter(|(_, literal)| is_true(literal));
        let moves: Vec<String> = moves.map(|(known, _)| known.term.to_string()).collect();
        format!("{}, and the moves are {}", facts.join(" "), moves.join(" "))
    }
}

/// The number of questions, and of those that needed the solver.
#[derive(Default, Debug, Clone, Copy)]
pub(super) struct Count {
    pub(super) all: u64,
    pub(super) solved: u64,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.solved += other.solved;
    }
}

/// The hypotheses that exactly one move of each role is made.
fn one_move_each(network: &Network, moves: &[Literal], circuit: &mut Circuit) -> Vec<Literal> {
    let mut hypotheses = Vec::new();
    for role in 0..network.moves.last().map_or(0, |last| last.role.index() + 1) {
        let of_role = network.moves.iter().zip(moves).filter(|(known, _)| known.role.index() == role);
        let of_role: Vec<Literal> = of_role.map(|(_, &literal)| literal).collect();
        hypotheses.extend([circuit.or(of_role.iter().copied()), !circuit.two(&of_role)]);
    }
    hypotheses
}

/// The hypotheses that the moves made are legal.
fn legal(moves: &[Literal], legal: &[Literal], circuit: &mut Circuit) -> Vec<Literal> {
    moves.iter().zip(legal).map(|(&made, &legal)| circuit.or([!made, legal])).collect()
}

/// The hypotheses that a state satisfies what a network knows about groups.
fn exclusive(groups: &[Group], fluents: &[Literal], circuit: &mut Circuit) -> Vec<Literal> {
    let mut hypotheses = Vec::new();
    for group in groups {
        let members: Vec<Literal> = group.fluents.iter().map(|fluent| fluents[fluent.index()]).collect();
        hypotheses.push(!circuit.two(&members));
        if group.is_complete {
            hypotheses.push(circuit.or(members));
        }
    }
    hypotheses
}

/// A legal joint move in a state that satisfies all claims of the last network leads to such a state.
fn is_inductive(built: &Network, last: &Network) -> Result<Count, Unproved> {
    let mut circuit = Circuit::new();
    let variables = Variables::new(built, &mut circuit);
    let named = Named { network: built, variables: &variables };
    let state = variables.stored_in(last);
    let Outputs { next, legal: legality, .. } = encode(built, &state, &mut circuit)?;
    let mut hypotheses = exclusive(&last.groups.proved, &state.fluents, &mut circuit);
    let impossible = |(known, &bad): (&MoveInput, &Literal)| {
        (!known.is_possible).then(|| Question { what: format!("`{}` is legal", known.term), bad })
    };
    let of_moves: Vec<Question> = last.moves.iter().zip(&legality).filter_map(impossible).collect();
    let mut count = ask(&circuit, &hypotheses, of_moves, &named)?;
    hypotheses.extend(one_move_each(built, &state.moves, &mut circuit));
    hypotheses.extend(legal(&state.moves, &legality, &mut circuit));
    let mut questions = Vec::new();
    let claimed = stored(last, &next);
    for (fluent, (&found, &claimed)) in last.fluents.iter().zip(next.iter().zip(&claimed)) {
        if fluent.storage != FluentStorage::Own {
            let what = format!("next `{}` is not {:?}", fluent.fact, fluent.storage);
            questions.push(Question { what, bad: circuit.differ(found, claimed) });
        }
    }
    for group in &last.groups.proved {
        let members: Vec<Literal> = group.fluents.iter().map(|fluent| next[fluent.index()]).collect();
        questions.push(Question { what: format!("next two of {}", name(built, group)), bad: circuit.two(&members) });
        if group.is_complete {
            let bad = !circuit.or(members);
            questions.push(Question { what: format!("next none of {}", name(built, group)), bad });
        }
    }
    count += ask(&circuit, &hypotheses, questions, &named)?;
    Ok(count)
}

/// A run of a pass keeps all outputs.
fn agree(before: &Network, run: &Run, last: &Network) -> Result<Count, Unproved> {
    let is_for_play = FOR_PLAY.contains(&run.pass.name);
    let after = &run.network;
    let mut circuit = Circuit::new();
    let variables = Variables::new(before, &mut circuit);
    let named = Named { network: before, variables: &variables };
    // What the last network claims has been proved; but a pass that is not for play must not need it.
    let given = variables.stored_in(if is_for_play { last } else { after });
    let (one, other) = (encode(before, &given, &mut circuit)?, encode(after, &given, &mut circuit)?);
    let known = if is_for_play { &last.groups.proved[..] } else { &[] };
    let mut hypotheses = exclusive(known, &given.fluents, &mut circuit);
    let of_state = one.of_state(before).into_iter().zip(other.of_state(after));
    let of_state = of_state.map(|((what, one), (_, other))| Question { what, bad: circuit.differ(one, other) });
    let of_state = of_state.collect();
    let mut count = ask(&circuit, &hypotheses, of_state, &named)?;
    hypotheses.extend(one_move_each(before, &given.moves, &mut circuit));
    if is_for_play {
        hypotheses.extend(legal(&given.moves, &one.legal, &mut circuit));
    }
    let of_next = before.fluents.iter().zip(one.next.iter().zip(&other.next)).map(|(fluent, (&one, &other))| {
        Question { what: format!("next `{}`", fluent.fact), bad: circuit.differ(one, other) }
    });
    let of_next = of_next.collect();
    count += ask(&circuit, &hypotheses, of_next, &named)?;
    Ok(count)
}

fn about(what: &str, unproved: Unproved) -> Unproved {
    match unproved {
        Unproved::Refuted(why) => refuted(what, &why),
        too_hard @ Unproved::TooHard(_) => too_hard,
    }
}

/// Shows that nothing that is asked about can hold under the hypotheses.
fn ask(
    circuit: &Circuit,
    hypotheses: &[Literal],
    questions: Vec<Question>,
    named: &Named<'_>,
) -> Result<Count, Unproved> {
    let all = questions.len() as u64;
    let open: Vec<Question> = questions.into_iter().filter(|question| question.bad != Literal::FALSE).collect();
    let solved = open.len() as u64;
    let mut solver = Questions::new(circuit, hypotheses);
    for Question { what, bad } in open {
        match solver.ask(bad) {
            Answer::Never => {}
            Answer::Unknown => return Err(Unproved::TooHard("the steps of the solver")),
            Answer::Possible(nodes) => {
                return Err(Unproved::Refuted(format!("{what}, where {}", named.describe(&nodes))));
            }
        }
    }
    Ok(Count { all, solved })
}
