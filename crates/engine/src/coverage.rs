//! Coverage of a rule sheet by random games: the rules that never derived anything, the moves that were never legal, and
//! the goal values that no end of a game had.

use crate::interpreter::{Interpreter, RelationQuestion, State};
use crate::program::MoveInput;
use crate::simulate::{LONGEST_GAME, SimulationError};
use crate::{Engine, Game, promised};
use gdl::rules::{Atom, Clause, GroundTerm, Keyword, Pattern, Relation, RelationId, RuleSet};
use gdl::syntax::Span;
use gdl::syntax::operations::ClauseOrigin;
use ggp_game::{Chance, JointMoves, Move, OngoingGame, ReasonError, Reasoner, Role, play_to_end};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The parts of a sheet that random games have not used.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// The number of games.
    pub games: u64,
    /// The number of states, counted again in each game.
    pub states: u64,
    /// The number of rules, facts aside.
    pub rules: usize,
    /// The rules whose conditions never held, in the order of the text.
    pub unused_rules: Vec<Span>,
    /// The number of known moves: those of `input` or, without it, those of the ground rules. `None` if the moves are
    /// not known.
    pub moves: Option<usize>,
    /// The known moves that were never legal, with their roles.
    pub unused_moves: Vec<(GroundTerm, GroundTerm)>,
    /// The number of goal values that rules name, counted for each role.
    pub goals: usize,
    /// The goal values that no end had, with the role (`None`: every role) and the head of the rule.
    pub unused_goals: Vec<UnusedGoal>,
}

/// A goal value that no end of a game had.
#[derive(Clone, Debug)]
pub struct UnusedGoal {
    /// The role of the rule; `None` if the rule is about every role.
    pub role: Option<GroundTerm>,
    /// The value.
    pub value: GroundTerm,
    /// The head of the rule that names it.
    pub span: Span,
}

/// Plays this number of random games, always the same, and finds what they do not use. A game ends after 5,000 joint
/// moves in any case.
///
/// # Errors
/// Those of the engine and of the interpreter, and if the known moves cannot be listed.
pub fn coverage(game: &mut Game, games: u64) -> Result<Coverage, SimulationError> {
    let mut known_moves = known_moves(game)?;
    if let Some(moves) = &mut known_moves {
        moves.retain(|(_, chosen)| !game.rules.is_idle(chosen));
    }
    let (rules, relations) = with_rule_relations(&game.rules);
    let limits = game.interpreter.limits().clone();
    let mut interpreter = Interpreter::within(Arc::new(rules), limits)?;
    let mut unused = Vec::new();
    for (clause, relation) in relations {
        unused.push((clause, interpreter.prepare(relation, 0)?));
    }
    let rules = unused.len();
    let mut play = CoveragePlay::new(interpreter, unused)?;
    for _ in 0..games {
        play.play_one()?;
    }
    let goals = named_goals(&game.rules);
    let goal_count = goals.len();
    let is_unused = |goal: &UnusedGoal| match &goal.role {
        Some(role) => !play.goals.contains(&(role.clone(), goal.value.clone())),
        None => !play.goals.iter().any(|(_, value)| *value == goal.value),
    };
    Ok(Coverage {
        games,
        states: play.states,
        rules,
        unused_rules: play.unused.iter().map(|&(span, _)| span).collect(),
        moves: known_moves.as_ref().map(Vec::len),
        unused_moves: known_moves.into_iter().flatten().filter(|known| !play.legal.contains(known)).collect(),
        goals: goal_count,
        unused_goals: goals.into_iter().filter(is_unused).collect(),
    })
}

/// The rules of a game, and for each clause with conditions a relation that holds where these hold, with the clause's
/// span. Of a sheet with operations, an operation is one rule, and what the dialect implies is none.
fn with_rule_relations(rules: &RuleSet) -> (RuleSet, Vec<(Span, RelationId)>) {
    let mut extended = rules.clone();
    let mut relations = Vec::new();
    let mut operations = FxHashSet::default();
    let mut is_rule = |(number, clause): &(usize, &Clause)| match rules.origin(*number) {
        Some(ClauseOrigin::Implied) => false,
        Some(ClauseOrigin::Operation(index)) => operations.insert(index),
        Some(ClauseOrigin::Clause(_)) | None => !clause.body.is_empty(),
    };
    for (number, clause) in rules.clauses.iter().enumerate().filter(|entry| is_rule(entry)) {
        // No sheet can have this name, which begins with a blank.
        let name = extended.symbols.intern(&format!(" rule {number}"));
        let relation = RelationId::new(extended.relations.len());
        extended.relations.push(Relation { name, arity: 0 });
        let head = Atom { relation, arguments: Vec::new(), span: clause.span };
        extended.clauses.push(Clause { head, ..clause.clone() });
        relations.push((clause.span, relation));
    }
    (extended, relations)
}

/// The moves that the sheet declares by `input` or, without it, those of the network, if one can be built.
fn known_moves(game: &mut Game) -> Result<Option<Vec<(GroundTerm, GroundTerm)>>, SimulationError> {
    if let Some(rows) = promised(game, Keyword::Input)? {
        let pair = |row: Vec<GroundTerm>| <[GroundTerm; 2]>::try_from(row).ok().map(|[role, chosen]| (role, chosen));
        return Ok(Some(rows.into_iter().filter_map(pair).collect()));
    }
    let Engine::Propnet(network) = game.engine()? else { return Ok(None) };
    let program = network.program();
    let pair = |input: &MoveInput| (program.roles[input.role.index()].clone(), input.term.clone());
    Ok(Some(program.moves.iter().map(pair).collect()))
}

/// The goal values that heads of rules name, in the order of the text.
fn named_goals(rules: &RuleSet) -> Vec<UnusedGoal> {
    let goal = rules.keyword(Keyword::Goal);
    let symbol = |pattern: &Pattern| match pattern {
        Pattern::Symbol(name) => Some(GroundTerm::symbol(rules.symbols.name(*name).clone())),
        Pattern::Variable(_) | Pattern::Compound(..) => None,
    };
    let heads = rules.clauses.iter().map(|clause| &clause.head).filter(|head| head.relation == goal);
    let named = heads.filter_map(|head| {
        let value = symbol(&head.arguments[1])?;
        Some(UnusedGoal { role: symbol(&head.arguments[0]), value, span: head.span })
    });
    let mut seen = FxHashSet::default();
    named.filter(|goal| seen.insert((goal.role.clone(), goal.value.clone()))).collect()
}

/// Random games with what they have used so far.
struct CoveragePlay {
    interpreter: Interpreter,
    /// The current state of the game that is played.
    state: State,
    random: Chance,
    /// The rules whose conditions have not held so far, each with the question of a relation that holds where they do.
    unused: Vec<(Span, RelationQuestion)>,
    /// The moves that were legal, with their roles.
    legal: BTreeSet<(GroundTerm, GroundTerm)>,
    /// The goal values at ends, with their roles.
    goals: BTreeSet<(GroundTerm, GroundTerm)>,
    states: u64,
}

impl OngoingGame for CoveragePlay {
    type Error = ReasonError;

    fn is_over(&mut self) -> Result<bool, ReasonError> {
        self.interpreter.is_terminal(&self.state)
    }

    fn joint_moves(&mut self) -> Result<JointMoves, ReasonError> {
        self.states += 1;
        let joint_moves = JointMoves::in_state(&mut self.interpreter, &self.state)?;
        self.roles().for_each(|role| self.add_legal(&joint_moves, role));
        Ok(joint_moves)
    }

    fn asked_roles(&self, _: &JointMoves) -> Vec<Role> {
        self.roles().collect()
    }

    fn choose(&mut self, role: Role, joint_moves: &JointMoves) -> Result<usize, ReasonError> {
        Ok(self.random.below(joint_moves.legal(role).len()))
    }

    fn advance(&mut self, joint_move: &[Move]) -> Result<(), ReasonError> {
        self.ask_rules(joint_move)?;
        self.state = self.interpreter.next_state(&self.state, joint_move)?;
        Ok(())
    }
}

impl CoveragePlay {
    fn new(mut interpreter: Interpreter, unused: Vec<(Span, RelationQuestion)>) -> Result<Self, ReasonError> {
        let state = interpreter.initial_state()?;
        let legal = BTreeSet::new();
        let goals = BTreeSet::new();
        Ok(Self { interpreter, state, random: Chance::new(0), unused, legal, goals, states: 0 })
    }

    fn roles(&self) -> impl Iterator<Item = Role> + use<> {
        (0..self.interpreter.roles().len()).map(Role::new)
    }

    /// Plays one game to its end, to a state in which a role cannot move, or for 5,000 joint moves.
    fn play_one(&mut self) -> Result<(), ReasonError> {
        self.state = self.interpreter.initial_state()?;
        match play_to_end(self, LONGEST_GAME) {
            Ok(true) => {
                self.states += 1;
                self.add_goals()?;
                self.ask_rules(&[])
            }
            Ok(false) => Ok(()),
            Err(ReasonError::NoLegalMove { .. }) => self.ask_rules(&[]),
            Err(error) => Err(error),
        }
    }

    fn add_legal(&mut self, joint_moves: &JointMoves, role: Role) {
        let name = self.interpreter.roles()[role.index()].clone();
        let terms = joint_moves.legal(role).iter().map(|&chosen| self.interpreter.move_term(chosen));
        self.legal.extend(terms.map(|term| (name.clone(), term)));
    }

    fn add_goals(&mut self) -> Result<(), ReasonError> {
        for role in self.roles() {
            let name = self.interpreter.roles()[role.index()].clone();
            let values = self.interpreter.goal_values(&self.state, role)?;
            self.goals.extend(values.into_iter().map(|value| (name.clone(), value)));
        }
        Ok(())
    }

    /// Removes the rules whose conditions hold in the current state with a joint move.
    fn ask_rules(&mut self, joint_move: &[Move]) -> Result<(), ReasonError> {
        let mut left = Vec::with_capacity(self.unused.len());
        for (span, question) in self.unused.drain(..) {
            if !self.interpreter.holds_after(&self.state, joint_move, question)? {
                left.push((span, question));
            }
        }
        self.unused = left;
        Ok(())
    }
}
