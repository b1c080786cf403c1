//! Whether two rule sheets are the same but for names and order: a renaming of one that makes it the other.
//!
//! Names of relations, of functions and of objects are renamed each for themselves; the words of GDL, goal values and
//! `random` keep their names. The order of clauses and of literals does not count, nor do clauses that play does not need:
//! `base`, `input`, and relations that nothing asks for. Sheets with such a renaming define the same game.
//!
//! The names of both sheets are coloured by the clauses in which they occur, and by the colours of the other names there
//! (the refinement of Weisfeiler and Leman). Where several names keep one colour, one of them is paired with each of the
//! other sheet in turn. What comes out is checked clause by clause, so a clash of hashes can hide a renaming but not make
//! one.

use super::dependency::each_atom;
use super::{Atom, Clause, GroundTerm, Keyword, Literal, Pattern, RelationId, RuleSet, SymbolId, VariableId};
use rustc_hash::{FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// The refinements that are tried; each is linear in the size of the sheets, but for sorting.
const REFINEMENTS: u32 = 1_000;

/// The new name of each name that play needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    /// The pairs of names that differ, each once, in the order of the first sheet.
    pub pairs: Vec<(String, String)>,
}

/// Finds a renaming that makes the first sheet the second; `None` if there is none, or the search for it took too long.
pub fn renaming(first: &RuleSet, second: &RuleSet) -> Option<Renaming> {
    let utilities = [&first.utilities, &second.utilities];
    let (first, second) = (Needed::new(first), Needed::new(second));
    let mut search = Search { sheets: [&first, &second], left: REFINEMENTS };
    let colours = [first.initial_colours(), second.initial_colours()];
    let renamed = search.find(colours)?;
    let new_role = |role: &str| {
        let name = first.rules.symbols.get(role).and_then(|symbol| renamed.get(&Name::Function(symbol, 0)));
        name.map_or_else(|| role.to_string(), |&name| second.text(name))
    };
    if utilities[0].renamed(new_role) != *utilities[1] {
        return None;
    }
    let mut pairs = Vec::new();
    for name in first.names() {
        let (old, new) = (first.text(name), second.text(renamed[&name]));
        if old != new && !pairs.iter().any(|(known, _)| *known == old) {
            pairs.push((old, new));
        }
    }
    Some(Renaming { pairs })
}

/// A name in one of its uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Name {
    Relation(RelationId),
    /// A function, with the number of its arguments; 0 of an object.
    Function(SymbolId, usize),
}

/// The colours of all names of a sheet.
type Colours = BTreeMap<Name, u64>;

/// The clauses of a sheet that play needs, and the names in them.
struct Needed<'r> {
    rules: &'r RuleSet,
    clauses: Vec<&'r Clause>,
    /// True if a relation computes goal values, so that every number may be one.
    computes_goals: bool,
}

/// The search for a renaming.
struct Search<'s, 'r> {
    sheets: [&'s Needed<'r>; 2],
    left: u32,
}

fn hash_of(parts: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    parts.hash(&mut hasher);
    // The last step of the hasher is a multiplication; folding lets all bits count in sums.
    let hash = hasher.finish();
    hash ^ (hash >> 29)
}

/// A hash of several parts whose order does not count.
fn hash_of_all(parts: impl Iterator<Item = u64>) -> u64 {
    parts.fold(0, |sum, part| sum.wrapping_add(hash_of((0x9e37_79b9_7f4a_7c15_u64, part))))
}

impl<'r> Needed<'r> {
    fn new(rules: &'r RuleSet) -> Self {
        let kept = [
            Keyword::Role,
            Keyword::Init,
            Keyword::Legal,
            Keyword::Next,
            Keyword::Terminal,
            Keyword::Goal,
            Keyword::Sees,
        ];
        let mut needed: FxHashSet<RelationId> = kept.into_iter().map(|keyword| rules.keyword(keyword)).collect();
        let mut count = 0;
        while count < needed.len() {
            count = needed.len();
            for clause in
                rules.clauses.iter().filter(|clause| needed.contains(&clause.head.relation)).collect::<Vec<_>>()
            {
                each_atom(&clause.body, false, &mut |atom, _| {
                    needed.insert(atom.relation);
                });
            }
        }
        let clauses: Vec<&Clause> =
            rules.clauses.iter().filter(|clause| needed.contains(&clause.head.relation)).collect();
        let goal = rules.keyword(Keyword::Goal);
        let computes =
            |clause: &&Clause| clause.head.relation == goal && matches!(clause.head.arguments[1], Pattern::Variable(_));
        Self { rules, computes_goals: clauses.iter().any(computes), clauses }
    }

    /// The names in the order of the sheet.
    fn names(&self) -> Vec<Name> {
        let mut seen = FxHashSet::default();
        let mut names = Vec::new();
        for clause in &self.clauses {
            each_name(clause, &mut |name| {
                if seen.insert(name) {
                    names.push(name);
                }
            });
        }
        names
    }

    fn text(&self, name: Name) -> String {
        match name {
            Name::Relation(relation) => self.rules.relation_name(relation).to_string(),
            Name::Function(symbol, _) => self.rules.symbols.name(symbol).to_string(),
        }
    }

    /// The colours before any refinement: names that may not be renamed have their own.
    fn initial_colours(&self) -> Colours {
        let goal = self.rules.keyword(Keyword::Goal);
        let values: FxHashSet<Name> = self
            .clauses
            .iter()
            .filter(|clause| clause.head.relation == goal)
            .filter_map(|clause| match clause.head.arguments[1] {
                Pattern::Symbol(symbol) => Some(Name::Function(symbol, 0)),
                _ => None,
            })
            .collect();
        let colour = |name: Name| match name {
            Name::Relation(relation) => match self.rules.keyword_of(relation) {
                Some(keyword) => hash_of(("keyword", keyword as u32)),
                None => hash_of(("relation", self.rules.relations[relation.index()].arity)),
            },
            Name::Function(symbol, arity) => {
                let text = self.rules.symbols.name(symbol);
                let is_number = text.parse::<f64>().is_ok();
                let is_fixed = values.contains(&name) || (self.computes_goals && is_number);
                if is_fixed || (arity == 0 && GroundTerm::symbol(&**text).is_chance()) {
                    hash_of(("fixed", &**text))
                } else {
                    hash_of(("function", arity))
                }
            }
        };
        self.names().into_iter().map(|name| (name, colour(name))).collect()
    }

    /// The colours after each name has taken in the clauses around it.
    fn refined(&self, colours: &Colours) -> Colours {
        let mut next: Colours = colours.iter().map(|(&name, &colour)| (name, hash_of(("kept", colour)))).collect();
        for clause in &self.clauses {
            let clause = ColouredClause::new(clause, colours);
            clause.each_place(&mut |name, place| {
                let colour = next.get_mut(&name).expect("each name has a colour");
                // A sum, since the order of clauses does not matter.
                *colour = colour.wrapping_add(hash_of((clause.colour, place)));
            });
        }
        next
    }
}

impl Search<'_, '_> {
    /// A renaming that keeps the colours.
    fn find(&mut self, mut colours: [Colours; 2]) -> Option<BTreeMap<Name, Name>> {
        let mut count = 0;
        loop {
            self.left = self.left.checked_sub(1)?;
            let counts = colours.each_ref().map(sizes);
            if counts[0] != counts[1] {
                return None;
            }
            if counts[0].len() == count {
                break;
            }
            count = counts[0].len();
            colours = [self.sheets[0].refined(&colours[0]), self.sheets[1].refined(&colours[1])];
        }
        let classes = colours.each_ref().map(classes);
        // The smallest class, which has the fewest candidates to try.
        let open = classes[0]
            .iter()
            .filter(|(_, names)| names.len() > 1)
            .min_by_key(|(colour, names)| (names.len(), **colour));
        let Some((colour, names)) = open else {
            let pair = |(colour, names): (&u64, &Vec<Name>)| (names[0], classes[1][colour][0]);
            let renamed: BTreeMap<Name, Name> = classes[0].iter().map(pair).collect();
            return self.is_right(&renamed).then_some(renamed);
        };
        // One name of the smallest class is paired with each that it may become.
        let chosen = *names.iter().min().expect("the class has names");
        let mut candidates = classes[1][colour].clone();
        candidates.sort_unstable();
        candidates.into_iter().find_map(|candidate| {
            let mut colours = colours.clone();
            let mark = hash_of(("chosen", *colour));
            colours[0].insert(chosen, mark);
            colours[1].insert(candidate, mark);
            self.find(colours)
        })
    }

    /// True if the renaming makes the clauses of the first sheet those of the second.
    fn is_right(&self, renamed: &BTreeMap<Name, Name>) -> bool {
        let back: BTreeMap<Name, Name> = renamed.iter().map(|(&old, &new)| (new, old)).collect();
        let [first, second] = self.sheets;
        back.len() == renamed.len() && are_among(first, second, renamed) && are_among(second, first, &back)
    }
}

/// The number of names of each colour.
fn sizes(colours: &Colours) -> BTreeMap<u64, usize> {
    let mut sizes = BTreeMap::new();
    for &colour in colours.values() {
        *sizes.entry(colour).or_default() += 1;
    }
    sizes
}

fn classes(colours: &Colours) -> BTreeMap<u64, Vec<Name>> {
    let mut classes: BTreeMap<u64, Vec<Name>> = BTreeMap::new();
    for (&name, &colour) in colours {
        classes.entry(colour).or_default().push(name);
    }
    classes
}

/// True if each clause, renamed, is a clause of the other sheet.
fn are_among(sheet: &Needed<'_>, other: &Needed<'_>, renamed: &BTreeMap<Name, Name>) -> bool {
    // Each pair of names has a number, which colours the clauses of both sheets alike.
    let numbers: Colours = sheet.names().into_iter().zip(0..).collect();
    let others: Colours = numbers.iter().map(|(name, &number)| (renamed[name], number)).collect();
    let mut by_colour: BTreeMap<u64, Vec<&Clause>> = BTreeMap::new();
    for &clause in &other.clauses {
        by_colour.entry(ColouredClause::new(clause, &others).colour).or_default().push(clause);
    }
    sheet.clauses.iter().all(|clause| {
        let colour = ColouredClause::new(clause, &numbers).colour;
        let candidates = by_colour.get(&colour).map_or(&[][..], |clauses| clauses);
        candidates.iter().any(|candidate| Matching { renamed, variables: Vec::new() }.clauses(clause, candidate))
    })
}

/// A clause with the colours of its variables and its own, whatever the order of its literals.
struct ColouredClause<'c> {
    clause: &'c Clause,
    colours: &'c Colours,
    variables: Vec<u64>,
    colour: u64,
}

impl<'c> ColouredClause<'c> {
    fn new(clause: &'c Clause, colours: &'c Colours) -> Self {
        let mut coloured = Self { clause, colours, variables: vec![0; clause.variables.len()], colour: 0 };
        // Two rounds tell variables apart by the literals that they share with others.
        for _ in 0..3 {
            let mut next = coloured.variables.clone();
            coloured.each_literal(&mut |literal, arguments| {
                coloured.each_variable(arguments, literal, &mut |variable, place| {
                    next[variable.index()] = next[variable.index()].wrapping_add(hash_of(place));
                });
            });
            coloured.variables = next;
        }
        coloured.colour = hash_of((coloured.atom(&clause.head), coloured.body(&clause.body)));
        coloured
    }

    /// Visits the head and each literal of the body, at any depth, with its colour and its terms.
    fn each_literal(&self, visit: &mut dyn FnMut(u64, &[&'c Pattern])) {
        let head: Vec<&Pattern> = self.clause.head.arguments.iter().collect();
        visit(hash_of(("head", self.atom(&self.clause.head))), &head);
        self.each_literal_of(&self.clause.body, 1, visit);
    }

    fn each_literal_of(&self, body: &'c [Literal], around: u64, visit: &mut dyn FnMut(u64, &[&'c Pattern])) {
        for literal in body {
            let colour = hash_of((around, self.literal(literal)));
            match literal {
                Literal::Atom(atom) => visit(colour, &atom.arguments.iter().collect::<Vec<_>>()),
                // Both sides of these are alike.
                Literal::Distinct(left, right, _) | Literal::Equal(left, right, _) => {
                    visit(colour, &[left]);
                    visit(colour, &[right]);
                }
                Literal::Not(inner, _) => self.each_literal_of(inner, colour, visit),
                Literal::Or(choices, _) => {
                    choices.iter().for_each(|choice| self.each_literal_of(choice, colour, visit))
                }
            }
        }
    }

    fn each_variable(&self, terms: &[&Pattern], place: u64, visit: &mut dyn FnMut(VariableId, u64)) {
        for (index, term) in terms.iter().enumerate() {
            let place = hash_of((place, index));
            match term {
                Pattern::Variable(variable) => visit(*variable, place),
                Pattern::Symbol(_) => {}
                Pattern::Compound(_, arguments) => {
                    self.each_variable(&arguments.iter().collect::<Vec<_>>(), hash_of((place, self.term(term))), visit);
                }
            }
        }
    }

    /// Visits each name with its place in the clause.
    fn each_place(&self, visit: &mut dyn FnMut(Name, u64)) {
        visit(Name::Relation(self.clause.head.relation), 0);
        self.each_literal(&mut |literal, terms| self.each_function(terms, literal, visit));
        each_atom(&self.clause.body, false, &mut |atom, _| visit(Name::Relation(atom.relation), self.atom(atom)));
    }

    fn each_function(&self, terms: &[&Pattern], place: u64, visit: &mut dyn FnMut(Name, u64)) {
        for (index, term) in terms.iter().enumerate() {
            let place = hash_of((place, index));
            match term {
                Pattern::Variable(_) => {}
                Pattern::Symbol(symbol) => visit(Name::Function(*symbol, 0), place),
                Pattern::Compound(symbol, arguments) => {
                    visit(Name::Function(*symbol, arguments.len()), place);
                    self.each_function(&arguments.iter().collect::<Vec<_>>(), place, visit);
                }
            }
        }
    }

    fn body(&self, body: &[Literal]) -> u64 {
        hash_of_all(body.iter().map(|literal| self.literal(literal)))
    }

    fn literal(&self, literal: &Literal) -> u64 {
        match literal {
            Literal::Atom(atom) => self.atom(atom),
            Literal::Not(inner, _) => hash_of(("not", self.body(inner))),
            Literal::Or(choices, _) => hash_of(("or", hash_of_all(choices.iter().map(|choice| self.body(choice))))),
            Literal::Distinct(left, right, _) => hash_of(("distinct", self.term(left).wrapping_add(self.term(right)))),
            Literal::Equal(left, right, _) => hash_of(("equal", self.term(left).wrapping_add(self.term(right)))),
        }
    }

    fn atom(&self, atom: &Atom) -> u64 {
        let arguments: Vec<u64> = atom.arguments.iter().map(|term| self.term(term)).collect();
        hash_of((self.colours[&Name::Relation(atom.relation)], arguments))
    }

    fn term(&self, term: &Pattern) -> u64 {
        match term {
            Pattern::Variable(variable) => hash_of(("variable", self.variables[variable.index()])),
            Pattern::Symbol(symbol) => hash_of(("name", self.colours[&Name::Function(*symbol, 0)])),
            Pattern::Compound(symbol, arguments) => {
                let inner: Vec<u64> = arguments.iter().map(|term| self.term(term)).collect();
                hash_of((self.colours[&Name::Function(*symbol, arguments.len())], inner))
            }
        }
    }
}

/// Visits each name of a clause, the relations first.
fn each_name(clause: &Clause, visit: &mut dyn FnMut(Name)) {
    visit(Name::Relation(clause.head.relation));
    each_atom(&clause.body, false, &mut |atom, _| visit(Name::Relation(atom.relation)));
    clause.head.arguments.iter().for_each(|term| each_name_of_term(term, visit));
    clause.body.iter().for_each(|literal| literal.each_pattern(&mut |term| each_name_of_term(term, visit)));
}

fn each_name_of_term(term: &Pattern, visit: &mut dyn FnMut(Name)) {
    match term {
        Pattern::Variable(_) => {}
        Pattern::Symbol(symbol) => visit(Name::Function(*symbol, 0)),
        Pattern::Compound(symbol, arguments) => {
            visit(Name::Function(*symbol, arguments.len()));
            arguments.iter().for_each(|term| each_name_of_term(term, visit));
        }
    }
}

/// Variables of a clause paired with those of another, while both are compared.
struct Matching<'m> {
    renamed: &'m BTreeMap<Name, Name>,
    variables: Vec<(VariableId, VariableId)>,
}

impl Matching<'_> {
    fn clauses(mut self, clause: &Clause, other: &Clause) -> bool {
        self.atoms(&clause.head, &other.head) && {
            let literals: Vec<&Literal> = clause.body.iter().collect();
            let others: Vec<&Literal> = other.body.iter().collect();
            self.all(&literals, &others)
        }
    }

    /// Pairs all literals, in any order.
    fn all(&mut self, literals: &[&Literal], others: &[&Literal]) -> bool {
        let Some((literal, rest)) = literals.split_first() else { return others.is_empty() };
        if literals.len() != others.len() {
            return false;
        }
        (0..others.len()).any(|index| {
            let known = self.variables.len();
            let mut left = others.to_vec();
            let other = left.swap_remove(index);
            let fits = self.literals(literal, other) && self.all(rest, &left);
            if !fits {
                self.variables.truncate(known);
            }
            fits
        })
    }

    fn literals(&mut self, literal: &Literal, other: &Literal) -> bool {
        match (literal, other) {
            (Literal::Atom(atom), Literal::Atom(other)) => self.atoms(atom, other),
            (Literal::Not(inner, _), Literal::Not(other, _)) => {
                self.all(&inner.iter().collect::<Vec<_>>(), &other.iter().collect::<Vec<_>>())
            }
            (Literal::Or(choices, _), Literal::Or(others, _)) => {
                choices.len() == others.len() && self.choices(choices, &others.iter().collect::<Vec<_>>())
            }
            (Literal::Distinct(left, right, _), Literal::Distinct(other, another, _))
            | (Literal::Equal(left, right, _), Literal::Equal(other, another, _)) => {
                let known = self.variables.len();
                if self.terms(left, other) && self.terms(right, another) {
                    return true;
                }
                self.variables.truncate(known);
                self.terms(left, another) && self.terms(right, other)
            }
            _ => false,
        }
    }

    fn choices(&mut self, choices: &[Vec<Literal>], others: &[&Vec<Literal>]) -> bool {
        let Some((choice, rest)) = choices.split_first() else { return others.is_empty() };
        let literals: Vec<&Literal> = choice.iter().collect();
        (0..others.len()).any(|index| {
            let known = self.variables.len();
            let mut left = others.to_vec();
            let other: Vec<&Literal> = left.swap_remove(index).iter().collect();
            let fits = self.all(&literals, &other) && self.choices(rest, &left);
            if !fits {
                self.variables.truncate(known);
            }
            fits
        })
    }

    fn atoms(&mut self, atom: &Atom, other: &Atom) -> bool {
        self.renamed[&Name::Relation(atom.relation)] == Name::Relation(other.relation)
            && self.all_terms(&atom.arguments, &other.arguments)
    }

    fn all_terms(&mut self, terms: &[Pattern], others: &[Pattern]) -> bool {
        terms.len() == others.len() && terms.iter().zip(others).all(|(term, other)| self.terms(term, other))
    }

    fn terms(&mut self, term: &Pattern, other: &Pattern) -> bool {
        match (term, other) {
            (&Pattern::Variable(variable), &Pattern::Variable(other)) => {
                let known = self.variables.iter().find(|(left, right)| *left == variable || *right == other);
                match known {
                    Some(&pair) => pair == (variable, other),
                    None => {
                        self.variables.push((variable, other));
                        true
                    }
                }
            }
            (&Pattern::Symbol(symbol), &Pattern::Symbol(other)) => {
                self.renamed[&Name::Function(symbol, 0)] == Name::Function(other, 0)
            }
            (Pattern::Compound(symbol, terms), Pattern::Compound(other, others)) => {
                self.renamed[&Name::Function(*symbol, terms.len())] == Name::Function(*other, others.len())
                    && self.all_terms(terms, others)
            }
            _ => false,
        }
    }
}
