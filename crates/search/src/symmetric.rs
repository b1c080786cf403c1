//! A game up to its symmetries. Two states are alike if a symmetry makes one of the other; every successor is replaced
//! by one state for all that are alike.

use fixedbitset::FixedBitSet;
use gdl::number::to_u32;
use gdl::rules::GroundTerm;
use ggp_game::{
    BatchReasoner, Expansions, Fluent, JointMoves, KeyReasoner, Move, ReasonError, Reasoner, Role, Utility,
    UtilityRange,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most symmetries up to which the commands search: each successor is compared with its images under all of them.
/// Of a greater group they use a subgroup.
pub const MOST_SYMMETRIES: usize = 128;

/// A reasoner whose successors are representatives: of all states that are alike, the least. Of two sets of facts that
/// one is less which has the least fact that only one of them has. A search that remembers states visits one state
/// where another visits up to as many as there are symmetries. A state is worth as much as its representative to every
/// role, since symmetries keep roles, ends and goals.
///
/// The symmetries are permutations of facts, each as a map of the facts that it changes; together they must be a group
/// of symmetries of the game. Moves are those of the representatives, so a search begins either from a
/// [representative](SymmetricReasoner::representative), and [`SymmetricReasoner::actual_line`] plays its line with the
/// real states, or from any state, whose own moves are real ([`SymmetricReasoner::actual_line_after`]).
///
/// - Cost: for each successor, its fluents are permuted once for each symmetry.
pub struct SymmetricReasoner<R: Reasoner> {
    reasoner: R,
    symmetries: FluentSymmetries,
    /// The number of each fluent of the engine among those that symmetries change, if they change it.
    number_of: Vec<Option<u32>>,
    alike: SymmetricStates,
}

/// A state and its images under the symmetries; the memory is kept for the next state.
#[derive(Default)]
struct SymmetricStates {
    fluents: Vec<Fluent>,
    /// The numbers of its fluents that symmetries change.
    own: Vec<u32>,
    /// The fluents that symmetries change, a bit for each: in the least image so far.
    least: FixedBitSet,
    /// The same for the current image.
    image: FixedBitSet,
}

impl<R: Reasoner> SymmetricReasoner<R> {
    /// A game up to these symmetries.
    ///
    /// # Errors
    /// If the engine meets a limit.
    pub fn new(mut reasoner: R, symmetries: &[FxHashMap<GroundTerm, GroundTerm>]) -> Result<Self, ReasonError> {
        let symmetries = FluentSymmetries::new(&mut reasoner, symmetries)?;
        let known = symmetries.fluents.iter().map(|fluent| fluent.index() + 1).max().unwrap_or(0);
        let mut number_of = vec![None; known];
        for (number, fluent) in (0..).zip(&symmetries.fluents) {
            number_of[fluent.index()] = Some(number);
        }
        Ok(Self { reasoner, symmetries, number_of, alike: SymmetricStates::default() })
    }

    /// The number of symmetries, the one that changes nothing included.
    pub fn symmetries(&self) -> u64 {
        self.symmetries.images.len() as u64 + 1
    }

    /// The game with its real states.
    pub fn reasoner(&mut self) -> &mut R {
        &mut self.reasoner
    }

    /// The representative of a state: the least of its images under the symmetries.
    ///
    /// # Errors
    /// If the engine cannot make the state.
    pub fn representative(&mut self, state: &R::State) -> Result<R::State, ReasonError> {
        Ok(self.least(state)?.unwrap_or_else(|| state.clone()))
    }

    /// The representative of a state, if it is another one.
    fn least(&mut self, state: &R::State) -> Result<Option<R::State>, ReasonError> {
        // Taken out, since `self` is borrowed as a whole below.
        let mut alike = std::mem::take(&mut self.alike);
        let is_other = self.find_least(state, &mut alike);
        let least = if is_other { self.state(&mut alike).map(Some) } else { Ok(None) };
        self.alike = alike;
        least
    }

    /// Finds the least of the states that are like a state; true if it is another one.
    fn find_least(&self, state: &R::State, alike: &mut SymmetricStates) -> bool {
        if self.symmetries.images.is_empty() {
            return false;
        }
        let SymmetricStates { fluents, own, least, image } = alike;
        fluents.clear();
        self.reasoner.fluents(state, fluents);
        own.clear();
        own.extend(fluents.iter().filter_map(|&fluent| self.number(fluent)));
        let changed = self.symmetries.fluents.len();
        least.grow(changed);
        least.clear();
        own.iter().for_each(|&number| least.insert(number as usize));
        image.grow(changed);
        let mut is_other = false;
        for images in &self.symmetries.images {
            image.clear();
            own.iter().for_each(|&number| image.insert(images[number as usize] as usize));
            if precedes(image, least) {
                // The old one becomes scratch memory for the next image.
                std::mem::swap(image, least);
                is_other = true;
            }
        }
        is_other
    }

    /// The least of the states that are alike, with the fluents that no symmetry changes.
    fn state(&mut self, alike: &mut SymmetricStates) -> Result<R::State, ReasonError> {
        let SymmetricStates { fluents, least, .. } = alike;
        fluents.retain(|&fluent| self.number(fluent).is_none());
        fluents.extend(least.ones().map(|number| self.symmetries.fluents[number]));
        self.reasoner.state_from_fluents(fluents)
    }

    /// The number of a fluent among those that symmetries change.
    #[inline]
    fn number(&self, fluent: Fluent) -> Option<u32> {
        self.number_of.get(fluent.index()).copied().flatten()
    }

    /// The line of real states, from `first` on, for a line of representatives: each time the first joint move that
    /// leads to a state like the next one of the line.
    ///
    /// # Errors
    /// If the engine has no answer.
    pub fn actual_line(&mut self, first: &R::State, line: &[Vec<Move>]) -> Result<Vec<Vec<Move>>, ReasonError> {
        let mut state = first.clone();
        let mut alike = self.representative(first)?;
        let mut actual = Vec::with_capacity(line.len());
        for joint_move in line {
            alike = self.next_state(&alike, joint_move)?;
            let mut joint_moves = JointMoves::in_state(&mut self.reasoner, &state)?;
            loop {
                let next = self.reasoner.next_state(&state, joint_moves.current())?;
                if self.representative(&next)? == alike {
                    actual.push(joint_moves.current().to_vec());
                    state = next;
                    break;
                }
                if !joint_moves.advance() {
                    return Ok(actual);
                }
            }
        }
        Ok(actual)
    }

    /// The line of real states for a line that a search has found from `first`: its first joint move is real, the
    /// others are those of representatives.
    ///
    /// # Errors
    /// If the engine has no answer.
    pub fn actual_line_after(&mut self, first: &R::State, line: &[Vec<Move>]) -> Result<Vec<Vec<Move>>, ReasonError> {
        let Some((joint_move, others)) = line.split_first() else { return Ok(Vec::new()) };
        let next = self.reasoner.next_state(first, joint_move)?;
        let mut actual = vec![joint_move.clone()];
        actual.extend(self.actual_line(&next, others)?);
        Ok(actual)
    }
}

impl<R: Reasoner> Reasoner for SymmetricReasoner<R> {
    type State = R::State;

    fn roles(&self) -> &[GroundTerm] {
        self.reasoner.roles()
    }

    fn initial_state(&mut self) -> Result<R::State, ReasonError> {
        let state = self.reasoner.initial_state()?;
        self.representative(&state)
    }

    fn legal_moves(&mut self, state: &R::State, role: Role, moves: &mut Vec<Move>) -> Result<(), ReasonError> {
        self.reasoner.legal_moves(state, role, moves)
    }

    fn next_state(&mut self, state: &R::State, joint_move: &[Move]) -> Result<R::State, ReasonError> {
        let next = self.reasoner.next_state(state, joint_move)?;
        Ok(self.least(&next)?.unwrap_or(next))
    }

    fn next_state_into(
        &mut self,
        state: &R::State,
        joint_move: &[Move],
        next: &mut R::State,
    ) -> Result<(), ReasonError> {
        *next = self.next_state(state, joint_move)?;
        Ok(())
    }

    fn successors_at_once(&self) -> usize {
        self.reasoner.successors_at_once()
    }

    fn random_step(
        &mut self,
        state: &mut R::State,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<bool, ReasonError> {
        let has_played = self.reasoner.random_step(state, choose)?;
        if let Some(least) = self.least(state)? {
            *state = least;
        }
        Ok(has_played)
    }

    fn is_terminal(&mut self, state: &R::State) -> Result<bool, ReasonError> {
        self.reasoner.is_terminal(state)
    }

    fn goal(&mut self, state: &R::State, role: Role) -> Result<Utility, ReasonError> {
        self.reasoner.goal(state, role)
    }

    fn utility_range(&self) -> UtilityRange {
        self.reasoner.utility_range()
    }

    fn heap_bytes(&self, state: &R::State) -> usize {
        self.reasoner.heap_bytes(state)
    }

    fn facts(&self, state: &R::State) -> Vec<GroundTerm> {
        self.reasoner.facts(state)
    }

    fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<R::State, ReasonError> {
        self.reasoner.state_from_facts(facts)
    }

    fn fluents(&self, state: &R::State, fluents: &mut Vec<Fluent>) {
        self.reasoner.fluents(state, fluents);
    }

    fn fluent_words(&self, state: &R::State, words: &mut Vec<u64>) {
        self.reasoner.fluent_words(state, words);
    }

    fn state_from_fluents(&mut self, fluents: &[Fluent]) -> Result<R::State, ReasonError> {
        self.reasoner.state_from_fluents(fluents)
    }

    fn fluent_term(&self, fluent: Fluent) -> GroundTerm {
        self.reasoner.fluent_term(fluent)
    }

    fn find_fluent(&mut self, fact: &GroundTerm) -> Result<Option<Fluent>, ReasonError> {
        self.reasoner.find_fluent(fact)
    }

    fn move_term(&self, chosen: Move) -> GroundTerm {
        self.reasoner.move_term(chosen)
    }

    fn find_move(&mut self, term: &GroundTerm) -> Result<Move, ReasonError> {
        self.reasoner.find_move(term)
    }

    fn fork(&self) -> Self {
        Self {
            reasoner: self.reasoner.fork(),
            symmetries: self.symmetries.clone(),
            number_of: self.number_of.clone(),
            alike: SymmetricStates::default(),
        }
    }
}

impl<R: BatchReasoner> BatchReasoner for SymmetricReasoner<R> {
    fn batch(&self) -> usize {
        self.reasoner.batch()
    }

    fn expand(&mut self, states: &[&R::State], expansions: &mut Expansions<R::State>) {
        self.reasoner.expand(states, expansions);
        expansions.replace_successors(|successor| self.least(successor));
    }

    fn find_ends(&mut self, states: &[&R::State], expansions: &mut Expansions<R::State>) {
        self.reasoner.find_ends(states, expansions);
    }

    /// None: symmetries are known for states, not for keys.
    fn keys(&mut self, _state: &R::State) -> Option<Box<dyn KeyReasoner>> {
        None
    }
}

/// True if a set of facts comes before another of the same size: the least fact that only one of them has is its own.
fn precedes(facts: &FixedBitSet, others: &FixedBitSet) -> bool {
    let differing = facts.as_slice().iter().zip(others.as_slice()).find(|(own, other)| own != other);
    differing.is_some_and(|(own, other)| own >> (own ^ other).trailing_zeros() & 1 == 1)
}

/// Symmetries as permutations of the fluents by which an engine tells states apart.
///
/// An engine has no fluent for a fact that always holds or never holds, and one fluent for facts that hold together. So
/// only those symmetries are used that map facts with a fluent to facts with a fluent, and facts that share one to
/// facts that share one; within a group they are a group. All symmetries of a game are of this kind, unless the engine
/// knows of a fact, but not of its image, that it always holds, never holds, or holds together with another.
#[derive(Clone)]
pub(crate) struct FluentSymmetries {
    /// The fluents that some symmetry changes, in the canonical order of the first fact of each.
    pub(crate) fluents: Vec<Fluent>,
    /// For each symmetry but the one that changes nothing, the index of the image of each of these fluents. No two are
    /// equal.
    pub(crate) images: Vec<Vec<u32>>,
}

impl FluentSymmetries {
    /// The permutations of an engine's fluents by symmetries, which are given as maps of the facts that they change.
    ///
    /// # Errors
    /// If the engine meets a limit.
    pub(crate) fn new<R: Reasoner>(
        reasoner: &mut R,
        symmetries: &[FxHashMap<GroundTerm, GroundTerm>],
    ) -> Result<Self, ReasonError> {
        // In canonical order, so that representatives are the same on every engine.
        let mut facts: Vec<&GroundTerm> = symmetries.iter().flat_map(FxHashMap::keys).collect();
        facts.sort_unstable();
        facts.dedup();
        let mut fluents = Vec::new();
        let mut number_of: FxHashMap<Fluent, u32> = FxHashMap::default();
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(facts.len());
        for fact in &facts {
            numbers.push(reasoner.find_fluent(fact)?.map(|fluent| {
                *number_of.entry(fluent).or_insert_with(|| {
                    fluents.push(fluent);
                    to_u32(fluents.len() - 1)
                })
            }));
        }
        let unchanged: Vec<u32> = (0..to_u32(fluents.len())).collect();
        let mut known = FxHashSet::from_iter([unchanged]);
        let images = symmetries.iter().filter_map(|symmetry| permutation(symmetry, &facts, &numbers, fluents.len()));
        let images = images.filter(|images| known.insert(images.clone())).collect();
        Ok(Self { fluents, images })
    }
}

/// The images under a symmetry of the fluents with numbers below `count`; `None` if it is no permutation of them.
/// `facts` are those that symmetries change, in canonical order, each with the number of its fluent, if it has one.
fn permutation(
    symmetry: &FxHashMap<GroundTerm, GroundTerm>,
    facts: &[&GroundTerm],
    numbers: &[Option<u32>],
    count: usize,
) -> Option<Vec<u32>> {
    let mut images: Vec<Option<u32>> = vec![None; count];
    for (fact, &number) in facts.iter().zip(numbers) {
        let image = match symmetry.get(*fact) {
            Some(image) => numbers[facts.binary_search_by(|known| (*known).cmp(image)).ok()?],
            None => number,
        };
        match number.zip(image) {
            Some((number, image)) if *images[number as usize].get_or_insert(image) != image => return None,
            None if number != image => return None,
            _ => {}
        }
    }
    images.into_iter().collect()
}
