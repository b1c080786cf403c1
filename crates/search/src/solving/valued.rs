//! States with their values: the files of keys, values and distances of a shard, block by block, and the look-up of
//! many states at once, by sorting the questions. In games with chance a value is a mean for each of the [`Players`].

use super::block::BlockKind;
use super::error::SolvingError;
use super::folder::{BlockFile, FileEntry, Folder};
use super::row::RowForm;

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

/// The players of a game with chance, its roles except chance. A state has a mean for each of them.
#[derive(Clone, Debug)]
pub(super) struct Players {
    /// Indices among the roles, increasing.
    pub(super) roles: Vec<u16>,
}

impl Players {
    /// The players of a game of this many roles.
    pub(super) fn new(roles: usize, chance: usize) -> Self {
        let number = |role: usize| u16::try_from(role).expect("there are few roles");
        let chance = number(chance);
        Self { roles: (0..number(roles)).filter(|&role| role != chance).collect() }
    }

    /// The number of means of a state.
    pub(super) fn count(&self) -> usize {
        self.roles.len()
    }
}
