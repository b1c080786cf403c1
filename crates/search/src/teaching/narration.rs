//! Narration of a textbook's procedure: `maxscore`, `bestmove` and `bestplan` without memory, step by step.
//!
//! A [`Narrator`] observes the search and follows the calls of the procedure: which are open, what each has kept so
//! far, and when one returns. It keeps the first steps and counts the others.

use crate::events::{Event, GeneratedNode, Observer};
use ggp_game::{Move, Utility, UtilityRange};
use serde::Serialize;

/// The procedure that is narrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Procedure {
    /// Recursive; begins with the score 0, or the least utility of a game that has others than 0 to 100.
    MaxScore,
    /// Not recursive, calls `maxscore` for each move; begins with the first move and the same score.
    BestMove,
    /// Recursive, returns a score and a plan; begins with what the first move returns.
    BestPlan,
}

/// A step of the procedure, with moves of type `M`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NarratedStep<M = Move> {
    /// The number of open calls around it.
    pub depth: u32,
    /// The event of the step.
    #[serde(flatten)]
    pub what: NarratedEvent<M>,
}

/// Event of a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum NarratedEvent<M = Move> {
    /// The procedure is called for a state.
    Call {
        /// The number of the call, from 1.
        number: u64,
        /// The move that leads to the state; `None` for the current one.
        #[serde(rename = "move")]
        chosen: Option<M>,
    },
    /// The test for the end of the game.
    TerminalTest {
        /// The reward, if the state is terminal; it is returned.
        reward: Option<Utility>,
    },
    /// The list of legal moves, in the order in which they are tried.
    Moves {
        /// The moves.
        moves: Vec<M>,
        /// The score to begin with, if the procedure begins with one.
        #[serde(skip_serializing_if = "Option::is_none")]
        score: Option<Utility>,
    },
    /// The state lies beyond the limit on depth, so it is not examined.
    Beyond,
    /// A call has returned, and its result is compared with the best so far.
    Compared {
        /// The move that led to the state of the call.
        #[serde(rename = "move")]
        chosen: M,
        /// The result of the call; `None` if the state was not examined.
        result: Option<ScoredPlan<M>>,
        /// The conclusion from the result.
        verdict: CallVerdict,
    },
    /// The call returns the best that it has kept.
    Returned {
        /// The score, and the plan of `bestplan` or the move of `bestmove`.
        result: ScoredPlan<M>,
    },
}

/// A score with the plan that leads to it, last move first, as it is built.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoredPlan<M = Move> {
    /// The score.
    pub score: Utility,
    /// The moves, last to first.
    pub plan: Vec<M>,
}

/// Conclusion from the result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", content = "than", rename_all = "snake_case")]
pub enum CallVerdict {
    /// It is the best possible score, and returned at once.
    AtOnce,
    /// It is the first result, and kept.
    First,
    /// It is greater than this score, and kept.
    Greater(Utility),
    /// It is not greater than this score, and forgotten.
    NotGreater(Utility),
    /// The state was not examined, and nothing has been kept yet.
    Unknown,
}

/// Follows the calls of a procedure and keeps the first steps.
#[derive(Clone, Debug)]
pub struct Narrator {
    /// The procedure that is followed.
    pub procedure: Procedure,
    /// The first steps.
    pub steps: Vec<NarratedStep>,
    /// The number of later steps.
    pub left_out: u64,
    exit: bool,
    range: UtilityRange,
    most: usize,
    calls: Vec<OpenCall>,
}

/// A call that has not returned yet.
#[derive(Clone, Debug)]
struct OpenCall {
    /// The move that leads to its state.
    chosen: Option<Move>,
    moves: Vec<Move>,
    /// The number of moves whose calls have returned.
    tried: usize,
    best: Option<ScoredPlan>,
}

impl Narrator {
    /// Follows a procedure that ends or does not end a call at the best possible score, and keeps `most` steps.
    pub fn new(procedure: Procedure, exit: bool, range: UtilityRange, most: usize) -> Self {
        Self { procedure, steps: Vec::new(), left_out: 0, exit, range, most, calls: Vec::new() }
    }

    /// Adds a step of the innermost call.
    fn say(&mut self, what: NarratedEvent) {
        if self.steps.len() < self.most {
            let depth = gdl::number::to_u32(self.calls.len().saturating_sub(1));
            self.steps.push(NarratedStep { depth, what });
        } else {
            self.left_out += 1;
        }
    }

    fn call(&mut self, generated: &GeneratedNode<'_>) {
        let chosen = generated.moves.first().copied();
        self.calls.push(OpenCall { chosen, moves: Vec::new(), tried: 0, best: None });
        self.say(NarratedEvent::Call { number: generated.node.number() + 1, chosen });
    }

    fn moves(&mut self, moves: &[Move]) {
        // `bestmove` itself does not test for the end; the calls within it do.
        if !(self.procedure == Procedure::BestMove && self.calls.len() == 1) {
            self.say(NarratedEvent::TerminalTest { reward: None });
        }
        let begins = self.procedure != Procedure::BestPlan;
        self.say(NarratedEvent::Moves { moves: moves.to_vec(), score: begins.then_some(self.range.least) });
        let plan = if self.procedure == Procedure::BestMove { moves[..1].to_vec() } else { Vec::new() };
        if let Some(call) = self.calls.last_mut() {
            call.moves = moves.to_vec();
            call.best = begins.then_some(ScoredPlan { score: self.range.least, plan });
        }
    }

    /// Returns from the innermost call, and from the calls around it that have no move left to try.
    fn returns(&mut self, mut result: Option<ScoredPlan>) {
        while let Some(call) = self.calls.pop()
            && let Some(chosen) = call.chosen
        {
            let verdict = self.compare(chosen, result.as_ref());
            self.say(NarratedEvent::Compared { chosen, result, verdict });
            let Some(around) = self.calls.last_mut() else { return };
            around.tried += 1;
            if verdict != CallVerdict::AtOnce && around.tried < around.moves.len() {
                return;
            }
            result = around.best.clone();
            if let (Some(result), false) = (&result, verdict == CallVerdict::AtOnce) {
                self.say(NarratedEvent::Returned { result: result.clone() });
            }
        }
    }

    /// Compares the result of a call with the best that the call around it has kept, and keeps the better one there.
    fn compare(&mut self, chosen: Move, result: Option<&ScoredPlan>) -> CallVerdict {
        let Some(around) = self.calls.last_mut() else { return CallVerdict::First };
        let before = around.best.as_ref().map(|best| best.score);
        let Some(result) = result else { return before.map_or(CallVerdict::Unknown, CallVerdict::NotGreater) };
        let is_best = self.exit && result.score >= self.range.most;
        if let Some(before) = before
            && result.score <= before
            && !is_best
        {
            return CallVerdict::NotGreater(before);
        }
        let plan = match self.procedure {
            Procedure::MaxScore => Vec::new(),
            Procedure::BestMove => vec![chosen],
            Procedure::BestPlan => result.plan.iter().copied().chain([chosen]).collect(),
        };
        around.best = Some(ScoredPlan { score: result.score, plan });
        match before {
            _ if is_best => CallVerdict::AtOnce,
            None => CallVerdict::First,
            Some(before) => CallVerdict::Greater(before),
        }
    }
}

impl Observer for Narrator {
    fn wants_moves(&self) -> bool {
        true
    }

    fn observe(&mut self, event: &Event<'_>) {
        match event {
            Event::Generated(generated) => self.call(generated),
            Event::Legal { moves, .. } => self.moves(moves),
            &Event::Ended { utility, .. } => {
                self.say(NarratedEvent::TerminalTest { reward: utility });
                self.returns(utility.map(|score| ScoredPlan { score, plan: Vec::new() }));
            }
            Event::Beyond { .. } => {
                self.say(NarratedEvent::Beyond);
                self.returns(None);
            }
            _ => {}
        }
    }
}

impl<M> NarratedStep<M> {
    /// The same step, with `map` applied to each move.
    pub fn map_moves<N>(&self, map: &mut impl FnMut(&M) -> N) -> NarratedStep<N> {
        let scored = |scored: &ScoredPlan<M>, map: &mut dyn FnMut(&M) -> N| ScoredPlan {
            score: scored.score,
            plan: scored.plan.iter().map(map).collect(),
        };
        let what = match &self.what {
            NarratedEvent::Call { number, chosen } => {
                NarratedEvent::Call { number: *number, chosen: chosen.as_ref().map(&mut *map) }
            }
            &NarratedEvent::TerminalTest { reward } => NarratedEvent::TerminalTest { reward },
            NarratedEvent::Moves { moves, score } => {
                NarratedEvent::Moves { moves: moves.iter().map(&mut *map).collect(), score: *score }
            }
            NarratedEvent::Beyond => NarratedEvent::Beyond,
            NarratedEvent::Compared { chosen, result, verdict } => NarratedEvent::Compared {
                chosen: map(chosen),
                result: result.as_ref().map(|result| scored(result, map)),
                verdict: *verdict,
            },
            NarratedEvent::Returned { result } => NarratedEvent::Returned { result: scored(result, map) },
        };
        NarratedStep { depth: self.depth, what }
    }
}
