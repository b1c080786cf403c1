//! Games with chance: the mean utilities of a layer from those of the next.

use super::super::block::{BlockKind, write_means};
use super::super::error::SolvingError;
use super::super::players::Players;
use super::super::valued::FoundState;
use super::backward::LayerOutput;
use super::exchange::WorkerMessage;
use super::member::RunWorker;
use super::questions::{AskedState, SuccessorQuestions};

impl RunWorker<'_> {
    /// Finds the means of a layer, and commits them.
    pub(super) fn expect(&mut self, layer: u32, players: &Players) -> Result<(), SolvingError> {
        let numbers = self.ending_numbers();
        let shards = self.manifest.layers.get(layer as usize + 1).map_or(1, |next| next.shards);
        let each = players.count();
        let memory = self.memory / 4;
        let mut walk = self.unvalued(layer);
        let mut means = Vec::new();
        let mut written = LayerOutput::default();
        loop {
            let mut questions = SuccessorQuestions::new(shards);
            while questions.bytes(self.form.width, each * size_of::<f64>()) < memory
                && self.expander.expand(&mut walk)?
            {
                self.team.check()?;
                questions.take(self, &numbers)?;
            }
            let messages = questions.messages(self.team.workers());
            let (asked, more) = self.team.round(messages, !walk.is_done())?;
            let read = |found: FoundState<'_>, means: &mut [f64]| means.copy_from_slice(found.means);
            let sent = |message: &WorkerMessage, means: &[f64]| {
                let bytes = means.iter().flat_map(|mean| mean.to_le_bytes()).collect();
                WorkerMessage::new(message.from, message.shard, bytes)
            };
            let answers = self.answers(layer + 1, &asked, each, read, sent)?;
            drop(asked);
            let (answers, is_time) = self.team.round(answers, self.is_time_to_commit())?;
            questions.settle(&answers, each, take_mean, |state, successors| match state {
                AskedState::End(ending) => players.of_end(&self.manifest.endings[usize::from(ending)], &mut means),
                AskedState::Turn { role, choosing, .. } => players.back_up(role, choosing, successors, &mut means),
            })?;
            for (shard, blocks) in walk.finished() {
                let states: usize = blocks.iter().map(|&count| count as usize).sum();
                let rest = means.split_off(states * each);
                self.write_means(layer, shard, &blocks, &std::mem::replace(&mut means, rest), &mut written)?;
            }
            if !more {
                return self.commit_values(layer, written);
            }
            if is_time {
                self.commit_values(layer, std::mem::take(&mut written))?;
            }
        }
    }

    /// Writes the means of a shard, in blocks of as many states as those of its keys.
    fn write_means(
        &self,
        layer: u32,
        shard: u32,
        blocks: &[u32],
        means: &[f64],
        written: &mut LayerOutput,
    ) -> Result<(), SolvingError> {
        let states: usize = blocks.iter().map(|&count| count as usize).sum();
        let each = means.len() / states.max(1);
        let mut content = Vec::new();
        let mut rest = means;
        for &count in blocks {
            let (block, later) = rest.split_at(count as usize * each);
            write_means(layer, each, block, &mut content);
            rest = later;
        }
        if layer == 0 {
            written.first_means = Some(means.iter().map(|mean| mean.to_bits()).collect());
        }
        written.values.push(self.folder.write(BlockKind::Means, layer, shard, states as u64, &content)?);
        Ok(())
    }
}

fn take_mean(bytes: &mut &[u8]) -> Option<f64> {
    let (mean, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(f64::from_le_bytes(*mean))
}
