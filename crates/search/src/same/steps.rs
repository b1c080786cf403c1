//! Two games with too many states to list, played in step: random moves of the first, and in the second the moves that
//! stand for them.

use super::{DifferenceKind, GameDifference, GamePair, Sameness, Shown, names, shown};
use gdl::rules::GroundTerm;
use ggp_game::{Chance, JointMoves, Move, ReasonError, Reasoner, Role};
use rustc_hash::FxHashMap;

/// Joint moves of a state up to which moves are told apart by what follows them; with more, only names match.
const MOST_JOINT_MOVES: usize = 400;
/// The length at which a game is ended.
const LONGEST_GAME: usize = 1_000;

/// Plays random games of the first reasoner, and the same moves in the second. A move stands for that of the same name
/// if the legal moves have the same names; otherwise for one after which the state shows the same, and shows the same
/// after the next move.
///
/// `go_on` is asked before each game, with the number of those that were played.
///
/// - Guarantee: a difference is one under the names that both games use, or where each move on the way stands for one
///   alone. [`Sameness::Same`] is never the answer.
/// - Cost: where names differ, the product of the joint moves of two consecutive states for each move.
///
/// # Errors
/// If the rules of one of the games give no answer in some state.
pub fn compare_games<R: Reasoner>(
    pair: &mut GamePair<'_, R>,
    games: u64,
    seed: u64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Sameness, ReasonError> {
    let mut random = Chance::new(seed);
    let mut known = FxHashMap::default();
    for played in 0..games {
        if !go_on(played) {
            return Ok(Sameness::Unknown { games: played });
        }
        if let Some(difference) = play(pair, &mut random, &mut known)? {
            return Ok(Sameness::Different(difference));
        }
    }
    Ok(Sameness::Unknown { games })
}

/// Plays one game in step; the difference that it meets. `known` has, for moves of the first game by their role and
/// name, the move of the second that stands for it.
fn play<R: Reasoner>(
    pair: &mut GamePair<'_, R>,
    random: &mut Chance,
    known: &mut FxHashMap<(Role, GroundTerm), GroundTerm>,
) -> Result<Option<GameDifference>, ReasonError> {
    let own = pair.first_roles();
    let mut first = pair.first.initial_state()?;
    let mut second = pair.second.initial_state()?;
    let mut lines = [Vec::new(), Vec::new()];
    let mut is_certain = true;
    for _ in 0..LONGEST_GAME {
        let shown = pair.shown(&first, &second)?;
        if let Some(kind) = pair.difference(&first, &second, &shown)? {
            return Ok(is_certain.then_some(GameDifference { lines, kind }));
        }
        if !shown[0].goes_on() {
            return Ok(None);
        }
        let mut joint_moves = JointMoves::in_state(pair.first, &first)?;
        for &role in &own {
            joint_moves.choose(role, random.below(joint_moves.legal(role).len()));
        }
        let chosen = joint_moves.current().to_vec();
        let partner = match by_name(pair, &first, &second, &chosen)? {
            Some(partner) => partner,
            None => match by_outcome(pair, &first, &second, &chosen, known)? {
                MoveCandidates::None if is_certain => {
                    return Ok(Some(GameDifference { lines, kind: DifferenceKind::Arrangement }));
                }
                MoveCandidates::None | MoveCandidates::TooMany => return Ok(None),
                MoveCandidates::One(partner) => partner,
                MoveCandidates::Several(partner) => {
                    is_certain = false;
                    partner
                }
            },
        };
        lines[0].push(terms(pair.first, &chosen));
        lines[1].push(terms(pair.second, &partner));
        first = pair.first.next_state(&first, &chosen)?;
        second = pair.second.next_state(&second, &partner)?;
    }
    Ok(None)
}

fn terms<R: Reasoner>(reasoner: &R, joint_move: &[Move]) -> Vec<GroundTerm> {
    joint_move.iter().map(|&chosen| reasoner.move_term(chosen)).collect()
}

/// The joint move of the same names; `None` if the legal moves of a role have other names.
fn by_name<R: Reasoner>(
    pair: &mut GamePair<'_, R>,
    first: &R::State,
    second: &R::State,
    chosen: &[Move],
) -> Result<Option<Vec<Move>>, ReasonError> {
    let mut partner = vec![None; chosen.len()];
    let mut legal = Vec::new();
    for role in pair.first_roles() {
        let own = names(pair.first, first, role)?;
        let other = pair.roles[role.index()];
        pair.second.legal_moves(second, other, &mut legal)?;
        let others: FxHashMap<GroundTerm, Move> =
            legal.iter().map(|&legal| (pair.second.move_term(legal), legal)).collect();
        if !own.iter().all(|name| others.contains_key(name)) {
            return Ok(None);
        }
        partner[other.index()] = others.get(&pair.first.move_term(chosen[role.index()])).copied();
    }
    Ok(partner.into_iter().collect())
}

/// The joint moves of the second game that may stand for one of the first.
enum MoveCandidates {
    None,
    One(Vec<Move>),
    /// The one of several that uses names which are known already.
    Several(Vec<Move>),
    TooMany,
}

/// The joint moves after which the second game shows what the first shows after one of its own.
fn by_outcome<R: Reasoner>(
    pair: &mut GamePair<'_, R>,
    first: &R::State,
    second: &R::State,
    chosen: &[Move],
    known: &mut FxHashMap<(Role, GroundTerm), GroundTerm>,
) -> Result<MoveCandidates, ReasonError> {
    let own = pair.first_roles();
    let mut joint_moves = JointMoves::in_state(pair.second, second)?;
    if joint_moves.count() > MOST_JOINT_MOVES {
        return Ok(MoveCandidates::TooMany);
    }
    let next = pair.first.next_state(first, chosen)?;
    let wanted = outlook(pair.first, &next, &own)?;
    let names = terms(pair.first, chosen);
    let mut found: Vec<(usize, Vec<Move>)> = Vec::new();
    loop {
        let candidate = joint_moves.current().to_vec();
        let next = pair.second.next_state(second, &candidate)?;
        if outlook(pair.second, &next, &pair.roles)? == wanted {
            let is_known = |role: &&Role| {
                let name = pair.second.move_term(candidate[pair.roles[role.index()].index()]);
                known.get(&(**role, names[role.index()].clone())) == Some(&name)
            };
            found.push((own.iter().filter(is_known).count(), candidate));
        }
        if !joint_moves.advance() {
            break;
        }
    }
    let count = found.len();
    // The last of the greatest would be taken otherwise; the first keeps the order of the moves.
    found.reverse();
    let Some((_, best)) = found.into_iter().max_by_key(|(known, _)| *known) else { return Ok(MoveCandidates::None) };
    for &role in &own {
        let name = pair.second.move_term(best[pair.roles[role.index()].index()]);
        known.entry((role, names[role.index()].clone())).or_insert(name);
    }
    Ok(if count == 1 { MoveCandidates::One(best) } else { MoveCandidates::Several(best) })
}

/// What a state shows, and the states after each joint move, in any order.
fn outlook<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    roles: &[Role],
) -> Result<(Shown, Vec<Shown>), ReasonError> {
    let here = shown(reasoner, state, roles)?;
    let mut after = Vec::new();
    if !here.goes_on() {
        return Ok((here, after));
    }
    let mut joint_moves = JointMoves::in_state(reasoner, state)?;
    if joint_moves.count() <= MOST_JOINT_MOVES {
        loop {
            let next = reasoner.next_state(state, joint_moves.current())?;
            after.push(shown(reasoner, &next, roles)?);
            if !joint_moves.advance() {
                break;
            }
        }
    }
    after.sort_unstable();
    Ok((here, after))
}
