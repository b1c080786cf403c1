//! The check of roles that never choose (W309): in all random games a role has only one move, though the sheet declares
//! others for it.

use crate::possible::matches;
use gdl::diagnostic::Diagnostic;
use gdl::quantity::counted_as;
use gdl::rules::check::in_play::IDLE_ROLE;
use gdl::rules::{GroundTerm, Keyword, RuleSet};
use gdl::sorting;
use gdl::syntax::Dialect;
use ggp_game::{JointMoves, Move, Reasoner, Role};
use rustc_hash::FxHashSet;

/// The number of moves and of rules that a problem shows.
const SHOWN: usize = 3;

/// The moves that the roles have had so far.
#[derive(Clone, Copy, PartialEq)]
enum SeenMoves {
    None,
    One(Move),
    Several,
}

/// The moves of the roles in random games.
pub(super) struct IdleRoles {
    seen: Vec<SeenMoves>,
    /// The number of games that have ended.
    ended: u64,
}

impl IdleRoles {
    pub(super) fn new(roles: usize) -> Self {
        Self { seen: vec![SeenMoves::None; roles], ended: 0 }
    }

    /// Notes the legal moves of a state.
    pub(super) fn observe(&mut self, joint_moves: &JointMoves) {
        for (index, seen) in self.seen.iter_mut().enumerate().filter(|(_, seen)| **seen != SeenMoves::Several) {
            *seen = match (joint_moves.legal(Role::new(index)), *seen) {
                (&[only], SeenMoves::None) => SeenMoves::One(only),
                (&[only], SeenMoves::One(other)) if only == other => *seen,
                _ => SeenMoves::Several,
            };
        }
    }

    /// Notes that a game has reached its end.
    pub(super) fn end_game(&mut self) {
        self.ended += 1;
    }

    /// The problems, if games have ended. `input` has the roles with their declared moves.
    pub(super) fn problems<R: Reasoner>(
        &self,
        reasoner: &R,
        rules: &RuleSet,
        input: &FxHashSet<Vec<GroundTerm>>,
        dialect: Dialect,
    ) -> Vec<Diagnostic> {
        if self.ended == 0 {
            return Vec::new();
        }
        let idle = reasoner.roles().iter().zip(&self.seen).filter(|(role, _)| !role.is_chance());
        let problem = |(role, seen): (&GroundTerm, &SeenMoves)| {
            let SeenMoves::One(only) = seen else { return None };
            let only = reasoner.move_term(*only);
            let own = input.iter().filter(|pair| pair.first() == Some(role)).filter_map(|pair| pair.get(1));
            let mut others: Vec<&GroundTerm> = own.filter(|&other| *other != only).collect();
            sorting::sort(&mut others);
            (!others.is_empty()).then(|| self.problem(role, &only, &others, rules, dialect))
        };
        idle.filter_map(problem).collect()
    }

    fn problem(
        &self,
        role: &GroundTerm,
        only: &GroundTerm,
        others: &[&GroundTerm],
        rules: &RuleSet,
        dialect: Dialect,
    ) -> Diagnostic {
        let games = counted_as(self.ended, "random game", "random games");
        // A role without control makes no move that the sheet names.
        let has_turns = dialect == Dialect::Operations;
        let message = match has_turns {
            true => format!("{role} never has a choice in {games}"),
            false => {
                format!("{role} never has a choice: in {games} its only legal move is `{}`", only.display(dialect))
            }
        };
        let shown: Vec<String> = others.iter().take(SHOWN).map(|term| format!("`{}`", term.display(dialect))).collect();
        let more = others.len().checked_sub(shown.len()).filter(|&more| more > 0);
        let more = more.map_or_else(String::new, |more| format!(" and {more} more"));
        let shown = shown.join(", ");
        let help = match has_turns {
            true => format!("the sheet has {shown}{more}; is there an operation that gives {role} control?"),
            false => format!("`input` also has {shown}{more}; is there a rule for `next` that gives {role} the turn?"),
        };
        let legal = rules.keyword(Keyword::Legal);
        let heads = rules.clauses.iter().map(|clause| &clause.head).filter(|head| head.relation == legal);
        let is_for = |other: &&GroundTerm, arguments: &[_]| {
            matches(rules, &arguments[0], role) && matches(rules, &arguments[1], other)
        };
        let mut unused = heads.filter(|head| others.iter().any(|other| is_for(other, &head.arguments)));
        let Some(first) = unused.next() else { return Diagnostic::of_sheet(&IDLE_ROLE, message).with_help(help) };
        let problem = Diagnostic::new(&IDLE_ROLE, first.span, message).with_help(help);
        unused.take(SHOWN - 1).fold(problem, |problem, head| problem.with_label(head.span, ""))
    }
}
