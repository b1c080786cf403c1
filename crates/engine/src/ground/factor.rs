//! Factoring: conditions over many variables that never change are evaluated one variable at a time.
//!
//! Nine marks fill a row of a sudoku if they are one of 9! permutations: a rule that tests this has 9! instances,
//! however it is cut. As a decision diagram the test is a chain of small relations, `step1(M1,N1)`, `step2(N1,M2,N2)`,
//! …, which say to which node each value leads. The variables between them are new, and variable elimination cuts the
//! rule there. Factoring comes before all other steps and turns rules into rules. It applies to conditions that hold
//! for many tuples and whose definitions unfold to facts and comparisons of their arguments.
//!
//! A node of a [`Diagram`] represents the possible values of the columns from its level on: for each value of its
//! column, the node of the rest. Equal nodes are shared, so the permutations of nine values take 512 nodes, one for
//! each set of used values. Every path has all levels, which makes the diagram an automaton whose transitions are
//! relations. (Multi-valued decision diagrams: Srinivasan, Kam, Malik and Brayton, 1990.)

use crate::interpreter::closure::ClosureError;
use gdl::limits::Poll;
use gdl::number::to_u32;
use gdl::rules::{
    Atom, Clause, DependencyGraph, Keyword, Literal, Pattern, Relation, RelationId, RuleSet, SymbolId, VariableId,
};
use gdl::sorting;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// Conditions over fewer variables are left as they are.
const WIDE: usize = 5;
/// A chain with more transitions is not used.
const MOST_TRANSITIONS: usize = 1 << 13;
/// With more distinct names than this, a diagram is too wide.
const MOST_VALUES: usize = 128;

/// Returns the rules, with conditions over many variables that hold for more than `few` tuples replaced by chains of
/// small relations.
///
/// # Errors
/// [`ClosureError`] if a limit is met.
pub(super) fn factor<'a>(rules: &'a RuleSet, few: usize, poll: &Poll<'_>) -> Result<Cow<'a, RuleSet>, ClosureError> {
    let definitions = StaticDefinitions::new(rules);
    let mut factored = Cow::Borrowed(rules);
    for (number, clause) in rules.clauses.iter().enumerate().filter(|(_, clause)| definitions.is_open(clause)) {
        poll.steps(1 + clause.body.len()).map_err(ClosureError::stopped_at((clause.head.relation, 0, clause.span)))?;
        if let Some(chain) = Chain::new(clause, &definitions, few) {
            // A diagram takes up to a tenth of a second.
            poll.steps(usize::MAX).map_err(ClosureError::stopped_at((clause.head.relation, 0, clause.span)))?;
            chain.replace(number, factored.to_mut());
        }
    }
    Ok(factored)
}

/// The definitions of the relations that never change.
struct StaticDefinitions<'a> {
    clauses: FxHashMap<RelationId, Vec<&'a Clause>>,
    open: Vec<bool>,
}

impl<'a> StaticDefinitions<'a> {
    fn new(rules: &'a RuleSet) -> Self {
        let graph = DependencyGraph::new(rules);
        let [by_state, by_moves] = [Keyword::True, Keyword::Does].map(|it| graph.dependents(rules.keyword(it)));
        let mut open: Vec<bool> = by_state.into_iter().zip(by_moves).map(|(state, moves)| state || moves).collect();
        open[..Keyword::ALL.len()].fill(true);
        let mut clauses: FxHashMap<RelationId, Vec<&Clause>> = FxHashMap::default();
        for clause in rules.clauses.iter().filter(|clause| !open[clause.head.relation.index()]) {
            clauses.entry(clause.head.relation).or_default().push(clause);
        }
        Self { clauses, open }
    }

    fn is_open(&self, clause: &Clause) -> bool {
        self.open[clause.head.relation.index()]
    }

    fn clauses_of(&self, relation: RelationId) -> &[&'a Clause] {
        self.clauses.get(&relation).map_or(&[], Vec::as_slice)
    }

    /// The variables of a literal over many variables whose relation has rules and never changes.
    fn wide(&self, literal: &Literal) -> Option<FxHashSet<VariableId>> {
        let Literal::Atom(atom) = literal else { return None };
        let has_rules = self.clauses_of(atom.relation).iter().any(|clause| !clause.body.is_empty());
        let mut variables = FxHashSet::default();
        atom.arguments.iter().for_each(|argument| argument.each_variable(&mut |it| variables.extend([it])));
        (has_rules && variables.len() >= WIDE).then_some(variables)
    }

    /// Adds all names in a literal and in the definitions on which it depends.
    fn names(&self, literal: &Literal, seen: &mut FxHashSet<RelationId>, names: &mut FxHashSet<SymbolId>) {
        let mut note = |patterns: &[Pattern]| {
            names.extend(patterns.iter().filter_map(|pattern| match pattern {
                Pattern::Symbol(name) => Some(*name),
                _ => None,
            }));
        };
        match literal {
            Literal::Atom(atom) => {
                note(&atom.arguments);
                if seen.insert(atom.relation) {
                    for clause in self.clauses_of(atom.relation) {
                        self.names(&Literal::Atom(clause.head.clone()), seen, names);
                        clause.body.iter().for_each(|literal| self.names(literal, seen, names));
                    }
                }
            }
            Literal::Not(body, _) => body.iter().for_each(|literal| self.names(literal, seen, names)),
            Literal::Or(branches, _) => branches.iter().flatten().for_each(|it| self.names(it, seen, names)),
            Literal::Distinct(left, right, _) | Literal::Equal(left, right, _) => {
                note(&[left.clone(), right.clone()]);
            }
        }
    }
}

/// The chain that replaces the wide conditions of a clause.
struct Chain {
    /// The indices of the conditions in the body.
    indices: Vec<usize>,
    variables: Vec<VariableId>,
    values: Vec<SymbolId>,
    /// The transitions of each variable.
    steps: Vec<Vec<DiagramStep>>,
}

impl Chain {
    fn new(clause: &Clause, definitions: &StaticDefinitions, few: usize) -> Option<Self> {
        let wide = |&index: &usize| definitions.wide(&clause.body[index]).is_some();
        let indices: Vec<usize> = (0..clause.body.len()).filter(wide).collect();
        let conditions = || indices.iter().map(|&index| &clause.body[index]);
        // In the order of their first appearance, which is that of their numbers.
        let mut variables: Vec<VariableId> = conditions().filter_map(|it| definitions.wide(it)).flatten().collect();
        variables.sort();
        variables.dedup();
        let mut names = FxHashSet::default();
        conditions().for_each(|it| definitions.names(it, &mut FxHashSet::default(), &mut names));
        let mut values: Vec<SymbolId> = names.into_iter().collect();
        sorting::sort_by_key(&mut values, |name| name.index());
        if indices.is_empty() || values.len() > MOST_VALUES {
            return None;
        }
        let mut builder = DiagramBuilder {
            definitions,
            values: values.iter().copied().zip(0..).collect(),
            diagram: Diagram::new(values.len(), variables.len()),
            known: FxHashMap::default(),
            pending: FxHashSet::default(),
        };
        let around = variables.iter().copied().zip((0..).map(Argument::Column)).collect();
        let root = builder.all(conditions(), &around)?;
        // A test with few tuples needs no chain.
        if builder.diagram.count(root) <= few as f64 {
            return None;
        }
        let steps = builder.diagram.steps(root);
        let is_small = steps.iter().map(Vec::len).sum::<usize>() <= MOST_TRANSITIONS;
        is_small.then_some(Self { indices, variables, values, steps })
    }

    /// Replaces the conditions of a clause by the chain.
    fn replace(&self, number: usize, rules: &mut RuleSet) {
        let span = rules.clauses[number].span;
        let last = self.steps.len() - 1;
        for (level, steps) in self.steps.iter().enumerate() {
            let name = rules.symbols.intern(&format!("step#{}", rules.relations.len()));
            let relation = RelationId::new(rules.relations.len());
            let argument = |before: Pattern, value: Pattern, after: Pattern| {
                let all = [(level > 0).then_some(before), Some(value), (level < last).then_some(after)];
                let arguments: Vec<Pattern> = all.into_iter().flatten().collect();
                Atom { relation, arguments, span }
            };
            for step in steps {
                let mut name = |node: DiagramNode| Pattern::Symbol(rules.symbols.intern(&format!("node#{}", node.0)));
                let [from, to] = [step.from, step.to].map(&mut name);
                let head = argument(from, Pattern::Symbol(self.values[step.value]), to);
                rules.clauses.push(Clause { head, body: Vec::new(), variables: Vec::new(), span });
            }
            let clause = &mut rules.clauses[number];
            // The variable of the node after this step is the next new one; that of the node before was added last.
            let next = clause.variables.len();
            let value = self.variables[level];
            let [before, after] = [next.saturating_sub(1), next].map(VariableId::new);
            let atom = argument(Pattern::Variable(before), Pattern::Variable(value), Pattern::Variable(after));
            rules.relations.push(Relation { name, arity: to_u32(atom.arguments.len()) });
            clause.body.push(Literal::Atom(atom));
            if level < last {
                clause.variables.push(format!("Node{level}").into());
            }
        }
        let mut index = 0;
        rules.clauses[number].body.retain(|_| {
            index += 1;
            !self.indices.contains(&(index - 1))
        });
    }
}

/// An argument while a definition is unfolded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Argument {
    /// The value of a column of the diagram.
    Column(usize),
    /// A fixed value, by its number.
    Constant(usize),
}

/// Builds the diagram of conditions. There is none if some definition does not unfold to facts and comparisons, or if a
/// limit is exceeded.
struct DiagramBuilder<'a> {
    definitions: &'a StaticDefinitions<'a>,
    values: FxHashMap<SymbolId, usize>,
    diagram: Diagram,
    known: FxHashMap<(RelationId, Vec<Argument>), DiagramNode>,
    /// Relations that are being unfolded.
    pending: FxHashSet<RelationId>,
}

type Around = FxHashMap<VariableId, Argument>;

impl DiagramBuilder<'_> {
    /// The tuples for which all literals hold.
    fn all<'b>(&mut self, literals: impl IntoIterator<Item = &'b Literal>, around: &Around) -> Option<DiagramNode> {
        let everything = self.diagram.everything();
        literals.into_iter().try_fold(everything, |all, literal| {
            let one = self.literal(literal, around)?;
            self.diagram.combine(SetOperation::And, all, one)
        })
    }

    fn literal(&mut self, literal: &Literal, around: &Around) -> Option<DiagramNode> {
        match literal {
            Literal::Atom(atom) => {
                let values: Option<Vec<Argument>> = atom.arguments.iter().map(|it| self.value(it, around)).collect();
                self.relation(atom.relation, values?)
            }
            Literal::Not(body, _) => {
                let denied = self.all(body, around)?;
                self.complement_of(denied)
            }
            Literal::Or(branches, _) => branches.iter().try_fold(NOTHING, |any, branch| {
                let one = self.all(branch, around)?;
                self.diagram.combine(SetOperation::Or, any, one)
            }),
            Literal::Equal(left, right, _) => self.equal(self.value(left, around)?, self.value(right, around)?),
            Literal::Distinct(left, right, _) => {
                let same = self.equal(self.value(left, around)?, self.value(right, around)?)?;
                self.complement_of(same)
            }
        }
    }

    fn complement_of(&mut self, denied: DiagramNode) -> Option<DiagramNode> {
        let everything = self.diagram.everything();
        self.diagram.combine(SetOperation::Minus, everything, denied)
    }

    /// The value of a pattern; `None` for a term with arguments, and for a variable that is local to a definition.
    fn value(&self, pattern: &Pattern, around: &Around) -> Option<Argument> {
        match pattern {
            Pattern::Variable(variable) => around.get(variable).copied(),
            Pattern::Symbol(name) => self.values.get(name).copied().map(Argument::Constant),
            Pattern::Compound(..) => None,
        }
    }

    /// The tuples for which a relation holds of these arguments.
    fn relation(&mut self, relation: RelationId, arguments: Vec<Argument>) -> Option<DiagramNode> {
        let key = (relation, arguments);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        if self.definitions.open[relation.index()] || !self.pending.insert(relation) {
            return None;
        }
        let clauses = self.definitions.clauses_of(relation);
        let any = clauses.iter().try_fold(NOTHING, |any, clause| {
            let one = self.clause(clause, &key.1)?;
            self.diagram.combine(SetOperation::Or, any, one)
        })?;
        self.pending.remove(&relation);
        self.known.insert(key, any);
        Some(any)
    }

    /// The tuples for which a clause derives its head with these arguments. Each variable of the head must be bound by
    /// an atom, so that the clause holds only for values among the names of the definitions.
    fn clause(&mut self, clause: &Clause, arguments: &[Argument]) -> Option<DiagramNode> {
        let mut bound = FxHashSet::default();
        let atoms = clause.body.iter().filter(|literal| matches!(literal, Literal::Atom(_)));
        atoms.for_each(|atom| atom.each_variable(&mut |variable| bound.extend([variable])));
        let mut around = Around::default();
        let mut all = self.diagram.everything();
        for (pattern, &argument) in clause.head.arguments.iter().zip(arguments) {
            let other = match pattern {
                Pattern::Variable(variable) if !bound.contains(variable) => return None,
                Pattern::Variable(variable) => around.insert(*variable, argument).unwrap_or(argument),
                pattern => self.value(pattern, &around)?,
            };
            let same = self.equal(argument, other)?;
            all = self.diagram.combine(SetOperation::And, all, same)?;
        }
        let body = self.all(&clause.body, &around)?;
        self.diagram.combine(SetOperation::And, all, body)
    }

    /// The tuples for which two arguments are equal.
    fn equal(&mut self, left: Argument, right: Argument) -> Option<DiagramNode> {
        match (left, right) {
            _ if left == right => Some(self.diagram.everything()),
            (Argument::Constant(_), Argument::Constant(_)) => Some(NOTHING),
            (Argument::Column(column), Argument::Constant(value))
            | (Argument::Constant(value), Argument::Column(column)) => Some(self.diagram.fixed(&[(column, value)])),
            (Argument::Column(left), Argument::Column(right)) => self.diagram.same(left, right),
        }
    }
}

/// A node, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct DiagramNode(u32);

/// The node of the empty set, at every level.
const NOTHING: DiagramNode = DiagramNode(0);
/// The node after the last level.
const END: DiagramNode = DiagramNode(1);

/// The limits of a diagram, beyond which it is given up: its nodes, and the operations to build it.
const MOST_NODES: usize = 1 << 13;
const MOST_OPERATIONS: usize = 1 << 17;

/// An operation on two sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum SetOperation {
    /// The intersection.
    And,
    /// The union.
    Or,
    /// The difference: the first set without the second.
    Minus,
}

/// A transition of a diagram: at some level, from a node by a value to a node of the next level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DiagramStep {
    from: DiagramNode,
    value: usize,
    to: DiagramNode,
}

/// Sets of tuples of values below `values`, all with the same number of columns.
#[derive(Debug)]
struct Diagram {
    values: usize,
    levels: usize,
    /// For each node its children, by value; the two terminal nodes have none.
    nodes: Vec<Box<[DiagramNode]>>,
    numbers: FxHashMap<Box<[DiagramNode]>, DiagramNode>,
    combined: FxHashMap<(SetOperation, DiagramNode, DiagramNode), DiagramNode>,
}

impl Diagram {
    /// A diagram without sets, for tuples of `levels` values.
    fn new(values: usize, levels: usize) -> Self {
        let ends = vec![Box::default(), Box::default()];
        Self { values, levels, nodes: ends, numbers: FxHashMap::default(), combined: FxHashMap::default() }
    }

    /// The set of all tuples.
    fn everything(&mut self) -> DiagramNode {
        self.fixed(&[])
    }

    /// The tuples that have these values in these columns.
    fn fixed(&mut self, wanted: &[(usize, usize)]) -> DiagramNode {
        (0..self.levels).rev().fold(END, |rest, level| {
            let fits = |value| wanted.iter().all(|&(column, wanted)| column != level || wanted == value);
            let children = (0..self.values).map(|value| if fits(value) { rest } else { NOTHING }).collect();
            self.node(children)
        })
    }

    /// The tuples that have the same value in two columns; `None` if that exceeds the limits.
    fn same(&mut self, left: usize, right: usize) -> Option<DiagramNode> {
        (0..self.values).try_fold(NOTHING, |all, value| {
            let both = self.fixed(&[(left, value), (right, value)]);
            self.combine(SetOperation::Or, all, both)
        })
    }

    /// Applies an operation to two sets; `None` if that exceeds the limits.
    fn combine(&mut self, operation: SetOperation, left: DiagramNode, right: DiagramNode) -> Option<DiagramNode> {
        match operation {
            SetOperation::And | SetOperation::Minus if left == NOTHING => return Some(NOTHING),
            SetOperation::And if right == NOTHING || left == right => return Some(right),
            SetOperation::Or if left == NOTHING || left == right => return Some(right),
            SetOperation::Or | SetOperation::Minus if right == NOTHING => return Some(left),
            SetOperation::Minus if left == right => return Some(NOTHING),
            _ => {}
        }
        if let Some(&known) = self.combined.get(&(operation, left, right)) {
            return Some(known);
        }
        if self.nodes.len() > MOST_NODES || self.combined.len() > MOST_OPERATIONS {
            return None;
        }
        let child = |diagram: &Self, node: DiagramNode, value: usize| diagram.nodes[node.0 as usize][value];
        let children: Option<Box<[DiagramNode]>> = (0..self.values)
            .map(|value| self.combine(operation, child(self, left, value), child(self, right, value)))
            .collect();
        let node = self.node(children?);
        self.combined.insert((operation, left, right), node);
        Some(node)
    }

    /// The number of tuples of a set.
    fn count(&self, root: DiagramNode) -> f64 {
        // The children of a node are older than the node.
        let mut counts = vec![0.0, 1.0];
        for children in &self.nodes[2..] {
            counts.push(children.iter().map(|child| counts[child.0 as usize]).sum());
        }
        counts[root.0 as usize]
    }

    /// The transitions of each level on the paths from a root to the end.
    fn steps(&self, root: DiagramNode) -> Vec<Vec<DiagramStep>> {
        let mut level = vec![root];
        let each = (0..self.levels).map(|_| {
            let steps_of = |&from: &DiagramNode| {
                let children = self.nodes[from.0 as usize].iter().enumerate();
                children.filter(|&(_, &to)| to != NOTHING).map(move |(value, &to)| DiagramStep { from, value, to })
            };
            let steps: Vec<DiagramStep> = level.iter().flat_map(steps_of).collect();
            level = steps.iter().map(|step| step.to).collect();
            sorting::sort_by_key(&mut level, |node| node.0);
            level.dedup();
            steps
        });
        each.collect()
    }

    fn node(&mut self, children: Box<[DiagramNode]>) -> DiagramNode {
        if children.iter().all(|&child| child == NOTHING) {
            return NOTHING;
        }
        let next = DiagramNode(to_u32(self.nodes.len()));
        *self.numbers.entry(children).or_insert_with_key(|children| {
            self.nodes.push(children.clone());
            next
        })
    }
}
