//! Folding: reduces a large tree to a readable size; nodes that are left out are counted.

use super::tree::{DrawingNode, DrawingTree, NodeOutline};
use gdl::sorting;
use std::cmp::Reverse;
use std::collections::VecDeque;

impl DrawingTree {
    /// The tree with about `most` nodes or fewer: first the bold ones and their siblings, then those nearest to the
    /// root; in a tree with weights the heaviest. Omitted children become one node, which shows the number of omitted
    /// nodes including all descendants.
    pub fn folded(&self, most: usize) -> Self {
        if self.nodes.len() <= most {
            return self.clone();
        }
        let children = self.children();
        let has_weights = self.nodes.iter().any(|node| node.weight > 0);
        let is_kept = if has_weights { self.choose_heaviest(most) } else { self.choose(&children, most) };
        let sizes = self.sizes();
        let mut indices = vec![None; self.nodes.len()];
        let mut folded = Self::default();
        for (index, node) in self.nodes.iter().enumerate() {
            if is_kept[index] {
                indices[index] = Some(folded.nodes.len());
                let parent = node.parent.and_then(|parent| indices[parent]);
                folded.nodes.push(DrawingNode { parent, ..node.clone() });
            }
        }
        for (index, children) in children.iter().enumerate() {
            let hidden: usize = children.iter().filter(|&&child| !is_kept[child]).map(|&child| sizes[child]).sum();
            if is_kept[index] && hidden > 0 {
                let label = vec![format!("… {hidden} {}", if hidden == 1 { "node" } else { "nodes" })];
                folded.nodes.push(DrawingNode {
                    parent: indices[index],
                    label,
                    shape: NodeOutline::Plain,
                    is_pale: true,
                    ..DrawingNode::default()
                });
            }
        }
        folded
    }

    /// For each node, whether it is kept. All children of a node are kept or none, so that a fold never hides only some
    /// siblings.
    fn choose(&self, children: &[Vec<usize>], most: usize) -> Vec<bool> {
        let mut is_kept = vec![false; self.nodes.len()];
        let mut kept = 1;
        is_kept[0] = true;
        let bold = self.nodes.iter().enumerate().filter(|(_, node)| node.is_bold);
        let bold: Vec<usize> = bold.map(|(index, _)| index).collect();
        let mut queue: VecDeque<usize> = bold.into_iter().chain([0]).collect();
        while let Some(index) = queue.pop_front() {
            let fresh: Vec<usize> = children[index].iter().copied().filter(|&child| !is_kept[child]).collect();
            if !is_kept[index] || kept + fresh.len() > most {
                continue;
            }
            for child in fresh {
                is_kept[child] = true;
                kept += 1;
            }
            queue.extend(children[index].iter().copied());
        }
        is_kept
    }

    /// For each node, whether it is one of the `most` heaviest, of which bold nodes come first, and then parents.
    fn choose_heaviest(&self, most: usize) -> Vec<bool> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        sorting::sort_by_key(&mut order, |&index| {
            (Reverse(self.nodes[index].is_bold), Reverse(self.nodes[index].weight), index)
        });
        let mut is_kept = vec![false; self.nodes.len()];
        order.into_iter().take(most).for_each(|index| is_kept[index] = true);
        is_kept
    }

    /// The number of nodes of the subtree of each node.
    fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![1; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                sizes[parent] += sizes[index];
            }
        }
        sizes
    }
}
