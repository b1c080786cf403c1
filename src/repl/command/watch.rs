//! Observation of searches: the options `--trace`, `--tree`, `--stages`, `--rounds` and `--count`, and the parts of an
//! answer that they add.

use super::Arguments;
use super::option::{BOARDS, COUNT, FORCE, FULL, LIST, MERGE, QUEUE, ROUNDS, STAGES, TRACE, TREE, VIEW};
use crate::repl::answer::{
    AnswerView, DrawnTree, EventTrace, Narration, NodeCount, Scene, SceneBoards, SearchAnswer, SearchFound, Stages,
    TreeFormat,
};
use crate::repl::output::OutputFile;
use crate::repl::{CommandError, Session};
use ggp_game::{Reasoner, UtilityRange};
use ggp_play::ask::approach::STACK;
use ggp_play::ask::options::{EVALUATION, GUESS, NETWORK};
use ggp_search::{ExploredTree, Narrator, Observer, Outcome, Procedure, Recorder, RoundRecorder};

/// The default number of events of a trace.
const EVENTS: usize = 1_000;
/// The greatest number of nodes of the explored tree that are kept.
const KEPT_NODES: usize = 200_000;
/// The greatest number of nodes that are drawn; larger trees are folded.
const DRAWN_NODES: usize = 300;

/// Observations of a search that are shown beside its answer.
#[derive(Clone)]
pub(super) struct Watch {
    recorder: Option<Recorder>,
    /// The form of the drawn tree, and its file; without one it is part of the answer.
    tree: Option<(TreeFormat, Option<OutputFile>)>,
    counts: Vec<NodeCount>,
    rounds: bool,
    narrator: Option<Narrator>,
    /// The name of the search.
    search: &'static str,
    /// Setting of the boards, if they are to be drawn or compared.
    boards: Option<SceneBoards>,
    stages: bool,
    /// True if the search has an evaluation.
    is_estimated: bool,
}

/// The observer for a [`Watch`].
pub(super) type Watcher = ((Option<Recorder>, Option<ExploredTree>), (Option<RoundRecorder>, Option<Narrator>));

/// The commands whose nodes wait in a queue.
const QUEUED: [&str; 3] = ["bfs", "astar", "greedy"];

/// Parts of a command's answer that options ask for: `--full`, `--count` and `--list`.
pub(super) fn view(arguments: &Arguments) -> Result<AnswerView, CommandError> {
    // `compare` has another option of the name `--count`.
    let counts = if arguments.command().options.contains(&VIEW) { counts(arguments)? } else { Vec::new() };
    Ok(AnswerView { full: arguments.has(&FULL), counts, runs: arguments.has(&LIST) })
}

/// Parses `--count`: the words of counts that the search has.
fn counts(arguments: &Arguments) -> Result<Vec<NodeCount>, CommandError> {
    // A search with a queue has no recursive calls, and one without has no pops.
    let is_queued = QUEUED.contains(&arguments.command().name) || arguments.has(&STACK);
    let missing = if is_queued { NodeCount::Calls } else { NodeCount::Pops };
    let known = || NodeCount::ALL.into_iter().filter(|&count| count != missing);
    let words = arguments.word(&COUNT).unwrap_or_default().split(',').filter(|word| !word.is_empty());
    let count = |word: &str| {
        known().find(|count| count.name() == word).ok_or_else(|| {
            let names: Vec<&str> = known().map(NodeCount::name).collect();
            arguments.wrong(format!("this search has no count `{word}`; it has {}", names.join(", ")))
        })
    };
    words.map(count).collect()
}

impl Watch {
    /// Reads `--trace`, `--queue`, `--tree`, `--boards`, `--merge`, `--stages` and `--count`.
    pub(super) fn from_arguments(arguments: &Arguments, session: &mut Session) -> Result<Self, CommandError> {
        let queue = arguments.optional_number(&QUEUE, usize::MAX)?;
        let most = arguments.optional_number(&TRACE, EVENTS)?;
        let most = most.or(queue.map(|_| EVENTS));
        let tree = match arguments.two_words(&TREE) {
            None => None,
            Some((format, file)) => {
                let format = TreeFormat::find(format).ok_or_else(|| {
                    let formats = "`text`, `list`, `dot`, `svg` or `stages`";
                    arguments.wrong(format!("a tree is drawn as {formats}, not `{format}`"))
                })?;
                let file = file.map(|file| session.output(file, arguments.has(&FORCE), &[])).transpose()?;
                Some((format, file))
            }
        };
        let draws = arguments.has(&BOARDS);
        let joins = arguments.has(&MERGE);
        let boards = if draws || joins { Some(boards(session, joins, draws)?) } else { None };
        Ok(Self {
            recorder: most.map(|most| match queue {
                Some(nodes) => Recorder::new(most).with_frontier(nodes),
                None => Recorder::new(most),
            }),
            tree,
            counts: counts(arguments)?,
            rounds: arguments.has(&ROUNDS),
            narrator: None,
            search: arguments.command().name,
            boards,
            stages: arguments.has(&STAGES),
            is_estimated: [&EVALUATION, &GUESS, &NETWORK].into_iter().any(|option| arguments.has(option)),
        })
    }

    /// Narrates a procedure instead of listing events, if a trace is wanted.
    pub(super) fn narrating(
        mut self,
        procedure: Procedure,
        exit: bool,
        range: UtilityRange,
        arguments: &Arguments,
    ) -> Result<Self, CommandError> {
        if let Some(most) = arguments.optional_number(&TRACE, EVENTS)? {
            self.recorder = None;
            self.narrator = Some(Narrator::new(procedure, exit, range, most));
        }
        Ok(self)
    }

    /// The same, for a search that has no stages of alpha-beta to draw.
    pub(super) fn without_stages(self, arguments: &Arguments) -> Result<Self, CommandError> {
        match self.tree {
            Some((TreeFormat::Stages, ..)) => Err(arguments.wrong("stages are drawn of `alphabeta` and `paranoid`")),
            _ => Ok(self),
        }
    }

    /// True if the explored tree is drawn.
    pub(super) fn draws(&self) -> bool {
        self.tree.is_some()
    }

    /// The first count that `--count` names.
    pub(super) fn first_count(&self) -> Option<NodeCount> {
        self.counts.first().copied()
    }

    /// True if anything is shown beside the answer.
    pub(super) fn is_on(&self) -> bool {
        self.recorder.is_some() || self.tree.is_some() || self.rounds || self.narrator.is_some() || self.stages
    }

    /// The observer for the search.
    pub(super) fn watcher(&self) -> Watcher {
        let tree = (self.tree.is_some() || self.stages).then(|| ExploredTree::new(KEPT_NODES));
        ((self.recorder.clone(), tree), (self.rounds.then(RoundRecorder::default), self.narrator.clone()))
    }

    /// The observer as a question takes it: `None` if nothing is to be shown.
    pub(super) fn observing<'w>(&self, watcher: &'w mut Watcher) -> Option<&'w mut dyn Observer> {
        self.is_on().then_some(watcher as &mut dyn Observer)
    }

    /// The answer of a search from a state with its trace; the drawn tree is written to its file. An error if the
    /// search found nothing and nothing was observed.
    pub(super) fn answer<R: Reasoner>(
        self,
        ((recorder, tree), (rounds, narrator)): Watcher,
        reasoner: &R,
        state: &R::State,
        outcome: Outcome<SearchFound>,
    ) -> Result<SearchAnswer, CommandError> {
        if !self.is_on() {
            return SearchAnswer::from_outcome(outcome);
        }
        let mut answer = SearchAnswer::of_any(outcome);
        answer.rounds = rounds.map_or(Vec::new(), |recorder| recorder.rounds);
        answer.narration = narrator.map(|Narrator { procedure, steps, left_out, .. }| {
            let steps = steps.iter().map(|step| step.map_moves(&mut |&chosen| reasoner.move_term(chosen)));
            Narration { procedure, steps: steps.collect(), left_out }
        });
        answer.trace = recorder.map(|recorder| Box::new(EventTrace::from_recorder(recorder, self.search, reasoner)));
        let Some(explored) = tree else { return Ok(answer) };
        if self.stages {
            let stages = Stages::from_explored(&explored, reasoner);
            let problem = "stages are for a search without a table, in which one role chooses at a time";
            let stages = stages.ok_or_else(|| CommandError::usage(problem, "alphabeta [ROLE] --stages"))?;
            answer.stages = Some(Box::new(stages));
        }
        if let Some((format, output)) = self.tree {
            // Making the moves of the tree again needs a reasoner that may change, and this one is shared.
            let scene = Scene::new(&explored, &mut reasoner.fork(), state, self.boards.as_ref(), self.is_estimated)?;
            let mut drawn = DrawnTree::new(&explored, &scene, reasoner, format, DRAWN_NODES);
            if let Some(output) = output {
                drawn.move_to(&output)?;
            }
            answer.tree = Some(drawn);
        }
        Ok(answer)
    }
}

/// Setting of the boards of the loaded game.
fn boards(session: &mut Session, joins: bool, draws: bool) -> Result<SceneBoards, CommandError> {
    Ok(SceneBoards { setting: session.current()?.setting()?, joins, draws })
}
