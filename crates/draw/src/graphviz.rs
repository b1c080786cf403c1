//! The DOT language of Graphviz: nodes and edges with attributes, and quoted text.

use std::fmt::Write;

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
        let label = label.map(|label| format!("label=\"{}\"", escaped(label)));
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
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
