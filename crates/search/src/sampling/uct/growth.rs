//! The growth of a tree of random games as events, for people who want to see how it happens: for each visit the line
//! that it selects, the node that it adds, the random game from there, and the means after it.
//!
//! The events are read from the tree between two visits, so a search without an observer does nothing for them. The
//! search has to play one game at a time.

use super::Uct;
use super::advice::ListedNode;
use super::node::NodeIndex;
use crate::ExploredNode;
use crate::events::{Event, NodeId, Observer};
use ggp_game::{ReasonError, Reasoner, Role};
use std::collections::HashMap;

/// Tells an observer how a tree of random games grows, if each visit plays one game.
#[derive(Debug, Default)]
pub struct TreeGrowth {
    /// The nodes that were told, as they were after the last visit.
    told: HashMap<NodeIndex, ToldNode>,
    /// The sums of the utilities of all games so far.
    sums: Vec<f64>,
}

/// A node that was told.
#[derive(Clone, Copy, Debug)]
struct ToldNode {
    node: NodeId,
    visits: u32,
    mean: Option<f64>,
}

impl TreeGrowth {
    /// Tells what a visit has changed, as the role that asks sees it. To be called after each visit.
    ///
    /// # Errors
    /// If the rules give no answer in the new node.
    pub fn tell<R: Reasoner>(
        &mut self,
        uct: &Uct<R>,
        reasoner: &mut R,
        role: Role,
        observer: &mut dyn Observer,
    ) -> Result<(), ReasonError> {
        let line = self.visited_line(uct, role);
        let Some(leaf) = line.last() else { return Ok(()) };
        for (depth, listed) in line.iter().enumerate() {
            match self.told.get(&listed.index) {
                Some(_) if depth == 0 => {}
                Some(&ToldNode { node, .. }) => {
                    let bound = self.bound(uct, &line[depth - 1], listed);
                    observer.observe(&Event::Selected { node, bound });
                }
                None => self.tell_new(uct, reasoner, role, listed, observer)?,
            }
        }
        let mut utilities: Vec<f64> = uct.sums.clone();
        utilities.iter_mut().zip(&self.sums).for_each(|(sum, before)| *sum -= before);
        self.sums.clone_from(&uct.sums);
        if !uct.is_closed(leaf.index) {
            let node = self.told[&leaf.index].node;
            observer.observe(&Event::Sampled { node, utilities: utilities.into() });
        }
        for listed in line.iter().rev() {
            let visits = uct.tree.node(listed.index).visits;
            let mean = listed.mean.map(|(_, mean)| mean);
            if let Some(told) = self.told.get_mut(&listed.index) {
                *told = ToldNode { visits, mean, ..*told };
                observer.observe(&Event::Averaged { node: told.node, visits, mean });
            }
        }
        Ok(())
    }

    /// Tells the line of the moves that are recommended in the end.
    pub fn tell_best_line<R: Reasoner>(&self, uct: &Uct<R>, observer: &mut dyn Observer) {
        let best = std::iter::once(uct.tree.root()).chain(uct.line_from(uct.tree.root()).into_iter().map(|(_, at)| at));
        let nodes: Vec<NodeId> = best.map_while(|index| self.told.get(&index).map(|told| told.node)).collect();
        observer.observe(&Event::BestLine { nodes: nodes.into() });
    }

    /// The nodes from the root on whose visits have increased.
    fn visited_line<R: Reasoner>(&self, uct: &Uct<R>, role: Role) -> Vec<ListedNode> {
        let visited = |listed: &ListedNode| {
            uct.tree.node(listed.index).visits > self.told.get(&listed.index).map_or(0, |told| told.visits)
        };
        let mut line = Vec::new();
        let mut next = Some(uct.listed_root(role)).filter(visited);
        while let Some(listed) = next {
            // Only the last node may be new, and it has no children yet.
            let number = self.told.get(&listed.index).and_then(|told| usize::try_from(told.node.number()).ok());
            next = uct.children_of(&listed, number.unwrap_or(self.told.len())).into_iter().find(visited);
            line.push(listed);
        }
        line
    }

    /// Tells a node that the visit has added.
    fn tell_new<R: Reasoner>(
        &mut self,
        uct: &Uct<R>,
        reasoner: &mut R,
        role: Role,
        listed: &ListedNode,
        observer: &mut dyn Observer,
    ) -> Result<(), ReasonError> {
        let number = self.told.len();
        let ExploredNode { generated, ended, .. } = uct.explored_node(reasoner, role, number, listed)?;
        let node = generated.node;
        self.told.insert(listed.index, ToldNode { node, visits: 0, mean: None });
        observer.observe(&Event::Generated(generated));
        if let Some(utility) = ended {
            observer.observe(&Event::Ended { node, utility });
        }
        Ok(())
    }

    /// The upper confidence bound of a move, by which the visit has selected it: its mean before the visit, and the
    /// weight of exploration times √(ln N / n) for n of N visits. `None` if several roles chose at once.
    fn bound<R: Reasoner>(&self, uct: &Uct<R>, parent: &ListedNode, child: &ListedNode) -> Option<f64> {
        let ToldNode { visits, mean, .. } = *self.told.get(&child.index)?;
        let all = f64::from(uct.tree.node(parent.index).visits);
        Some(mean? + f64::from(uct.exploration) * (all.ln() / f64::from(visits)).sqrt())
    }
}
