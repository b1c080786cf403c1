//! Games whose positions are the nodes of a random graph, listed as facts.

use super::Sheet;
use crate::random::Random;

const MOVES: [&str; 10] = ["up", "left", "right", "down", "z", "m1", "m2", "m10", "(go 2)", "(go (f 10))"];

/// Who chooses in a game.
struct Cast {
    roles: Vec<&'static str>,
    /// Whether all roles may choose at the same time.
    is_simultaneous: bool,
    /// The share of positions in which nobody has a choice, in percent.
    forced: usize,
    /// A role that never has a choice.
    waiting: Option<usize>,
}

impl Cast {
    fn random(random: &mut Random) -> Self {
        let roles: &[&str] = match random.below(12) {
            0..=2 => &["a"],
            3..=6 => &["x", "y"],
            7 => &["a", "b", "c"],
            8 => &["a", "random"],
            9 => &["random", "x", "y"],
            10 => &["x", "y", "random"],
            _ => &["y", "x"],
        };
        let roles = roles.to_vec();
        let waiting = (roles.len() > 1 && random.percent(15)).then(|| random.below(roles.len()));
        Self { is_simultaneous: random.percent(25), forced: random.between(0, 40), waiting, roles }
    }

    /// The number of moves of each role in a position.
    fn counts(&self, random: &mut Random) -> Vec<usize> {
        let mut counts = vec![1; self.roles.len()];
        if random.percent(self.forced) {
            return counts;
        }
        if self.is_simultaneous {
            let most = if self.roles.len() > 2 { 2 } else { 3 };
            counts.iter_mut().for_each(|count| *count = random.between(1, most));
        } else {
            let chooses = random.below(self.roles.len());
            counts[chooses] = random.between(2, 4);
        }
        if let Some(waiting) = self.waiting {
            counts[waiting] = 1;
        }
        counts
    }
}

/// A node of the graph.
#[derive(Clone)]
enum Node {
    /// The moves of each role, and the node after each joint move (the last role's moves first).
    Inner { moves: Vec<Vec<&'static str>>, next: Vec<usize> },
    /// The goal values of each role: one, unless the sheet is faulty.
    End { goals: Vec<Vec<i32>> },
}

/// The sheet of a random graph.
pub(super) fn sheet(random: &mut Random) -> Sheet {
    let cast = Cast::random(random);
    let inner = random.between(2, 13);
    let ends = random.between(2, 6);
    let is_cyclic = random.percent(20);
    let mut nodes: Vec<Node> = Vec::new();
    for number in 0..inner {
        let counts = cast.counts(random);
        let moves = counts.iter().map(|&count| random.shuffled(&MOVES)[..count].to_vec()).collect();
        let mut target = || {
            // Most moves lead to nodes that are near, so that lines are long.
            let least = if is_cyclic && random.percent(40) { 0 } else { number + 1 };
            let most = if random.percent(60) { (least + 4).min(inner + ends - 1) } else { inner + ends - 1 };
            random.between(least, most)
        };
        nodes.push(Node::Inner { moves, next: (0..counts.iter().product::<usize>()).map(|_| target()).collect() });
    }
    let (mut goals, added) = goals(&cast, ends, random);
    if !is_cyclic && random.percent(8) {
        spoil(&mut goals, random);
    }
    nodes.extend(goals.into_iter().map(|goals| Node::End { goals }));
    if random.percent(15) {
        nodes = doubled(&cast, &nodes, random);
    }
    write(&cast, &nodes, added, random)
}

/// A first node from which moves lead to copies of the graph, which are symmetric.
fn doubled(cast: &Cast, nodes: &[Node], random: &mut Random) -> Vec<Node> {
    let copies = random.between(2, 3);
    let mut moves: Vec<Vec<&'static str>> = cast.roles.iter().map(|_| vec!["wait"]).collect();
    moves[random.below(cast.roles.len())] = random.shuffled(&MOVES)[..copies].to_vec();
    let first = Node::Inner { moves, next: (0..copies).map(|copy| 1 + copy * nodes.len()).collect() };
    let copy = |copy: usize| {
        nodes.iter().cloned().map(move |mut node| {
            if let Node::Inner { next, .. } = &mut node {
                next.iter_mut().for_each(|next| *next += 1 + copy * nodes.len());
            }
            node
        })
    };
    std::iter::once(first).chain((0..copies).flat_map(copy)).collect()
}

/// Takes a goal value away, or adds a second one.
fn spoil(goals: &mut [Vec<Vec<i32>>], random: &mut Random) {
    let end = random.below(goals.len());
    let role = random.below(goals[end].len());
    if random.percent(60) {
        goals[end][role].clear();
    } else {
        let other = goals[end][role][0] + 10;
        goals[end][role].push(other);
    }
}

/// The goal values of each role at each end.
fn goals(cast: &Cast, ends: usize, random: &mut Random) -> (Vec<Vec<Vec<i32>>>, i32) {
    let values: &[i32] = match random.below(10) {
        0 => &[0, 100],
        1 => &[0, 50, 100],
        2 => &[-20, 0, 30, 100],
        3 => &[0, 50, 100, 150],
        4 => &[-50, 70, 200],
        5 => &[1, 2, 3],
        _ => &[0, 10, 20, 30, 40, 50, 60, 75, 90, 100],
    };
    let is_constant_sum = random.percent(60);
    let added = if random.percent(15) { *random.pick(&[-50, 7, -100]) } else { 0 };
    let mut end = || {
        let mut goals: Vec<i32> = cast.roles.iter().map(|_| *random.pick(values)).collect();
        if let (true, [x, y]) = (is_constant_sum, &players(cast)[..]) {
            goals[*y] = 100 - goals[*x];
        }
        goals.into_iter().map(|goal| vec![goal]).collect()
    };
    ((0..ends).map(|_| end()).collect(), added)
}

fn players(cast: &Cast) -> Vec<usize> {
    (0..cast.roles.len()).filter(|&role| cast.roles[role] != "random").collect()
}

/// The sheet, with some facts that hold always or change with every move.
fn write(cast: &Cast, nodes: &[Node], added: i32, random: &mut Random) -> Sheet {
    let name = if random.percent(20) { "" } else { "n" };
    let mut text: String = cast.roles.iter().map(|role| format!("(role {role})\n")).collect();
    text += &format!("(init (at {name}0))\n");
    let mut all = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        match node {
            Node::Inner { moves, next } => {
                for (role, moves) in cast.roles.iter().zip(moves) {
                    text.extend(moves.iter().map(|own| format!("(mv {name}{number} {role} {own})\n")));
                }
                let joint = moves.iter().fold(vec![String::new()], |before, own| {
                    before.iter().flat_map(|joint| own.iter().map(move |own| format!("{joint} {own}"))).collect()
                });
                let after = |(joint, next)| format!("(tr {name}{number}{joint} {name}{next})\n");
                text.extend(joint.iter().zip(next).map(after));
            }
            Node::End { goals } => {
                text += &format!("(end {name}{number})\n");
                for (role, goals) in cast.roles.iter().zip(goals).filter(|(role, _)| **role != "random") {
                    text.extend(goals.iter().map(|goal| format!("(val {name}{number} {role} {goal})\n")));
                    all.extend(goals);
                }
            }
        }
    }
    let variables: String = (0..cast.roles.len()).map(|role| format!(" ?m{role}")).collect();
    let does: String = cast.roles.iter().enumerate().map(|(role, name)| format!(" (does {name} ?m{role})")).collect();
    text += "(<= (legal ?r ?m) (true (at ?n)) (mv ?n ?r ?m))\n";
    text += &format!("(<= (next (at ?k)) (true (at ?n)){does} (tr ?n{variables} ?k))\n");
    text += "(<= terminal (true (at ?n)) (end ?n))\n(<= (goal ?r ?v) (true (at ?n)) (val ?n ?r ?v))\n";
    if random.percent(30) {
        text += "(<= (goal ?r 50) (role ?r) (distinct ?r random) (true (at ?n)) (not (end ?n)))\n";
    }
    if random.percent(25) {
        text += "(init always)\n(<= (next always) (true always))\n";
    }
    if random.percent(15) {
        let role = cast.roles[0];
        text += &format!("(<= (sees {role} (was ?n)) (true (at ?n)) (does {role} ?m))\n");
    }
    Sheet::new(text, &all, added)
}
