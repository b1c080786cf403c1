//! Charts as SVG: bars, stacked bars, histograms and scatter plots, on a linear or a logarithmic axis.
//!
//! A [`Chart`] says what is drawn; axes and shapes are drawn by plotters. Texts of the legend stand above the plot, so
//! they hide nothing.

#[cfg(feature = "charts")]
mod plot;

#[cfg(feature = "charts")]
pub use plot::charts;

/// A chart with its axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The text above the chart.
    pub title: String,
    /// The quantity of the horizontal axis.
    pub x: String,
    /// The quantity of the vertical axis.
    pub y: String,
    /// The scale of the vertical axis.
    pub scale: Scale,
    /// The bars or points.
    pub plot: Plot,
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// The height is proportional to the value.
    #[default]
    Linear,
    /// The height is proportional to the logarithm of the value; values that are not positive are left out.
    Logarithmic,
}

/// The bars or points of a chart.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// Groups of bars next to each other, with one bar for each series.
    Bars {
        /// The names of the series; each has a colour.
        series: Vec<String>,
        /// The groups, from left to right.
        groups: Vec<BarGroup>,
    },
    /// One bar for each group, divided into parts.
    Stacks {
        /// The names of the parts, from the lowest; each has a colour.
        parts: Vec<String>,
        /// The groups, from left to right: the text below, and the height of each part.
        groups: Vec<(String, Vec<f64>)>,
    },
    /// The number of values in intervals of equal width.
    Histogram {
        /// The least value of the first interval.
        first: f64,
        /// The width of an interval.
        width: f64,
        /// The number of values in each interval.
        counts: Vec<u64>,
    },
    /// A point for each pair of values.
    Scatter {
        /// The names of the series, each with a colour, and their points.
        series: Vec<(String, Vec<(f64, f64)>)>,
    },
}

impl Default for Plot {
    fn default() -> Self {
        Self::Bars { series: Vec::new(), groups: Vec::new() }
    }
}

/// Bars that are drawn next to each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarGroup {
    /// The text below the bars; each of its lines is written in full.
    pub label: String,
    /// One bar for each series; `None` if there is no value, which is shown as a dash.
    pub bars: Vec<Option<Bar>>,
}

/// A bar of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// The value.
    pub value: f64,
    /// The text above the bar.
    pub label: String,
    /// True if the true value may be larger: the bar is drawn pale.
    pub is_least: bool,
    /// The ends of an error bar.
    pub spread: Option<(f64, f64)>,
}
