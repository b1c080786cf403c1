//! Relations that grounding adds to those of the rules.

use gdl::rules::RelationId;
use rustc_hash::FxHashMap;

/// Relations that are added here are numbered from here, above those of every rule set and of the interpreter.
const FIRST_NEW: usize = RelationId::LIMIT / 4 * 3;

/// Relations that the rules of the game do not have.
#[derive(Debug, Default)]
pub(super) struct AuxiliaryRelations {
    made: usize,
    /// The prefixes of the names of those that can occur in ground rules.
    names: FxHashMap<RelationId, &'static str>,
    /// For each demand relation, the relation that is demanded.
    demands: FxHashMap<RelationId, RelationId>,
}

impl AuxiliaryRelations {
    /// Adds a relation that occurs in no ground rule.
    pub(super) fn hidden(&mut self) -> RelationId {
        self.made += 1;
        RelationId::new(FIRST_NEW + self.made - 1)
    }

    /// Adds a relation that can occur in ground rules, with the prefix of its name.
    pub(super) fn named(&mut self, name: &'static str) -> RelationId {
        let relation = self.hidden();
        self.names.insert(relation, name);
        relation
    }

    /// Adds a relation for the demands on another one.
    pub(super) fn demand(&mut self, of: RelationId) -> RelationId {
        let relation = self.hidden();
        self.demands.insert(relation, of);
        relation
    }

    /// The relation whose demands this one holds.
    pub(super) fn demanded(&self, relation: RelationId) -> Option<RelationId> {
        self.demands.get(&relation).copied()
    }

    /// The prefix of the name of an auxiliary relation.
    pub(super) fn name(&self, relation: RelationId) -> Option<&'static str> {
        self.names.get(&relation).copied()
    }
}
