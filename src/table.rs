//! Tables as plain text: columns as wide as their widest cell, two spaces between them.

use std::fmt;

/// Alignment of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// Rows of cells. A table is printed as a line for each row, without spaces at the end.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(columns: impl Into<Vec<Column>>) -> Self {
        Self { columns: columns.into(), rows: Vec::new() }
    }

    /// A table without rows, with a column of words first and then columns of numbers.
    pub(crate) fn of_numbers(columns: usize) -> Self {
        let numbers = std::iter::repeat_n(Column::Right, columns.saturating_sub(1));
        Self::new(std::iter::once(Column::Left).chain(numbers).collect::<Vec<_>>())
    }

    /// The same with another row. A row with fewer cells than columns is printed as it is; cells beyond the last column are
    /// left out.
    pub(crate) fn row<T: ToString>(mut self, cells: impl IntoIterator<Item = T>) -> Self {
        self.add(&mut cells.into_iter().map(|cell| cell.to_string()));
        self
    }

    /// The same with more rows.
    pub(crate) fn rows<T: ToString, R: IntoIterator<Item = T>>(self, rows: impl IntoIterator<Item = R>) -> Self {
        rows.into_iter().fold(self, Self::row)
    }

    /// Adds a row. Not generic, so that it is compiled once for all types of cells.
    fn add(&mut self, cells: &mut dyn Iterator<Item = String>) {
        self.rows.push(cells.take(self.columns.len()).collect());
    }

    /// The width of the widest cell of a column, in characters.
    fn width(&self, column: usize) -> usize {
        self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = (0..self.columns.len()).map(|column| self.width(column)).collect();
        for row in &self.rows {
            let cells = row.iter().zip(self.columns.iter().zip(&widths)).map(|(cell, (column, &width))| match column {
                Column::Left => format!("{cell:width$}"),
                Column::Right => format!("{cell:>width$}"),
            });
            let cells: Vec<String> = cells.collect();
            writeln!(formatter, "{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// Buffer size for a line of comma-separated values, in bytes: enough for the usual line.
const LINE: usize = 256;

/// A line of comma-separated values (RFC 4180, with a line feed alone).
pub(crate) fn csv_line(fields: impl IntoIterator<Item = String>) -> String {
    let mut writer = csv::WriterBuilder::new().buffer_capacity(LINE).from_writer(Vec::new());
    writer.write_record(fields.into_iter().map(String::into_bytes)).expect("memory takes all lines");
    let line = writer.into_inner().expect("memory takes all lines");
    String::from_utf8(line).expect("quotes leave text what it is")
}
