//! Confidence intervals: of a hundred that `simulate` and `montecarlo` give, about 95 hold the true mean of random
//! play, which is known from all positions.

use crate::campaign::{asked, begun};
use crate::games::Game;
use crate::random::Random;
use crate::space::Space;
use crate::values::random_mean;
use ggp::engine::EngineKind;
use std::collections::BTreeMap;

/// The random games behind an interval.
const GAMES: usize = 500;
/// The least probability of a utility, so that every mean is nearly normal.
const LEAST_SHARE: f64 = 0.05;
/// Questions about a game.
const QUESTIONS: usize = 8;

/// The intervals of a run, and how many of them hold the mean.
#[derive(Default)]
pub(crate) struct Coverage {
    pub(crate) intervals: BTreeMap<&'static str, (u64, u64)>,
}

impl Coverage {
    /// Asks until each command has given so many intervals.
    pub(crate) fn run(seed: u64, intervals: u64) -> Self {
        let mut coverage = Self::default();
        let mut number = 0;
        while coverage.intervals.len() < 2 || coverage.intervals.values().any(|counts| counts.0 < intervals) {
            let mut random = Random::of_case(seed, number);
            let game = Game::random(&mut random);
            if !game.space.is_cyclic && game.space.has_utilities() {
                coverage.ask(&game, &mut random);
            }
            number += 1;
        }
        coverage
    }

    fn ask(&mut self, game: &Game, random: &mut Random) {
        let space = &game.space;
        let role = *random.pick(&space.players());
        let kind = *random.pick(&[EngineKind::Propnet, EngineKind::Interpreter]);
        let mut session = begun(game, kind).expect("the game loads");
        if kind == EngineKind::Propnet && varies(space, role, 0) {
            for _ in 0..QUESTIONS {
                let seed = random.below(1_000_000);
                let answer = asked(&mut session, &format!("simulate --playouts {GAMES} --seed {seed} --threads 1"));
                let answer = answer.expect("it can be simulated");
                let shown = &answer["roles"][role];
                let (mean, error) = (shown["mean"].as_f64(), shown["standard_error"].as_f64());
                let (mean, half) = (mean.expect("there is a mean"), 1.96 * error.expect("there is an error"));
                self.note("simulate", mean - half, mean + half, random_mean(space, role, 0));
            }
        }
        // Each move of the role that alone has a choice begins games of its own.
        let position = &space.positions[0];
        if position.choosing() != [role] {
            return;
        }
        let moves = position.legal[role].len();
        let way = if random.percent(50) { "--single" } else { "" };
        for _ in 0..QUESTIONS / 2 {
            let (visits, seed) = (moves * GAMES, random.below(1_000_000));
            let role_name = &space.roles[role];
            let line = format!("montecarlo {role_name} --visits {visits} --seed {seed} {way}");
            let answer = asked(&mut session, &line).expect("it can be sampled");
            for row in answer["moves"].as_array().expect("it lists moves") {
                let own =
                    position.legal[role].iter().position(|own| Some(own.to_string().as_str()) == row["move"].as_str());
                let mut joint_move = vec![0; position.legal.len()];
                joint_move[role] = own.expect("the move is legal");
                let next = position.after(&joint_move);
                if varies(space, role, next) {
                    let bound = |name: &str| row["interval"][name].as_f64().expect("there is an interval");
                    self.note("montecarlo", bound("low"), bound("high"), random_mean(space, role, next));
                }
            }
        }
    }

    fn note(&mut self, name: &'static str, low: f64, high: f64, mean: f64) {
        let counts = self.intervals.entry(name).or_default();
        counts.0 += 1;
        counts.1 += u64::from(low <= mean && mean <= high);
    }
}

/// Whether random play from a position comes to several utilities of a role, none of them rarely.
fn varies(space: &Space, role: usize, number: usize) -> bool {
    let mut ends: BTreeMap<i64, f64> = BTreeMap::new();
    let mut layer = BTreeMap::from([(number, 1.0)]);
    while !layer.is_empty() {
        let mut after: BTreeMap<usize, f64> = BTreeMap::new();
        for (number, share) in layer {
            let position = &space.positions[number];
            if position.is_terminal {
                *ends.entry(position.utilities[role].expect("ends have utilities") as i64).or_default() += share;
            }
            for &next in &position.next {
                *after.entry(next).or_default() += share / position.next.len() as f64;
            }
        }
        layer = after;
    }
    ends.len() > 1 && ends.values().all(|&share| share >= LEAST_SHARE)
}
