//! Paired games between two networks, or a network and plain `mcts`, with as many visits for both: a quick measure of
//! how strong a network is. Others, between two searches with one network and as much time for both, show which suits it.

use crate::Tally;
use crate::ask::budget::QuestionBudget;
use crate::ask::{RandomPlay, SampleQuestion, Sampling, SearchSpec};
use gdl::limits::{Deadline, Limits};
use ggp_engine::{Engine, EngineLanes, EngineState};
use ggp_game::{Chance, JointMoves, Move, OngoingGame, Reasoner, Role, Utility, play_to_end};
use ggp_learn::NeuralNetwork;
use ggp_search::{
    Budget, GameStop, PlayingMethod, SearchError, SinglePlayouts, Trial, TrialSettings, UctOptions, random_opening,
};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Games of two players by `mcts` from random openings, each of which both play from both sides.
pub struct PairedGames {
    engine: Engine,
    start: EngineState,
    /// The roles of the players.
    players: [Role; 2],
    /// Those of the random games of plain `mcts`, once they have been asked for.
    lanes: Option<Option<EngineLanes>>,
    random: Chance,
    interrupt: Arc<AtomicBool>,
}

/// One of these games.
struct PairedGame<'g> {
    engine: &'g mut Engine,
    state: EngineState,
    players: [Role; 2],
    /// The search of each player.
    searches: Vec<(SampleQuestion, RandomPlay)>,
    budget: QuestionBudget,
    random: &'g mut Chance,
    /// Ends the game without a result.
    last: Deadline,
    interrupt: &'g AtomicBool,
}

impl PairedGames {
    /// The visits of a search for a move.
    pub const VISITS: u64 = 100;
    /// The least number of random plies in the beginning, and how many more there may be.
    const OPENING: usize = 2;
    const MORE: usize = 2;
    /// After this many openings in a row that are known already, few others are left.
    const TRIED: usize = 20;
    /// The longest game, in plies.
    const LONGEST: usize = 500;
    /// The games that have begun may take this many times the time, so that not only short ones are counted.
    const PATIENCE: u32 = 3;
    /// The number of moves for which there is time when alpha-beta is tried: some games of sixty plies.
    const MOVES: u32 = 400;

    /// Games of an engine from a state; `None` unless it has two players.
    pub fn new(engine: &Engine, start: &EngineState, seed: u64, interrupt: &Arc<AtomicBool>) -> Option<Self> {
        let players: Vec<Role> = Role::players(engine.roles()).collect();
        let players = players.try_into().ok()?;
        let (engine, interrupt) = (engine.fork(), Arc::clone(interrupt));
        Some(Self { engine, start: start.clone(), players, lanes: None, random: Chance::new(seed), interrupt })
    }

    /// Plays pairs of games until the time is over, an interrupt comes, or nothing new is to be seen: searches by networks
    /// draw nothing, so two of them play each opening once. A side without a network is plain `mcts`. The tally has the
    /// sides in their order, and only pairs of which both games have ended.
    ///
    /// # Errors
    /// If the search does not support the game, or the rules give no answer in a state.
    pub fn play(&mut self, sides: [Option<&NeuralNetwork>; 2], time: Duration) -> Result<Tally, SearchError> {
        let end = Deadline::after(time);
        let last = Deadline::after(Self::PATIENCE * time);
        let mut tally = Tally::new(&sides.map(|side| if side.is_some() { "network" } else { "mcts" }.to_string()));
        let repeats = sides.iter().all(Option::is_some);
        let mut known = HashSet::new();
        let mut known_in_a_row = 0;
        while !end.is_over() && known_in_a_row < Self::TRIED {
            let plies = Self::OPENING + self.random.below(Self::MORE + 1);
            let opening = random_opening(&mut self.engine, &self.start, plies, &mut self.random)?;
            if repeats && !known.insert(opening.clone()) {
                known_in_a_row += 1;
                continue;
            }
            known_in_a_row = 0;
            let mut pair = Vec::new();
            // An opening may favour one role.
            for order in [[0, 1], [1, 0]] {
                match self.game(opening.clone(), order.map(|side| sides[side]), last).play() {
                    Ok(utilities) => pair.push((order, utilities)),
                    Err(GameStop::NoTime) => return Ok(tally),
                    Err(GameStop::Failed(error)) => return Err(error),
                }
            }
            for (order, utilities) in pair {
                tally.add_game(&order, utilities.as_ref().map(|utilities| &utilities[..]));
            }
        }
        Ok(tally)
    }

    /// Plays games of alpha-beta that a network evaluates against the tree that it guides, with as much time for both, until
    /// the time is over, an interrupt comes, or it is clear which is stronger. `None` if alpha-beta does not suit the game,
    /// because roles choose at once or a third one makes moves of chance, or if the rules give no answer in a state.
    pub fn try_alpha_beta(&mut self, network: &NeuralNetwork, time: Duration) -> Option<Trial> {
        let Self { engine, start, random, interrupt, .. } = self;
        if engine.roles().len() != self.players.len() {
            return None;
        }
        let guide = network.guide();
        let pair = [PlayingMethod::GuidedAlphaBeta(&guide), PlayingMethod::GuidedTree(&guide)];
        let options = UctOptions { seed: random.word(), ..UctOptions::PLAYER };
        let settings = TrialSettings { options, time: time / Self::MOVES };
        // Neither side plays random games.
        let mut playouts = SinglePlayouts::new(random.word());
        let end = Deadline::after(time);
        let mut is_over = || end.is_over() || interrupt.load(Ordering::Relaxed);
        Trial::run(engine, start, pair, settings, &mut playouts, &mut is_over).ok()
    }

    /// A game from a state; `sides` are in the order of the players.
    fn game(&mut self, state: EngineState, sides: [Option<&NeuralNetwork>; 2], last: Deadline) -> PairedGame<'_> {
        let Self { engine, players, lanes, random, interrupt, .. } = self;
        let budget = Budget::new().with_nodes(Self::VISITS).with_interrupt(Arc::clone(interrupt));
        let mut searches = Vec::new();
        for (&role, side) in players.iter().zip(sides) {
            let question = question(role, side, random.word());
            let own = question.playouts.lanes().map(|wanted| {
                let limits = Limits::new().with_interrupt(Arc::clone(interrupt));
                // Without lanes, random games are played one after the other.
                lanes.get_or_insert_with(|| engine.lanes_of_fixed_width(wanted, &limits).ok().flatten())
            });
            let own = own.and_then(|lanes| lanes.as_ref());
            let play = RandomPlay::tolerant(own, question.playouts, engine, question.seed());
            searches.push((question, play));
        }
        let budget = QuestionBudget::of_match(budget);
        PairedGame { engine, state, players: *players, searches, budget, random, last, interrupt }
    }
}

impl OngoingGame for PairedGame<'_> {
    type Error = GameStop;

    fn is_over(&mut self) -> Result<bool, GameStop> {
        Ok(self.engine.is_terminal(&self.state)?)
    }

    fn joint_moves(&mut self) -> Result<JointMoves, GameStop> {
        if self.last.is_over() || self.interrupt.load(Ordering::Relaxed) {
            return Err(GameStop::NoTime);
        }
        Ok(JointMoves::in_state(self.engine, &self.state)?)
    }

    /// Chance, and a player whose search has found nothing, choose at random.
    fn choose(&mut self, role: Role, joint_moves: &JointMoves) -> Result<usize, GameStop> {
        let Self { engine, state, players, searches, budget, .. } = self;
        let mut found = None;
        if let Some(player) = players.iter().position(|&player| player == role) {
            let (question, play) = &mut searches[player];
            let sampled = question.ask(engine, state, play, budget, &mut |_, _, _| {})?;
            found = sampled.outcome.answer.and_then(|advice| joint_moves.index_of(role, advice.found()?));
        }
        Ok(found.unwrap_or_else(|| self.random.below(joint_moves.legal(role).len())))
    }

    fn advance(&mut self, joint_move: &[Move]) -> Result<(), GameStop> {
        self.state = self.engine.next_state(&self.state, joint_move)?;
        Ok(())
    }
}

impl PairedGame<'_> {
    /// Plays to the end; returns the utilities of the players, or `None` if the game is too long.
    fn play(mut self) -> Result<Option<[Option<Utility>; 2]>, GameStop> {
        if !play_to_end(&mut self, PairedGames::LONGEST)? {
            return Ok(None);
        }
        let mut utilities = [None; 2];
        for (utility, role) in utilities.iter_mut().zip(self.players) {
            *utility = match self.engine.goal(&self.state, role) {
                Err(error) if error.role_without_goal().is_some() => None,
                goal => Some(goal?),
            };
        }
        Ok(Some(utilities))
    }
}

/// The search of a side.
fn question(role: Role, network: Option<&NeuralNetwork>, seed: u64) -> SampleQuestion {
    let plain = SampleQuestion::new(Sampling::Mcts, role, &SearchSpec::new(Sampling::Mcts.name()), seed);
    plain.guided_by(network.map(NeuralNetwork::guide))
}
