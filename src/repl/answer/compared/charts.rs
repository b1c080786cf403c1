//! The charts of `compare`: costs by game or depth; for games also ratios, distributions and results.

use super::{ComparedRun, ComparisonAnswer, GameEnd, GameRecord, PlayedGame, RunResult};
use gdl::quantity::grouped;
use ggp_draw::{Bar, BarGroup, Chart, Plot, Scale};

/// The number of intervals of a histogram, about.
const INTERVALS: f64 = 12.0;

impl ComparisonAnswer {
    /// All charts.
    pub(crate) fn charts(&self) -> Vec<Chart> {
        let is_of_games = self.runs.iter().any(|run| run.record().is_some());
        let counted = self.runs.iter().find_map(|run| run.runs()).map(|record| record.count.name());
        let mut charts = match counted {
            Some(count) => vec![self.counts(count)],
            None if is_of_games => self.charts_of_games(),
            None => vec![self.nodes()],
        };
        if self.runs.iter().any(|run| run.seconds.is_some()) {
            let seconds = |run: &ComparedRun| run.seconds.map(|value| bar(value, two_digits(value)));
            charts.push(self.bars("time by the clock", "seconds", Scale::Logarithmic, seconds));
        }
        charts
    }

    fn nodes(&self) -> Chart {
        self.bars("nodes generated", "nodes", Scale::Logarithmic, |run| {
            let is_least = matches!(run.result, RunResult::Search { stopped: Some(_), .. });
            let label = format!("{}{}", if is_least { "> " } else { "" }, grouped(run.nodes));
            Some(Bar { is_least, ..bar(run.nodes as f64, label) })
        })
    }

    /// The median counts of repeated searches with their quartiles, in groups by algorithm.
    fn counts(&self, count: &str) -> Chart {
        let median = |run: &ComparedRun| {
            let counts = run.runs()?.counts()?;
            let [low, median, high] = counts.quartiles;
            let spread = (counts.count > 1).then_some((low, high));
            Some(Bar { spread, ..bar(median, grouped(median.round())) })
        };
        let mut games: Vec<&str> = Vec::new();
        for run in &self.runs {
            if !games.contains(&run.game.as_str()) {
                games.push(&run.game);
            }
        }
        let group = |algorithm: &str| {
            let run = |game: &&str| self.runs.iter().find(|run| run.algorithm == algorithm && run.game == **game);
            let bars = games.iter().map(|game| run(game).and_then(median)).collect();
            BarGroup { label: algorithm.replace([':', '+'], "\n"), bars }
        };
        let groups = self.algorithms().into_iter().map(group).collect();
        let series = games.iter().map(ToString::to_string).collect();
        let title = format!("{count}, and the quartiles of runs in random order");
        let plot = Plot::Bars { series, groups };
        Chart { title, x: String::new(), y: count.to_string(), scale: Scale::Logarithmic, plot }
    }

    /// The charts of a study of self-play: the mean calls of a game with the deviation of one game; the ratio of each
    /// algorithm to the previous one; results; and at the greatest depth the distribution of calls, and calls by
    /// length.
    fn charts_of_games(&self) -> Vec<Chart> {
        let mean = |run: &ComparedRun| {
            let calls = run.record()?.calls()?;
            let spread = Some((calls.mean - calls.deviation, calls.mean + calls.deviation));
            Some(Bar { spread, ..bar(calls.mean, grouped(calls.mean.round())) })
        };
        let mut charts = vec![self.bars("mean calls of a game, and the deviation", "calls", Scale::Logarithmic, mean)];
        charts.extend(self.algorithms().windows(2).map(|pair| self.ratios(pair[0], pair[1])));
        charts.extend(self.algorithms().into_iter().map(|algorithm| self.results(algorithm)));
        let deepest = |algorithm: &str| {
            let runs = self.runs.iter().filter(|run| run.algorithm == algorithm && run.record().is_some());
            runs.max_by_key(|run| run.depth)
        };
        let deepest: Vec<&ComparedRun> = self.algorithms().into_iter().filter_map(deepest).collect();
        charts.extend(deepest.iter().filter_map(|run| histogram(run)));
        charts.push(self.lengths(&deepest));
        charts
    }

    /// The mean calls of an algorithm divided by those of another.
    fn ratios(&self, divisor: &str, algorithm: &str) -> Chart {
        let of_pair = |run: &ComparedRun, before: Option<&ComparedRun>| {
            let before = before.filter(|before| before.algorithm == divisor && run.algorithm == algorithm)?;
            let value = run.ratio_to(before)?;
            Some(BarGroup { label: self.label(run), bars: vec![Some(bar(value, format!("{value:.2}")))] })
        };
        let groups = self.pairs().filter_map(|(run, before)| of_pair(run, before)).collect();
        let plot = Plot::Bars { series: vec![String::new()], groups };
        self.chart(&format!("{algorithm} / {divisor}"), "ratio of mean calls", Scale::Linear, plot)
    }

    /// The results of an algorithm's games.
    fn results(&self, algorithm: &str) -> Chart {
        let stack = |run: &ComparedRun| {
            let GameRecord { wins, draws, losses, unfinished, .. } = run.record()?;
            let counts = [*wins, *draws, *losses, *unfinished].map(|count| count as f64);
            Some((self.label(run), counts.to_vec()))
        };
        let groups: Vec<_> = self.runs.iter().filter(|run| run.algorithm == algorithm).filter_map(stack).collect();
        let mut parts = ["first role wins", "draw", "first role loses", "unfinished"].map(str::to_string).to_vec();
        if groups.iter().all(|(_, counts)| counts[3] == 0.0) {
            parts.pop();
        }
        self.chart(&format!("results of {algorithm}"), "games", Scale::Linear, Plot::Stacks { parts, groups })
    }

    /// Calls by the length of games.
    fn lengths(&self, runs: &[&ComparedRun]) -> Chart {
        let point = |game: &PlayedGame| (game.plies as f64, game.calls as f64);
        let series = |run: &&ComparedRun| {
            let ended = |game: &&PlayedGame| game.end != GameEnd::Unfinished;
            let played = run.record().map(|record| record.played.as_slice()).unwrap_or_default();
            (self.series_name(run), played.iter().filter(ended).map(point).collect())
        };
        let plot = Plot::Scatter { series: runs.iter().map(series).collect() };
        Chart { x: "plies".to_string(), ..self.chart("calls by length of a game", "calls", Scale::Logarithmic, plot) }
    }

    fn series_name(&self, run: &ComparedRun) -> String {
        run.depth.map_or(run.algorithm.clone(), |depth| format!("{}, depth {depth}", run.algorithm))
    }

    /// A bar for each run, in groups by game and depth.
    fn bars(&self, title: &str, y: &str, scale: Scale, quantity: impl Fn(&ComparedRun) -> Option<Bar>) -> Chart {
        let algorithms = self.algorithms();
        let mut groups: Vec<BarGroup> = Vec::new();
        for run in &self.runs {
            let label = self.label(run);
            if groups.last().is_none_or(|group| group.label != label) {
                groups.push(BarGroup { label, bars: vec![None; algorithms.len()] });
            }
            let index = algorithms.iter().position(|name| *name == run.algorithm);
            if let (Some(index), Some(group)) = (index, groups.last_mut()) {
                group.bars[index] = quantity(run);
            }
        }
        let series = algorithms.into_iter().map(str::to_string).collect();
        self.chart(title, y, scale, Plot::Bars { series, groups })
    }

    /// The label of a run's group: its depth, or its game, or both.
    fn label(&self, run: &ComparedRun) -> String {
        match run.depth {
            None => run.game.clone(),
            Some(depth) if self.only_game().is_some() => depth.to_string(),
            Some(depth) => format!("{}, depth {depth}", run.game),
        }
    }

    fn chart(&self, title: &str, y: &str, scale: Scale, plot: Plot) -> Chart {
        let title = self.only_game().map_or(title.to_string(), |game| format!("{game}: {title}"));
        let has_depth = self.runs.iter().any(|run| run.depth.is_some());
        let x = if has_depth && self.only_game().is_some() { "depth" } else { "" };
        Chart { title, x: x.to_string(), y: y.to_string(), scale, plot }
    }

    /// The game of all runs, if it is one.
    fn only_game(&self) -> Option<&str> {
        let first = &self.runs.first()?.game;
        self.runs.iter().all(|run| run.game == *first).then_some(first)
    }
}

/// The distribution of the calls of a game; `None` without a game.
fn histogram(run: &ComparedRun) -> Option<Chart> {
    let calls: Vec<f64> = run.record()?.played.iter().map(|game| game.calls as f64).collect();
    let (low, high) = calls.iter().fold((f64::INFINITY, 0.0), |(low, high), &value| (value.min(low), value.max(high)));
    if calls.is_empty() {
        return None;
    }
    let width = round_width((high - low) / INTERVALS);
    let first = (low / width).floor() * width;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "there are few intervals")]
    let index = |value: f64| ((value - first) / width) as usize;
    let mut counts = vec![0; index(high) + 1];
    calls.into_iter().for_each(|value| counts[index(value)] += 1);
    let depth = run.depth.map_or(String::new(), |depth| format!(" at depth {depth}"));
    Some(Chart {
        title: format!("{}: calls of a game, {}{depth}", run.game, run.algorithm),
        x: "calls".to_string(),
        y: "games".to_string(),
        scale: Scale::Linear,
        plot: Plot::Histogram { first, width, counts },
    })
}

/// The least of 1, 2 and 5 times a power of ten that is no less.
fn round_width(width: f64) -> f64 {
    let power = 10_f64.powf(width.max(1.0).log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|round| *round >= width).unwrap_or(power)
}

fn bar(value: f64, label: String) -> Bar {
    Bar { value, label, ..Bar::default() }
}

/// A number with two significant digits.
fn two_digits(number: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the powers of ten of finite numbers are between -324 and 308")]
    let power = number.log10().floor() as i32;
    let digits = if number > 0.0 { 1 - power } else { 1 };
    format!("{number:.*}", digits.clamp(0, 9) as usize)
}
