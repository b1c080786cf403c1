//! Random games that are graphs of states, written as sheets: roles take turns, and many moves are forced.

use std::fmt::Write;

/// Random numbers that are the same on every machine (Steele, Lea and Flood, *SplitMix*, 2014).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// A number below `count`.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % count
    }

    /// Whether something happens that happens once in `count` times.
    pub(crate) fn once_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}

/// A game of these roles with up to 24 states. In each state one role moves and all others have `noop`; one move in
/// three states is forced. Without cycles every line ends.
pub(crate) fn state_graph(roles: &[&str], has_cycles: bool, seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let (inner, ends) = (4 + numbers.below(14), 2 + numbers.below(5));
    let mut text = String::from("init(at(n0))\n");
    roles.iter().for_each(|role| writeln!(text, "role({role})").unwrap());
    for state in 0..inner {
        let mover = roles[numbers.below(roles.len() as u64) as usize];
        let idle = roles.iter().filter(|role| **role != mover);
        idle.for_each(|role| writeln!(text, "mv(n{state},{role},noop)").unwrap());
        let moves = if numbers.once_in(3) { 1 } else { 1 + numbers.below(4) };
        for chosen in 0..moves {
            let first = if has_cycles && numbers.once_in(3) { 0 } else { state + 1 };
            // Near states more often than far ones, so that lines are long.
            let near = (first + 3).min(inner + ends);
            let last = if numbers.once_in(4) { inner + ends } else { near };
            let next = first + numbers.below(last - first);
            writeln!(text, "mv(n{state},{mover},m{chosen}) tr(n{state},{mover},m{chosen},n{next})").unwrap();
        }
    }
    for state in inner..inner + ends {
        writeln!(text, "end(n{state})").unwrap();
        for role in roles {
            writeln!(text, "val(n{state},{role},{})", 25 * numbers.below(5)).unwrap();
        }
    }
    text + "legal(R,M) :- true(at(N)) & mv(N,R,M)
        next(at(K)) :- true(at(N)) & does(R,M) & tr(N,R,M,K)
        terminal :- true(at(N)) & end(N)
        goal(R,V) :- true(at(N)) & val(N,R,V)\n"
}

/// A game of one role in which moves set and clear facts, under conditions with negations; some fact ends the game, and
/// its worth depends on several, so that goals may exclude each other.
pub(crate) fn switches(seed: u64) -> String {
    let numbers = &mut Numbers(seed);
    let facts = 3 + numbers.below(3);
    let literals = |numbers: &mut Numbers, most: u64| {
        let literal = |numbers: &mut Numbers| {
            let sign = if numbers.once_in(3) { "~" } else { "" };
            format!(" & {sign}true(f{})", numbers.below(facts))
        };
        (0..numbers.below(most + 1)).map(|_| literal(numbers)).collect::<String>()
    };
    let mut text = String::from("role(a) legal(a,rest) any\n");
    (0..facts).filter(|fact| *fact == 0 || numbers.once_in(4)).for_each(|fact| {
        writeln!(text, "init(f{fact})").unwrap();
    });
    for chosen in 0..2 + numbers.below(3) {
        writeln!(text, "legal(a,m{chosen}) :- any{}", literals(numbers, 2)).unwrap();
        for fact in 0..facts {
            match numbers.below(6) {
                0 | 1 => writeln!(text, "next(f{fact}) :- does(a,m{chosen}){}", literals(numbers, 1)).unwrap(),
                2 => {}
                _ => writeln!(text, "next(f{fact}) :- true(f{fact}) & does(a,m{chosen})").unwrap(),
            }
        }
    }
    for fact in 0..facts {
        if !numbers.once_in(3) {
            writeln!(text, "next(f{fact}) :- true(f{fact}) & does(a,rest)").unwrap();
        }
    }
    writeln!(text, "terminal :- true(f{}){}", 1 + numbers.below(facts - 1), literals(numbers, 1)).unwrap();
    writeln!(text, "best :- any{}{}", literals(numbers, 2), literals(numbers, 2)).unwrap();
    writeln!(text, "good :- any{}", literals(numbers, 2)).unwrap();
    text + "goal(a,100) :- best  goal(a,60) :- ~best & good  goal(a,25) :- ~best & ~good\n"
}
