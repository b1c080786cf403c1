//! Trees as text, for Graphviz and as SVG; and drawings of the trees that searches explore.

use ggp::drawing::{
    DrawingNode, DrawingTree, Graph, GraphNode, GraphShape, GraphTooLarge, MOST_DRAWN, NodeOutline, dot, svg, text,
};
use ggp::repl::{Session, evaluate};
use std::sync::Arc;

fn node(parent: usize, edge: &str, label: &str) -> DrawingNode {
    DrawingNode { parent: Some(parent), edge: edge.into(), label: vec![label.into()], ..DrawingNode::default() }
}

/// A tree with every kind of node.
fn sample() -> DrawingTree {
    let root = DrawingNode {
        label: vec!["0".into(), "α -∞, β ∞".into(), "3".into()],
        is_bold: true,
        ..DrawingNode::default()
    };
    let left = DrawingNode { shape: NodeOutline::Down, is_bold: true, ..node(0, "left", "1") };
    let right = DrawingNode { shape: NodeOutline::Round, ..node(0, "mark(1,\"<&>\")", "2") };
    let seen = DrawingNode { is_pale: true, ..node(1, "a", "seen") };
    let end = DrawingNode { shape: NodeOutline::Double, is_bold: true, ..node(1, "b", "100") };
    let cut = DrawingNode { shape: NodeOutline::Plain, is_cut: true, is_pale: true, ..node(2, "", "2 moves") };
    DrawingTree { nodes: vec![root, left, right, seen, end, cut] }
}

#[test]
fn text_shows_lines_and_marks() {
    let drawn = "\
0, α -∞, β ∞, 3 *
├─ left: ▽ 1 *
│  ├─ a: seen
│  └─ b: [100] *
└─ mark(1,\"<&>\"): (2)
   └× 2 moves
";
    assert_eq!(text(&sample()), drawn);
    assert_eq!(text(&DrawingTree::default()), "");
}

#[test]
fn dot_quotes_special_characters() {
    insta::assert_snapshot!("dot", dot(&sample()));
}

#[test]
fn svg_is_well_formed_and_nothing_overlaps() {
    let picture = svg(&sample());
    insta::assert_snapshot!("svg", picture);
    assert_eq!(picture.matches("<text").count(), picture.matches("</text>").count());
    assert!(!picture.contains("<&>"));
}

/// A graph in four columns with an edge that spans two of them, and one that leads back.
#[test]
fn graphs_are_drawn_in_columns() {
    let node = |figure, words: &str, column| {
        let words = if words.is_empty() { Vec::new() } else { vec![words.to_string()] };
        GraphNode { figure, words, column, is_border: column == 0 }
    };
    let nodes = vec![
        node(GraphShape::Rectangle, "a \"<&>\" \\", 0),
        node(GraphShape::Parallelogram, "b", 0),
        node(GraphShape::And, "", 1),
        node(GraphShape::Not, "named", 2),
        node(GraphShape::Double, "out", 3),
    ];
    let graph = Graph { nodes, edges: vec![(0, 2), (1, 2), (2, 3), (3, 4), (1, 4), (3, 2)] };
    let drawn = graph.dot();
    assert!(drawn.starts_with("digraph {\n  rankdir=LR;\n") && drawn.ends_with("  n3 -> n2;\n}\n"), "{drawn}");
    assert!(drawn.contains("n0 [label=\"a \\\"<&>\\\" \\\\\", shape=box, style=dashed];"), "{drawn}");
    assert!(drawn.contains("n2 [label=\"and\", shape=house];") && drawn.contains("label=\"not\\nnamed\""), "{drawn}");
    let picture = graph.svg().expect("it is small");
    assert_eq!(picture.matches("<path class=\"edge\"").count(), graph.edges.len());
    assert!(picture.contains("a &quot;&lt;&amp;&gt;&quot; \\") && !picture.contains("<&>"), "{picture}");
    // Boxes of one column do not overlap, and the columns are side by side.
    let boxes: Vec<&str> = picture.lines().filter(|line| line.contains("height=\"22\"")).collect();
    let lefts: Vec<f64> = boxes.iter().map(|line| number(line, "x")).collect();
    assert!(lefts.len() == 2 && lefts[0] + number(boxes[0], "width") < lefts[1], "{picture}");
    let many = Graph { nodes: vec![node(GraphShape::Words, "x", 0); MOST_DRAWN + 1], edges: Vec::new() };
    assert_eq!(many.svg(), Err(GraphTooLarge(MOST_DRAWN + 1)));
    assert!(Graph::default().svg().is_ok_and(|empty| empty.ends_with("</svg>\n")));
}

/// A number in a line of SVG.
fn number(line: &str, name: &str) -> f64 {
    let (_, rest) = line.split_once(&format!(" {name}=\"")).expect("the attribute is there");
    rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
}

/// No two boxes overlap, however unbalanced the tree is, and a tree that would be wide grows to the right instead.
#[test]
fn boxes_are_placed_side_by_side() {
    for grandchildren in [5, 60] {
        let mut tree =
            DrawingTree { nodes: vec![DrawingNode { label: vec!["root".into()], ..DrawingNode::default() }] };
        for child in 0..4 {
            tree.nodes.push(node(0, "e", &"wide label ".repeat(child + 1)));
        }
        for grandchild in 0..grandchildren {
            tree.nodes.push(node(1 + grandchild % 2, "a long move(1,2,3)", &grandchild.to_string()));
        }
        tree.nodes.sort_by_key(|node| node.parent);
        let picture = svg(&tree);
        let first = picture.lines().next().expect("there is a first line");
        let (width, height) = (number(first, "width"), number(first, "height"));
        assert!(width <= 1_600.0 && (height > width) == (grandchildren == 60), "{width} x {height}");
        let boxes: Vec<&str> = picture.lines().filter(|line| line.starts_with("<rect class=\"node")).collect();
        assert_eq!(boxes.len(), tree.nodes.len());
        for (at, one) in boxes.iter().enumerate() {
            for other in &boxes[at + 1..] {
                let apart = |coordinate: &str, size: &str| {
                    let (one_at, other_at) = (number(one, coordinate), number(other, coordinate));
                    one_at + number(one, size) <= other_at || other_at + number(other, size) <= one_at
                };
                assert!(apart("x", "width") || apart("y", "height"), "{one} and {other} overlap");
            }
        }
    }
}

#[test]
fn large_trees_are_folded_with_a_count() {
    // Three moves in each node, five levels deep: 364 nodes.
    let mut tree = DrawingTree { nodes: vec![DrawingNode::default()] };
    let mut level = vec![0];
    for _ in 0..5 {
        let mut below = Vec::new();
        for parent in level {
            for edge in ["a", "b", "c"] {
                below.push(tree.nodes.len());
                tree.nodes.push(node(parent, edge, "n"));
            }
        }
        level = below;
    }
    // Nodes of a search come in any order in which parents precede children; here by level.
    tree.nodes[363].is_bold = true;
    assert_eq!(tree.folded(364), tree);
    let folded = tree.folded(40);
    let drawn = folded.nodes.iter().filter(|node| node.shape != NodeOutline::Plain).count();
    let counted: usize = folded
        .nodes
        .iter()
        .filter(|node| node.shape == NodeOutline::Plain)
        .map(|node| node.label[0].split(' ').nth(1).expect("a number").parse::<usize>().expect("a number"))
        .sum();
    assert_eq!(drawn + counted, 364);
    assert!((30..=40).contains(&drawn), "{drawn}");
}

#[test]
fn searches_draw_what_they_explored() {
    let folder = std::env::temp_dir().join(format!("ggp-drawing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for pictures");
    let mut session = Session::new(&folder, Arc::default());
    let mut run = |line: &str| evaluate(&mut session, line).expect("the command is right");
    run("load three_puzzle");
    run("ids --tree text tree.txt");
    run("bestplan --naive --tree svg tree.svg");
    run("bfs --tree dot tree.dot");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("the picture is there");
    insta::assert_snapshot!("explored_text", read("tree.txt"));
    insta::assert_snapshot!("explored_dot", read("tree.dot"));
    assert_eq!(read("tree.svg").matches("class=\"edge").count(), 126);
    assert!(evaluate(&mut session, "bfs --tree text no/such/folder").is_err());
    std::fs::remove_dir_all(folder).expect("the folder can go");
}

#[test]
fn comparisons_are_written_as_tables_and_charts() {
    let folder = std::env::temp_dir().join(format!("ggp-comparing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for pictures");
    let mut session = Session::new(&folder, Arc::default());
    let mut run = |line: &str| evaluate(&mut session, line).expect("the command is right");
    run("compare three_puzzle --algorithms bfs,ids:order=right --nodes 30 --csv plans.csv --svg plans.svg --times");
    run(
        "compare tic_tac_toe --algorithms negamax,alphabeta --depths 1..2 --selfplay 3 --csv games.csv --svg games.svg",
    );
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
    let plans: Vec<String> =
        read("plans.csv").lines().map(|line| line.rsplit_once(',').unwrap().0.to_string()).collect();
    insta::assert_snapshot!("compared_plans", plans.join("\n"));
    insta::assert_snapshot!("compared_games", read("games.csv"));
    let titles = |picture: &str| picture.matches("font-weight=\"bold\"").count();
    assert_eq!([titles(&read("plans.svg")), titles(&read("games.svg"))], [2, 7], "charts");
    std::fs::remove_dir_all(folder).expect("the folder can go");
}
