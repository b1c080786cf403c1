//! Games made of the idioms of real sheets: recursion through several relations, negation over recursion, terms in
//! terms, turns by permutation, `or` inside `not`, percepts, several goals, symmetries.

use super::Sheet;
use crate::random::Random;
use std::fmt::Write;

/// The sheet of a random game of one of the kinds.
pub(super) fn sheet(random: &mut Random) -> Sheet {
    match random.below(5) {
        0 => heaps(random),
        1 => walk(random),
        2 => marks(random),
        3 => tower(random),
        _ => bids(random),
    }
}

/// The roles of a game, and the rules that give the turn from one to the next.
fn turns(roles: &[&str]) -> String {
    let mut text: String = roles.iter().map(|role| format!("(role {role})\n")).collect();
    let _ = writeln!(text, "(init (control {}))", roles[0]);
    for (index, role) in roles.iter().enumerate() {
        let _ = writeln!(text, "(then {role} {})", roles[(index + 1) % roles.len()]);
    }
    text + "(<= (next (control ?q)) (true (control ?p)) (then ?p ?q))
        (<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))\n"
}

fn roles(random: &mut Random) -> Vec<&'static str> {
    let roles: &[&str] = match random.below(8) {
        0 | 1 => &["solo"],
        2..=5 => &["x", "y"],
        6 => &["x", "y", "w"],
        _ => &["x", "random"],
    };
    roles.to_vec()
}

/// Heaps from which roles take in turn. Whether a number is greater is known by two relations that call each other, and
/// equal heaps are symmetric.
fn heaps(random: &mut Random) -> Sheet {
    let roles = roles(random);
    let mut text = turns(&roles);
    let most = random.between(1, 3);
    let heaps = random.between(1, 3);
    let equal = random.percent(60).then(|| random.between(1, most));
    for heap in 0..heaps {
        let size = equal.unwrap_or_else(|| random.between(1, 3));
        let _ = writeln!(text, "(init (heap h{heap} {size}))");
    }
    text.extend((0..4).map(|number| format!("(succ {number} {})\n", number + 1)));
    let (win, lose) = *random.pick(&[(100, 0), (0, 100), (70, 20), (130, -30)]);
    let last = if random.percent(50) { "" } else { "(not (or (true (heap none 0)) (true (control x)))) " };
    let _ = writeln!(
        text,
        "(<= (odd ?a ?b) (succ ?a ?b)) (<= (odd ?a ?c) (even ?a ?b) (succ ?b ?c)) (<= (even ?a ?c) (odd ?a ?b) (succ ?b ?c))
        (<= (less ?a ?b) (or (odd ?a ?b) (even ?a ?b)))
        (<= (legal ?p (take ?h ?k)) (true (control ?p)) (true (heap ?h ?n)) (less ?k ?n) {last_never})
        (<= (next (heap ?h ?k)) (does ?p (take ?h ?k)))
        (<= (touched ?h) (does ?p (take ?h ?k)))
        (<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (touched ?h)))
        (<= some (true (heap ?h ?n)) (distinct ?n 0))
        (<= terminal (not some))
        (<= (wins ?p) (true (control ?p)) {last}(not some))
        (<= (goal ?p {win}) (wins ?p))
        (<= (goal ?p {lose}) (role ?p) (not (wins ?p)))",
        last_never = if random.percent(50) { "(distinct ?n 0)" } else { "" },
    );
    Sheet::new(text, &[win, lose], if random.percent(15) { -50 } else { 0 })
}

/// Tokens that walk over a graph and mark where they were. The game ends when a role cannot move; whether an exit can
/// be reached over nodes that are not marked decides, by recursion through two relations below a negation.
fn walk(random: &mut Random) -> Sheet {
    let roles = roles(random);
    let mut text = turns(&roles);
    let nodes = random.between(3, 5);
    for from in 0..nodes {
        for to in 0..nodes {
            if from != to && random.percent(50) {
                let _ = writeln!(text, "(edge v{from} v{to})");
            }
        }
    }
    let shared = random.percent(40);
    for (index, role) in roles.iter().enumerate() {
        let start = if shared { 0 } else { index % nodes };
        let _ = writeln!(text, "(init (on {role} v{start}))\n(init (marked v{start}))");
    }
    let exit = random.below(nodes);
    let none = *random.pick(&[0, 10, -30]);
    let others = if random.percent(50) { "(true (marked ?w))" } else { "(or (true (marked ?w)) (taken ?w))" };
    let _ = writeln!(
        text,
        "(node v{exit}) (<= (node ?v) (edge ?v ?w)) (<= (node ?w) (edge ?v ?w))
        (<= (taken ?v) (true (on ?p ?v)))
        (<= (open ?p ?w) (true (on ?p ?v)) (edge ?v ?w) (not {others}))
        (<= (legal ?p (to ?w)) (true (control ?p)) (open ?p ?w))
        (<= (legal ?p stay) (true (control ?p)) (not (can ?p)))
        (<= (can ?p) (open ?p ?w))
        (<= (next (on ?p ?w)) (does ?p (to ?w)))
        (<= (moves ?p) (does ?p (to ?w)))
        (<= (next (on ?p ?v)) (true (on ?p ?v)) (not (moves ?p)))
        (<= (next (marked ?w)) (does ?p (to ?w)))
        (<= (next (marked ?v)) (true (marked ?v)))
        (<= (near ?p ?w) (open ?p ?w)) (<= (near ?p ?w) (far ?p ?v) (edge ?v ?w) (not (true (marked ?w))))
        (<= (far ?p ?w) (near ?p ?v) (edge ?v ?w) (not (true (marked ?w))))
        (<= (hope ?p) (role ?p) (or (near ?p v{exit}) (far ?p v{exit}) (true (on ?p v{exit}))))
        (<= terminal (true (control ?p)) (not (can ?p)))
        (<= terminal (role ?p) (true (on ?p v{exit})))
        (<= terminal (not anyhope)) (<= anyhope (hope ?p))
        (<= (goal ?p 100) (true (on ?p v{exit})))
        (<= (goal ?p 40) (role ?p) (hope ?p) (not (true (on ?p v{exit}))))
        (<= (goal ?p {none}) (role ?p) (not (or (hope ?p) (true (on ?p v{exit})))))"
    );
    if random.percent(30) {
        text += "(<= (sees ?p (place ?v)) (role ?p) (true (on ?p ?v)))\n";
    }
    Sheet::new(text, &[100, none], 0)
}

/// Points that roles mark in turn, and lines that win: many symmetries.
fn marks(random: &mut Random) -> Sheet {
    let roles = roles(random);
    let mut text = turns(&roles);
    let points = random.between(3, if roles.len() > 2 { 3 } else { 4 });
    let name = |point: usize| format!("(pt {} (q {}))", point % 2, point / 2);
    text.extend((0..points).map(|point| format!("(point {0})\n(init (m {0} b))\n", name(point))));
    let lines = random.between(1, 3);
    for line in 0..lines {
        let all: Vec<usize> = (0..points).collect();
        let line_points = random.shuffled(&all)[..2].to_vec();
        let _ = writeln!(text, "(line l{line} {} {})", name(line_points[0]), name(line_points[1]));
    }
    let (win, draw, lose) = *random.pick(&[(100, 50, 0), (0, 50, 100), (80, 30, 10), (200, 50, -100)]);
    let _ = writeln!(
        text,
        "(<= (legal ?p (mark ?c)) (true (control ?p)) (true (m ?c b)))
        (<= (next (m ?c ?p)) (does ?p (mark ?c)))
        (<= (hit ?c) (does ?p (mark ?c)))
        (<= (next (m ?c ?s)) (true (m ?c ?s)) (not (hit ?c)))
        (<= (has ?p) (role ?p) (line ?l ?c ?d) (true (m ?c ?p)) (true (m ?d ?p)))
        (<= won (has ?p))
        (<= open (true (m ?c b)))
        (<= terminal (or won (not open)))
        (<= (goal ?p {win}) (has ?p))
        (<= (goal ?p {draw}) (role ?p) (not (or won (and open won))))
        (<= (goal ?p {lose}) (role ?p) won (not (has ?p)))"
    );
    Sheet::new(text, &[win, lose], if random.percent(15) { -50 } else { 0 })
}

/// A tower, a term in terms, that roles raise and lower; it may go round in circles. A counter may end the game.
fn tower(random: &mut Random) -> Sheet {
    let roles = roles(random);
    let mut text = turns(&roles);
    let height = random.between(2, 4);
    let top = (0..height).fold("z".to_string(), |below, _| format!("(s {below})"));
    let counted = random.percent(60);
    if counted {
        let steps = random.between(2, 5);
        text += "(init (step 0))\n(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n";
        text.extend((0..steps).map(|number| format!("(succ {number} {})\n", number + 1)));
        let _ = writeln!(text, "(<= terminal (true (step {steps})))");
    }
    let (high, low) = *random.pick(&[(100, 0), (90, 30), (30, 90), (140, 20)]);
    let rest = 100 - high;
    let _ = writeln!(
        text,
        "(init (tower (s z)))
        (part {top}) (<= (part ?t) (part (s ?t)))
        (<= (over ?t ?u) (part ?t) (part (s ?t)) (part ?u) (distinct ?t ?u) (or (above ?t ?u) (above ?u ?t)))
        (<= (above (s ?t) ?t) (part (s ?t))) (<= (above (s ?t) ?u) (higher ?t ?u) (part ?t) (part ?u) (part (s ?t)))
        (<= (higher ?t ?u) (above ?t ?u) (part ?t) (part ?u))
        (<= (legal ?p raise) (true (control ?p)) (true (tower ?t)) (part (s ?t)))
        (<= (legal ?p lower) (true (control ?p)) (true (tower (s ?t))))
        (<= (legal ?p (jump ?u)) (true (control ?p)) (true (tower ?t)) (over ?t ?u) (not (or (above ?t (s ?u)) (above (s ?t) ?u))))
        (<= (next (tower (s ?t))) (true (tower ?t)) (does ?p raise) (part (s ?t)))
        (<= (next (tower ?t)) (true (tower (s ?t))) (does ?p lower))
        (<= (next (tower ?u)) (does ?p (jump ?u)))
        (<= terminal (true (tower {top})))
        (<= (goal ?p {high}) (true (tower {top})) (true (control ?p)))
        (<= (goal ?p {rest}) (role ?p) (true (tower {top})) (not (true (control ?p))))
        (<= (goal ?p {low}) (role ?p) (true (tower z)))
        (<= (goal ?p 50) (role ?p) (not (true (tower z))) (not (true (tower {top}))))"
    );
    Sheet::new(text, &[high, low, rest], 0)
}

/// Simultaneous bids for some rounds: a matrix of points in each, and a sum in the end.
fn bids(random: &mut Random) -> Sheet {
    let rounds = random.between(1, 2);
    let (rows, columns) = (random.between(2, 3), random.between(2, 3));
    let with_chance = random.percent(20);
    let mut text = "(role left)\n(role right)\n(init (score 2))\n(init (round 0))\n".to_string();
    if with_chance {
        text += "(role random)\n(<= (legal random (flip ?s)) (side ?s))\n(side heads)\n(side tails)\n";
    }
    text.extend((0..rows).map(|row| format!("(<= (legal left (bid {row})) (true (round ?n)))\n")));
    text.extend((0..columns).map(|column| format!("(<= (legal right (bid {column})) (true (round ?n)))\n")));
    for row in 0..rows {
        for column in 0..columns {
            let _ = writeln!(text, "(pays {row} {column} {})", random.pick(&["up", "down", "same"]));
        }
    }
    let luck = if with_chance { "(does random (flip heads))" } else { "" };
    let luckless = if with_chance { "(<= (moved same) (does random (flip tails)))" } else { "" };
    let _ = writeln!(
        text,
        "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (moved ?d) (does left (bid ?r)) (does right (bid ?c)) (pays ?r ?c ?d) {luck})
        {luckless}
        (<= (next (score ?t)) (true (score ?s)) (moved up) (succ ?s ?t))
        (<= (next (score 4)) (true (score 4)) (moved up))
        (<= (next (score ?t)) (true (score ?s)) (moved down) (succ ?t ?s))
        (<= (next (score 0)) (true (score 0)) (moved down))
        (<= (next (score ?s)) (true (score ?s)) (moved same))
        (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
        (<= terminal (true (round {rounds})))
        (worth 0 0) (worth 1 25) (worth 2 50) (worth 3 75) (worth 4 100)
        (<= (goal left ?v) (true (score ?s)) (worth ?s ?v))
        (<= (less ?v ?w) (worth ?s ?v) (worth ?t ?w) (succ ?s ?t))
        (<= (mirror 0 4) (succ 0 1)) (mirror 1 3) (mirror 2 2) (mirror 3 1) (mirror 4 0)
        (<= (goal right ?v) (true (score ?s)) (mirror ?s ?t) (worth ?t ?v))"
    );
    Sheet::new(text, &[0, 100], 0)
}
