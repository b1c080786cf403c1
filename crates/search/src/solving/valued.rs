//! States with their values: the files of keys, values and distances of a shard, block by block, and the look-up of
//! many states at once, by sorting the questions. In games with chance a value is a mean for each of the [`Players`].

use super::block::{BlockKind, bits_for, write_numbers};
use super::error::SolvingError;
use super::folder::{BlockFile, FileEntry, Folder};
use super::row::RowForm;
use gdl::number::Real;
use ggp_game::Utility;

/// The value of a state: the number of the ending that best play reaches, and the number of joint moves to it.
pub(super) type StoredValue = (u16, u32);

/// The states of a shard with their values.
#[derive(Debug)]
pub(super) struct ValuedShard {
    form: ValueForm,
    keys: BlockFile,
    values: BlockFile,
    distances: Option<BlockFile>,
    rows: Vec<u64>,
    endings: Vec<u32>,
    lengths: Vec<u32>,
    means: Vec<f64>,
}

/// The files of a shard.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShardFiles {
    pub(super) keys: FileEntry,
    pub(super) values: FileEntry,
    pub(super) distances: Option<FileEntry>,
}

impl ValuedShard {
    pub(super) fn open(folder: &Folder, layer: u32, files: ShardFiles, form: ValueForm) -> Result<Self, SolvingError> {
        let open = |kind, entry| BlockFile::open(folder, kind, layer, entry);
        Ok(Self {
            form,
            keys: open(BlockKind::Keys, files.keys)?,
            values: open(form.kind(), files.values)?,
            distances: files.distances.map(|entry| open(BlockKind::Distances, entry)).transpose()?,
            rows: Vec::new(),
            endings: Vec::new(),
            lengths: Vec::new(),
            means: Vec::new(),
        })
    }

    /// Reads the next block of each file; false at the end.
    fn next(&mut self, form: RowForm) -> Result<bool, SolvingError> {
        let is_there = self.keys.next_keys(&mut self.rows)?;
        let count = self.rows.len() / form.width;
        let read = match self.form.means {
            0 => {
                self.values.next_numbers(&mut self.endings)?;
                self.endings.len()
            }
            each => {
                self.values.next_means(&mut self.means)?;
                self.means.len() / each
            }
        };
        if read != count {
            return Err(self.values.damaged("it has other states than the keys"));
        }
        if let Some(distances) = &mut self.distances {
            distances.next_numbers(&mut self.lengths)?;
            if self.lengths.len() != count {
                return Err(distances.damaged("it has other states than the keys"));
            }
        }
        Ok(is_there)
    }

    /// Finds the values of sorted states; false if one of them is not here. `found` gets the index of each state, its
    /// value and, in games with chance, its means. The files are read to their ends, since only then they are checked.
    pub(super) fn find(
        &mut self,
        form: RowForm,
        wanted: &RowQuery,
        mut found: impl FnMut(usize, StoredValue, &[f64]),
    ) -> Result<bool, SolvingError> {
        let mut next = 0;
        while self.next(form)? {
            // Blocks that end before the next question are not compared row by row.
            if next == wanted.len() || wanted.row(next) > &self.rows[self.rows.len() - form.width..] {
                continue;
            }
            for (index, row) in self.rows.chunks_exact(form.width).enumerate() {
                while next < wanted.len() && wanted.row(next) == row {
                    #[expect(clippy::cast_possible_truncation, reason = "there are fewer endings")]
                    let ending = self.endings.get(index).copied().unwrap_or(0) as u16;
                    let value = (ending, self.lengths.get(index).copied().unwrap_or(0));
                    let means = self.means.get(index * self.form.means..).unwrap_or_default();
                    found(wanted.index(next), value, &means[..self.form.means]);
                    next += 1;
                }
            }
        }
        Ok(next == wanted.len())
    }
}

/// Rows to be looked up: sorted, each with its index before they were sorted.
#[derive(Debug)]
pub(super) enum RowQuery {
    Single(Vec<(u64, u32)>),
    Wide { width: usize, rows: Vec<u64>, order: Vec<u32> },
}

impl RowQuery {
    pub(super) fn new(rows: Vec<u64>, width: usize) -> Self {
        if width == 1 {
            let mut pairs: Vec<(u64, u32)> = rows.into_iter().zip(0..).collect();
            pairs.sort_unstable();
            return Self::Single(pairs);
        }
        let count = u32::try_from(rows.len() / width).expect("a round has fewer questions");
        let mut order: Vec<u32> = (0..count).collect();
        let row = |index: u32| &rows[index as usize * width..][..width];
        order.sort_unstable_by(|&left, &right| row(left).cmp(row(right)));
        Self::Wide { width, rows, order }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Single(pairs) => pairs.len(),
            Self::Wide { order, .. } => order.len(),
        }
    }

    pub(super) fn row(&self, number: usize) -> &[u64] {
        match self {
            Self::Single(pairs) => std::slice::from_ref(&pairs[number].0),
            Self::Wide { width, rows, order } => &rows[order[number] as usize * width..][..*width],
        }
    }

    pub(super) fn index(&self, number: usize) -> usize {
        match self {
            Self::Single(pairs) => pairs[number].1 as usize,
            Self::Wide { order, .. } => order[number] as usize,
        }
    }
}

/// The form in which the values of a layer are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueForm {
    /// The number of endings of the game; a state without one has this number.
    pub(super) endings: u16,
    /// True if distances are stored with the values.
    pub(super) distances: bool,
    /// The number of means of a state; 0 in games without chance.
    pub(super) means: usize,
}

impl ValueForm {
    /// The kind of the files of values.
    pub(super) fn kind(self) -> BlockKind {
        if self.means > 0 { BlockKind::Means } else { BlockKind::Values }
    }
}

/// Writes the values of a shard, in blocks of as many states as those of its keys, and then the distances.
pub(super) fn write_values(
    folder: &Folder,
    layer: u32,
    shard: u32,
    form: ValueForm,
    blocks: &[u32],
    values: &[StoredValue],
) -> Result<(FileEntry, Option<FileEntry>), SolvingError> {
    let mut endings = Vec::new();
    let mut distances = Vec::new();
    let mut start = 0;
    let bits = |numbers: &[u32]| bits_for(numbers.iter().copied().max().unwrap_or(0));
    for &count in blocks {
        let part = &values[start..start + count as usize];
        start += count as usize;
        // Each block has the fewest bits that its own numbers need.
        let numbers: Vec<u32> = part.iter().map(|&(ending, _)| ending.min(form.endings).into()).collect();
        write_numbers(BlockKind::Values, layer, bits(&numbers), &numbers, &mut endings);
        let numbers: Vec<u32> = part.iter().map(|&(_, distance)| distance).collect();
        write_numbers(BlockKind::Distances, layer, bits(&numbers), &numbers, &mut distances);
    }
    let states = values.len() as u64;
    let values = folder.write(BlockKind::Values, layer, shard, states, &endings)?;
    let distances =
        if form.distances { Some(folder.write(BlockKind::Distances, layer, shard, states, &distances)?) } else { None };
    Ok((values, distances))
}

/// The players of a game with chance, and the rule by which the means of a state follow from those of its successors:
/// that of `solve` in memory for games in which no state repeats. A state has a mean for each role except chance.
#[derive(Clone, Debug)]
pub(super) struct Players {
    chance: u16,
    /// The roles except chance.
    roles: Vec<u16>,
}

impl Players {
    /// The players of a game of this many roles.
    pub(super) fn new(roles: usize, chance: usize) -> Self {
        let number = |role: usize| u16::try_from(role).expect("there are few roles");
        let chance = number(chance);
        let all = 0..number(roles);
        Self { chance, roles: all.filter(|&role| role != chance).collect() }
    }

    /// The number of means of a state.
    pub(super) fn count(&self) -> usize {
        self.roles.len()
    }

    /// Adds the means of a terminal state with these utilities, in the order of the roles.
    pub(super) fn of_end(&self, ending: &[Utility], means: &mut Vec<f64>) {
        means.extend(self.roles.iter().map(|&role| ending[usize::from(role)].to_f64()));
    }

    /// Adds the means of a state in which a role decides, from those of the successors.
    pub(super) fn back_up(&self, role: u16, choosing: u16, successors: &[f64], means: &mut Vec<f64>) {
        let each = self.count();
        if choosing > 0 && role == self.chance {
            let count = (successors.len() / each) as f64;
            means.extend((0..each).map(|player| successors.iter().skip(player).step_by(each).sum::<f64>() / count));
            return;
        }
        let decides = self.roles.iter().position(|&player| choosing > 0 && player == role).unwrap_or(0);
        let mut states = successors.chunks_exact(each);
        let first = states.next().expect("a state that is not over has a successor");
        let better = |best: &'_ [f64], next: &'_ [f64]| next[decides] > best[decides] + Real::EQUAL;
        means.extend_from_slice(states.fold(first, |best, next| if better(best, next) { next } else { best }));
    }
}
