//! Declarations of drawings, resolved against the rules: the relations, constants and pieces that they name must exist.

use super::read::{DeclaredTerm, WrittenDeclaration, read};
use super::{BoardShape, DeclaredFigure, FactForm, Field, FigureKind, GLYPH, Glyph, Picture, RELATION, UNREADABLE};
use crate::diagnostic::Diagnostic;
use crate::rules::GroundTerm;
use crate::rules::clause::{Keyword, Pattern, RelationId, RuleSet};
use crate::rules::dependency::DependencyGraph;
use crate::rules::utilities::Declaration;
use crate::sorting;
use crate::suggestion::{alternatives, did_you_mean_names, nearest};
use crate::syntax::Span;
use crate::syntax::ast::Sheet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// The picture that the comments of a sheet declare, and the problems of the declarations that are left out of it.
pub(in crate::rules) fn declared(sheet: &Sheet, rules: &RuleSet) -> (Picture, Vec<Diagnostic>) {
    // Most sheets declare nothing, and their names are not collected.
    let names = OnceCell::new();
    let picture = Picture::default();
    let mut resolver = DeclarationResolver { names, rules, picture, spans: FxHashMap::default() };
    let mut problems = Vec::new();
    for declaration in Declaration::all(sheet) {
        let Some(written) = read(&declaration) else { continue };
        problems.extend(written.and_then(|written| resolver.add(&declaration, &written)).err());
    }
    (resolver.picture, problems)
}

struct DeclarationResolver<'a> {
    rules: &'a RuleSet,
    names: OnceCell<SheetNames<'a>>,
    picture: Picture,
    /// The spans of the glyphs of the picture, those of `empty` and `wall` included.
    spans: FxHashMap<Glyph, Span>,
}

impl<'a> DeclarationResolver<'a> {
    fn names(&self) -> &SheetNames<'a> {
        self.names.get_or_init(|| SheetNames::from_rules(self.rules))
    }

    fn add(&mut self, declaration: &Declaration, written: &WrittenDeclaration) -> Result<(), Diagnostic> {
        match written {
            WrittenDeclaration::Figure { kind, form, words, title } => {
                let facts = self.fact_form(declaration, *kind, form)?;
                let has = |word: &str| words.contains(&word);
                if let Some(word) = words.first()
                    && *kind != FigureKind::Board
                {
                    let message = format!("`{word}` is for a board, and this is a {}", kind.word());
                    return Err(Diagnostic::new(&UNREADABLE, declaration.span(word), message));
                }
                self.picture.figures.push(DeclaredFigure {
                    kind: *kind,
                    facts: vec![facts],
                    title: title.map(str::to_string),
                    is_upwards: has("upwards"),
                    is_labelled: !has("unlabelled"),
                    shape: BoardShape::Square,
                });
            }
            WrittenDeclaration::Layer(form) => self.add_layer(declaration, form)?,
            WrittenDeclaration::Shape(name) => {
                let shape = BoardShape::find(name).ok_or_else(|| {
                    let problem =
                        Diagnostic::new(&UNREADABLE, declaration.span(name), format!("there is no shape `{name}`"));
                    problem.with_help("the shapes are square, hex, ring and hollows")
                })?;
                let board = self.board(declaration, "a shape")?;
                if shape == BoardShape::Ring && !board.facts[0].indices(&Field::Row).is_empty() {
                    let message = "a ring is a board of one row, and this board has `row`";
                    return Err(Diagnostic::new(&UNREADABLE, declaration.span(name), message));
                }
                board.shape = shape;
            }
            WrittenDeclaration::Glyph { piece, glyph } => {
                self.add_glyph(declaration, piece, glyph.glyph(declaration)?)?
            }
            WrittenDeclaration::Empty(sign) => {
                let glyph = sign.glyph(declaration)?;
                self.note(declaration, &glyph, self.picture.empty.clone(), "an empty square")?;
                self.picture.empty = Some(glyph);
            }
            WrittenDeclaration::Wall(sign) => {
                let glyph = sign.glyph(declaration)?;
                self.note(declaration, &glyph, self.picture.wall.clone(), "a wall")?;
                self.picture.wall = Some(glyph);
            }
        }
        Ok(())
    }

    fn add_layer(&mut self, declaration: &Declaration, form: &DeclaredTerm) -> Result<(), Diagnostic> {
        if self.picture.figures.last().is_some_and(|figure| figure.kind == FigureKind::Tree) {
            let facts = self.fact_form(declaration, FigureKind::Tree, form)?;
            self.picture.figures.iter_mut().last().into_iter().for_each(|tree| tree.facts.push(facts.clone()));
            return Ok(());
        }
        let facts = self.fact_form(declaration, FigureKind::Board, form)?;
        let board = self.board(declaration, "a layer")?;
        let count = |form: &FactForm| [Field::Row, Field::Column].map(|field| form.indices(&field).len());
        if count(&facts) != count(&board.facts[0]) {
            let message = "a layer has as many arguments for row and column as its board";
            return Err(Diagnostic::new(&UNREADABLE, declaration.span(form.name), message));
        }
        board.facts.push(facts);
        Ok(())
    }

    fn add_glyph(&mut self, declaration: &Declaration, piece: &[DeclaredTerm], glyph: Glyph) -> Result<(), Diagnostic> {
        for part in piece {
            self.names().piece(declaration, part)?;
        }
        let piece: Vec<GroundTerm> = piece.iter().map(DeclaredTerm::ground).collect();
        let named = |piece: &[GroundTerm]| piece.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let own = self.picture.glyph(&piece).cloned();
        self.note(declaration, &glyph, own, &format!("`{}`", named(&piece)))?;
        if let Some((known, other)) = self.picture.glyphs.iter().find(|(_, known)| known.text == glyph.text) {
            let message = format!("`{}` is the glyph of `{}` already", glyph.text, named(known));
            return Err(repeated_declaration(declaration, self.span_of(other), message));
        }
        self.picture.glyphs.push((piece, glyph));
        Ok(())
    }

    /// Records the span of a glyph; a problem if its piece has an `earlier` one.
    fn note(
        &mut self,
        declaration: &Declaration,
        glyph: &Glyph,
        earlier: Option<Glyph>,
        what: &str,
    ) -> Result<(), Diagnostic> {
        if let Some(earlier) = earlier {
            return Err(repeated_declaration(
                declaration,
                self.span_of(&earlier),
                format!("{what} has a glyph already"),
            ));
        }
        self.spans.entry(glyph.clone()).or_insert(declaration.comment);
        Ok(())
    }

    /// The span of the declaration of a glyph.
    fn span_of(&self, glyph: &Glyph) -> Option<Span> {
        self.spans.get(glyph).copied()
    }

    /// The board that was declared last.
    fn board(&mut self, declaration: &Declaration, what: &str) -> Result<&mut DeclaredFigure, Diagnostic> {
        let last = self.picture.figures.last_mut().filter(|figure| figure.kind == FigureKind::Board);
        let message = format!("there is no board before it, and {what} belongs to a board");
        last.ok_or_else(|| Diagnostic::new(&UNREADABLE, declaration.span(declaration.text), message))
    }

    /// The facts that a figure draws.
    fn fact_form(
        &self,
        declaration: &Declaration,
        kind: FigureKind,
        written: &DeclaredTerm,
    ) -> Result<FactForm, Diagnostic> {
        let is_static = self.names().relation(declaration, written)?;
        let mut fields = Vec::new();
        for argument in &written.arguments {
            fields.push(match argument.field() {
                Some(field) if kind.allowed().contains(&field) => field,
                Some(field @ Field::Utility(_)) if kind == FigureKind::Tree => {
                    self.names().constant(declaration, kind, &argument.arguments[0])?;
                    field
                }
                Some(field) => {
                    let words: Vec<String> = kind.allowed().iter().map(|field| format!("`{}`", field.word())).collect();
                    let message = format!("a {} has no `{}`", kind.word(), field.word());
                    let help = format!("it has {}, and constants", words.join(", "));
                    return Err(Diagnostic::new(&UNREADABLE, declaration.span(argument.name), message).with_help(help));
                }
                None => {
                    self.names().constant(declaration, kind, argument)?;
                    Field::Only(argument.ground())
                }
            });
        }
        let form = FactForm { relation: written.name.into(), fields, is_static };
        if let Some(missing) = kind.missing(&form) {
            return Err(Diagnostic::new(&UNREADABLE, declaration.span(written.name), missing));
        }
        Ok(form)
    }
}

fn repeated_declaration(declaration: &Declaration, earlier: Option<Span>, message: String) -> Diagnostic {
    let problem = Diagnostic::new(&GLYPH, declaration.span(declaration.text), message);
    match earlier {
        Some(earlier) => problem.with_label(earlier, "declared here"),
        None => problem,
    }
}

/// The names that a sheet uses, with their arities: a declaration may name no others.
struct SheetNames<'a> {
    rules: &'a RuleSet,
    relations: Vec<(&'a str, usize)>,
    /// Functions and objects, which may be facts of the state.
    terms: FxHashSet<(&'a str, usize)>,
    dependencies: DependencyGraph,
}

impl<'a> SheetNames<'a> {
    /// The names of a sheet with these rules.
    pub(super) fn from_rules(rules: &'a RuleSet) -> Self {
        let name = |symbol| &**rules.symbols.name(symbol);
        let relations = rules.relations.iter().map(|relation| (name(relation.name), relation.arity as usize)).collect();
        let mut names =
            Self { rules, relations, terms: FxHashSet::default(), dependencies: DependencyGraph::new(rules) };
        for clause in &rules.clauses {
            clause.head.arguments.iter().for_each(|pattern| names.pattern(pattern));
            clause.body.iter().for_each(|literal| literal.each_pattern(&mut |pattern| names.pattern(pattern)));
        }
        names
    }

    /// True for a relation of the rules that is the same in every state, false for facts of the state.
    pub(super) fn relation(&self, declaration: &Declaration, written: &DeclaredTerm) -> Result<bool, Diagnostic> {
        let name = written.name;
        let arity = written.arguments.len();
        let wrong = |message: String| Diagnostic::new(&RELATION, declaration.span(name), message);
        if self.terms.contains(&(name, arity)) {
            return Ok(false);
        }
        if let Some(index) = self.relations.iter().position(|known| *known == (name, arity)) {
            let needed = self.dependencies.dependencies(RelationId::new(index));
            let changes = [Keyword::True, Keyword::Does].map(|keyword| self.rules.keyword(keyword).index());
            if changes.iter().any(|&keyword| needed[keyword] || index == keyword) || index < Keyword::ALL.len() {
                let help = "facts of the state can be drawn, and relations that are the same in every state";
                return Err(wrong(format!("`{name}` depends on the state, but is no fact of it")).with_help(help));
            }
            return Ok(true);
        }
        let all = || self.relations.iter().chain(&self.terms).copied();
        let mut arities: Vec<usize> = all().filter(|(known, _)| *known == name).map(|(_, arity)| arity).collect();
        sorting::sort(&mut arities);
        arities.dedup();
        if !arities.is_empty() {
            let word = if arity == 1 { "argument" } else { "arguments" };
            let words = alternatives(&arities);
            return Err(wrong(format!("`{name}` has {arity} {word} here, and {words} in the rules")));
        }
        let mut known: Vec<&str> = all().filter(|(_, known)| *known == arity).map(|(name, _)| name).collect();
        sorting::sort(&mut known);
        let problem = wrong(format!("the rules have no relation `{name}`"));
        Err(match nearest(name, known) {
            near if near.is_empty() => problem,
            near => problem.with_help(did_you_mean_names(&near)),
        })
    }

    /// Checks that a constant occurs in the rules; if it does not, a word was misspelt.
    pub(super) fn constant(
        &self,
        declaration: &Declaration,
        kind: FigureKind,
        term: &DeclaredTerm,
    ) -> Result<(), Diagnostic> {
        let words: Vec<String> = kind.allowed().iter().map(Field::word).collect();
        if self.has(term) {
            return Ok(());
        }
        let shown: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let message = format!("`{}` is neither a word of a {} nor a constant of the rules", term.name, kind.word());
        let problem = Diagnostic::new(&UNREADABLE, declaration.span(term.name), message);
        let near = nearest(term.name, words.iter().map(String::as_str));
        let help =
            if near.is_empty() { format!("the words are {}", shown.join(", ")) } else { did_you_mean_names(&near) };
        Err(problem.with_help(help))
    }

    /// Checks that the rules have a piece.
    pub(super) fn piece(&self, declaration: &Declaration, term: &DeclaredTerm) -> Result<(), Diagnostic> {
        let is_name = || self.relations.iter().chain(&self.terms).any(|(name, _)| *name == term.name);
        if self.has(term) || term.arguments.is_empty() && is_name() {
            return Ok(());
        }
        let mut known: Vec<&str> = self.terms.iter().map(|(name, _)| *name).collect();
        sorting::sort(&mut known);
        let message = format!("the rules have no `{}`", term.name);
        let problem = Diagnostic::new(&RELATION, declaration.span(term.name), message);
        Err(match nearest(term.name, known) {
            near if near.is_empty() => problem,
            near => problem.with_help(did_you_mean_names(&near)),
        })
    }

    /// Adds the functions and objects of a pattern.
    fn pattern(&mut self, pattern: &Pattern) {
        let Some((symbol, arity)) = pattern.functor() else { return };
        self.terms.insert((self.rules.symbols.name(symbol), arity));
        if let Pattern::Compound(_, arguments) = pattern {
            arguments.iter().for_each(|argument| self.pattern(argument));
        }
    }

    /// True if the function or object of the term and those of its arguments occur in the rules, each with its arity.
    fn has(&self, term: &DeclaredTerm) -> bool {
        self.terms.contains(&(term.name, term.arguments.len())) && term.arguments.iter().all(|part| self.has(part))
    }
}
