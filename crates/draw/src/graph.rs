//! Directed graphs drawn in columns, such as circuits.

mod dot;
mod layers;
mod svg;

/// A graph whose edges lead to the right where possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<GraphNode>,
    /// The edges: the indices of the source and of the target.
    pub edges: Vec<(usize, usize)>,
}

/// The appearance of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// Its shape.
    pub figure: GraphShape,
    /// The lines of its text; an SVG shows only the first.
    pub words: Vec<String>,
    /// Its column; 0 is the leftmost.
    pub column: usize,
    /// Whether it has neighbours that are not drawn.
    pub is_border: bool,
}

/// The shape of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphShape {
    /// A box.
    Rectangle,
    /// A slanted box.
    Parallelogram,
    /// A box with a double border.
    Double,
    /// An ellipse.
    Ellipse,
    /// The conjunction of circuit diagrams.
    And,
    /// The disjunction of circuit diagrams.
    Or,
    /// The negation of circuit diagrams.
    Not,
    /// No outline: words only.
    Words,
}

/// The maximum number of nodes of an SVG; larger ones would be unreadable.
pub const MOST_DRAWN: usize = 500;

/// A picture would show more than [`MOST_DRAWN`] nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} components are too many to draw (at most {MOST_DRAWN})")]
pub struct GraphTooLarge(pub usize);

impl Graph {
    /// The graph in the DOT language of Graphviz. Conjunctions are houses, disjunctions inverted houses, negations
    /// triangles, and nodes with neighbours that are not drawn are dashed. Linear in nodes and edges.
    pub fn dot(&self) -> String {
        dot::dot(self)
    }

    /// The graph as an SVG document. Quadratic in nodes and bends at worst.
    ///
    /// # Errors
    /// [`GraphTooLarge`] if there are more than [`MOST_DRAWN`] nodes.
    pub fn svg(&self) -> Result<String, GraphTooLarge> {
        if self.nodes.len() > MOST_DRAWN { Err(GraphTooLarge(self.nodes.len())) } else { Ok(svg::svg(self)) }
    }
}
