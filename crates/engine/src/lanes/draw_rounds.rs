//! How often the lanes of a small game draw for a rank in a ply.
//!
//! Drawing again until the last of hundreds of lanes has a rank takes eight rounds and more, and in a small game costs
//! more than all its gates. There every lane draws a fixed number of times. A lane whose numbers were all above its
//! largest rank is *held*: it keeps its state, and chooses anew in the next step. As its next numbers do not depend on
//! those before, its choice stays uniform (see [`super::rank`]).

/// What drawing a bit of a rank costs, in gates: a random word, a comparison, and keeping what is accepted.
const BIT: f64 = 18.0;
/// What a round costs besides if columns end in different rounds.
const ROUND: f64 = 30.0;
/// The number of rounds until all lanes have a rank.
const ROUNDS_OF_ALL: f64 = 8.0;
/// The cost for each bit of a state when lanes begin new games, if that is no part of the circuit.
const BEGIN: f64 = 4.0;
/// The cost for each bit of a state when lanes are held.
const HOLD: f64 = 3.0;

/// Lanes are held where drawing for all is estimated to cost at least this many times as much; measurements show no
/// gain below it.
const GAIN: f64 = 4.0 / 3.0;

/// The number of rounds that costs least, for a circuit of this many nodes and bits of the state; `None` if it costs
/// less to draw until all lanes have a rank.
pub(super) fn rounds(nodes: usize, bits: usize, ranks: &[u32]) -> Option<u32> {
    if ranks.is_empty() {
        return None;
    }
    let nodes = nodes as f64;
    let bits = bits as f64;
    let choices = ranks.len() as f64;
    let round = f64::from(ranks.iter().sum::<u32>()) * BIT;
    let until_all = nodes + bits * BEGIN + (round + choices * ROUND) * ROUNDS_OF_ALL;
    // With as many legal moves as numbers up to their double, each equally often, a number is rejected with a
    // probability p that is uniform between 0 and 1/2, and all of n with the mean of p^n.
    let held = |rounds: u32| (f64::from(rounds + 1) * f64::exp2(f64::from(rounds))).recip();
    let cost = |rounds: u32| {
        let cost = nodes + bits * HOLD + round * f64::from(rounds);
        cost / (1.0 - held(rounds)).powf(choices)
    };
    let best = (1..=8).min_by(|&one, &other| cost(one).total_cmp(&cost(other)))?;
    (cost(best) * GAIN < until_all).then_some(best)
}
