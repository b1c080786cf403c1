//! Trees typed as brackets, as the textbooks draw them: read with positions, and written as rule sheets.
//!
//! ```text
//! tree    = node
//! node    = [ player ] "[" node { node } "]"                    a decision
//!         | "exp" "[" node { node } "]"                         chance with equal probabilities
//!         | [ "exp" ] "(" weight ":" node { weight ":" node } ")"    chance with these probabilities
//!         | number | "(" number "," number { "," number } ")"   an end, with the utility of max or of each player
//!         | "uniform" "(" width "," plies [ "," seed ] ")"      a full tree with random utilities from 0 to 100
//! player  = "max" | "min" | "a" | "b" | …
//! weight  = number | number "/" number
//! ```
//!
//! Where no player is named, the levels belong to max and min in turn, max first, or to a, b, c … if the ends have a
//! utility for each of several players. Commas may stand between nodes. Numbers are decimals of any sign; `%` begins a
//! comment. The moves of the first
//! inner node, depth first, are a1, a2 …, those of the second b1, b2 …. A node has the name of the move that leads to
//! it, and the first one is the `root`.
//!
//! ```
//! use gdl::syntax::{Source, brackets};
//!
//! let sheet = brackets::sheet("two", &Source::new("two", "[[3 12] [2 4]]")).unwrap();
//! assert!(sheet.contains("branch(root,a2,a2)"));
//! let problems = brackets::sheet("chance", &Source::new("chance", "(1/2: 8  1/3: 24)")).unwrap_err();
//! assert_eq!(problems[0].message, "the probabilities sum to 5/6, and not to 1");
//! ```

mod read;

use super::error::{TREE, TREE_CHANCE, TREE_UTILITIES};
use super::{CHANCE, Source, Span};
use crate::diagnostic::Diagnostic;
use crate::number::Decimal;
use crate::sorting;
use std::fmt;
use std::fmt::Write;

/// The rule sheet, in infix, of the game that a tree in brackets describes; its first line names the game.
///
/// # Errors
/// All problems of the text that can be found in one reading, with their positions.
pub fn sheet(name: &str, source: &Source) -> Result<String, Vec<Diagnostic>> {
    let typed = read::read(source.text()).map_err(|problem| vec![problem])?;
    let tree = resolve(typed)?;
    Ok(write_sheet(name, &tree))
}

/// True if a text looks like a tree in brackets. Otherwise it is the name of a file or a game.
pub fn is_tree(text: &str) -> bool {
    let text = text.trim();
    let word = text.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
    text.starts_with(['[', '(']) || word.starts_with('[') || text.starts_with("exp(") || text.starts_with("uniform(")
}

/// A node as it is written.
#[derive(Clone, Debug)]
struct TypedNode {
    kind: TypedKind,
    span: Span,
}

/// The kinds of nodes as they are written.
#[derive(Clone, Debug)]
enum TypedKind {
    /// An end, with one utility or several.
    End(Vec<Decimal>),
    /// A decision, with the player if it is named, and the span of the name.
    Decision(Option<(String, Span)>, Vec<TypedNode>),
    /// A chance node, with the probability of each child.
    Chance(Vec<(Probability, TypedNode)>),
}

/// A game tree.
#[derive(Clone, Debug)]
struct BracketTree {
    /// The names of the players, in the order of the utilities; for one utility `max`, and `min` if it has a decision.
    players: Vec<String>,
    /// True if the tree has a chance node.
    has_chance: bool,
    root: BracketNode,
}

/// A node of a game tree.
#[derive(Clone, Debug)]
enum BracketNode {
    /// An end, with the utility of each player.
    End(Vec<Decimal>),
    /// A decision of a player, or of chance.
    Inner {
        /// The index of the player; `None` for chance.
        player: Option<usize>,
        /// The children, with the number of equally probable moves that lead to each: 1 in decisions.
        children: Vec<(u64, BracketNode)>,
    },
}

/// A probability, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Probability {
    numerator: u64,
    denominator: u64,
}

impl Probability {
    /// The fraction in lowest terms; `None` if the denominator is 0.
    fn new(numerator: u64, denominator: u64) -> Option<Self> {
        let divisor = greatest_common_divisor(numerator, denominator);
        (denominator > 0).then(|| Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// The sum; `None` if it cannot be computed in 64 bits.
    fn plus(self, other: Self) -> Option<Self> {
        let denominator = least_common_multiple(self.denominator, other.denominator)?;
        let part = |weight: Self| weight.numerator.checked_mul(denominator / weight.denominator);
        Self::new(part(self)?.checked_add(part(other)?)?, denominator)
    }
}

/// As a decimal number if it has at most six digits after the point, else as a fraction.
impl fmt::Display for Probability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { numerator, denominator } = self;
        if *denominator == 1 {
            return numerator.fmt(formatter);
        }
        let millionths = 1_000_000_u64.checked_rem(*denominator).filter(|rest| *rest == 0);
        match millionths.and_then(|_| numerator.checked_mul(1_000_000 / denominator)) {
            Some(millionths) => {
                let digits = format!("{:06}", millionths % 1_000_000);
                write!(formatter, "{}.{}", millionths / 1_000_000, digits.trim_end_matches('0'))
            }
            None => write!(formatter, "{numerator}/{denominator}"),
        }
    }
}

/// The least common multiple; `None` if it does not fit.
fn least_common_multiple(left: u64, right: u64) -> Option<u64> {
    (left / greatest_common_divisor(left, right)).checked_mul(right)
}

/// Euclid's algorithm.
fn greatest_common_divisor(left: u64, right: u64) -> u64 {
    if right == 0 { left.max(1) } else { greatest_common_divisor(right, left % right) }
}

/// The greatest number of equal moves of a chance node.
const MOST_MOVES: u64 = 10_000;

/// The game tree, or all problems.
fn resolve(typed: TypedNode) -> Result<BracketTree, Vec<Diagnostic>> {
    if let TypedKind::End(_) = typed.kind {
        return Err(vec![Diagnostic::new(&TREE, typed.span, "a tree begins with a decision or with chance")]);
    }
    let count = first_end(&typed);
    let players: Vec<String> = match count {
        1 => vec!["max".into(), "min".into()],
        _ => (0..count).map(letters).collect(),
    };
    let mut resolver =
        TreeResolver { players, has_min: false, has_chance: false, utilities: count, problems: Vec::new() };
    let root = resolver.node(typed, None);
    if !resolver.problems.is_empty() {
        return Err(resolver.problems);
    }
    let mut players = resolver.players;
    if count == 1 && !resolver.has_min {
        players.truncate(1);
    }
    Ok(BracketTree { players, has_chance: resolver.has_chance, root })
}

/// The number of utilities of the first end.
fn first_end(typed: &TypedNode) -> usize {
    match &typed.kind {
        TypedKind::End(utilities) => utilities.len(),
        TypedKind::Decision(_, children) => first_end(&children[0]),
        TypedKind::Chance(children) => first_end(&children[0].1),
    }
}

struct TreeResolver {
    players: Vec<String>,
    has_min: bool,
    has_chance: bool,
    /// The number of utilities of every end.
    utilities: usize,
    problems: Vec<Diagnostic>,
}

impl TreeResolver {
    /// The node; `before` is the player of the nearest decision above it.
    fn node(&mut self, TypedNode { kind, span }: TypedNode, before: Option<usize>) -> BracketNode {
        match kind {
            TypedKind::End(utilities) => {
                if utilities.len() != self.utilities {
                    let found = counted(utilities.len());
                    let first = counted(self.utilities);
                    let problem = format!("this end has {found}, but the first end of the tree has {first}");
                    self.problems.push(Diagnostic::new(&TREE_UTILITIES, span, problem));
                }
                BracketNode::End(utilities)
            }
            TypedKind::Decision(name, children) => {
                let next = before.map_or(0, |before| (before + 1) % self.players.len());
                let player = name.map_or(next, |(name, span)| self.player(&name, span));
                self.has_min |= self.utilities == 1 && player == 1;
                let children = children.into_iter().map(|child| (1, self.node(child, Some(player)))).collect();
                BracketNode::Inner { player: Some(player), children }
            }
            TypedKind::Chance(children) => {
                self.has_chance = true;
                let mut denominators = children.iter().map(|(weight, _)| weight.denominator);
                // Chance in GDL makes equally likely moves, so a probability becomes a number of moves.
                let moves = denominators.try_fold(1, least_common_multiple);
                let Some(moves) = moves.filter(|&moves| moves <= MOST_MOVES) else {
                    let problem = format!("the probabilities need a common denominator of at most {MOST_MOVES}");
                    self.problems.push(Diagnostic::new(&TREE_CHANCE, span, problem));
                    return BracketNode::Inner { player: None, children: Vec::new() };
                };
                let child = |(weight, child): (Probability, TypedNode)| {
                    (weight.numerator * (moves / weight.denominator), self.node(child, before))
                };
                BracketNode::Inner { player: None, children: children.into_iter().map(child).collect() }
            }
        }
    }

    fn player(&mut self, name: &str, span: Span) -> usize {
        self.players.iter().position(|player| player == name).unwrap_or_else(|| {
            let problem = format!("`{name}` is no player of this tree: they are {}", self.players.join(", "));
            self.problems.push(Diagnostic::new(&TREE, span, problem));
            0
        })
    }
}

fn counted(utilities: usize) -> String {
    if utilities == 1 { "one utility".to_string() } else { format!("{utilities} utilities") }
}

/// The name of the first node.
const ROOT: &str = "root";

/// The greatest number of branches of a tree that its sheet draws.
const MOST_DRAWN: usize = 100;

/// The rule sheet of a tree.
///
/// A state is the node at which the game stands, by the name of the move that leads to it. The player whose turn it is
/// has a move for each child, and all others can only wait. Chance has as many equal moves as the common denominator of
/// its probabilities. Goal values are the utilities where these are whole numbers from 0 to 100; otherwise they number
/// the utilities that occur, and the sheet declares their meaning. The utility of min is that of max, negated.
fn write_sheet(name: &str, tree: &BracketTree) -> String {
    let mut facts = TreeFacts::default();
    facts.node(tree, &tree.root, ROOT.to_string());
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
    // The tree is walked depth first; the sheet lists the branches node by node.
    sorting::sort_by_key(&mut facts.branches, |(node, _)| *node);
    facts.branches.iter().for_each(|(_, fact)| sheet += fact);
    sheet.push('\n');
    for (node, utilities) in &facts.ends {
        let goals = scales.iter().enumerate().map(|(player, scale)| scale.goal(utility(player, tree, utilities)));
        let goals: Vec<String> = goals.collect();
        let _ = writeln!(sheet, "worth({node},{})", goals.join(","));
    }
    sheet.push('\n');
    if facts.branches.len() <= MOST_DRAWN {
        sheet += "%! tree branch(parent,value,child)\n%! layer at(child)\n%! layer turn(child,owner)\n";
        // What min gets is what max does not.
        let shown = facts.ends.first().map_or(0, |(_, utilities)| utilities.len());
        let values = tree.players.iter().enumerate().map(|(number, player)| match number < shown {
            true => format!("utility({player})"),
            false => "_".to_string(),
        });
        let _ = writeln!(sheet, "%! layer worth(child,{})", values.collect::<Vec<_>>().join(","));
    }
    sheet + "%! label at(value) \"node\"\n"
}

/// The rules, the same for every tree with as many players.
fn rules(tree: &BracketTree, roles: usize) -> String {
    let mut rules = format!("\ninit(at({ROOT}))\n\nbase(at({ROOT}))\n");
    rules += "base(at(N)) :- branch(_,_,N)\ninput(P,M) :- turn(N,P) & branch(N,M,_)\n";
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
    /// Adds a node, which has the name of the move to it.
    fn node(&mut self, tree: &BracketTree, node: &BracketNode, name: String) {
        let (player, children) = match node {
            BracketNode::End(utilities) => return self.ends.push((name, utilities.clone())),
            BracketNode::Inner { player, children } => (player, children),
        };
        let number = self.inner;
        let letters = letters(self.inner);
        self.inner += 1;
        let role = player.map_or(CHANCE, |player| &tree.players[player]);
        let _ = writeln!(self.turns, "turn({name},{role})");
        for (at, (moves, child)) in children.iter().enumerate() {
            let to = move_name(&letters, at, children.len());
            let branch = |chosen: &str| (number, format!("branch({name},{chosen},{to})\n"));
            match moves {
                1 => self.branches.push(branch(&to)),
                _ => self.branches.extend((1..=*moves).map(|index| branch(&format!("{to}({index})")))),
            }
            self.node(tree, child, to);
        }
    }
}

/// Encoding of the utilities of a player as goal values from 0 to 100.
enum PayoffScale {
    /// Each utility is its own goal value.
    Same,
    /// The goal value is the utility plus this number.
    Raised(i32),
    /// The goal value is the index of the utility in this ascending list.
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
        // Utilities from -100 to 0 are raised by 100. All others, such as fractions, are listed.
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

/// The utility of a player at an end; that of min is that of max, negated.
fn utility(player: usize, tree: &BracketTree, utilities: &[Decimal]) -> Decimal {
    match utilities {
        [of_max] if tree.players.len() == 2 && player == 1 => of_max.negated(),
        _ => utilities[player],
    }
}

/// The n-th name, from 0: a, b … z, aa, ab ….
fn letters(number: usize) -> String {
    // Bijective base 26: no digit stands for 0, so `aa` follows `z`.
    let mut rest = number + 1;
    let mut name = Vec::new();
    while rest > 0 {
        rest -= 1;
        name.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    name.iter().rev().collect()
}

/// The name of a node's n-th move, from 0, of `count`: with as many digits for each, so that their order is that of the
/// children.
fn move_name(node: &str, number: usize, count: usize) -> String {
    let width = count.to_string().len();
    format!("{node}{:0width$}", number + 1)
}
