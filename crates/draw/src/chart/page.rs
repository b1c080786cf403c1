//! A page of charts.

use super::Chart;
use super::frame::ChartFrame;
use plotters::drawing::IntoDrawingArea;
use plotters::prelude::SVGBackend;

/// More charts than this stand in two columns.
const MOST_IN_ONE_COLUMN: usize = 2;

/// Draws charts in one SVG document, below each other or in two columns.
pub fn charts(charts: &[Chart]) -> String {
    let columns: u8 = if charts.len() > MOST_IN_ONE_COLUMN { 2 } else { 1 };
    let frames: Vec<ChartFrame<'_>> = charts.iter().map(ChartFrame::new).collect();
    let width = frames.iter().map(|frame| frame.width).max().unwrap_or(0);
    let rows = frames.chunks(columns.into());
    let heights: Vec<u32> = rows.map(|row| row.iter().map(|frame| frame.height).max().unwrap_or(0)).collect();
    let mut out = String::new();
    let size = (width * u32::from(columns), heights.iter().sum());
    let root = SVGBackend::with_string(&mut out, size).into_drawing_area();
    let mut top = 0;
    let mut drawn = root.fill(&plotters::style::WHITE);
    for (row, height) in frames.chunks(columns.into()).zip(heights) {
        for (column, frame) in (0..).zip(row) {
            let area = root.clone().shrink((column * width, top), (width, height));
            drawn = drawn.and_then(|()| frame.draw(&area));
        }
        top += height;
    }
    drawn.and_then(|()| root.present()).unwrap_or_else(|_| unreachable!("writing to a string does not fail"));
    drop(root);
    out
}
