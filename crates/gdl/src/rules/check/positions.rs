//! The objects of a sheet by the positions at which they are arguments.

use crate::number::to_u32;
use crate::rules::clause::{Clause, Literal, Pattern, RuleSet, VariableId};
use crate::rules::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

/// An argument: the name of the relation or function, the number of its arguments, and the index of this one.
pub(super) type Position = (SymbolId, u32, u32);

/// The objects at each position.
pub(super) struct ArgumentPositions<'a> {
    rules: &'a RuleSet,
    /// The number of clauses that have the object there.
    clauses: FxHashMap<(Position, SymbolId), u32>,
}

impl<'a> ArgumentPositions<'a> {
    /// The positions of all objects of a sheet. Linear in its size.
    pub(super) fn new(rules: &'a RuleSet) -> Self {
        let mut clauses = FxHashMap::default();
        let mut inside = FxHashSet::default();
        for clause in &rules.clauses {
            inside.clear();
            each_position(rules, clause, &mut |position, term| {
                if let Pattern::Symbol(object) = term
                    && inside.insert((position, *object))
                {
                    *clauses.entry((position, *object)).or_insert(0) += 1;
                }
            });
        }
        Self { rules, clauses }
    }

    /// The object whose name is that of the variable in lower case, if several clauses have it at a position at which
    /// this one has the variable. (One that a single clause has may be the slip itself.)
    pub(super) fn object_like(&self, clause: &Clause, variable: VariableId) -> Option<SymbolId> {
        let object = self.rules.symbols.get(&clause.variables[variable.index()].to_lowercase())?;
        let mut is_known = false;
        each_position(self.rules, clause, &mut |position, term| {
            is_known |= term == &Pattern::Variable(variable)
                && self.clauses.get(&(position, object)).is_some_and(|&count| count > 1);
        });
        is_known.then_some(object)
    }
}

/// Visits the arguments of a clause at any depth.
fn each_position(rules: &RuleSet, clause: &Clause, visit: &mut dyn FnMut(Position, &Pattern)) {
    atom(rules.relations[clause.head.relation.index()].name, &clause.head.arguments, visit);
    each_literal(rules, &clause.body, visit);
}

fn each_literal(rules: &RuleSet, literals: &[Literal], visit: &mut dyn FnMut(Position, &Pattern)) {
    for literal in literals {
        match literal {
            Literal::Atom(found) => atom(rules.relations[found.relation.index()].name, &found.arguments, visit),
            Literal::Not(denied, _) => each_literal(rules, denied, visit),
            Literal::Or(branches, _) => branches.iter().for_each(|branch| each_literal(rules, branch, visit)),
            Literal::Distinct(..) | Literal::Equal(..) => {}
        }
    }
}

fn atom(name: SymbolId, arguments: &[Pattern], visit: &mut dyn FnMut(Position, &Pattern)) {
    for (index, argument) in arguments.iter().enumerate() {
        visit((name, to_u32(arguments.len()), to_u32(index)), argument);
        if let Pattern::Compound(functor, inner) = argument {
            atom(*functor, inner, visit);
        }
    }
}
