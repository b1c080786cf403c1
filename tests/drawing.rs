//! Trees as text, for Graphviz and as SVG; and the trees that searches explore, drawn.

use ggp::drawing::{Node, Shape, Tree, dot, svg, text};
use ggp::repl::{Session, evaluate};
use std::sync::Arc;

fn node(parent: usize, edge: &str, label: &str) -> Node {
    Node { parent: Some(parent), edge: edge.into(), label: vec![label.into()], ..Node::default() }
}

/// A tree with every kind of node.
fn sample() -> Tree {
    let root = Node { label: vec!["0".into(), "α -∞, β ∞".into(), "3".into()], is_bold: true, ..Node::default() };
    let left = Node { shape: Shape::Soft, is_bold: true, ..node(0, "left", "1") };
    let right = Node { shape: Shape::Round, ..node(0, "mark(1,\"<&>\")", "2") };
    let seen = Node { is_pale: true, ..node(1, "a", "seen") };
    let end = Node { shape: Shape::Double, is_bold: true, ..node(1, "b", "100") };
    let cut = Node { shape: Shape::Plain, is_cut: true, is_pale: true, ..node(2, "", "2 moves") };
    Tree { nodes: vec![root, left, right, seen, end, cut] }
}

#[test]
fn text_shows_lines_and_marks() {
    let drawn = "\
0, α -∞, β ∞, 3 *
├─ left: 1 *
│  ├─ a: seen
│  └─ b: [100] *
└─ mark(1,\"<&>\"): (2)
   └× 2 moves
";
    assert_eq!(text(&sample()), drawn);
    assert_eq!(text(&Tree::default()), "");
}

#[test]
fn dot_quotes_what_has_to_be_quoted() {
    insta::assert_snapshot!("dot", dot(&sample()));
}

#[test]
fn svg_is_well_formed_and_nothing_overlaps() {
    let picture = svg(&sample());
    insta::assert_snapshot!("svg", picture);
    assert_eq!(picture.matches("<text").count(), picture.matches("</text>").count());
    assert!(!picture.contains("<&>"));
}

/// The boxes of one level, from left to right, have room between them, however uneven the tree is.
#[test]
fn boxes_stand_side_by_side() {
    let mut tree = Tree { nodes: vec![Node { label: vec!["root".into()], ..Node::default() }] };
    for child in 0..4 {
        tree.nodes.push(node(0, "e", &"wide label ".repeat(child + 1)));
    }
    for grandchild in 0..9 {
        tree.nodes.push(node(1 + grandchild % 2, "a long move(1,2,3)", &grandchild.to_string()));
    }
    tree.nodes.sort_by_key(|node| node.parent);
    let picture = svg(&tree);
    let number = |line: &str, name: &str| -> f64 {
        let (_, rest) = line.split_once(&format!(" {name}=\"")).expect("the attribute is there");
        rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let boxes = picture.lines().filter(|line| line.starts_with("<rect class=\"node"));
    let boxes: Vec<(f64, f64, f64)> =
        boxes.map(|line| (number(line, "x"), number(line, "y"), number(line, "width"))).collect();
    assert_eq!(boxes.len(), tree.nodes.len());
    for (at, &(x, y, width)) in boxes.iter().enumerate() {
        for &(other, level, _) in &boxes[at + 1..] {
            assert!(level != y || other >= x + width, "a box at {other} begins within the one at {x}");
        }
    }
}

#[test]
fn large_trees_are_folded_with_a_count() {
    // Three moves in each node, five deep: 364 nodes.
    let mut tree = Tree { nodes: vec![Node::default()] };
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
    // Nodes of a search come in any order in which parents stand first; here by level.
    tree.nodes[363].is_bold = true;
    assert_eq!(tree.folded(364), tree);
    let folded = tree.folded(40);
    let drawn = folded.nodes.iter().filter(|node| node.shape != Shape::Plain).count();
    let counted: usize = folded
        .nodes
        .iter()
        .filter(|node| node.shape == Shape::Plain)
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
    assert_eq!(read("tree.svg").matches("class=\"edge").count(), 28);
    assert!(evaluate(&mut session, "bfs --tree text no/such/folder").is_err());
    std::fs::remove_dir_all(folder).expect("the folder can go");
}
