//! What the declarations of a sheet mean, judged by its rules.

use super::read::{self, Term, Written};
use super::{FactForm, Field, Figure, FigureKind, Glyph, Picture, Problem, ProblemKind, Shape};
use crate::rules::GroundTerm;
use crate::rules::clause::{Keyword, Literal, Pattern, RelationId, RuleSet};
use crate::rules::declaration::Declaration;
use crate::rules::dependency::DependencyGraph;
use crate::suggestion::{alternatives, nearest};
use crate::syntax::Span;
use crate::syntax::ast::Sheet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// What the comments of a sheet with these rules declare, and the problems of declarations, which are left out.
pub(in crate::rules) fn declared(sheet: &Sheet, rules: &RuleSet) -> (Picture, Vec<Problem>) {
    let (names, picture) = (OnceCell::new(), Picture::default());
    let mut resolver = Resolver { names, rules, picture, spans: FxHashMap::default() };
    let mut problems = Vec::new();
    for declaration in Declaration::all(sheet) {
        let Some(written) = read::read(&declaration) else { continue };
        problems.extend(written.and_then(|written| resolver.add(&declaration, &written)).err());
    }
    (resolver.picture, problems)
}

struct Resolver<'a> {
    rules: &'a RuleSet,
    names: OnceCell<Names<'a>>,
    picture: Picture,
    /// The spans of the glyphs of the picture, those of `empty` and `wall` included.
    spans: FxHashMap<Glyph, Span>,
}

/// The names that a sheet uses, with their arities.
struct Names<'a> {
    relations: Vec<(&'a str, usize)>,
    /// Functions and objects, which may be facts of the state.
    terms: FxHashSet<(&'a str, usize)>,
    dependencies: DependencyGraph,
}

impl<'a> Resolver<'a> {
    fn names(&self) -> &Names<'a> {
        self.names.get_or_init(|| Names::of(self.rules))
    }

    fn add(&mut self, declaration: &Declaration, written: &Written) -> Result<(), Problem> {
        match written {
            Written::Figure { kind, form, words, title } => {
                let facts = self.form(declaration, *kind, form)?;
                let has = |word: &str| words.contains(&word);
                if let Some(word) = words.first().filter(|_| *kind != FigureKind::Board) {
                    let message = format!("`{word}` is for a board, and this is a {}", kind.word());
                    return Err(Problem::unreadable(declaration.span(word), message));
                }
                self.picture.figures.push(Figure {
                    kind: *kind,
                    facts: vec![facts],
                    title: title.map(str::to_string),
                    is_upwards: has("upwards"),
                    is_labelled: !has("unlabelled"),
                    shape: Shape::Square,
                });
            }
            Written::Layer(form) => self.add_layer(declaration, form)?,
            Written::Shape(name) => {
                let shape = Shape::find(name).ok_or_else(|| {
                    let problem = Problem::unreadable(declaration.span(name), format!("there is no shape `{name}`"));
                    problem.with_help("the shapes are square, hex and ring")
                })?;
                self.board(declaration, "a shape")?.shape = shape;
            }
            Written::Glyph { piece, glyph } => self.add_glyph(declaration, piece, glyph.glyph(declaration)?)?,
            Written::Empty(sign) => {
                let glyph = sign.glyph(declaration)?;
                self.note(declaration, &glyph, self.picture.empty.clone(), "an empty square")?;
                self.picture.empty = Some(glyph);
            }
            Written::Wall(sign) => {
                let glyph = sign.glyph(declaration)?;
                self.note(declaration, &glyph, self.picture.wall.clone(), "a wall")?;
                self.picture.wall = Some(glyph);
            }
        }
        Ok(())
    }

    fn add_layer(&mut self, declaration: &Declaration, form: &Term) -> Result<(), Problem> {
        let facts = self.form(declaration, FigureKind::Board, form)?;
        let board = self.board(declaration, "a layer")?;
        let count = |form: &FactForm| [Field::Row, Field::Column].map(|field| form.indices(&field).len());
        if count(&facts) != count(&board.facts[0]) {
            let message = "a layer has as many arguments for row and column as its board";
            return Err(Problem::unreadable(declaration.span(form.name), message));
        }
        board.facts.push(facts);
        Ok(())
    }

    fn add_glyph(&mut self, declaration: &Declaration, piece: &[Term], glyph: Glyph) -> Result<(), Problem> {
        for part in piece {
            self.known(declaration, part)?;
        }
        let piece: Vec<GroundTerm> = piece.iter().map(Term::ground).collect();
        let named = |piece: &[GroundTerm]| piece.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let own = self.picture.glyph(&piece).cloned();
        self.note(declaration, &glyph, own, &format!("`{}`", named(&piece)))?;
        if let Some((known, other)) = self.picture.glyphs.iter().find(|(_, known)| known.text == glyph.text) {
            let message = format!("`{}` is the glyph of `{}` already", glyph.text, named(known));
            return Err(twice(declaration, self.span_of(other), message));
        }
        self.picture.glyphs.push((piece, glyph));
        Ok(())
    }

    /// Notes the span of a glyph, if what it stands for has none yet.
    fn note(
        &mut self,
        declaration: &Declaration,
        glyph: &Glyph,
        earlier: Option<Glyph>,
        what: &str,
    ) -> Result<(), Problem> {
        if let Some(earlier) = earlier {
            return Err(twice(declaration, self.span_of(&earlier), format!("{what} has a glyph already")));
        }
        self.spans.entry(glyph.clone()).or_insert(declaration.comment);
        Ok(())
    }

    /// The span of the declaration of a glyph.
    fn span_of(&self, glyph: &Glyph) -> Option<Span> {
        self.spans.get(glyph).copied()
    }

    /// The board that was declared last.
    fn board(&mut self, declaration: &Declaration, what: &str) -> Result<&mut Figure, Problem> {
        let last = self.picture.figures.last_mut().filter(|figure| figure.kind == FigureKind::Board);
        let message = format!("there is no board before it, and {what} belongs to a board");
        last.ok_or_else(|| Problem::unreadable(declaration.span(declaration.text), message))
    }

    /// The facts that a figure draws.
    fn form(&self, declaration: &Declaration, kind: FigureKind, written: &Term) -> Result<FactForm, Problem> {
        let arity = written.arguments.len();
        let is_static = self.relation(declaration, written, arity)?;
        let mut fields = Vec::new();
        for argument in &written.arguments {
            fields.push(match argument.field() {
                Some(field) if kind.allowed().contains(&field) => field,
                Some(field) => {
                    let words: Vec<String> = kind.allowed().iter().map(|field| format!("`{}`", field.word())).collect();
                    let message = format!("a {} has no `{}`", kind.word(), field.word());
                    let help = format!("it has {}, and constants", words.join(", "));
                    return Err(Problem::unreadable(declaration.span(argument.name), message).with_help(help));
                }
                None => {
                    self.constant(declaration, kind, argument)?;
                    Field::Only(argument.ground())
                }
            });
        }
        let form = FactForm { relation: written.name.into(), fields, is_static };
        if let Some(missing) = kind.missing(&form) {
            return Err(Problem::unreadable(declaration.span(written.name), missing));
        }
        Ok(form)
    }

    /// Whether a relation is one of the rules that is the same in every state; false for facts of the state.
    fn relation(&self, declaration: &Declaration, written: &Term, arity: usize) -> Result<bool, Problem> {
        let (name, names) = (written.name, self.names());
        let wrong = |message: String| Problem::new(ProblemKind::Relation, declaration.span(name), message);
        if names.terms.contains(&(name, arity)) {
            return Ok(false);
        }
        if let Some(index) = names.relations.iter().position(|known| *known == (name, arity)) {
            let needed = names.dependencies.dependencies(RelationId::new(index));
            let changes = [Keyword::True, Keyword::Does].map(|keyword| self.rules.keyword(keyword).index());
            if changes.iter().any(|&keyword| needed[keyword] || index == keyword) || index < Keyword::ALL.len() {
                let help = "facts of the state can be drawn, and relations that are the same in every state";
                return Err(wrong(format!("`{name}` depends on the state, but is no fact of it")).with_help(help));
            }
            return Ok(true);
        }
        let all = || names.relations.iter().chain(&names.terms).copied();
        let mut arities: Vec<usize> = all().filter(|(known, _)| *known == name).map(|(_, arity)| arity).collect();
        arities.sort_unstable();
        arities.dedup();
        if !arities.is_empty() {
            let (word, words) = (if arity == 1 { "argument" } else { "arguments" }, alternatives(&arities));
            return Err(wrong(format!("`{name}` has {arity} {word} here, and {words} in the rules")));
        }
        let mut known: Vec<&str> = all().filter(|(_, known)| *known == arity).map(|(name, _)| name).collect();
        known.sort_unstable();
        let problem = wrong(format!("the rules have no relation `{name}`"));
        Err(match nearest(name, known) {
            near if near.is_empty() => problem,
            near => problem.with_help(did_you_mean(&near)),
        })
    }

    /// Checks that a constant occurs in the rules; if it does not, a word was misspelt.
    fn constant(&self, declaration: &Declaration, kind: FigureKind, term: &Term) -> Result<(), Problem> {
        let words: Vec<String> = kind.allowed().iter().map(Field::word).collect();
        let is_known = self.names().has(term);
        if is_known {
            return Ok(());
        }
        let shown: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let message = format!("`{}` is neither a word of a {} nor a constant of the rules", term.name, kind.word());
        let problem = Problem::unreadable(declaration.span(term.name), message);
        let near = nearest(term.name, words.iter().map(String::as_str));
        let help = if near.is_empty() { format!("the words are {}", shown.join(", ")) } else { did_you_mean(&near) };
        Err(problem.with_help(help))
    }

    /// Checks that the rules have a piece.
    fn known(&self, declaration: &Declaration, term: &Term) -> Result<(), Problem> {
        let names = self.names();
        let is_name = || names.relations.iter().chain(&names.terms).any(|(name, _)| *name == term.name);
        if names.has(term) || term.arguments.is_empty() && is_name() {
            return Ok(());
        }
        let mut known: Vec<&str> = names.terms.iter().map(|(name, _)| *name).collect();
        known.sort_unstable();
        let message = format!("the rules have no `{}`", term.name);
        let problem = Problem::new(ProblemKind::Relation, declaration.span(term.name), message);
        Err(match nearest(term.name, known) {
            near if near.is_empty() => problem,
            near => problem.with_help(did_you_mean(&near)),
        })
    }
}

fn did_you_mean(near: &[&str]) -> String {
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    format!("did you mean {}?", alternatives(&near))
}

fn twice(declaration: &Declaration, earlier: Option<Span>, message: String) -> Problem {
    let problem = Problem::new(ProblemKind::Glyph, declaration.span(declaration.text), message);
    Problem { earlier, ..problem }
}

impl FigureKind {
    /// The meanings that arguments of its facts may have, beside constants.
    fn allowed(self) -> &'static [Field] {
        match self {
            Self::Board => &[Field::Row, Field::Column, Field::Piece, Field::Any],
            Self::Stack => &[Field::Column, Field::Piece, Field::Any],
            Self::Bars => &[Field::Row, Field::Count, Field::Any],
            Self::Hand => &[Field::Owner, Field::Piece, Field::Any],
            Self::Label => &[Field::Owner, Field::Value, Field::Any],
        }
    }

    /// What facts need to be drawn, if these do not have it.
    fn missing(self, form: &FactForm) -> Option<&'static str> {
        let count = |field: &Field| form.indices(field).len();
        let one = |field: &Field| count(field) == 1;
        match self {
            Self::Board => {
                (count(&Field::Row) + count(&Field::Column) == 0).then_some("a board needs `row` or `column`")
            }
            Self::Stack => {
                let is_stack = one(&Field::Column) && one(&Field::Piece);
                (!is_stack).then_some("a stack needs one `column` and one `piece`")
            }
            Self::Bars => (!(one(&Field::Row) && one(&Field::Count))).then_some("bars need one `row` and one `count`"),
            Self::Hand => (count(&Field::Piece) == 0).then_some("a hand needs a `piece`"),
            Self::Label => {
                let needs = !form.fields.is_empty() && count(&Field::Value) == 0;
                needs.then_some("a label needs a `value`")
            }
        }
    }
}

impl<'a> Names<'a> {
    fn of(rules: &'a RuleSet) -> Self {
        let name = |symbol| &**rules.symbols.name(symbol);
        let relations = rules.relations.iter().map(|relation| (name(relation.name), relation.arity as usize)).collect();
        let mut names = Self { relations, terms: FxHashSet::default(), dependencies: DependencyGraph::new(rules) };
        for clause in &rules.clauses {
            clause.head.arguments.iter().for_each(|pattern| names.pattern(rules, pattern));
            names.literals(rules, &clause.body);
        }
        names
    }

    fn literals(&mut self, rules: &'a RuleSet, literals: &'a [Literal]) {
        for literal in literals {
            match literal {
                Literal::Atom(atom) => atom.arguments.iter().for_each(|pattern| self.pattern(rules, pattern)),
                Literal::Not(denied, _) => self.literals(rules, denied),
                Literal::Or(branches, _) => branches.iter().for_each(|branch| self.literals(rules, branch)),
                Literal::Distinct(left, right, _) | Literal::Equal(left, right, _) => {
                    self.pattern(rules, left);
                    self.pattern(rules, right);
                }
            }
        }
    }

    fn pattern(&mut self, rules: &'a RuleSet, pattern: &'a Pattern) {
        match pattern {
            Pattern::Variable(_) => {}
            Pattern::Symbol(symbol) => {
                self.terms.insert((rules.symbols.name(*symbol), 0));
            }
            Pattern::Compound(symbol, arguments) => {
                self.terms.insert((rules.symbols.name(*symbol), arguments.len()));
                arguments.iter().for_each(|argument| self.pattern(rules, argument));
            }
        }
    }

    /// Whether the rules have a term with the function or object of this one, and those of its arguments.
    fn has(&self, term: &Term) -> bool {
        self.terms.contains(&(term.name, term.arguments.len())) && term.arguments.iter().all(|part| self.has(part))
    }
}
