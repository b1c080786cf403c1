//! The drawing of positions: from the declarations of a sheet and the facts that there may be to boards, figures and
//! cards.

use super::figure::{Content, Figure, ValueCard, card_grid};
use super::hexagons::HexNeighbours;
use super::lattice::Lattice;
use super::ring::paired;
use super::tuples::tuples;
use super::{Axes, Board, BoardPlan, Extent, TooLarge, draw, paint};
use crate::Grid;
use crate::fit::WIDTH;
use gdl::diagnostic::render::Paint;
use gdl::limits::Stop;
use gdl::rules::picture::{BoardShape, FactForm, FigureKind, Picture};
use gdl::rules::range::Ranges;
use gdl::rules::{GroundTerm, Keyword, RuleSet};
use gdl::sorting;
use ggp_engine::interpreter::QueryError;
use ggp_engine::{Game, promised};
use ggp_game::{ReasonError, Reasoner};
use std::cmp::Reverse;
use std::sync::Arc;

/// The data about a game with which its positions are drawn, the same in all states.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The facts of the initial state.
    pub initial: Vec<GroundTerm>,
    /// The facts that `base` declares; empty if it declares none.
    pub(crate) base: Vec<GroundTerm>,
    /// The tuples of the relations of the rules that the picture draws, as terms.
    fixed: Vec<GroundTerm>,
    /// The roles, which are no coordinates.
    pub roles: Vec<GroundTerm>,
    /// The values that the arguments of facts may have.
    pub(crate) ranges: Ranges,
    /// The neighbours of squares, if a board that is not declared has six for each.
    hexagons: Option<HexNeighbours>,
    /// The rules, with the declared picture.
    pub(crate) rules: Arc<RuleSet>,
}

/// A relation that looks like a board or a row.
struct BoardGuess<'a> {
    extent: &'a Extent<'a>,
    axes: Axes,
    /// The number of squares.
    squares: usize,
    /// True if arguments are left for the piece on a square.
    has_pieces: bool,
    /// True if its facts are the same in every state.
    is_constant: bool,
}

/// A board is long if it has more than this many rows for each column, or columns for each row.
const LONG: usize = 4;

impl BoardGuess<'_> {
    /// True if it is long ([`LONG`]).
    fn is_long(&self) -> bool {
        let [down, across] = [&self.axes.rows, &self.axes.columns].map(|arguments| self.extent.count(arguments));
        down > LONG * across || across > LONG * down
    }

    /// True if all its squares are squares of another.
    fn lies_on(&self, other: &BoardGuess<'_>) -> bool {
        self.axes.lies_on(self.extent, &other.axes, other.extent)
    }
}

/// A position as it is drawn.
#[derive(Clone, Debug, Default)]
pub struct DrawnPosition {
    /// The boards.
    pub boards: Vec<Board>,
    /// The parts that are drawn in other ways.
    pub figures: Vec<Figure>,
    /// The facts that are not drawn, in canonical order.
    pub facts: Vec<GroundTerm>,
    /// The cards that take the place of a board in pictures, if there is none.
    pub cards: Vec<ValueCard>,
    /// The relations of the facts that the cards show.
    pub carded: Vec<(String, usize)>,
}

impl DrawnPosition {
    /// The boards, and then the stacks, bars and trees, for a picture, or cards; a single one needs no title.
    pub fn grids(&self) -> Vec<Grid> {
        let boards = self.boards.iter().map(paint::board);
        let mut grids: Vec<Grid> = boards.chain(self.figures.iter().filter_map(paint::figure)).collect();
        if grids.is_empty() {
            grids.extend(card_grid(&self.cards));
        }
        if let [only] = &mut grids[..] {
            only.title.clear();
        }
        grids
    }

    /// The largest of the grids without labels, for a node of a drawn tree; empty if there is none.
    pub fn grid(&self) -> Grid {
        let squares = |grid: &Grid| grid.squares.len() * grid.squares.first().map_or(0, Vec::len);
        self.grids().into_iter().rev().max_by_key(squares).unwrap_or_default().without_labels()
    }

    /// The rest of the position, line by line: hands and values, and the facts that are not drawn.
    pub fn lines(&self) -> Vec<String> {
        let has_cards = card_grid(&self.cards).is_some();
        let is_seen = |figure: &&Figure| has_cards && matches!(figure.content, Content::Values { .. });
        let figures: Vec<Figure> = self.figures.iter().filter(|figure| !is_seen(figure)).cloned().collect();
        let lines = draw::lines(&figures, Paint::Plain, WIDTH);
        let lines = lines.into_iter().map(|line| line.replace(draw::GAP, ", "));
        let is_carded = |fact: &&GroundTerm| {
            has_cards && self.carded.iter().any(|(name, arity)| **name == *fact.name && *arity == fact.arguments.len())
        };
        lines.chain(self.facts.iter().filter(|fact| !is_carded(fact)).map(ToString::to_string)).collect()
    }
}

impl Setting {
    /// The setting of a game. `base` is left out if it cannot be computed, since positions can be drawn without it.
    ///
    /// # Errors
    /// Those of the interpreter.
    pub fn from_game(game: &mut Game) -> Result<Self, QueryError> {
        let base = match promised(game, Keyword::Base) {
            Ok(rows) => rows.into_iter().flatten().flatten().collect(),
            Err(error @ QueryError::Reason(ReasonError::Stopped(Stop::Interrupted))) => return Err(error),
            Err(_) => Vec::new(),
        };
        let rules = game.rules.clone();
        let reasoner = &mut game.interpreter;
        let mut fixed = Vec::new();
        for form in rules.picture.figures.iter().flat_map(|figure| &figure.facts).filter(|form| form.is_static) {
            let tuples = tuples(reasoner, None, &form.relation, form.fields.len())?;
            fixed.extend(tuples.into_iter().map(|arguments| GroundTerm { name: form.relation.clone(), arguments }));
        }
        let first = reasoner.initial_state()?;
        let ranges = Ranges::from_rules(&rules);
        let initial = reasoner.facts(&first);
        let roles = reasoner.roles().to_vec();
        let hexagons = if rules.picture.has_grid() { None } else { HexNeighbours::find(&rules, reasoner) };
        Ok(Self { initial, base, fixed, roles, ranges, hexagons, rules })
    }

    /// The picture that the sheet declares.
    pub fn picture(&self) -> &Picture {
        &self.rules.picture
    }

    /// True if a fact is the same in every state of a match.
    pub fn is_constant(&self, fact: &GroundTerm) -> bool {
        self.ranges.is_constant(&fact.name, fact.arguments.len())
    }

    /// The relations of the facts of a state, of the initial state, and of those that `base` declares.
    pub fn extents<'a>(&'a self, facts: &'a [GroundTerm]) -> Vec<Extent<'a>> {
        Extent::of_facts(facts, &self.initial, &self.base, &self.ranges)
    }

    /// Draws a state: by the declarations, or, if these have neither a board nor a stack nor bars, every relation that
    /// looks like a board. `turned` may change the axes of each board. Boards that are too large are left out.
    pub fn draw(&self, facts: &[GroundTerm], turned: &dyn Fn(Axes) -> Axes) -> DrawnPosition {
        let picture = self.picture();
        let extents = self.extents(facts);
        let mut drawn = DrawnPosition::default();
        let mut forms: Vec<FactForm> = Vec::new();
        let mut ordered: Vec<&str> = Vec::new();
        for figure in &picture.figures {
            if figure.kind == FigureKind::Board {
                let Ok(board) = self.board(&extents, BoardPlan::declared(figure).turned(turned)) else { continue };
                drawn.boards.push(board);
            } else {
                let own: Vec<Extent> = figure.facts.iter().map(|form| self.extent(&extents, form)).collect();
                drawn.figures.push(Figure::new(figure, &own, picture, &self.rules.utilities));
            }
            forms.extend(figure.facts.iter().cloned());
        }
        if !picture.has_grid() {
            let is_free = |extent: &&Extent| !forms.iter().any(|form| form.is_of(extent.name(), extent.arity()));
            let free: Vec<&Extent> = extents.iter().filter(is_free).collect();
            for plan in self.guessed(&free, turned) {
                let own: Vec<FactForm> = [&plan.form].into_iter().chain(&plan.layers).cloned().collect();
                if let Ok(board) = self.board(&extents, plan) {
                    drawn.boards.push(board);
                    forms.extend(own);
                }
            }
        }
        if drawn.boards.is_empty() && !picture.has_grid() {
            let orders = extents.iter().filter_map(|extent| Some((extent.name(), Figure::permutation(extent)?)));
            for (relation, figure) in orders.collect::<Vec<_>>() {
                ordered.push(relation);
                drawn.figures.push(figure);
            }
        }
        let is_drawn = |fact: &&GroundTerm| {
            if ordered.contains(&&*fact.name) {
                return true;
            }
            let mut own = forms.iter().filter(|form| form.is_of(&fact.name, fact.arguments.len()));
            own.any(|form| form.selects(&fact.arguments))
        };
        drawn.facts = facts.iter().filter(|fact| !is_drawn(fact)).cloned().collect();
        self.add_cards(&extents, &mut drawn);
        drawn
    }

    /// Makes cards, which take the place of boards, of the declared values, or if nothing is declared of all facts that
    /// are values.
    fn add_cards(&self, extents: &[Extent], drawn: &mut DrawnPosition) {
        let has_grid = self.picture().has_grid() || !drawn.boards.is_empty();
        if has_grid || drawn.figures.iter().any(|figure| matches!(figure.content, Content::Stacks { .. })) {
            return;
        }
        drawn.cards = drawn.figures.iter().flat_map(|figure| ValueCard::of_figure(figure, &self.roles)).collect();
        if !self.picture().figures.is_empty() {
            return;
        }
        for extent in extents.iter().filter(|extent| !self.ranges.is_constant(extent.name(), extent.arity())) {
            if let Some(cards) = ValueCard::of_relation(extent, &self.roles) {
                drawn.cards.extend(cards);
                drawn.carded.push((extent.name().to_string(), extent.arity()));
            }
        }
    }

    /// The boards of relations of which nothing is declared, in the order of the relations. A relation without pieces
    /// lies on a larger one with the same squares; it is no board of its own beside a larger one with pieces. A
    /// relation that never changes is no board beside one that does, and one that begins empty none beside a board on each
    /// of whose squares something stands at the start, and if it is far longer than wide none beside any other: it is what
    /// rules keep of that board, such as which stones are connected.
    fn guessed(&self, extents: &[&Extent], turned: &dyn Fn(Axes) -> Axes) -> Vec<BoardPlan> {
        let guesses = self.guesses(extents);
        let has_play = guesses.iter().any(|guess| !guess.is_constant);
        let boards = guesses.iter().filter(|guess| guess.has_pieces && !guess.is_constant);
        let has_full = boards.clone().any(|guess| guess.extent.is_full());
        let has_compact = boards.clone().any(|guess| !guess.is_long());
        let is_kept = |guess: &BoardGuess| {
            guess.has_pieces && guess.extent.starts_empty() && (has_full || (has_compact && guess.is_long()))
        };
        let boards = boards.filter(|guess| !is_kept(guess));
        let largest = boards.map(|guess| guess.squares).max().unwrap_or(0);
        // The largest first, so that marks find the board on which they lie.
        let mut order: Vec<usize> = (0..guesses.len()).collect();
        sorting::sort_by_key(&mut order, |&index| Reverse((guesses[index].has_pieces, guesses[index].squares)));
        let mut plans: Vec<Option<BoardPlan>> = guesses.iter().map(|_| None).collect();
        for (place, &index) in order.iter().enumerate() {
            let guess = &guesses[index];
            let mut larger = order[..place].iter().filter(|&&host| !guess.has_pieces && guess.lies_on(&guesses[host]));
            if let Some(&host) = larger.find(|&&host| plans[host].is_some()) {
                plans[host].iter_mut().for_each(|plan| plan.add_marks(guess.extent, guess.is_constant));
            } else if (guess.has_pieces || guess.squares >= largest)
                && !(has_play && guess.is_constant)
                && !is_kept(guess)
            {
                plans[index] = Some(self.plan(guess));
            }
        }
        plans.into_iter().flatten().map(|plan| plan.turned(turned)).collect()
    }

    /// The plan of a board of which nothing is declared: of hexagons if the rules have the neighbours of these.
    fn plan(&self, guess: &BoardGuess) -> BoardPlan {
        let Axes { rows, columns, upwards } = &guess.axes;
        let turned = match (&self.hexagons, &rows[..], &columns[..]) {
            (Some(hexagons), &[row], &[column]) => {
                let values = |argument| guess.extent.range(argument).into_iter();
                hexagons.is_turned(values(row), values(column), *upwards)
            }
            _ => None,
        };
        let axes = guess.axes.clone();
        match turned {
            None => BoardPlan::guessed(guess.extent, axes),
            Some(is_turned) => {
                let axes = if is_turned { axes.flipped() } else { axes };
                BoardPlan { shape: BoardShape::Hex, ..BoardPlan::guessed(guess.extent, axes) }
            }
        }
    }

    /// The relations that look like boards; if there is none, those that look like a row.
    fn guesses<'a>(&self, extents: &[&'a Extent<'a>]) -> Vec<BoardGuess<'a>> {
        let all = |axes: &dyn Fn(&Extent) -> Option<Axes>| {
            let guess = |extent: &&'a Extent<'a>| {
                let axes = axes(extent)?;
                Some(BoardGuess {
                    extent,
                    has_pieces: axes.rows.len() + axes.columns.len() < extent.arity(),
                    squares: extent.count(&axes.rows) * extent.count(&axes.columns),
                    is_constant: self.ranges.is_constant(extent.name(), extent.arity()),
                    axes,
                })
            };
            extents.iter().filter_map(guess).collect::<Vec<BoardGuess<'a>>>()
        };
        let boards = all(&|extent| Axes::choose(extent, &self.roles).or_else(|| Axes::named(extent)));
        if boards.is_empty() { all(&|extent| Axes::listed(extent, &self.roles)) } else { boards }
    }

    /// The boards of a state.
    pub fn boards(&self, facts: &[GroundTerm]) -> Vec<Board> {
        self.draw(facts, &|axes| axes).boards
    }

    /// Lays out a board.
    ///
    /// # Errors
    /// If it is too large.
    pub fn board(&self, extents: &[Extent], plan: BoardPlan) -> Result<Board, TooLarge> {
        let form = plan.form.clone();
        let layers = plan.layers.clone();
        let main = self.extent(extents, &form);
        let layers: Vec<Extent> = layers.iter().map(|form| self.extent(extents, form)).collect();
        let is_row = !plan.is_declared && plan.axes.rows.is_empty();
        let mut board = Board::new(&main, &layers, plan, self.picture())?;
        if is_row {
            board.lattice = Lattice::of_names(board.columns.iter().flatten());
            board.pairs = if board.lattice.is_none() { paired(&board.columns, &self.rules) } else { None };
            if board.lattice.is_none() && board.pairs.is_none() {
                board.lattice = Lattice::of_words(board.columns.iter().flatten());
            }
        }
        Ok(board)
    }

    /// The facts of a form.
    fn extent<'a>(&'a self, extents: &[Extent<'a>], form: &'a FactForm) -> Extent<'a> {
        if form.is_static {
            let own = self.fixed.iter().filter(|fact| form.is_of(&fact.name, fact.arguments.len()));
            return Extent::of_tuples(&form.relation, form.fields.len(), own.map(|fact| &fact.arguments[..]))
                .selected(form);
        }
        let found = extents.iter().find(|extent| form.is_of(extent.name(), extent.arity()));
        match found {
            Some(extent) => extent.clone().selected(form),
            None => Extent::of_tuples(&form.relation, form.fields.len(), []),
        }
    }
}
