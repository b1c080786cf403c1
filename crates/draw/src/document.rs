//! The two text formats of pictures: SVG documents and the DOT language of Graphviz.
//!
//! An SVG document has the frame of every picture and the elements that several pictures share. It contains no scripts
//! and no fonts.

use std::fmt::Write;

/// The style sheet with the custom properties of the page: its colours, sizes and spaces.
pub const THEME: &str = include_str!("theme.css");

/// A document with this size in pixels: the CSS, in which custom properties have their light values, a white
/// background, and the elements of the picture.
pub(super) fn document(width: f64, height: f64, style: &str, elements: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>{style}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{elements}</svg>\n",
        style = light(style)
    )
}

/// A style in which `var(NAME)` is the light value of the custom property, which stands first in the theme.
fn light(style: &str) -> String {
    let value = |name: &str| Some(THEME.split_once(&format!(" {name}:"))?.1.split_once(';')?.0.trim());
    let mut parts = style.split("var(");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |styled, part| {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        styled + value(name).unwrap_or_default() + rest
    })
}

/// Escapes text for use between tags or in attributes.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A rectangle of a picture, in pixels.
#[derive(Clone, Copy)]
pub(super) struct Region {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Region {
    /// Draws the rectangle.
    pub(super) fn draw(self, out: &mut String, class: &str) {
        let Self { left, top, width, height } = self;
        let _ = writeln!(
            out,
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        );
    }
}

/// Words in a picture, on a base line.
pub(super) struct Words<'a> {
    class: &'a str,
    x: f64,
    y: f64,
    style: String,
    text: &'a str,
}

impl<'a> Words<'a> {
    /// Words whose look is that of their class.
    pub(super) fn new(class: &'a str, x: f64, y: f64, text: &'a str) -> Self {
        Self { class, x, y, style: String::new(), text }
    }

    /// The same words with letters of this height in pixels; bold ones if they have a colour.
    pub(super) fn sized(self, size: f64, colour: Option<&str>) -> Self {
        let fill = colour.map_or(String::new(), |colour| format!(";fill:{colour};font-weight:bold"));
        Self { style: format!(" style=\"font-size:{size:.0}px{fill}\""), ..self }
    }

    /// Draws the words.
    pub(super) fn draw(&self, out: &mut String) {
        let Self { class, x, y, style, text } = self;
        let text = escaped(text);
        let _ = writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\"{style}>{text}</text>");
    }
}

/// A directed graph that is being written.
pub struct Digraph(String);

impl Digraph {
    /// A graph without nodes, with statements that apply to the whole graph.
    pub fn new(statements: &[&str]) -> Self {
        let mut text = "digraph {\n".to_string();
        statements.iter().for_each(|statement| text += &format!("  {statement};\n"));
        Self(text)
    }

    /// Adds a node with the lines of its label.
    pub fn node(
        &mut self,
        index: usize,
        label: &[impl AsRef<str>],
        attributes: impl IntoIterator<Item = &'static str>,
    ) {
        let label: Vec<&str> = label.iter().map(AsRef::as_ref).collect();
        self.statement(&format!("n{index}"), Some(&label.join("\n")), attributes);
    }

    /// Adds an edge.
    pub fn edge(
        &mut self,
        from: usize,
        to: usize,
        label: Option<&str>,
        attributes: impl IntoIterator<Item = &'static str>,
    ) {
        self.statement(&format!("n{from} -> n{to}"), label, attributes);
    }

    fn statement(&mut self, what: &str, label: Option<&str>, attributes: impl IntoIterator<Item = &'static str>) {
        let label = label.map(|label| format!("label=\"{}\"", quoted(label)));
        let attributes: Vec<String> = label.into_iter().chain(attributes.into_iter().map(str::to_string)).collect();
        let attributes = if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
        let _ = writeln!(self.0, "  {what}{attributes};");
    }

    /// The text of the graph.
    pub fn end(self) -> String {
        self.0 + "}\n"
    }
}

/// Quotes a text; its lines are centred.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
