//! Linear steps: the result of allocation, which back ends run.
//!
//! A step reads and writes registers, and vectors of a batch or of scratch memory. It names slots and scratch vectors
//! by number; only the back end knows the number of bytes between two of them.

/// The index of a register, below [`Target::registers`](super::target::Target::registers).
pub type Register = u8;

/// A vector in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VectorAddress {
    /// A slot of the batch.
    Batch(u32),
    /// The n-th vector of the scratch memory of a block, which every vector of a batch reuses.
    Scratch(u32),
}

/// The last operand of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A register.
    Register(Register),
    /// A vector in memory.
    Memory(VectorAddress),
}

/// A bitwise operation on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// `first & second`.
    And,
    /// `!first & second`.
    NotAnd,
    /// `first | second`.
    Or,
    /// `first ^ second`.
    Xor,
}

/// A step of the computation of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Reads a vector from memory.
    Load {
        /// The register that receives it.
        to: Register,
        /// The vector.
        from: VectorAddress,
    },
    /// Writes a register to memory.
    Store {
        /// The register.
        from: Register,
        /// The vector that receives it.
        to: VectorAddress,
    },
    /// `to = operation(first, second)`.
    Operate {
        /// The operation.
        operation: Operation,
        /// The register that receives the result.
        to: Register,
        /// The first operand.
        first: Register,
        /// The second operand.
        second: Operand,
    },
    /// Any function of three inputs.
    Table {
        /// The truth table: bit `4 * first + 2 * second + third` is the result.
        table: u8,
        /// The register that receives the result.
        to: Register,
        /// The first operand.
        first: Register,
        /// The second operand.
        second: Register,
        /// The third operand.
        third: Operand,
    },
}

/// The steps of a part of a circuit.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Steps {
    /// All vectors of a batch pass a block before the next block begins. Registers and scratch memory are undefined
    /// at the beginning of a block.
    pub blocks: Vec<Vec<Step>>,
    /// The number of scratch vectors.
    pub scratch: u32,
}

/// The table of the same function with its inputs in another order: `order` has the old index of each.
pub(super) fn permuted(table: u8, order: [usize; 3]) -> u8 {
    (0..8)
        .filter(|row| {
            let mut old = 0;
            for (at, &index) in order.iter().enumerate() {
                old |= (row >> (2 - at) & 1) << (2 - index);
            }
            table >> old & 1 == 1
        })
        .fold(0, |table, row| table | 1 << row)
}
