//! Elo ratings of several players, from matches between pairs of them.

use ggp_game::statistics::Interval;

/// All matches between two players, in every game; each pair occurs once.
#[derive(Clone, Copy, Debug)]
pub struct PairResult {
    /// The players, by their indices.
    pub players: [usize; 2],
    /// The points of the first of them: a win counts 1, a draw a half.
    pub points: f64,
    /// The number of matches.
    pub games: f64,
}

/// The points of Elo for each unit of the natural logarithm of a player's strength.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;
/// The number of rounds of the estimation. Strengths of a few players are stable long before.
const ROUNDS: usize = 2_000;

/// The Elo rating of each player, with a mean of 0, and its 95% confidence interval: the strengths under which these
/// results are the most likely, if a player of strength a beats one of strength b with probability a / (a + b). Each
/// pair that has met counts as if it had played one more match, drawn, so that a player who won everything has a rating
/// too.
///
/// - Cost: quadratic in the number of players, 2,000 times.
/// - Source: Bradley and Terry, *Rank Analysis of Incomplete Block Designs*, 1952; Hunter, *MM Algorithms for
///   Generalized Bradley-Terry Models*, 2004; the intervals are those of the Fisher information.
pub fn elo_ratings(players: usize, results: &[PairResult]) -> Vec<Interval> {
    let met: Vec<PairResult> = results
        .iter()
        .map(|result| PairResult { points: result.points + 0.5, games: result.games + 1.0, ..*result })
        .collect();
    let strengths = strengths(players, &met);
    let variances = variances(&strengths, &met);
    let mean = strengths.iter().map(|strength| strength.ln()).sum::<f64>() / players.max(1) as f64;
    let rating = |(strength, variance): (&f64, f64)| {
        Interval::of_mean((strength.ln() - mean) * ELO_PER_UNIT, variance.max(0.0).sqrt() * ELO_PER_UNIT)
    };
    strengths.iter().zip(variances).map(rating).collect()
}

/// The most likely strengths, by repeated improvement.
fn strengths(players: usize, met: &[PairResult]) -> Vec<f64> {
    let mut points = vec![0.0; players];
    for result in met {
        points[result.players[0]] += result.points;
        points[result.players[1]] += result.games - result.points;
    }
    let mut strengths = vec![1.0; players];
    for _ in 0..ROUNDS {
        let mut expected = vec![0.0; players];
        for &PairResult { players: [first, second], games, .. } in met {
            let each = games / (strengths[first] + strengths[second]);
            expected[first] += each;
            expected[second] += each;
        }
        for (player, strength) in strengths.iter_mut().enumerate() {
            if expected[player] > 0.0 {
                *strength = points[player] / expected[player];
            }
        }
        let scale = (strengths.iter().map(|strength| strength.ln()).sum::<f64>() / players.max(1) as f64).exp();
        strengths.iter_mut().for_each(|strength| *strength /= scale);
    }
    strengths
}

/// The variance of the logarithm of each strength, if their mean is given: the diagonal of the pseudo-inverse of the
/// Fisher information.
fn variances(strengths: &[f64], met: &[PairResult]) -> Vec<f64> {
    let players = strengths.len();
    // Adding the same number to all entries makes the matrix regular, and is taken back from its inverse.
    let even = 1.0 / players.max(1) as f64;
    let mut information = vec![vec![even; players]; players];
    for &PairResult { players: [first, second], games, .. } in met {
        let share = strengths[first] / (strengths[first] + strengths[second]);
        let known = games * share * (1.0 - share);
        information[first][first] += known;
        information[second][second] += known;
        information[first][second] -= known;
        information[second][first] -= known;
    }
    inverse(information).into_iter().enumerate().map(|(player, row)| row[player] - even).collect()
}

/// The inverse of a positive definite matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| if column == index { 1.0 } else { 0.0 }));
    }
    for pivot in 0..size {
        let scale = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|entry| *entry /= scale);
        let pivots = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(index, _)| *index != pivot) {
            let factor = row[pivot];
            row.iter_mut().zip(&pivots).for_each(|(entry, &pivot)| *entry -= factor * pivot);
        }
    }
    matrix.into_iter().map(|row| row[size..].to_vec()).collect()
}
