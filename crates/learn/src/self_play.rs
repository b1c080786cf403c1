//! Games of a network against itself, from which it learns: Monte Carlo tree search chooses the moves of all roles. The
//! first games are random, as long as the network knows nothing.
//!
//! One search of four is thorough and looks at moves that the network would not try; its visits are what priors learn.
//! The others are short, so that more games come to an end (playout cap randomisation). Where a search proves what each
//! role gets, the state learns that, and so do a few of the states after other moves; later every second move is any legal
//! one. At least every second game begins in a state of random play, at any depth, and the more of them the fewer new states
//! the others show. All this teaches states to which good play does not lead, but of which a search has to know that they are
//! bad: without it a network of connect four on a board of 4 by 4 comes to judge 90% of all states rightly and no more.
//!
//! Source: Wu, *Accelerating Self-Play Learning in Go*, 2019, for the two kinds of searches.

use crate::guide::NeuralGuide;
use crate::novelty::Novelty;
use crate::quantised::QuantisedNetwork;
use crate::trainer::{PolicyTarget, TrainingExample};
use gdl::limits::Limits;
use ggp_game::{Chance, JointMoves, Move, ReasonError, Reasoner, Role};
use ggp_search::{
    Advice, Budget, FaultyEnds, MoveStatistics, SearchError, SinglePlayouts, Uct, UctOptions, random_opening,
};
use std::sync::Arc;

/// The visits of thorough and of short searches.
const THOROUGH: u64 = 200;
const SHORT: u64 = 40;
/// One search of this many is thorough.
const SEARCHES: usize = 4;
/// The most plies at the beginning of a game that are made at random; in this share of games, or in more if the others show
/// nothing new, they may be as many as the last game had.
const LONGEST_OPENING: usize = 4;
const ANYWHERE: f64 = 0.5;
/// The plies up to which moves are drawn by their visits; later, and after a beginning anywhere, the recommended one is
/// made.
const DRAWN: usize = 16;
/// The weight of random priors in thorough searches.
const NOISE: f32 = 0.25;
/// The weight of what a search expects in the values that a state learns; the end of the game has the rest. One end says
/// little of a state from which many games are possible.
const EXPECTED: f32 = 0.75;
/// The power of the number of visits with which a move is drawn.
const SHARPNESS: i32 = 2;
/// The factor in the exponent by which a move with a smaller mean counts less in what priors learn than its visits, for
/// utilities scaled to the range from 0 to 1.
const REGRET_WEIGHT: f64 = 10.0;
/// The most states after other moves than those that are made from which the network learns, for each search.
const BESIDE: usize = 3;
/// The longest game, in plies. The middle of the range is what each role gets of a longer one.
const LONGEST: usize = 500;

/// A player of games against itself, with an engine of its own.
pub(crate) struct SelfPlay<R: Reasoner> {
    reasoner: R,
    start: R::State,
    guide: NeuralGuide,
    /// False as long as the network knows nothing.
    is_guided: bool,
    random: Chance,
    /// The plies of the last game.
    length: usize,
    /// Of the games that do not begin anywhere.
    novelty: Novelty,
    playouts: SinglePlayouts,
    /// End the present game, which then shows nothing.
    limits: Limits,
}

/// A state of a game of which the end is not known yet.
struct OpenExample {
    facts: Box<[u32]>,
    policies: Box<[PolicyTarget]>,
    /// The share of each role by the search, if there was one.
    searched: Option<Box<[f32]>>,
    /// True if the search has proved these shares.
    is_proven: bool,
}

impl<R: Reasoner> SelfPlay<R> {
    /// Games from a state, until the limits end the present one.
    pub(crate) fn new(reasoner: R, start: R::State, guide: NeuralGuide, seed: u64, limits: Limits) -> Self {
        let mut random = Chance::new(seed);
        let playouts = SinglePlayouts::new(random.word()).with_faulty_ends(FaultyEnds::Tolerated);
        let novelty = Novelty::new();
        Self { reasoner, start, guide, is_guided: false, random, length: 0, novelty, playouts, limits }
    }

    /// Plays by these weights from now on.
    pub(crate) fn guide_by(&mut self, network: Arc<QuantisedNetwork>) {
        self.guide.replace(network);
        self.is_guided = true;
    }

    /// Plays a game and returns what it shows; nothing of a game that a limit has ended.
    ///
    /// # Errors
    /// If the rules give no answer in a state.
    pub(crate) fn play(&mut self) -> Result<Vec<TrainingExample>, SearchError> {
        if self.is_guided { self.play_by_search() } else { self.play_at_random() }
    }

    /// Plays a game of random moves: thousands of its states show what is worth something in the time of a few searches.
    fn play_at_random(&mut self) -> Result<Vec<TrainingExample>, SearchError> {
        let mut state = self.start.clone();
        let mut seen = Vec::new();
        let mut is_over = false;
        while !is_over && seen.len() < LONGEST {
            if self.limits.check().is_err() {
                return Ok(Vec::new());
            }
            let facts = self.guide.facts(&self.reasoner, &state);
            let Self { reasoner, random, .. } = self;
            is_over = !reasoner.random_step(&mut state, &mut |count| random.below(count))?;
            if !is_over {
                seen.push(facts);
            }
        }
        let shares = if is_over { self.end_shares(&state)? } else { self.middle() };
        let example = |facts: Vec<u32>| TrainingExample::new(facts.into(), shares.clone(), Box::default());
        Ok(seen.into_iter().map(example).collect())
    }

    fn play_by_search(&mut self) -> Result<Vec<TrainingExample>, SearchError> {
        let is_anywhere = self.random.fraction() < self.novelty.seen().max(ANYWHERE);
        let (longest, drawn) = if is_anywhere { (self.length, 0) } else { (LONGEST_OPENING, DRAWN) };
        let opening = self.random.below(longest + 1);
        let mut state = random_opening(&mut self.reasoner, &self.start, opening, &mut self.random)?;
        // The game would have been over.
        let opening = if state == self.start { 0 } else { opening };
        let options =
            UctOptions { exact: 0.0, estimate: 0.0, rave: 0.0, seed: self.random.word(), ..UctOptions::PLAYER };
        let mut tree = Uct::new(&mut self.reasoner, &state, options)?;
        tree.guide_by(Box::new(self.guide.clone()));
        let mut examples = Vec::new();
        let mut beside = Vec::new();
        let mut end = None;
        for ply in opening..LONGEST {
            if self.reasoner.is_terminal(&state)? {
                end = Some(self.end_shares(&state)?);
                break;
            }
            let mut joint_moves = JointMoves::in_state(&mut self.reasoner, &state)?;
            let policies = match self.choose(&mut tree, &mut joint_moves, ply < drawn)? {
                Some(policies) => policies,
                None => return Ok(Vec::new()),
            };
            let facts = self.guide.facts(&self.reasoner, &state).into();
            let proven = self.proven_shares(&tree);
            let is_proven = proven.is_some();
            let searched = proven.or_else(|| self.expected_shares(&tree));
            if is_proven && self.random.below(2) == 0 {
                for role in joint_moves.choosing() {
                    let any = self.random.below(joint_moves.legal(role).len());
                    joint_moves.choose(role, any);
                }
            }
            if !is_anywhere {
                self.novelty.note(&state);
            }
            self.add_states_beside(&tree, joint_moves.current(), &mut beside);
            examples.push(OpenExample { facts, policies, searched, is_proven });
            state = self.reasoner.next_state(&state, joint_moves.current())?;
            tree.advance(&mut self.reasoner, joint_moves.current(), &state)?;
        }
        self.length = opening + examples.len();
        let shares = end.unwrap_or_else(|| self.middle());
        Ok(closed(examples, shares).chain(beside).collect())
    }

    /// Adds a few of the states after other joint moves than this one of which the search has proved what each role gets.
    fn add_states_beside(&mut self, tree: &Uct<R>, joint_move: &[Move], examples: &mut Vec<TrainingExample>) {
        let mut proven: Vec<_> = tree.proven_beside(joint_move).collect();
        for _ in 0..BESIDE.min(proven.len()) {
            let (state, utilities) = proven.swap_remove(self.random.below(proven.len()));
            let known = |role: Role| Some(utilities[role.index()]).filter(|utility| !utility.is_nan());
            let Some(shares) = self.shares(known) else { continue };
            let facts = self.guide.facts(&self.reasoner, state).into();
            examples.push(TrainingExample::new(facts, shares, Box::default()));
        }
    }

    /// Searches, chooses the move of each role, by the visits if it `draws`, and returns what thorough searches say of
    /// moves; `None` after a limit.
    fn choose(
        &mut self,
        tree: &mut Uct<R>,
        joint_moves: &mut JointMoves,
        draws: bool,
    ) -> Result<Option<Box<[PolicyTarget]>>, SearchError> {
        let chance = Role::chance(self.reasoner.roles());
        let choosing = joint_moves.choosing();
        let Some(&first) = choosing.iter().find(|&&role| Some(role) != chance).or(choosing.first()) else {
            return Ok(Some(Box::default()));
        };
        let is_thorough = self.random.below(SEARCHES) == 0;
        let budget = |visits| Budget::new().with_limits(&self.limits).with_nodes(visits);
        if is_thorough {
            // The first visit gives the moves their priors.
            tree.search(&mut self.reasoner, first, &mut self.playouts, &budget(1))?;
            tree.stir_priors(NOISE, &mut self.random);
        }
        let visits = if is_thorough { THOROUGH } else { SHORT };
        tree.search(&mut self.reasoner, first, &mut self.playouts, &budget(visits))?;
        if self.limits.check().is_err() {
            return Ok(None);
        }
        let mut policies = Vec::new();
        for role in choosing {
            if Some(role) == chance {
                let drawn = self.random.below(joint_moves.legal(role).len());
                joint_moves.choose(role, drawn);
                continue;
            }
            let Some(advice) = tree.advice(role) else { continue };
            let chosen = if draws { self.drawn(&advice) } else { advice.chosen };
            joint_moves.choose(role, joint_moves.index_of(role, chosen).unwrap_or(0));
            if is_thorough && advice.visits() > 0 {
                policies.push(self.policy(role, &advice));
            }
        }
        Ok(Some(policies.into()))
    }

    /// A move that is drawn by the visits; the recommended one if its value is proven.
    fn drawn(&mut self, advice: &Advice) -> Move {
        if advice.visits() == 0 || advice.proven.is_some() {
            return advice.chosen;
        }
        let weight = |option: &MoveStatistics| f64::from(option.visits).powi(SHARPNESS);
        let mut rest = self.random.fraction() * advice.options.iter().map(weight).sum::<f64>();
        let mut within = |option: &MoveStatistics| {
            rest -= weight(option);
            rest < 0.0
        };
        advice.options.iter().find(|option| within(option)).map_or(advice.chosen, |option| option.chosen)
    }

    /// What the priors of a role's moves learn: the share of each move in the visits, where moves with smaller means count
    /// less than their visits, which a search needs to find that they are worse. Of moves with a proven value the
    /// recommended one counts alone.
    ///
    /// - Source: Danihelka and others, *Policy Improvement by Planning with Gumbel*, 2022, for targets that improve on
    ///   priors by means.
    fn policy(&mut self, role: Role, advice: &Advice) -> PolicyTarget {
        let width = self.reasoner.utility_range().width().max(f64::MIN_POSITIVE);
        let tried = advice.options.iter().filter(|option| option.visits > 0);
        let best = tried.map(|option| option.mean).fold(f64::NEG_INFINITY, f64::max);
        let weight = |option: &MoveStatistics| match advice.proven {
            Some(_) => f64::from(u8::from(option.chosen == advice.chosen)),
            None if option.visits == 0 => 0.0,
            None => f64::from(option.visits) * (REGRET_WEIGHT * (option.mean - best) / width).exp(),
        };
        let sum: f64 = advice.options.iter().map(weight).sum();
        #[expect(clippy::cast_possible_truncation, reason = "shares have 32 bits")]
        let share = |option: &MoveStatistics| (weight(option) / sum) as f32;
        let target =
            |option: &MoveStatistics| (self.guide.role_move(&self.reasoner, role, option.chosen), share(option));
        advice.options.iter().map(target).collect()
    }

    /// The share of each role by the mean of the visits of a search; `None` if it has made none.
    fn expected_shares(&self, tree: &Uct<R>) -> Option<Box<[f32]>> {
        let chance = Role::chance(self.reasoner.roles());
        self.shares(|role| {
            let advice = tree.advice(role).filter(|advice| Some(role) != chance && advice.visits() > 0)?;
            let sum: f64 = advice.options.iter().map(|option| f64::from(option.visits) * option.mean).sum();
            Some(sum / advice.visits() as f64)
        })
    }

    /// The share of each role, if the search has proved them.
    fn proven_shares(&self, tree: &Uct<R>) -> Option<Box<[f32]>> {
        self.shares(|role| tree.proven(role))
    }

    /// The shares for these utilities, if all roles have one besides chance, which then gets the middle.
    fn shares(&self, utility: impl Fn(Role) -> Option<f64>) -> Option<Box<[f32]>> {
        let range = self.reasoner.utility_range();
        let chance = Role::chance(self.reasoner.roles());
        let share = |role: Role| match utility(role) {
            #[expect(clippy::cast_possible_truncation, reason = "shares have 32 bits")]
            Some(utility) => Some(range.share(utility as f32)),
            None if Some(role) == chance => Some(0.5),
            None => None,
        };
        (0..self.reasoner.roles().len()).map(Role::new).map(share).collect()
    }

    /// What each role gets of a game that is too long.
    fn middle(&self) -> Box<[f32]> {
        vec![0.5; self.reasoner.roles().len()].into()
    }

    /// The share of each role in a terminal state; 0 where the rules give no utility.
    fn end_shares(&mut self, state: &R::State) -> Result<Box<[f32]>, ReasonError> {
        let range = self.reasoner.utility_range();
        let reasoner = &mut self.reasoner;
        let roles = reasoner.roles().len();
        let share = |role| match reasoner.goal(state, Role::new(role)) {
            Err(error) if error.role_without_goal().is_some() => Ok(0.0),
            goal => Ok(range.share(goal?.to_f32())),
        };
        (0..roles).map(share).collect()
    }
}

/// What a game teaches that ends with these shares, from its last state on.
fn closed(examples: Vec<OpenExample>, mut shares: Box<[f32]>) -> impl Iterator<Item = TrainingExample> {
    examples.into_iter().rev().map(move |OpenExample { facts, policies, searched, is_proven }| {
        let mixed = |(&end, expected): (&f32, f32)| end + EXPECTED * (expected - end);
        let learned = match searched {
            Some(proven) if is_proven => {
                // Before a proven state, its shares are the result of the game.
                shares.clone_from(&proven);
                proven
            }
            Some(expected) => shares.iter().zip(expected).map(mixed).collect(),
            None => shares.clone(),
        };
        TrainingExample::new(facts, learned, policies)
    })
}
