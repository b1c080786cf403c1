//! Decisive moves: a program in which a role wins if it can, and else prevents that another one can.
//!
//! The program has the states, moves and ends of the game. But while a role that has a choice has a move that ends the
//! game with the greatest utility for it, only such moves are legal; if it has none, only those after which no other
//! role has one, unless there are none of these either (decisive and anti-decisive moves). Random play in lanes of this
//! program tells good states from bad ones much better than uniform play, at the cost of the additional gates.
//!
//! What holds after a move is computed from the state before it: in the gates of terminal and of goals the bits of the
//! state are replaced by what they are after the move, as functions of the state (`after`). Most gates then equal those
//! that the program has anyway, and constants are folded (`gates`). In a game of lines, what is left is a conjunction
//! for each square of a line. The same is done once more with the gates that say whether a role can win at once, for
//! what the others can do after a move. The program is compared with that of the game before it is used (`agreement`).
//!
//! Source: Teytaud and Teytaud, *On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search Algorithms*, 2010.

mod after;
mod agreement;
mod gates;
mod shared;

pub(super) use shared::SharedDecisiveProgram;

use super::evaluate::plan::{AdditionalWires, divide};
use crate::lanes::{BackEnds, Exclusive, Technique};
use crate::program::{Legality, Program, Wire};
use after::{Changes, SignalsAfter};
use gates::GateBuilder;
use gdl::limits::{Limits, Poll, Stop};
use ggp_game::Role;
use std::collections::BTreeMap;

/// The most inputs that all gates may have. With larger circuits random play takes more time than decisive moves are
/// worth: in pentago (52,000 inputs) and connect5 (89,000) they gained nothing.
const MOST_INPUTS: usize = 30_000;

/// The program with decisive moves, if there is one ([`with_decisive_moves`]) that agrees with the program.
///
/// # Errors
/// If the limits end the work.
fn decisive_program(program: &Program, back_ends: &BackEnds, limits: &Limits) -> Result<Option<Program>, Stop> {
    if back_ends.why_without(Technique::DecisiveMoves).is_some() {
        return Ok(None);
    }
    match with_decisive_moves(program, &limits.poll())? {
        Some(made) => agreeing(program, made, back_ends, limits),
        None => Ok(None),
    }
}

/// The program with decisive and anti-decisive moves; `None` if no move can be decisive, if terminal or goals depend on
/// cycles, or if it would be much larger.
///
/// # Errors
/// If the limits end the work.
fn with_decisive_moves(program: &Program, poll: &Poll<'_>) -> Result<Option<Program>, Stop> {
    let guarded = &Exclusive::with_implied_guards(program, poll)?;
    let choices = choices(guarded);
    let mut builder = GateBuilder::new(guarded);
    let Some(wins) = wins(&mut builder, &choices, poll)? else { return Ok(None) };
    let Some(threats) = threats(&mut builder, &choices, &wins, poll)? else { return Ok(None) };
    let mut legal = guarded.legal.clone();
    for ((choice, wins), threats) in choices.iter().zip(&wins).zip(&threats) {
        let wanted = wanted(&mut builder, choice, wins, threats);
        for (&chosen, is_wanted) in choice.moves.iter().zip(wanted) {
            let Legality { guard, wire } = legal[chosen];
            legal[chosen] = Legality { guard, wire: builder.and(&[wire, is_wanted]) };
        }
    }
    let made = Program { legal, ..builder.into_program() };
    let (made, _) = divide(made, AdditionalWires::default(), poll)?;
    Ok((made.wires.len() <= MOST_INPUTS).then_some(made))
}

/// A program with decisive moves, if it is the same game as the one that it was made of; else decisive moves are left
/// out of `back_ends`.
///
/// # Errors
/// If the limits end the work.
pub fn agreeing(
    program: &Program,
    made: Program,
    back_ends: &BackEnds,
    limits: &Limits,
) -> Result<Option<Program>, Stop> {
    let difference = agreement::difference(program, &made, &limits.poll())?;
    if let Some(difference) = &difference {
        back_ends.leave_out(Technique::DecisiveMoves, difference);
    }
    Ok(difference.is_none().then_some(made))
}

/// A choice of a role: its moves with the same guard, of which there are several.
struct GuardedChoice {
    role: Role,
    guard: Wire,
    /// What is known of the state if the guard holds and no other role has a choice.
    assumed: SignalsAfter,
    /// Conditions that hold if no other role has a choice; none, if the guard implies that.
    is_alone: Vec<Wire>,
    /// Indices into [`Program::moves`].
    moves: Vec<usize>,
}

/// The choices of the roles that have utilities.
fn choices(program: &Program) -> Vec<GuardedChoice> {
    let chance = Role::chance(&program.roles);
    let mut by_guard: BTreeMap<(Role, Wire), Vec<usize>> = BTreeMap::new();
    for (chosen, (known, legal)) in program.moves.iter().zip(&program.legal).enumerate() {
        if known.is_possible && Some(known.role) != chance {
            // Moves without a guard that are legal in the same states are as good as guarded.
            let guard = if legal.guard == program.always { legal.wire } else { legal.guard };
            by_guard.entry((known.role, guard)).or_default().push(chosen);
        }
    }
    by_guard.retain(|_, moves| moves.len() > 1);
    let guards: Vec<(Role, Wire)> = by_guard.keys().copied().collect();
    let choice = |((role, guard), moves)| {
        let mut assumed = SignalsAfter::default();
        assumed.assume(program, guard);
        let others = guards.iter().filter(|&&(other, _)| other != role).map(|(_, guard)| guard.negated());
        let is_alone = others.clone().map(|other| assumed.wire_for(other)).collect();
        // If roles choose at the same time, nothing is assumed that contradicts the guard.
        others.filter(|&other| other != guard.negated()).for_each(|other| assumed.assume(program, other));
        GuardedChoice { role, guard, assumed, is_alone, moves }
    };
    by_guard.into_iter().map(choice).collect()
}

/// The moves of a choice with which the role wins at once.
struct WinningMoves {
    /// For each move of the choice, whether it wins.
    of_moves: Vec<Wire>,
    /// Whether a legal move does, if the guard of the choice holds.
    any: Wire,
}

/// For each choice the moves that win at once; `None` if there is none, or if there are too many gates.
fn wins(
    builder: &mut GateBuilder,
    choices: &[GuardedChoice],
    poll: &Poll<'_>,
) -> Result<Option<Vec<WinningMoves>>, Stop> {
    let won = won(builder.program());
    let terminal = builder.program().terminal;
    let ends = won.iter().flatten().copied().chain([terminal]).collect();
    let Some(changes) = Changes::new(builder.program(), ends, choices) else { return Ok(None) };
    let mut all = Vec::with_capacity(choices.len());
    for choice in choices {
        let alone = builder.and(&choice.is_alone);
        let mut of_moves = Vec::new();
        let mut legal = Vec::new();
        for &chosen in &choice.moves {
            let Some(after) = changes.after(builder, choice, chosen, poll)? else { return Ok(None) };
            let goals: Vec<Wire> = won[choice.role.index()].iter().map(|&wire| after.wire_for(wire)).collect();
            let goal = builder.or(&goals);
            let win = builder.and(&[alone, after.wire_for(terminal), goal]);
            legal.push(builder.and(&[builder.program().legal[chosen].wire, win]));
            of_moves.push(win);
        }
        let any = builder.or(&legal);
        all.push(WinningMoves { of_moves, any });
    }
    let never = builder.program().always.negated();
    Ok(Some(all).filter(|all| all.iter().any(|wins| wins.any != never)))
}

/// For each role the goals of the greatest utility.
fn won(program: &Program) -> Vec<Vec<Wire>> {
    let most = program.utility_range().most;
    let of_role = |role| {
        let goals = program.goals_of(Role::new(role));
        goals.filter(|&goal| program.utility(goal) == Some(most)).map(|goal| program.goal[goal]).collect()
    };
    (0..program.roles.len()).map(of_role).collect()
}

/// For each choice the moves after which another role can win at once; `None` if there are too many gates.
fn threats(
    builder: &mut GateBuilder,
    choices: &[GuardedChoice],
    wins: &[WinningMoves],
    poll: &Poll<'_>,
) -> Result<Option<Vec<Vec<Wire>>>, Stop> {
    let can_win: Vec<(Role, Wire)> = (choices.iter().zip(wins))
        .map(|(choice, wins)| (choice.role, builder.and(&[choice.guard, wins.any])))
        .collect();
    let mut all = Vec::with_capacity(choices.len());
    for choice in choices {
        let others = can_win.iter().filter(|(role, _)| *role != choice.role);
        let others: Vec<Wire> = others.map(|&(_, can_win)| can_win).collect();
        let Some(changes) = Changes::new(builder.program(), others.clone(), choices) else { return Ok(None) };
        let alone = builder.and(&choice.is_alone);
        let mut threats = Vec::with_capacity(choice.moves.len());
        for &chosen in &choice.moves {
            let Some(after) = changes.after(builder, choice, chosen, poll)? else { return Ok(None) };
            let others: Vec<Wire> = others.iter().map(|&can_win| after.wire_for(can_win)).collect();
            let threat = builder.or(&others);
            threats.push(builder.and(&[alone, threat]));
        }
        all.push(threats);
    }
    Ok(Some(all))
}

/// For each move of a choice, whether random play makes it: if it wins, or if no move wins, and it is safe or none is.
fn wanted(builder: &mut GateBuilder, choice: &GuardedChoice, wins: &WinningMoves, threats: &[Wire]) -> Vec<Wire> {
    let mut safe = Vec::with_capacity(choice.moves.len());
    for (&chosen, threat) in choice.moves.iter().zip(threats) {
        safe.push(builder.and(&[builder.program().legal[chosen].wire, threat.negated()]));
    }
    let none_safe = builder.or(&safe).negated();
    let moves = wins.of_moves.iter().zip(threats);
    let wanted = moves.map(|(&win, threat)| {
        let is_safe = builder.or(&[threat.negated(), none_safe]);
        let is_quiet = builder.and(&[wins.any.negated(), is_safe]);
        builder.or(&[win, is_quiet])
    });
    wanted.collect()
}
