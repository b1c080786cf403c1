//! Register allocation: where each node of a circuit is kept, step by step.
//!
//! Registers are assigned by Belady's rule (1966): if none is free, the value whose next use is farthest away is
//! evicted, and stored if it has not been. An operand that is not used again soon is read from memory by the operation
//! itself.
//!
//! Code that is larger than the first-level instruction cache is fetched more slowly than it runs. So a part is cut
//! into blocks, and all vectors of a batch pass through a block before the next block begins. Values that are read only
//! inside their block are stored in scratch memory that every vector reuses, and which stays in the first-level cache.

use super::circuit::{Circuit, CircuitNode, NodeLiteral, NodeOperation};
use super::order::{ComputationTask, ComputedNodes, NodeOrder, PartOutputs};
use super::steps::{Operand, Operation, Register, Step, Steps, VectorAddress, permuted};
use super::word::{Slot, WordSource};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;

/// The next use of a node that is read again after this part, but not in it.
const LATER: u32 = u32::MAX - 1;
/// The next use of a node that is not read again.
const NEVER: u32 = u32::MAX;

/// The number of tasks in a block: their machine code fits the first-level instruction cache.
const BLOCK: usize = 2_000;

/// The memory of a batch as far as the parts that have been allocated use it.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// The address of each node, if it is stored.
    home: Vec<Option<VectorAddress>>,
    pub(super) computed: ComputedNodes,
    /// Slots of nodes that are not read again.
    free: Vec<Slot>,
    /// Slots below this one are never reused for other nodes.
    fixed: Slot,
    /// The number of slots.
    pub(super) slots: u32,
}

impl Memory {
    /// Starts with the inputs in their slots; the first `fixed` slots are taken.
    pub(super) fn new(circuit: &Circuit, fixed: u32) -> Self {
        let home = (0..to_u32(circuit.len())).map(|node| match circuit.kind(node) {
            NodeOperation::Input(slot) => Some(VectorAddress::Batch(slot)),
            _ => None,
        });
        let computed = ComputedNodes::inputs(circuit);
        Self { home: home.collect(), computed, free: Vec::new(), fixed, slots: fixed }
    }

    /// The word in which a part has kept a literal.
    ///
    /// # Panics
    /// If no part has kept its node.
    pub(super) fn source(&self, NodeLiteral { node, is_negated }: NodeLiteral) -> WordSource {
        match self.home[node as usize] {
            Some(VectorAddress::Batch(slot)) => WordSource { slot, is_negated },
            _ => unreachable!("what is kept is in memory"),
        }
    }

    /// Records that an input is in its slot again, as it is when the part that overwrites it has run.
    pub(super) fn restore(&mut self, circuit: &Circuit, input: CircuitNode) {
        if let NodeOperation::Input(slot) = circuit.kind(input) {
            self.home[input as usize] = Some(VectorAddress::Batch(slot));
        }
    }

    /// The steps that compute the nodes of `wanted` with this many registers. `is_shared` is true for nodes that later
    /// parts read.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn steps(
        &mut self,
        circuit: &Circuit,
        wanted: PartOutputs<'_>,
        is_shared: &[bool],
        registers: usize,
        poll: &Poll<'_>,
    ) -> Result<Steps, Stop> {
        let NodeOrder { tasks, is_computed, .. } = NodeOrder::new(circuit, &self.computed.nodes, wanted).run(poll)?;
        self.computed.nodes = is_computed;
        let mut part = PartAllocation::new(circuit, self, &tasks, wanted.kept, is_shared, registers);
        for (index, &task) in tasks.iter().enumerate() {
            poll.step()?;
            // Registers are undefined at the beginning of a block.
            if index > 0 && index % BLOCK == 0 {
                part.flush();
                part.begin_block();
            }
            part.run(index, task);
        }
        part.flush();
        part.begin_block();
        Ok(part.made)
    }
}

/// A part while its steps are made. A task is named by its index; the next use of a node is such an index, [`LATER`] or
/// [`NEVER`].
struct PartAllocation<'a> {
    circuit: &'a Circuit,
    memory: &'a mut Memory,
    /// The blocks that are finished, and the steps of the current one.
    made: Steps,
    block: Vec<Step>,
    /// The node in each register, and the register of each node.
    registers: Vec<Option<CircuitNode>>,
    register: Vec<Option<Register>>,
    /// The next use of each node.
    upcoming: Vec<u32>,
    /// For each task, the next uses after it.
    after: Vec<NextReads>,
    /// The input node of each slot that is fixed, if there is one.
    bits: Vec<Option<CircuitNode>>,
    /// The last use of each node.
    last: Vec<u32>,
    /// The task before which the current block ends.
    block_end: u32,
    /// The scratch words that are free.
    free_scratch: Vec<u32>,
}

/// The next uses of the inputs of a task after it, and the first use of its result.
#[derive(Clone, Copy)]
struct NextReads {
    inputs: [u32; 3],
    result: u32,
}

/// An input of the node that is computed, and its next use.
type Input = (CircuitNode, u32);

impl<'a> PartAllocation<'a> {
    fn new(
        circuit: &'a Circuit,
        memory: &'a mut Memory,
        tasks: &[ComputationTask],
        kept: &[CircuitNode],
        is_shared: &[bool],
        registers: usize,
    ) -> Self {
        let mut upcoming: Vec<u32> = is_shared.iter().map(|&shared| if shared { LATER } else { NEVER }).collect();
        kept.iter().for_each(|&node| upcoming[node as usize] = LATER);
        let mut last = upcoming.clone();
        let mut after = vec![NextReads { inputs: [NEVER; 3], result: NEVER }; tasks.len()];
        for (index, (&task, after)) in tasks.iter().zip(&mut after).enumerate().rev() {
            let time = to_u32(index);
            // The tasks are visited from the last to the first, so `upcoming` has the uses after this one.
            let mut count = 0;
            let mut next = |node: CircuitNode| {
                after.inputs[count] = upcoming[node as usize];
                count += 1;
            };
            match task {
                ComputationTask::Store(node, _) => next(node),
                ComputationTask::Compute(node) => circuit.kind(node).each_input(next),
            }
            let mut read = |node: CircuitNode| {
                last[node as usize] = if upcoming[node as usize] == NEVER { time } else { last[node as usize] };
                upcoming[node as usize] = time;
            };
            match task {
                ComputationTask::Store(node, _) => read(node),
                ComputationTask::Compute(node) => {
                    circuit.kind(node).each_input(&mut read);
                    after.result = upcoming[node as usize];
                }
            }
        }
        let mut bits = vec![None; memory.fixed as usize];
        for node in 0..to_u32(circuit.len()) {
            if let NodeOperation::Input(slot) = circuit.kind(node) {
                bits[slot as usize] = Some(node);
            }
        }
        Self {
            circuit,
            memory,
            made: Steps::default(),
            block: Vec::new(),
            last,
            block_end: to_u32(BLOCK),
            free_scratch: Vec::new(),
            registers: vec![None; registers],
            register: vec![None; circuit.len()],
            upcoming,
            after,
            bits,
        }
    }

    fn run(&mut self, index: usize, task: ComputationTask) {
        match task {
            ComputationTask::Compute(node) => self.compute(index, node),
            ComputationTask::Store(node, slot) => {
                let old = self.bits[slot as usize].filter(|&old| old != node && self.upcoming[old as usize] != NEVER);
                if let Some(old) = old {
                    // The old value is read again: from now on it is only in a register.
                    self.bring(old, &[node]);
                    self.memory.home[old as usize] = None;
                }
                let from = self.bring(node, old.as_slice());
                self.block.push(Step::Store { from, to: VectorAddress::Batch(slot) });
                if self.bits[slot as usize].is_none() && self.memory.home[node as usize].is_none() {
                    self.memory.home[node as usize] = Some(VectorAddress::Batch(slot));
                }
                self.leave_register(node, self.after[index].inputs[0]);
                self.leave_memory(node);
            }
        }
    }

    fn compute(&mut self, index: usize, node: CircuitNode) {
        let NextReads { inputs: after, result } = self.after[index];
        let operate = |operation, first: Input, second: Input| (operation, first, second);
        let (operation, first, second) = match self.circuit.kind(node) {
            NodeOperation::And(one, other) => operate(Operation::And, (one, after[0]), (other, after[1])),
            NodeOperation::Or(one, other) => operate(Operation::Or, (one, after[0]), (other, after[1])),
            NodeOperation::Xor(one, other) => operate(Operation::Xor, (one, after[0]), (other, after[1])),
            NodeOperation::Without(one, other) => operate(Operation::NotAnd, (other, after[1]), (one, after[0])),
            NodeOperation::Table(table, inputs) => {
                return self.look_up(node, table, [0, 1, 2].map(|at| (inputs[at], after[at])), result);
            }
            NodeOperation::Input(_) => return,
        };
        // The second operand of these operations may be read from memory; that of `!first & second` is given.
        let swaps = operation != Operation::NotAnd && self.is_better_last(first, second);
        let (first, second) = if swaps { (second, first) } else { (first, second) };
        let register = self.bring(first.0, &[second.0]);
        let operand = self.last_operand(second, &[first.0]);
        let to = self.target(&[first, second]);
        self.block.push(Step::Operate { operation, to, first: register, second: operand });
        self.keep(node, to, result, &[first, second]);
    }

    /// Computes a function of three inputs, which are ordered so that the last one may stay in memory.
    fn look_up(&mut self, node: CircuitNode, table: u8, inputs: [Input; 3], result: u32) {
        let mut order = [0, 1, 2];
        for at in 0..2 {
            if self.is_better_last(inputs[order[at]], inputs[order[2]]) {
                order.swap(at, 2);
            }
        }
        let [first, second, third] = order.map(|at| inputs[at]);
        let table = permuted(table, order);
        let registers = [(first, second), (second, first)].map(|(one, other)| self.bring(one.0, &[other.0, third.0]));
        let third_operand = self.last_operand(third, &[first.0, second.0]);
        let to = self.target(&[first, second, third]);
        let [first_register, second_register] = registers;
        self.block.push(Step::Table {
            table,
            to,
            first: first_register,
            second: second_register,
            third: third_operand,
        });
        self.keep(node, to, result, &[first, second, third]);
    }

    /// True if `first` rather than `last` should be the operand that may be read from memory.
    fn is_better_last(&self, first: Input, last: Input) -> bool {
        let is_in = |(node, _): Input| self.register[node as usize].is_some();
        !is_in(first) && (is_in(last) || last.1 < first.1)
    }

    /// The operand for an input: a register if the input is in one already or is read again soon, else its address in
    /// memory.
    fn last_operand(&mut self, (node, next): Input, pinned: &[CircuitNode]) -> Operand {
        if self.register[node as usize].is_none() && next < LATER.min(self.farthest(pinned).1) {
            self.bring(node, pinned);
        }
        match (self.register[node as usize], self.memory.home[node as usize]) {
            (Some(register), _) => Operand::Register(register),
            (None, Some(home)) => Operand::Memory(home),
            (None, None) => unreachable!("a node is computed before it is read"),
        }
    }

    /// A register for the result, after the inputs have been read: that of an input that is not read again, if there is
    /// one, since some instructions can write their result nowhere else.
    fn target(&mut self, inputs: &[Input]) -> Register {
        let held: Vec<Register> = inputs.iter().filter_map(|&(input, _)| self.register[input as usize]).collect();
        inputs.iter().for_each(|&(input, next)| self.leave_register(input, next));
        let free = held.into_iter().find(|&register| self.registers[register as usize].is_none());
        free.unwrap_or_else(|| self.room(&[]))
    }

    fn keep(&mut self, node: CircuitNode, to: Register, next: u32, inputs: &[Input]) {
        inputs.iter().for_each(|&(input, _)| self.leave_memory(input));
        self.put(node, to);
        self.upcoming[node as usize] = next;
    }

    fn put(&mut self, node: CircuitNode, register: Register) {
        self.registers[register as usize] = Some(node);
        self.register[node as usize] = Some(register);
    }

    /// Records the next use of a node, and frees its register if that is not in this part.
    fn leave_register(&mut self, node: CircuitNode, next: u32) {
        self.upcoming[node as usize] = next;
        // A value that only later parts read needs no register once it is in memory.
        let is_home = self.memory.home[node as usize].is_some();
        if (next == NEVER || (next == LATER && is_home))
            && let Some(register) = self.register[node as usize].take()
        {
            self.registers[register as usize] = None;
        }
    }

    /// Frees the memory of a node that is not read again; called after the step that reads it there.
    fn leave_memory(&mut self, node: CircuitNode) {
        if self.upcoming[node as usize] != NEVER {
            return;
        }
        match self.memory.home[node as usize] {
            Some(VectorAddress::Batch(slot)) if slot >= self.memory.fixed => self.memory.free.push(slot),
            Some(VectorAddress::Scratch(index)) => self.free_scratch.push(index),
            _ => return,
        }
        self.memory.home[node as usize] = None;
    }

    /// The register whose value is read last, and that use; a free register is preferred.
    fn farthest(&self, pinned: &[CircuitNode]) -> (Register, u32) {
        let mut best = (0, 0);
        for (register, held) in (0..).zip(&self.registers) {
            match held {
                None => return (register, NEVER),
                Some(node) if pinned.contains(node) => {}
                Some(node) if self.upcoming[*node as usize] >= best.1 => {
                    best = (register, self.upcoming[*node as usize]);
                }
                Some(_) => {}
            }
        }
        best
    }

    /// Frees a register, evicting a node that is not pinned.
    fn room(&mut self, pinned: &[CircuitNode]) -> Register {
        let (register, _) = self.farthest(pinned);
        if let Some(node) = self.registers[register as usize].take() {
            self.save(node, register);
            self.register[node as usize] = None;
        }
        register
    }

    /// Stores a node that is in a register, unless it is in memory already.
    fn save(&mut self, node: CircuitNode, register: Register) {
        if self.memory.home[node as usize].is_none() {
            // Only what is read in another block needs a slot of its own in each vector.
            let home = match self.last[node as usize] < self.block_end {
                true => VectorAddress::Scratch(self.free_scratch.pop().unwrap_or_else(|| {
                    self.made.scratch += 1;
                    self.made.scratch - 1
                })),
                false => VectorAddress::Batch(self.memory.free.pop().unwrap_or_else(|| {
                    self.memory.slots += 1;
                    self.memory.slots - 1
                })),
            };
            self.memory.home[node as usize] = Some(home);
            self.block.push(Step::Store { from: register, to: home });
        }
    }

    /// Loads a node into a register, unless it is in one already.
    fn bring(&mut self, node: CircuitNode, pinned: &[CircuitNode]) -> Register {
        if let Some(register) = self.register[node as usize] {
            return register;
        }
        let register = self.room(pinned);
        let Some(home) = self.memory.home[node as usize] else { unreachable!("a node is computed before it is read") };
        self.block.push(Step::Load { to: register, from: home });
        self.put(node, register);
        register
    }

    /// Stores the nodes that are read after this block, and empties the registers.
    fn flush(&mut self) {
        for (index, register) in (0..self.registers.len()).zip(0..) {
            let Some(node) = self.registers[index].take() else { continue };
            self.register[node as usize] = None;
            if self.upcoming[node as usize] != NEVER {
                self.save(node, register);
            }
        }
    }

    /// Ends the current block and begins the next.
    fn begin_block(&mut self) {
        self.made.blocks.push(std::mem::take(&mut self.block));
        self.block_end += to_u32(BLOCK);
    }
}
