//! Plans whose answers are all different, so that they need not be compared.

use super::plan::{ArgumentSource, CandidateAccess, ClausePlan, Columns, FrameRegister, Op, PlanBlock, registers_of};
use super::program::CompiledRules;
use gdl::number::to_u32;

impl ClausePlan {
    /// Whether no two of its answers can be equal, because an answer determines the row that each generator has chosen.
    /// Conservative: false where this is not obvious.
    pub(super) fn is_injective(&self, program: &CompiledRules) -> bool {
        let PlanBlock { ops, back } = &self.block;
        let mut determined = registers_of(&self.outputs);
        for op in ops.iter().rev() {
            match op {
                // The arguments of a term determine it, and it determines them.
                Op::Split { term: ArgumentSource::Register(term), functor, columns }
                    if columns.cover(functor.arity as usize) && columns.are_among(&determined) =>
                {
                    determined.push(*term);
                }
                Op::Build { arguments, into, .. } if determined.contains(into) => {
                    determined.extend(registers_of(arguments));
                }
                _ => {}
            }
        }
        let can_repeat = |number: usize| back.contains(&to_u32(number));
        ops.iter().enumerate().filter(|&(number, _)| can_repeat(number)).all(|(_, op)| match op {
            Op::EachTuple { component, relation, access, columns } => {
                let arity = program.components[*component as usize].relations[*relation as usize].arity;
                columns.cover(arity - access.columns()) && columns.are_among(&determined)
            }
            Op::EachRow { relation, access, columns } => {
                let arity = program.stored[*relation as usize].tuples.arity;
                columns.cover(arity - access.columns()) && columns.are_among(&determined)
            }
            _ => false,
        })
    }
}

impl Columns {
    /// Whether this number of columns is all there are.
    fn cover(&self, columns: usize) -> bool {
        self.check.len() + self.bind.len() == columns
    }

    /// Whether all columns are checked, or written to registers of these.
    fn are_among(&self, registers: &[FrameRegister]) -> bool {
        self.bind.iter().all(|(_, register)| registers.contains(register))
    }
}

impl CandidateAccess {
    /// The number of columns that the key has.
    fn columns(&self) -> usize {
        match self {
            Self::All => 0,
            Self::Index { key, .. } => key.len(),
        }
    }
}
