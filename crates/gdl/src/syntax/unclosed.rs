//! Places at which a clause of prefix lacks one or two closing parentheses.
//!
//! A place is known if the layout shows it, or if it is the only one at which the clause becomes a clause: relations of
//! the language have the right number of arguments there, and none of them is inside a term.

use super::ast::{Formula, ParsedAtom, ParsedClause, Term};
use super::failure::MissingClose;
use super::token::{Logic, TokenKind, TokenList, TokenResult, Tokens};
use std::ops::Range;

/// Longer clauses are not searched: each pair of places is tried.
const LONGEST: usize = 120;

/// The relations of the language with their numbers of arguments. The parser itself does not need them.
const RELATIONS: [(&str, usize); 11] = [
    ("role", 1),
    ("init", 1),
    ("true", 1),
    ("next", 1),
    ("base", 1),
    ("does", 2),
    ("legal", 2),
    ("goal", 2),
    ("input", 2),
    ("sees", 2),
    ("terminal", 0),
];

/// The parser of one clause.
pub(super) type ClauseParser = for<'t> fn(Tokens<'t>) -> TokenResult<'t, ParsedClause>;

/// The places at which the tokens of this range, which begin with an unclosed `(`, lack parentheses. `violator` is the
/// index within the range of the token before which the layout shows that one is missing.
pub(super) fn missing(
    lexed: &TokenList,
    range: Range<usize>,
    violator: Option<usize>,
    parser: ClauseParser,
) -> Option<MissingClose> {
    let tokens = &lexed.tokens[range.clone()];
    let opened = tokens.iter().filter(|token| token.kind == TokenKind::Open).count();
    let closed = tokens.iter().filter(|token| token.kind == TokenKind::Close).count();
    let count = opened.checked_sub(closed).filter(|count| (1..=2).contains(count) && tokens.len() <= LONGEST)?;
    let repair = Repair { clause: lexed.part(range), count, parser };
    let last = tokens.len() - 1;
    let shown = violator.map(|violator| [violator - 1, last]);
    // With several lines of one depth, the layout says that all but the last are complete.
    let is_laid_out = violator.is_none() && tokens[1..].iter().any(|token| token.indent > 0);
    let known = shown.or(is_laid_out.then_some([last, last])).filter(|&places| repair.works(places));
    let places = known.or_else(|| repair.only_place())?;
    let ends = places.map(|index| tokens[index].span.end);
    Some(MissingClose { places: ends, count: if count == 1 { 1 } else { 2 } })
}

/// A clause that lacks parentheses.
struct Repair {
    clause: TokenList,
    count: usize,
    parser: ClauseParser,
}

impl Repair {
    /// The tokens after which parentheses are missing, if there is one way only.
    fn only_place(&self) -> Option<[usize; 2]> {
        // Beside another `)`, the place after the last of them is the same.
        let is_place = |&at: &usize| {
            let next = at + 1;
            self.clause.tokens.get(next).is_none_or(|next| next.kind != TokenKind::Close)
        };
        let places: Vec<usize> = (1..self.clause.tokens.len()).filter(is_place).collect();
        let mut only = None;
        for (index, &first) in places.iter().enumerate() {
            let seconds = if self.count == 1 { &places[index..=index] } else { &places[index..] };
            for &second in seconds.iter().filter(|&&second| self.works([first, second])) {
                if only.replace([first, second]).is_some() {
                    return None;
                }
            }
        }
        only
    }

    /// True if the clause is one with parentheses after these tokens; after the first alone if one is missing.
    fn works(&self, places: [usize; 2]) -> bool {
        let places = if self.count == 1 { &places[..1] } else { &places[..] };
        let completed = self.clause.completed(places);
        match (self.parser)(Tokens::new(&completed, 0..completed.tokens.len())) {
            Ok((rest, clause)) => rest.len() == 0 && is_sensible(&clause),
            Err(_) => false,
        }
    }
}

/// True if relations of the language are used as such, and a rule has a body.
fn is_sensible(clause: &ParsedClause) -> bool {
    let body = clause.body.as_deref();
    is_sensible_atom(&clause.head) && body.is_none_or(|body| !body.is_empty() && body.iter().all(is_sensible_formula))
}

fn is_sensible_formula(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(atom) => is_sensible_atom(atom),
        Formula::Not { formula, .. } => is_sensible_formula(formula),
        Formula::And { formulas, .. } | Formula::Or { formulas, .. } => {
            formulas.len() > 1 && formulas.iter().all(is_sensible_formula)
        }
        Formula::Distinct { left, right, .. } => is_sensible_term(left) && is_sensible_term(right),
    }
}

fn is_sensible_atom(atom: &ParsedAtom) -> bool {
    let arity = arity(&atom.relation.text);
    arity.is_none_or(|arity| arity == atom.arguments.len()) && atom.arguments.iter().all(is_sensible_term)
}

fn is_sensible_term(term: &Term) -> bool {
    match term {
        Term::Symbol(_) | Term::Variable(_) => true,
        Term::Compound { functor, arguments, .. } => {
            let is_relation = arity(&functor.text).is_some() || Logic::from_name(&functor.text).is_some();
            !is_relation && !arguments.is_empty() && arguments.iter().all(is_sensible_term)
        }
    }
}

fn arity(name: &str) -> Option<usize> {
    RELATIONS.iter().find(|(relation, _)| relation.eq_ignore_ascii_case(name)).map(|&(_, arity)| arity)
}
