//! Counterfactual regret minimisation over the whole tree.

use super::best_response::gather;
use super::profile::normalise;
use super::{ExtensiveForm, LearnedProfile, LearningEnd, StrategyProfile};
use crate::budget::Meter;
use crate::{Budget, Outcome, SearchError};

/// The rule by which regrets and the average strategy are updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RegretUpdate {
    /// All iterations count the same.
    Vanilla,
    /// CFR+: regrets never fall below 0, and iteration t has the weight t in the average.
    #[default]
    Plus,
    /// Discounted CFR with α = 3/2, β = 0 and γ = 2: earlier regrets fade, negative ones faster, and later iterations
    /// count more in the average.
    Discounted,
}

/// Strategies by counterfactual regret minimisation (CFR): in each iteration every role changes its strategy to moves
/// that it regrets not to have made, given that it had come to its information set, and the average of its strategies
/// is the answer.
///
/// The players update their strategies in turn. Regrets and values are summed over the sequences of the roles, not over
/// the nodes of the tree: with perfect recall this is the same, and takes one pass over the leaves.
///
/// - Precondition: none. With two roles of constant sum the average approaches an equilibrium; otherwise no role
///   regrets the average moves of all roles together (a coarse correlated equilibrium), which need not be an
///   equilibrium of independent strategies.
/// - Guarantee: exploitability falls at least with the square root of the iterations, times the number of information
///   sets; CFR+ and discounted CFR fall faster in practice.
/// - Cost: each leaf once for each player and iteration; the memory of three numbers for each sequence.
/// - Source: Zinkevich, Johanson, Bowling and Piccione, *Regret Minimization in Games with Incomplete Information*,
///   NIPS 2007; Tammelin, *Solving Large Imperfect Information Games Using CFR+*, 2014; Brown and Sandholm, *Solving
///   Imperfect-Information Games via Discounted Regret Minimization*, AAAI 2019.
pub fn cfr(
    form: &ExtensiveForm,
    update: RegretUpdate,
    end: LearningEnd,
    budget: &Budget,
) -> Result<Outcome<LearnedProfile>, SearchError> {
    let mut meter = Meter::start(budget);
    let mut search = Cfr::new(form, update);
    // Five lists have a number for each sequence.
    let mut halt = meter.holds((5 * form.sequences * size_of::<f64>()) as u64).err();
    while halt.is_none() && !end.is_reached(search.iterations, form, || search.average()) {
        search.iterate();
        halt = meter.pause().err();
    }
    let answer =
        (search.iterations > 0).then(|| LearnedProfile { profile: search.average(), iterations: search.iterations });
    meter.best_so_far(halt, answer)
}

struct Cfr<'a> {
    form: &'a ExtensiveForm,
    update: RegretUpdate,
    iterations: u64,
    /// By sequences: the probability of the move, that of all moves of the sequence, the counterfactual values, the
    /// regrets, and the sum of the plans.
    strategy: StrategyProfile,
    plan: Vec<f64>,
    gains: Vec<f64>,
    regrets: Vec<f64>,
    sum: Vec<f64>,
}

impl<'a> Cfr<'a> {
    fn new(form: &'a ExtensiveForm, update: RegretUpdate) -> Self {
        let strategy = StrategyProfile::uniform(form);
        let plan = strategy.plan(form);
        let [gains, regrets, sum] = [(); 3].map(|()| vec![0.0; form.sequences]);
        Self { form, update, iterations: 0, strategy, plan, gains, regrets, sum }
    }

    /// The average strategies.
    fn average(&self) -> StrategyProfile {
        StrategyProfile::weighted(self.form, &self.sum)
    }

    fn iterate(&mut self) {
        self.iterations += 1;
        for player in 0..self.form.width() {
            gather(self.form, &self.plan, player, &mut self.gains);
            self.add_regrets(player);
            self.match_regrets(player);
        }
    }

    /// Adds to the regret of each move of a player its counterfactual value beyond that of the strategy, the last
    /// decisions first.
    fn add_regrets(&mut self, player: usize) {
        let t = self.iterations as f64;
        let fading = |weight: f64| weight / (weight + 1.0);
        let (positive, negative) = match self.update {
            RegretUpdate::Vanilla => (1.0, 1.0),
            RegretUpdate::Plus => (1.0, 0.0),
            // With β = 0 negative regrets have the factor t^0 / (t^0 + 1), a half in every iteration.
            RegretUpdate::Discounted => (fading((t - 1.0).powf(1.5)), 0.5),
        };
        let Self { form, strategy, gains, regrets, .. } = self;
        for set in form.sets[form.sets_of(player)].iter().rev() {
            let moves = set.moves();
            let mean: f64 = moves.clone().map(|sequence| strategy.probabilities[sequence] * gains[sequence]).sum();
            for sequence in moves {
                let earlier = regrets[sequence];
                let faded = earlier * if earlier > 0.0 { positive } else { negative };
                regrets[sequence] = faded + gains[sequence] - mean;
                if self.update == RegretUpdate::Plus {
                    regrets[sequence] = regrets[sequence].max(0.0);
                }
            }
            // With perfect recall all nodes of a set follow one sequence of the player, which gets the set's value.
            gains[set.parent as usize] += mean;
        }
    }

    /// Sets the strategy of a player by its regrets, and adds its plan to the average.
    fn match_regrets(&mut self, player: usize) {
        let t = self.iterations as f64;
        let (kept, weight) = match self.update {
            RegretUpdate::Vanilla => (1.0, 1.0),
            RegretUpdate::Plus => (1.0, t),
            // γ = 2: as the sum shrinks by this factor in each iteration, iteration t weighs about t².
            RegretUpdate::Discounted => ((t / (t + 1.0)).powi(2), 1.0),
        };
        let Self { form, strategy, plan, regrets, sum, .. } = self;
        for set in &form.sets[form.sets_of(player)] {
            let moves = set.moves();
            normalise(&regrets[moves.clone()], &mut strategy.probabilities[moves.clone()]);
            let before = plan[set.parent as usize];
            for sequence in moves {
                plan[sequence] = before * strategy.probabilities[sequence];
                sum[sequence] = kept * sum[sequence] + weight * plan[sequence];
            }
        }
    }
}
