//! Questions for the values of successors: they go to the workers of their shards in the order in which states are
//! expanded, and the answers come back in it.

use super::super::error::SolvingError;
use super::super::valued::StoredValue;
use super::exchange::WorkerMessage;
use super::member::RunWorker;
use ggp_game::KeyExpansion;
use rustc_hash::FxHashMap;

/// A state whose value is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum AskedState {
    /// It is terminal, with this ending.
    End(u16),
    /// A role decides: its index, the number of roles that have a choice, and the number of joint moves.
    Turn { role: u16, choosing: u16, joint_moves: u32 },
}

/// The states of a round and the questions about their successors.
#[derive(Debug)]
pub(super) struct SuccessorQuestions {
    states: Vec<AskedState>,
    /// The shard of each question.
    shards: Vec<u16>,
    /// The rows that are asked for, by shard.
    rows: Vec<Vec<u64>>,
}

impl SuccessorQuestions {
    pub(super) fn new(shards: u32) -> Self {
        Self { states: Vec::new(), shards: Vec::new(), rows: vec![Vec::new(); shards as usize] }
    }

    /// The bytes of the questions and their answers, of this many bytes each.
    pub(super) fn bytes(&self, width: usize, answer: usize) -> usize {
        self.shards.len() * (width * 8 + 2 + answer) + self.states.len() * size_of::<AskedState>()
    }

    /// Takes the states that `member` expanded last. `numbers` has the number of each ending by its utilities, in
    /// millionths.
    pub(super) fn take(
        &mut self,
        member: &RunWorker<'_>,
        numbers: &FxHashMap<Vec<i64>, u16>,
    ) -> Result<(), SolvingError> {
        let form = member.form;
        let expansions = member.expander.expansions();
        let mut endings = Vec::with_capacity(expansions.ends().len());
        for goals in expansions.ends() {
            endings.push(numbers[&member.ending(goals)?]);
        }
        for expansion in expansions.all() {
            self.states.push(match *expansion {
                KeyExpansion::End(end) => AskedState::End(endings[end as usize]),
                KeyExpansion::Turn(turn) => {
                    let joint_moves = u32::try_from(turn.joint_moves).expect("successors are stored");
                    AskedState::Turn { role: turn.chooser, choosing: turn.choosing, joint_moves }
                }
            });
        }
        let shards = u32::try_from(self.rows.len()).expect("there are few shards");
        for row in member.expander.successors().chunks_exact(form.width) {
            let shard = form.shard(row, shards);
            self.rows[shard as usize].extend_from_slice(row);
            self.shards.push(u16::try_from(shard).expect("there are few shards"));
        }
        Ok(())
    }

    /// The questions as messages.
    pub(super) fn messages(&mut self, workers: u32) -> Vec<WorkerMessage> {
        let mut messages = Vec::new();
        for (shard, rows) in (0..).zip(&mut self.rows).filter(|(_, rows)| !rows.is_empty()) {
            let bytes = std::mem::take(rows).iter().flat_map(|word| word.to_le_bytes()).collect();
            messages.push(WorkerMessage::new(shard % workers, shard, bytes));
        }
        messages
    }

    /// Calls `each` for the states in order, with the values of their successors; a successor has `width` of them,
    /// which `read` takes from an answer.
    pub(super) fn settle<T>(
        &self,
        answers: &[WorkerMessage],
        width: usize,
        read: impl Fn(&mut &[u8]) -> Option<T>,
        mut each: impl FnMut(AskedState, &[T]),
    ) -> Result<(), SolvingError> {
        let mut by_shard: Vec<&[u8]> = vec![&[]; self.rows.len()];
        for message in answers {
            by_shard[message.shard as usize] = &message.bytes;
        }
        let missing = || SolvingError::Worker { what: "an answer is missing".to_string() };
        let mut values = Vec::new();
        let mut shards = self.shards.iter();
        for &state in &self.states {
            values.clear();
            let joint_moves = if let AskedState::Turn { joint_moves, .. } = state { joint_moves } else { 0 };
            for &shard in shards.by_ref().take(joint_moves as usize) {
                for _ in 0..width {
                    values.push(read(&mut by_shard[usize::from(shard)]).ok_or_else(missing)?);
                }
            }
            each(state, &values);
        }
        Ok(())
    }
}

/// The rows of a message of questions.
pub(super) fn rows_of(message: &WorkerMessage) -> impl Iterator<Item = u64> {
    message.bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The answer to a message of questions: for each value the number of its ending and, if they are wanted, its distance.
pub(super) fn answer(question: &WorkerMessage, values: &[StoredValue], distances: bool) -> WorkerMessage {
    let mut bytes = Vec::with_capacity(values.len() * if distances { 6 } else { 2 });
    for (ending, distance) in values {
        bytes.extend_from_slice(&ending.to_le_bytes());
        if distances {
            bytes.extend_from_slice(&distance.to_le_bytes());
        }
    }
    WorkerMessage::new(question.from, question.shard, bytes)
}

/// The next value of an answer.
pub(super) fn take_value(bytes: &mut &[u8], distances: bool) -> Option<StoredValue> {
    let (ending, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    let ending = u16::from_le_bytes(*ending);
    if !distances {
        return Some((ending, 0));
    }
    let (distance, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some((ending, u32::from_le_bytes(*distance)))
}
