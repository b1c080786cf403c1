//! Random first-order sheets: relations with arguments, functions, recursion, negation, `distinct`, `or`, roles by
//! variable, `init` by rule, constants that are also names of relations.
//!
//! A rule is decoded from a list of small numbers, its *genes*. Fewer and smaller numbers make a simpler rule, so that
//! proptest shrinks a sheet by shrinking numbers. Almost every sheet passes the checks.

use proptest::prelude::*;

/// The common part of all sheets, so that they pass the checks and have moves and facts.
const FRAME: &str = "(role r)(role s)(n a)(n b)(link a b)(link b v0)(init (f a))(legal r a)(legal s a)\n";
const CONSTANTS: [&str; 6] = ["a", "b", "n", "v0", "r", "link"];
const VARIABLES: [&str; 3] = ["?x", "?y", "?z"];
/// The arity of each view. The first two may not depend on the state, the last two may depend on the moves.
const VIEWS: [usize; 6] = [1, 1, 2, 1, 0, 1];

/// The genes of all rules of a sheet.
pub(crate) fn genes() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(0_u8..48, 0..24), 0..16)
}

/// Decodes the sheet of some genes.
pub(crate) fn sheet(rules: &[Vec<u8>]) -> String {
    let mut text = FRAME.to_string();
    for genes in rules {
        text += &Genes(genes.iter()).rule();
        text.push('\n');
    }
    // At the end, so that a shrunk sheet still has them.
    text + "(<= terminal (true never))(goal r 0)\n"
}

#[derive(Clone)]
enum Term {
    Constant(&'static str),
    Variable(usize),
    Function(&'static str, &'static str),
}

#[derive(Clone)]
struct Literal {
    /// The text with a `%` for each term.
    form: String,
    terms: Vec<Term>,
    is_positive: bool,
}

/// What a body may use.
#[derive(Clone, Copy)]
struct Scope {
    /// Views below this may be used positively.
    usable: usize,
    /// Views below this may be negated.
    negatable: usize,
    state: bool,
    moves: bool,
}

struct Genes<'a>(std::slice::Iter<'a, u8>);

impl Genes<'_> {
    /// The next number below `n`; 0 after the last.
    fn next(&mut self, n: usize) -> usize {
        self.0.next().map_or(0, |&gene| usize::from(gene) % n)
    }

    fn rule(&mut self) -> String {
        let (kind, which) = (self.next(8), self.next(VIEWS.len()));
        let views = |usable| Scope { usable, negatable: usable, state: true, moves: false };
        let (head, scope) = match kind {
            0 | 1 => {
                let form = format!("(v{which}{})", " %".repeat(VIEWS[which]));
                let below = which / 2 * 2;
                (form, Scope { usable: below + 2, negatable: below, state: which >= 2, moves: which >= 4 })
            }
            2 | 3 => {
                let form = ["(next (f %))", "(next (g % %))", "(next h)"][which % 3];
                (form.to_string(), Scope { moves: true, ..views(VIEWS.len()) })
            }
            4 => (["(legal % %)", "(legal r (k % %))", "(legal s %)"][which % 3].to_string(), views(4)),
            5 => (["(goal r 100)", "(goal s 50)", "(goal % 0)"][which % 3].to_string(), views(4)),
            6 => ("terminal".to_string(), views(4)),
            _ => {
                let form = ["(init (f %))", "(init (g % %))", "(init h)"][which % 3];
                (form.to_string(), Scope { state: false, ..views(2) })
            }
        };
        let terms: Vec<Term> = (0..head.matches('%').count()).map(|_| self.term()).collect();
        let body: Vec<Literal> = (0..self.next(4)).map(|_| self.literal(scope)).collect();
        let bound: Vec<usize> = body
            .iter()
            .filter(|literal| literal.is_positive)
            .flat_map(|literal| &literal.terms)
            .filter_map(|term| if let Term::Variable(variable) = term { Some(*variable) } else { None })
            .collect();
        let head = write(&Literal { form: head, terms, is_positive: false }, &bound);
        if body.is_empty() {
            return head;
        }
        let body: Vec<String> = body.iter().map(|literal| write(literal, &bound)).collect();
        format!("(<= {head} {})", body.join(" "))
    }

    fn term(&mut self) -> Term {
        match self.next(8) {
            0..3 => Term::Constant(CONSTANTS[self.next(CONSTANTS.len())]),
            3..7 => Term::Variable(self.next(VARIABLES.len())),
            _ => Term::Function(["k", "n", "v2"][self.next(3)], CONSTANTS[self.next(CONSTANTS.len())]),
        }
    }

    fn literal(&mut self, scope: Scope) -> Literal {
        let negated = self.next(4) == 3;
        match self.next(10) {
            8 => {
                let terms = vec![self.term(), self.term()];
                Literal { form: "(distinct % %)".to_string(), terms, is_positive: false }
            }
            9 => {
                let (left, right) = (self.atom(scope, negated), self.atom(scope, false));
                let form = format!("(or {} {})", left.form, right.form);
                Literal { form, terms: [left.terms, right.terms].concat(), is_positive: false }
            }
            _ => self.atom(scope, negated),
        }
    }

    fn atom(&mut self, scope: Scope, negated: bool) -> Literal {
        let view = self.next(VIEWS.len());
        let usable = if negated { scope.negatable } else { scope.usable };
        let form = match self.next(9) {
            0 => "(n %)".to_string(),
            1 => "(link % %)".to_string(),
            2 => "(role %)".to_string(),
            3 | 4 if view < usable => format!("(v{view}{})", " %".repeat(VIEWS[view])),
            5 if scope.moves => "(does % %)".to_string(),
            6 if scope.moves => "(does r (k % %))".to_string(),
            7 if scope.state => "(true (g % %))".to_string(),
            8 if scope.state => "(true h)".to_string(),
            _ if scope.state => "(true (f %))".to_string(),
            _ => "(n %)".to_string(),
        };
        let terms = (0..form.matches('%').count()).map(|_| self.term()).collect();
        let form = if negated { format!("(not {form})") } else { form };
        Literal { form, terms, is_positive: !negated }
    }
}

/// A literal as text; an unbound variable becomes a constant.
fn write(literal: &Literal, bound: &[usize]) -> String {
    let mut terms = literal.terms.iter();
    let parts = literal.form.split('%').map(str::to_string);
    parts
        .reduce(|before, after| {
            let term = match terms.next() {
                Some(Term::Constant(name)) => (*name).to_string(),
                Some(Term::Variable(variable)) if bound.contains(variable) => VARIABLES[*variable].to_string(),
                Some(Term::Function(name, inner)) => format!("({name} {inner})"),
                Some(Term::Variable(_)) | None => CONSTANTS[0].to_string(),
            };
            before + &term + &after
        })
        .unwrap_or_default()
}
