//! All states of a game with the joint moves between them, for the comparison of two games.

use super::{Shown, shown};
use ggp_game::{JointMoves, ReasonError, Reasoner, Role};
use rustc_hash::FxHashMap;

/// The states that can be reached, numbered breadth first.
pub(super) struct GameGraph<S> {
    pub(super) states: Vec<S>,
    pub(super) shown: Vec<Shown>,
    /// For each state, where its successors begin in `successors`; one entry more at the end.
    starts: Vec<usize>,
    /// The successors, one for each joint move: that of the last role of the reasoner changes fastest.
    successors: Vec<u32>,
    /// For each role of the first game, the role of this one.
    roles: Vec<Role>,
}

impl<S: Clone + Eq + std::hash::Hash> GameGraph<S> {
    /// Explores the game; `None` if it has more states or joint moves than this.
    pub(super) fn explore<R: Reasoner<State = S>>(
        reasoner: &mut R,
        roles: &[Role],
        most: usize,
    ) -> Result<Option<Self>, ReasonError> {
        let initial = reasoner.initial_state()?;
        let mut numbers: FxHashMap<S, u32> = FxHashMap::default();
        numbers.insert(initial.clone(), 0);
        let mut graph = Self {
            states: vec![initial],
            shown: Vec::new(),
            starts: vec![0],
            successors: Vec::new(),
            roles: roles.to_vec(),
        };
        while let Some(state) = graph.states.get(graph.shown.len()).cloned() {
            let shown = shown(reasoner, &state, roles)?;
            let goes_on = shown.goes_on();
            graph.shown.push(shown);
            if goes_on {
                let mut joint_moves = JointMoves::in_state(reasoner, &state)?;
                loop {
                    let next = reasoner.next_state(&state, joint_moves.current())?;
                    let number = numbers.len();
                    let found = *numbers.entry(next.clone()).or_insert(gdl::number::to_u32(number));
                    if found as usize == graph.states.len() {
                        graph.states.push(next);
                    }
                    graph.successors.push(found);
                    if graph.states.len() > most || graph.successors.len() > 8 * most {
                        return Ok(None);
                    }
                    if !joint_moves.advance() {
                        break;
                    }
                }
            }
            graph.starts.push(graph.successors.len());
        }
        Ok(Some(graph))
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// The successors of a state by joint move.
    pub(super) fn table(&self, state: usize) -> Table<'_> {
        let entries = &self.successors[self.starts[state]..self.starts[state + 1]];
        let Shown::Moves(counts) = &self.shown[state] else {
            return Table { counts: &[], strides: Vec::new(), entries };
        };
        let mut strides = vec![0; counts.len()];
        let mut stride = 1;
        // The strides follow the order of this game's roles, the counts that of the first game's.
        for role in (0..counts.len()).rev().map(Role::new) {
            let index = self.roles.iter().position(|&other| other == role).expect("the roles are a permutation");
            strides[index] = stride;
            stride *= counts[index];
        }
        Table { counts, strides, entries }
    }
}

/// The successors of a state, with a dimension for each role of the first game.
pub(super) struct Table<'g> {
    pub(super) counts: &'g [usize],
    strides: Vec<usize>,
    pub(super) entries: &'g [u32],
}

impl Table<'_> {
    /// The index of the move of each role at an entry, in the order of the first game's roles.
    pub(super) fn indices(&self, entry: usize) -> impl Iterator<Item = usize> + '_ {
        self.strides.iter().zip(self.counts).map(move |(&stride, &count)| entry / stride % count)
    }

    /// The position of the entry for these indices.
    pub(super) fn position(&self, indices: &[usize]) -> usize {
        self.strides.iter().zip(indices).map(|(stride, index)| stride * index).sum()
    }

    /// True if more than one role has a choice, so that entries must be paired role by role.
    pub(super) fn is_simultaneous(&self) -> bool {
        self.counts.iter().filter(|&&count| count > 1).count() > 1
    }
}
