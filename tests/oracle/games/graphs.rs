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

/// A node of the graph: the moves of each role, and the node after each joint move (the last role's moves first).
struct Node {
    moves: Vec<Vec<&'static str>>,
    next: Vec<usize>,
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
        nodes.push(Node { moves, next: (0..counts.iter().product::<usize>()).map(|_| target()).collect() });
    }
    let (goals, added) = goals(&cast, ends, random);
    write(&cast, &nodes, &goals, added, random)
}

/// The goal value of each role at each end.
fn goals(cast: &Cast, ends: usize, random: &mut Random) -> (Vec<Vec<i32>>, i32) {
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
    let sum = if is_constant_sum { 100 } else { 0 };
    let added = if random.percent(15) { *random.pick(&[-50, 7, -100]) } else { 0 };
    let mut end = || {
        let mut goals: Vec<i32> = cast.roles.iter().map(|_| *random.pick(values)).collect();
        if let (true, [x, y]) = (is_constant_sum, &players(cast)[..]) {
            goals[*y] = sum - goals[*x];
        }
        goals
    };
    ((0..ends).map(|_| end()).collect(), added)
}

fn players(cast: &Cast) -> Vec<usize> {
    (0..cast.roles.len()).filter(|&role| cast.roles[role] != "random").collect()
}

/// The sheet, with some facts that hold always or change with every move.
fn write(cast: &Cast, nodes: &[Node], goals: &[Vec<i32>], added: i32, random: &mut Random) -> Sheet {
    let name = if random.percent(20) { "" } else { "n" };
    let mut text: String = cast.roles.iter().map(|role| format!("(role {role})\n")).collect();
    text += &format!("(init (at {name}0))\n");
    for (number, node) in nodes.iter().enumerate() {
        for (role, moves) in cast.roles.iter().zip(&node.moves) {
            text.extend(moves.iter().map(|own| format!("(mv {name}{number} {role} {own})\n")));
        }
        let joint = node.moves.iter().fold(vec![String::new()], |before, own| {
            before.iter().flat_map(|joint| own.iter().map(move |own| format!("{joint} {own}"))).collect()
        });
        text.extend(
            joint.iter().zip(&node.next).map(|(joint, next)| format!("(tr {name}{number}{joint} {name}{next})\n")),
        );
    }
    for (end, goals) in goals.iter().enumerate() {
        let end = nodes.len() + end;
        text += &format!("(end {name}{end})\n");
        text.extend(
            cast.roles
                .iter()
                .zip(goals)
                .filter(|(role, _)| **role != "random")
                .map(|(role, goal)| format!("(val {name}{end} {role} {goal})\n")),
        );
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
    let all: Vec<i32> = goals.iter().flatten().copied().collect();
    Sheet::new(text, &all, added)
}
