//! The relations of the course's reasoner that compute, where a sheet does not define them.
//!
//! Sums, differences, products, minima, maxima and comparisons become facts for the numbers that their arguments can
//! have, which the heads of `base` and the facts of the sheet show ([`super::values`]). `countofall` becomes a relation
//! that counts over all instances of what is counted. What cannot be made finite is refused.

use super::computed::{COMPUTED, Columns, ComputedRelation, Function, MOST, comparison, function, product};
use super::facts::signature;
use super::text::{ClauseOrigin, added_atom, added_name};
use super::translate::{Translator, variables};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Formula, ParsedAtom, ParsedClause, Term};
use crate::syntax::{Span, error};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Translator<'_> {
    /// The formula, with relations in place of `countofall`; notes the numbers for which others are needed.
    pub(super) fn computed(&mut self, formula: &Formula, clause: &ParsedClause) -> Formula {
        match formula {
            Formula::Atom(atom) => Formula::Atom(self.computed_atom(atom, clause)),
            Formula::Not { formula, span } => {
                Formula::Not { formula: Box::new(self.computed(formula, clause)), span: *span }
            }
            Formula::And { formulas, span } => {
                Formula::And { formulas: self.each_computed(formulas, clause), span: *span }
            }
            Formula::Or { formulas, span } => {
                Formula::Or { formulas: self.each_computed(formulas, clause), span: *span }
            }
            Formula::Distinct { .. } => formula.clone(),
        }
    }

    fn each_computed(&mut self, formulas: &[Formula], clause: &ParsedClause) -> Vec<Formula> {
        formulas.iter().map(|formula| self.computed(formula, clause)).collect()
    }

    fn computed_atom(&mut self, atom: &ParsedAtom, clause: &ParsedClause) -> ParsedAtom {
        let relation = signature(atom);
        let name = &*relation.0;
        let is_known = self.vocabulary.defined.contains(&relation) || self.vocabulary.facts.contains(&relation);
        if is_known || !COMPUTED.contains(&name) {
            return atom.clone();
        }
        let found = match atom.arguments.len() {
            3 if name == "countofall" => self.count(atom),
            2 if comparison(name).is_some() => self.note_numbers(atom, &atom.arguments, clause).then(|| atom.clone()),
            3.. if function(name).is_some() => {
                let inputs = &atom.arguments[..atom.arguments.len() - 1];
                self.note_numbers(atom, inputs, clause).then(|| atom.clone())
            }
            _ => None,
        };
        found.unwrap_or_else(|| {
            let message = format!("`{name}` is computed by the reasoner of the course, and not defined in this sheet");
            let help = "its arguments can have infinitely many values here: define it by facts, such as `plus(1,1,2)`";
            self.problems.push(Diagnostic::new(&error::COMPUTED, atom.span, message).with_help(help));
            atom.clone()
        })
    }

    /// Notes the numbers that these arguments can have; false if they are not known.
    fn note_numbers(&mut self, atom: &ParsedAtom, inputs: &[Term], clause: &ParsedClause) -> bool {
        let numbers: Option<Vec<BTreeSet<i64>>> = inputs
            .iter()
            .map(|term| Some(self.values(term, clause)?.iter().filter_map(|value| value.parse().ok()).collect()))
            .collect();
        let Some(numbers) = numbers else { return false };
        let span = atom.span;
        let known = self
            .computed_relations
            .entry(signature(atom))
            .or_insert_with(|| ComputedRelation { arguments: vec![BTreeSet::new(); inputs.len()], span });
        known.arguments.iter_mut().zip(numbers).for_each(|(known, numbers)| known.extend(numbers));
        known.arguments.iter().map(BTreeSet::len).sum::<usize>() <= MOST
    }

    /// Adds the facts of the relations that are computed.
    pub(super) fn arithmetic(&mut self) {
        for ((name, arity), ComputedRelation { arguments, span }) in std::mem::take(&mut self.computed_relations) {
            let pairs = match (function(&name), comparison(&name)) {
                (Some(function), _) => self.add_function(&name, arity, &arguments, function, span),
                (None, Some(holds)) => {
                    let pairs =
                        arguments[0].iter().flat_map(|left| arguments[1].iter().map(move |right| (left, right)));
                    let rows: Vec<Vec<i64>> = pairs
                        .filter(|(left, right)| holds(left, right))
                        .map(|(left, right)| vec![*left, *right])
                        .collect();
                    self.add_facts(&name, &rows, span);
                    rows.len()
                }
                (None, None) => 0,
            };
            if pairs > MOST {
                let message = format!("`{name}` is computed for {pairs} pairs of numbers, which is too many");
                self.problems.push(Diagnostic::new(&error::COMPUTED, span, message).with_help("define it by facts"));
            }
        }
    }

    /// Adds a function of two or more numbers; returns the number of its facts. More than two are combined from left
    /// to right.
    fn add_function(
        &mut self,
        name: &Arc<str>,
        arity: usize,
        arguments: &[BTreeSet<i64>],
        function: Function,
        span: Span,
    ) -> usize {
        let mut rows: BTreeSet<Vec<i64>> = BTreeSet::new();
        let mut results = arguments[0].clone();
        for others in &arguments[1..] {
            if results.len().saturating_mul(others.len()) > MOST {
                return results.len() * others.len();
            }
            let pairs = results.iter().flat_map(|left| others.iter().map(move |right| (*left, *right)));
            let values: Vec<Vec<i64>> =
                pairs.filter_map(|(left, right)| Some(vec![left, right, function(left, right)?])).collect();
            results = values.iter().map(|row| row[2]).collect();
            rows.extend(values);
        }
        let rows: Vec<Vec<i64>> = rows.into_iter().collect();
        if arity == 3 {
            self.add_facts(name, &rows, span);
            return rows.len();
        }
        let of_two = self.vocabulary.fresh(&format!("{name}_of_two"));
        self.add_facts(&of_two, &rows, span);
        let terms = variables(arity, span);
        let mut sum = terms[0].clone();
        let mut body = Vec::new();
        for (index, term) in terms[1..arity - 1].iter().enumerate() {
            let is_last = index + 3 == arity;
            let result =
                if is_last { terms[arity - 1].clone() } else { Term::Variable(added_name(format!("S{index}"), span)) };
            body.push(Formula::Atom(added_atom(of_two.clone(), vec![sum, term.clone(), result.clone()], span)));
            sum = result;
        }
        self.push(ClauseOrigin::Implied, added_atom(name.clone(), terms, span), body, span);
        rows.len()
    }

    fn add_facts(&mut self, name: &Arc<str>, rows: &[Vec<i64>], span: Span) {
        for row in rows {
            let arguments = row.iter().map(|number| constant(number.to_string(), span)).collect();
            self.push(ClauseOrigin::Implied, added_atom(name.clone(), arguments, span), Vec::new(), span);
        }
    }

    /// The literal for `countofall(TEMPLATE, ATOM, N)`: a relation that counts the instances of the template one after
    /// the other. `None` if they are not finitely many.
    fn count(&mut self, atom: &ParsedAtom) -> Option<ParsedAtom> {
        let span = atom.span;
        let [template, Term::Compound { functor, arguments, span: counted_span }, number] = &atom.arguments[..] else {
            return None;
        };
        let counted = ParsedAtom {
            relation: functor.clone(),
            arguments: arguments.clone(),
            parenthesised: false,
            span: *counted_span,
        };
        let mut inside = BTreeSet::new();
        template.each_variable(&mut |name| _ = inside.insert(name.text.clone()));
        // The variables of what is counted: those of the template, and those that are known outside.
        let mut items: Columns = Vec::new();
        let mut groups: Columns = Vec::new();
        for (position, term) in arguments.iter().enumerate() {
            let Term::Variable(name) = term else { continue };
            let values: Vec<Arc<str>> = self.values_at(&signature(&counted), position)?.into_iter().collect();
            let list = if inside.contains(&name.text) { &mut items } else { &mut groups };
            if list.iter().all(|(known, _)| known != term) {
                list.push((term.clone(), values));
            }
        }
        let rows = product(&items)?;
        let wishes = ["counted", "counted_item", "count_after", "counted_for"];
        let [relation, item, after, group] = wishes.map(|wish| self.vocabulary.fresh(wish));
        for (index, row) in rows.iter().enumerate() {
            let place = constant((index + 1).to_string(), span);
            let arguments =
                [place].into_iter().chain(row.iter().map(|name| constant(name.to_string(), span))).collect();
            self.push(ClauseOrigin::Implied, added_atom(item.clone(), arguments, span), Vec::new(), span);
            let numbers = [index, index + 1].map(|number| constant(number.to_string(), span)).to_vec();
            self.push(ClauseOrigin::Implied, added_atom(after.clone(), numbers, span), Vec::new(), span);
        }
        for row in product(&groups)? {
            let arguments = row.iter().map(|name| constant(name.to_string(), span)).collect();
            self.push(ClauseOrigin::Implied, added_atom(group.clone(), arguments, span), Vec::new(), span);
        }
        let of = |terms: &[(Term, Vec<Arc<str>>)]| terms.iter().map(|(term, _)| term.clone()).collect::<Vec<_>>();
        let names = CountNames { relation, item, after, group };
        self.add_count(&names, &counted, (&of(&items), &of(&groups)), span);
        let last = constant(rows.len().to_string(), span);
        let arguments = of(&groups).into_iter().chain([last, number.clone()]).collect();
        Some(added_atom(names.relation, arguments, span))
    }

    /// Adds the rules that count: none before the first item, and one more after each that holds.
    fn add_count(
        &mut self,
        CountNames { relation, item, after, group }: &CountNames,
        counted: &ParsedAtom,
        (items, groups): (&[Term], &[Term]),
        span: Span,
    ) {
        let variable = |name: &str| Term::Variable(added_name(format!("Count{name}"), span));
        let literal =
            |relation: &Arc<str>, arguments: Vec<Term>| Formula::Atom(added_atom(relation.clone(), arguments, span));
        let count = |place: Term, number: Term| [groups, &[place, number]].concat();
        let zero = || constant("0".to_string(), span);
        let none = if groups.is_empty() { Vec::new() } else { vec![literal(group, groups.to_vec())] };
        self.push(ClauseOrigin::Implied, added_atom(relation.clone(), count(zero(), zero()), span), none, span);
        let holds = self.literal(&Formula::Atom(counted.clone()));
        for is_counted in [true, false] {
            let number = if is_counted { variable("After") } else { variable("Before") };
            let mut body = vec![
                literal(after, vec![variable("Last"), variable("Here")]),
                literal(item, [&[variable("Here")], items].concat()),
                literal(relation, count(variable("Last"), variable("Before"))),
            ];
            body.push(match is_counted {
                true => holds.clone(),
                false => Formula::Not { formula: Box::new(holds.clone()), span },
            });
            if is_counted {
                body.push(literal(after, vec![variable("Before"), variable("After")]));
            }
            let head = added_atom(relation.clone(), count(variable("Here"), number), span);
            self.push(ClauseOrigin::Implied, head, body, span);
        }
    }
}

/// The relations of a count: the count itself, the instances by number, the successor of a number, and the values of
/// variables that are known outside.
struct CountNames {
    relation: Arc<str>,
    item: Arc<str>,
    after: Arc<str>,
    group: Arc<str>,
}

fn constant(text: String, span: Span) -> Term {
    Term::Symbol(added_name(text, span))
}
