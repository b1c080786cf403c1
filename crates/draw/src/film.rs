//! Films: a sequence of positions as an animated SVG, as a page with controls, or with all frames side by side.

use super::document::{THEME, Words, document, escaped};
use super::grid::{self, Grid};
use std::fmt::Write;

/// A sequence of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Film {
    /// The title above every frame; empty if there is none.
    pub title: String,
    /// The positions, in the order of time.
    pub frames: Vec<Frame>,
}

/// A position, and how it was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The text above the position: the move that led there, the scores.
    pub caption: Vec<String>,
    /// The boards, from the top.
    pub boards: Vec<Grid>,
    /// The facts that do not stand on the boards, line by line.
    pub facts: Vec<String>,
}

/// The side of a cell, the height of a line and the width of a letter, in pixels.
const CELL: f64 = 32.0;
const LINE: f64 = 17.0;
const LETTER: f64 = 7.2;
const MARGIN: f64 = 12.0;

/// The seconds for which a frame is shown.
const SECONDS: f64 = 1.0;
/// The time for which the last frame is shown, in times of other frames.
const LAST: f64 = 3.0;

const STYLE: &str = "text{font:13px sans-serif;fill:var(--ink)}.title{font-weight:bold}.fact{font:12px monospace;fill:var(--pale)}\
.frame-box{fill:none;stroke:var(--line)}";

/// The style of the page around the frames, with the properties of the theme.
const PAGE_STYLE: &str = "\
body{margin:0;padding:var(--s4);background:var(--paper);color:var(--ink);font-size:var(--text)}
main{display:grid;justify-items:center;gap:var(--s4)}
h1{font-size:var(--large);margin:0}
svg.frame{height:auto;background:var(--panel);border-radius:var(--round);box-shadow:var(--shadow)}
svg.frame[hidden]{display:none}
p{margin:0;display:flex;flex-wrap:wrap;gap:var(--s2);align-items:center;justify-content:center}
label{display:flex;gap:var(--s2);align-items:center}
button{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--line);border-radius:var(--round);padding:var(--s1) var(--s3);min-height:2rem;min-width:2.75rem;cursor:pointer}
button:hover{background:var(--hover)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
input{accent-color:var(--accent)}
output{color:var(--pale)}";

/// The style of frames and of the boards in them.
fn style() -> String {
    [STYLE, grid::STYLE].concat()
}

/// One position as an SVG document.
pub fn position_picture(title: String, frame: Frame) -> String {
    let film = Film { title, frames: vec![frame] };
    let (width, height) = size(&film);
    document(width, height, &style(), &frame_elements(&film, &film.frames[0]))
}

/// An SVG document that plays by itself, without scripts: a frame a second, the last one three seconds, then again. A
/// program without animations shows the first frame.
pub fn film(film: &Film) -> String {
    let (width, height) = size(film);
    let count = film.frames.len().max(1) as f64;
    let total = count - 1.0 + LAST;
    let share = |frames: f64| 100.0 * frames / total;
    let mut style = style();
    let _ = write!(
        style,
        ".frame{{visibility:hidden;animation:show {:.1}s step-end infinite}}.frame.first{{visibility:visible}}.frame.last{{animation-name:stay}}\
         @keyframes show{{0%{{visibility:visible}}{:.3}%{{visibility:hidden}}100%{{visibility:hidden}}}}\
         @keyframes stay{{0%{{visibility:visible}}{:.3}%{{visibility:hidden}}100%{{visibility:hidden}}}}",
        total * SECONDS,
        share(1.0),
        share(LAST)
    );
    let mut out = String::new();
    for (index, frame) in film.frames.iter().enumerate() {
        let first = if index == 0 { " first" } else { "" };
        let last = if index + 1 == film.frames.len() { " last" } else { "" };
        let delay = index as f64 * SECONDS;
        let _ = writeln!(out, "<g class=\"frame{first}{last}\" style=\"animation-delay:{delay:.1}s\">");
        out += &frame_elements(film, frame);
        out += "</g>\n";
    }
    document(width, height, &style, &out)
}

/// All frames side by side, as one SVG document.
pub fn contact_sheet(film: &Film) -> String {
    let (width, height) = size(film);
    // As many columns as fit into 1,200 pixels, but at least one.
    let fits = |columns: &usize| *columns as f64 * width <= 1_200.0;
    let columns = (1..=film.frames.len()).take_while(fits).last().unwrap_or(1);
    let rows = film.frames.len().div_ceil(columns);
    let mut out = String::new();
    for (index, frame) in film.frames.iter().enumerate() {
        let x = (index % columns) as f64 * width;
        let y = (index / columns) as f64 * height;
        let _ = writeln!(out, "<g transform=\"translate({x:.1},{y:.1})\">");
        let _ = writeln!(
            out,
            "<rect class=\"frame-box\" x=\"2\" y=\"2\" width=\"{:.1}\" height=\"{:.1}\"/>",
            width - 4.0,
            height - 4.0
        );
        out += &frame_elements(film, frame);
        out += "</g>\n";
    }
    document(columns as f64 * width, rows as f64 * height, &style(), &out)
}

/// An HTML page with the frames and controls to play, pause, step and change the speed, light or dark. It needs no
/// network.
pub fn page(film: &Film) -> String {
    // The title is the heading of the page.
    let untitled = Film { title: String::new(), frames: film.frames.clone() };
    let (width, height) = size(&untitled);
    let mut frames = String::new();
    for (index, frame) in film.frames.iter().enumerate() {
        let hidden = if index == 0 { "" } else { " hidden" };
        let _ = writeln!(
            frames,
            "<svg class=\"frame\" role=\"img\" aria-label=\"{words}\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\"{hidden}>\n{}</svg>",
            frame_elements(&untitled, frame),
            words = escaped(&[film.title.as_str(), &frame.caption.join(", ")].join(": "))
        );
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{THEME}{PAGE_STYLE}\nsvg.frame{{width:min(100%,{share:.1}vh)}}\n{style}\n</style>\n<body>\n<main>\n<h1>{title}</h1>\n{frames}<p>\n\
         <button id=\"first\" title=\"first frame\">|◀</button>\n<button id=\"back\" title=\"one frame back\">◀</button>\n\
         <button id=\"play\" title=\"play or pause\">play</button>\n<button id=\"next\" title=\"one frame on\">▶</button>\n\
         <button id=\"last\" title=\"last frame\">▶|</button>\n\
         <label>speed <input id=\"speed\" type=\"range\" min=\"0.5\" max=\"8\" step=\"0.5\" value=\"1\"></label>\n\
         <output id=\"count\"></output>\n</p>\n</main>\n</body>\n<script>\n{SCRIPT}</script>\n</html>\n",
        title = escaped(&film.title),
        // As high as 70 % of the window, unless it is too narrow.
        share = 70.0 * width / height.max(1.0),
        style = style()
    )
}

/// The controls of a page: arrow keys step, the space bar plays and pauses.
const SCRIPT: &str = "\
const frames = [...document.querySelectorAll('svg.frame')];
const element = (id) => document.getElementById(id);
let at = 0, timer = null;
function show(index) {
  at = Math.max(0, Math.min(frames.length - 1, index));
  frames.forEach((frame, other) => frame.toggleAttribute('hidden', other !== at));
  element('count').textContent = (at + 1) + ' of ' + frames.length;
}
function pause() { clearInterval(timer); timer = null; element('play').textContent = 'play'; }
function play() {
  if (at === frames.length - 1) show(0);
  clearInterval(timer);
  timer = setInterval(() => at < frames.length - 1 ? show(at + 1) : pause(), 1000 / element('speed').value);
  element('play').textContent = 'pause';
}
const toggle = () => timer === null ? play() : pause();
element('first').onclick = () => { pause(); show(0); };
element('back').onclick = () => { pause(); show(at - 1); };
element('next').onclick = () => { pause(); show(at + 1); };
element('last').onclick = () => { pause(); show(frames.length - 1); };
element('play').onclick = toggle;
element('speed').oninput = () => { if (timer !== null) play(); };
document.onkeydown = (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step && event.target.id !== 'speed') { pause(); show(at + step); }
  if (event.key === ' ' && event.target.tagName !== 'BUTTON') { event.preventDefault(); toggle(); }
};
show(0);
";

/// The size of a frame, which is the same for all.
fn size(film: &Film) -> (f64, f64) {
    let letters = |line: &String| line.chars().count();
    let most = |of: &dyn Fn(&Frame) -> usize| film.frames.iter().map(of).max().unwrap_or(0) as f64;
    let text = most(&|frame| frame.caption.iter().chain(&frame.facts).map(letters).max().unwrap_or(0));
    let boards = film.frames.iter().map(size_of_boards);
    let (boards_width, boards_height) =
        boards.fold((0.0_f64, 0.0_f64), |(wide, high), (width, height)| (wide.max(width), high.max(height)));
    let lines = title_lines(film) + most(&|frame| frame.caption.len()) + most(&|frame| frame.facts.len());
    let title = letters(&film.title) as f64 * LETTER * 1.08;
    let width = boards_width.max(text * LETTER).max(title) + 2.0 * MARGIN;
    (width.ceil(), (boards_height + lines * LINE + 3.0 * MARGIN).ceil())
}

/// The number of lines of the title.
fn title_lines(film: &Film) -> f64 {
    if film.title.is_empty() { 0.0 } else { 1.0 }
}

/// The width of the widest board of a frame, and the height of all, with the gaps between them.
fn size_of_boards(frame: &Frame) -> (f64, f64) {
    let sizes = frame.boards.iter().map(|board| board.size(CELL));
    let (width, height) =
        sizes.fold((0.0_f64, 0.0), |(wide, high), (width, height)| (wide.max(width), high + height + MARGIN));
    (width, (height - MARGIN).max(0.0))
}

/// The elements of a frame: title, caption, boards, facts. The boards begin at the same height in all frames, below the
/// longest caption of the film.
fn frame_elements(film: &Film, frame: &Frame) -> String {
    let mut out = String::new();
    let captions = film.frames.iter().map(|frame| frame.caption.len()).max().unwrap_or(0);
    let line = |out: &mut String, class: &str, number: f64, top: f64, text: &str| {
        let y = top + (number + 0.75) * LINE;
        Words::new(class, MARGIN, y, text).draw(out);
    };
    let above = title_lines(film);
    if above > 0.0 {
        line(&mut out, "title", 0.0, MARGIN, &film.title);
    }
    for (number, caption) in frame.caption.iter().enumerate() {
        line(&mut out, "caption", above + number as f64, MARGIN, caption);
    }
    let top = MARGIN * 1.5 + (above + captions as f64) * LINE;
    let mut next = top;
    for board in &frame.boards {
        board.draw(&mut out, MARGIN, next, CELL);
        next += board.size(CELL).1 + MARGIN;
    }
    let below = top + size_of_boards(frame).1 + MARGIN / 2.0;
    for (number, fact) in frame.facts.iter().enumerate() {
        line(&mut out, "fact", number as f64, below, fact);
    }
    out
}
