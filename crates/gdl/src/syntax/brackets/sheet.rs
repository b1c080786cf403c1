//! Game trees as rule sheets.
//!
//! A state is the node at which the game stands. The player whose turn it is has a move for each child, and all others
//! can only wait. Chance has as many equal moves as the common denominator of its probabilities. Goal values are the
//! utilities where these are whole numbers from 0 to 100; otherwise they number the utilities that occur, and the sheet
//! declares what they stand for. What max gains min loses: the utility of min is that of max, negated.

use super::names::{letters, move_name};
use super::tree::{BracketNode, BracketTree};
use crate::number::Decimal;
use crate::sorting;
use crate::syntax::CHANCE;
use std::fmt::Write;

/// The greatest number of branches of a tree that its sheet draws.
const MOST_DRAWN: usize = 100;

/// The sheet of a tree.
pub(super) fn write(name: &str, tree: &BracketTree) -> String {
    let mut facts = TreeFacts::default();
    facts.node(tree, &tree.root, "a".to_string());
    let scales: Vec<PayoffScale> =
        (0..tree.players.len()).map(|player| PayoffScale::from_ends(player, tree, &facts.ends)).collect();
    let mut sheet = format!("% {name}: a tree that was typed as brackets.\n");
    if scales.iter().any(|scale| scale.declaration().is_some()) {
        sheet += "%\n% Goal values of GDL go from 0 to 100. What they stand for here:\n%\n";
    }
    for (player, scale) in tree.players.iter().zip(&scales) {
        if let Some(meaning) = scale.declaration() {
            let _ = writeln!(sheet, "%! utility({player}) = {meaning}");
        }
    }
    sheet.push('\n');
    let roles = tree.players.iter().map(String::as_str).chain(tree.has_chance.then_some(CHANCE));
    let roles: Vec<&str> = roles.collect();
    roles.iter().for_each(|role| sheet += &format!("role({role})\n"));
    sheet += &rules(tree, roles.len());
    sheet += &facts.turns;
    sheet.push('\n');
    sorting::sort_by_key(&mut facts.branches, |(node, _)| *node);
    facts.branches.iter().for_each(|(_, fact)| sheet += fact);
    sheet.push('\n');
    for (node, utilities) in &facts.ends {
        let goals = scales.iter().enumerate().map(|(player, scale)| scale.goal(utility(player, tree, utilities)));
        let goals: Vec<String> = goals.collect();
        let _ = writeln!(sheet, "worth({node},{})", goals.join(","));
    }
    sheet.push('\n');
    let is_drawn = facts.branches.len() <= MOST_DRAWN;
    if is_drawn {
        sheet += "%! tree branch(parent,value,child)\n%! layer at(child)\n";
    }
    // Goal values that stand for other numbers would be misread.
    let is_plain: Vec<bool> = scales.iter().map(|scale| scale.declaration().is_none()).collect();
    if is_drawn && is_plain.contains(&true) {
        let values = is_plain.iter().map(|&is_plain| if is_plain { "value" } else { "_" });
        let _ = writeln!(sheet, "%! layer worth(child,{})", values.collect::<Vec<_>>().join(","));
    }
    sheet + "%! label at(value) \"node\"\n"
}

/// The rules, the same for every tree with as many players.
fn rules(tree: &BracketTree, roles: usize) -> String {
    let mut rules = "\ninit(at(a))\n".to_string();
    rules += "\nbase(at(a))\nbase(at(N)) :- branch(_,_,N)\ninput(P,M) :- turn(N,P) & branch(N,M,_)\n";
    if roles > 1 {
        rules += "input(P,noop) :- role(P)\n";
    }
    rules += "\nlegal(P,M) :- true(at(N)) & turn(N,P) & branch(N,M,_)\n";
    if roles > 1 {
        rules += "legal(P,noop) :- role(P) & ~to_move(P)\n";
        rules += "to_move(P) :- true(at(N)) & turn(N,P)\n";
    }
    // A move belongs to one node, so it tells by itself where it leads.
    rules += "next(at(N)) :- does(_,M) & branch(_,M,N)\n";
    let values: Vec<String> = (1..=tree.players.len()).map(|number| format!("V{number}")).collect();
    rules += &format!("\nterminal :- true(at(N)) & worth(N,{})\n", vec!["_"; values.len()].join(","));
    for (number, player) in tree.players.iter().enumerate() {
        let only = |at: usize| if at == number { values[at].as_str() } else { "_" };
        let arguments: Vec<&str> = (0..values.len()).map(only).collect();
        let value = &values[number];
        rules += &format!("goal({player},{value}) :- true(at(N)) & worth(N,{})\n", arguments.join(","));
    }
    rules + "\n"
}

/// The facts of the tree, node by node.
#[derive(Default)]
struct TreeFacts {
    /// The number of inner nodes so far.
    inner: usize,
    turns: String,
    /// The branches, with the number of the node where each begins.
    branches: Vec<(usize, String)>,
    /// The ends, with their utilities.
    ends: Vec<(String, Vec<Decimal>)>,
}

impl TreeFacts {
    /// Adds a node; an end has the name `name`, which is that of the move to it. Returns its name.
    fn node(&mut self, tree: &BracketTree, node: &BracketNode, name: String) -> String {
        let (player, children) = match node {
            BracketNode::End(utilities) => {
                self.ends.push((name.clone(), utilities.clone()));
                return name;
            }
            BracketNode::Inner { player, children } => (player, children),
        };
        let number = self.inner;
        let name = letters(self.inner);
        self.inner += 1;
        let role = player.map_or(CHANCE, |player| &tree.players[player]);
        let _ = writeln!(self.turns, "turn({name},{role})");
        for (at, (moves, child)) in children.iter().enumerate() {
            let chosen = move_name(&name, at, children.len());
            let to = self.node(tree, child, chosen.clone());
            let branch = |chosen: &str| (number, format!("branch({name},{chosen},{to})\n"));
            match moves {
                1 => self.branches.push(branch(&chosen)),
                _ => self.branches.extend((1..=*moves).map(|index| branch(&format!("{chosen}({index})")))),
            }
        }
        name
    }
}

/// How the goal values of a player stand for its utilities.
enum PayoffScale {
    /// They are the utilities.
    Same,
    /// The goal value is higher by so much.
    Raised(i32),
    /// The goal value is the index of the utility.
    Listed(Vec<Decimal>),
}

impl PayoffScale {
    fn from_ends(player: usize, tree: &BracketTree, ends: &[(String, Vec<Decimal>)]) -> Self {
        let mut utilities: Vec<Decimal> = ends.iter().map(|(_, all)| utility(player, tree, all)).collect();
        sorting::sort(&mut utilities);
        utilities.dedup();
        let fits = |raise: i32| {
            let goal = |utility: &Decimal| utility.to_whole().and_then(|whole| whole.checked_add(raise));
            utilities.iter().all(|utility| goal(utility).is_some_and(|goal| (0..=100).contains(&goal)))
        };
        match (fits(0), fits(100)) {
            (true, _) => Self::Same,
            (false, true) => Self::Raised(100),
            (false, false) => Self::Listed(utilities),
        }
    }

    fn goal(&self, utility: Decimal) -> String {
        match self {
            Self::Same => utility.to_string(),
            Self::Raised(raise) => utility.plus(Decimal::whole(*raise)).unwrap_or(utility).to_string(),
            Self::Listed(utilities) => utilities.binary_search(&utility).unwrap_or_default().to_string(),
        }
    }

    fn declaration(&self) -> Option<String> {
        match self {
            Self::Same => None,
            Self::Raised(raise) => Some(format!("goal - {raise}")),
            Self::Listed(utilities) => {
                let utilities: Vec<String> = utilities.iter().map(Decimal::to_string).collect();
                Some(format!("[{}]", utilities.join(", ")))
            }
        }
    }
}

/// The utility of a player at an end; min loses what max gains.
fn utility(player: usize, tree: &BracketTree, utilities: &[Decimal]) -> Decimal {
    match utilities {
        [of_max] if tree.players.len() == 2 && player == 1 => of_max.negated(),
        _ => utilities[player],
    }
}
