//! Register allocation: where each node of a circuit is kept, instruction by instruction.
//!
//! Registers are assigned by Belady's rule (1966): if none is free, the value whose next use is farthest away is
//! evicted, and stored if it has not been. An operand that is not used again soon is read from memory by the
//! instruction itself.
//!
//! Code that is larger than the first-level instruction cache is fetched more slowly than it runs. So a part is cut
//! into blocks, and all vectors of a batch pass through a block before the next block begins. Values that are read only
//! inside their block are stored in scratch memory that every vector reuses, and which stays in the first-level cache.

use super::assembler::{Address, Assembler, Function, Operand, Operation, REGISTERS, Register, VECTOR_BYTES};
use super::circuit::{Circuit, Kind, Node};
use super::code::Slot;
use super::order::{Order, Step, Wanted, inputs};
use crate::limits::{Poll, Stopped};
use crate::number::to_u32;

/// Not used again in this part, but after it.
const LATER: u32 = u32::MAX - 1;
const NEVER: u32 = u32::MAX;

/// The number of steps in a block: their machine code fits the first-level instruction cache.
const BLOCK: usize = 2_000;

/// Where a node is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    Slot(Slot),
    /// The n-th scratch slot; scratch is reused by every vector and every block.
    Scratch(u32),
}

/// The memory of all parts.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// Where each node is stored, if it is.
    home: Vec<Option<Home>>,
    is_computed: Vec<bool>,
    free: Vec<Slot>,
    /// Slots below this one are never reused for other nodes.
    fixed: Slot,
    pub(super) slots: u32,
}

impl Memory {
    /// Starts with the inputs in their slots; the first `fixed` slots are taken.
    pub(super) fn new(circuit: &Circuit, fixed: u32) -> Self {
        let home = (0..to_u32(circuit.len())).map(|node| match circuit.kind(node) {
            Kind::Input(slot) => Some(Home::Slot(slot)),
            _ => None,
        });
        let home: Vec<_> = home.collect();
        Self { is_computed: home.iter().map(Option::is_some).collect(), home, free: Vec::new(), fixed, slots: fixed }
    }

    /// The slot in which a node was stored for other parts.
    pub(super) fn home(&self, node: Node) -> Option<Slot> {
        match self.home[node as usize] {
            Some(Home::Slot(slot)) => Some(slot),
            _ => None,
        }
    }

    /// For each node, whether a first part computes or loads it and later ones read it.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn shared(
        &self,
        circuit: &Circuit,
        first: Wanted<'_>,
        later: &[Wanted<'_>],
        poll: &Poll<'_>,
    ) -> Result<Vec<bool>, Stopped> {
        let behind = Order::new(circuit, &self.is_computed, first).run(poll)?;
        let mut shared = vec![false; circuit.len()];
        for &wanted in later {
            for step in Order::new(circuit, &behind.is_computed, wanted).run(poll)?.steps {
                match step {
                    Step::Compute(node) => {
                        let (one, other) = inputs(circuit.kind(node));
                        (shared[one as usize], shared[other as usize]) = (true, true);
                    }
                    Step::Store(node, _) => shared[node as usize] = true,
                }
            }
            wanted.kept.iter().for_each(|&node| shared[node as usize] = true);
        }
        Ok(shared)
    }

    /// The code that computes the nodes of `wanted`. `is_shared` says for each node whether later parts read it;
    /// `stride` is the number of bytes from one slot to the next.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn part(
        &mut self,
        circuit: &Circuit,
        wanted: Wanted<'_>,
        is_shared: &[bool],
        stride: u32,
        poll: &Poll<'_>,
    ) -> Result<Function, Stopped> {
        let Order { steps, is_computed, .. } = Order::new(circuit, &self.is_computed, wanted).run(poll)?;
        self.is_computed = is_computed;
        let mut part = Part::new(circuit, self, &steps, (wanted.kept, is_shared), stride);
        for (index, &step) in steps.iter().enumerate() {
            poll.step()?;
            if index > 0 && index % BLOCK == 0 {
                part.flush();
                part.assembler.begin_block();
                part.block_end += to_u32(BLOCK);
            }
            part.step(index, step);
        }
        part.flush();
        Ok(part.assembler.finish())
    }
}

/// A part while its code is written.
struct Part<'a> {
    circuit: &'a Circuit,
    memory: &'a mut Memory,
    assembler: Assembler,
    stride: u32,
    /// The node in each register.
    registers: [Option<Node>; REGISTERS],
    register: Vec<Option<Register>>,
    /// The step at which each node is read next.
    upcoming: Vec<u32>,
    /// For each step, when its two inputs are read again after it, and when its result is read first.
    after: Vec<[u32; 3]>,
    /// The node of the bit in each slot.
    bits: Vec<Option<Node>>,
    /// The step at which each node is read last.
    last: Vec<u32>,
    /// The current block ends before this step.
    block_end: u32,
    /// The number of scratch slots used, and those of them that are free.
    scratch: u32,
    free_scratch: Vec<u32>,
}

impl<'a> Part<'a> {
    fn new(
        circuit: &'a Circuit,
        memory: &'a mut Memory,
        steps: &[Step],
        (kept, is_shared): (&[Node], &[bool]),
        stride: u32,
    ) -> Self {
        let mut upcoming: Vec<u32> = is_shared.iter().map(|&shared| if shared { LATER } else { NEVER }).collect();
        kept.iter().for_each(|&node| upcoming[node as usize] = LATER);
        let mut last = upcoming.clone();
        let mut after = vec![[NEVER; 3]; steps.len()];
        for (index, &step) in steps.iter().enumerate().rev() {
            let time = to_u32(index);
            match step {
                Step::Compute(node) => {
                    let (one, other) = inputs(circuit.kind(node));
                    for input in [one, other].map(|input| input as usize) {
                        last[input] = if upcoming[input] == NEVER { time } else { last[input] };
                    }
                    after[index] = [upcoming[one as usize], upcoming[other as usize], upcoming[node as usize]];
                    (upcoming[one as usize], upcoming[other as usize]) = (time, time);
                }
                Step::Store(node, _) => {
                    last[node as usize] = if upcoming[node as usize] == NEVER { time } else { last[node as usize] };
                    after[index][0] = upcoming[node as usize];
                    upcoming[node as usize] = time;
                }
            }
        }
        let mut bits = vec![None; memory.fixed as usize];
        for node in 0..to_u32(circuit.len()) {
            if let Kind::Input(slot) = circuit.kind(node) {
                bits[slot as usize] = Some(node);
            }
        }
        Self {
            circuit,
            memory,
            assembler: Assembler::new(),
            stride,
            last,
            block_end: to_u32(BLOCK),
            scratch: 0,
            free_scratch: Vec::new(),
            registers: [None; REGISTERS],
            register: vec![None; circuit.len()],
            upcoming,
            after,
            bits,
        }
    }

    fn step(&mut self, index: usize, step: Step) {
        match step {
            Step::Compute(node) => self.compute(index, node),
            Step::Store(node, slot) => {
                let old = self.bits[slot as usize].filter(|&old| old != node && self.upcoming[old as usize] != NEVER);
                if let Some(old) = old {
                    // The old value is read again: from now on it is only in a register.
                    self.bring(old, &[node]);
                    self.memory.home[old as usize] = None;
                }
                let register = self.bring(node, old.as_slice());
                self.assembler.store(register, self.address(Home::Slot(slot)));
                if self.bits[slot as usize].is_none() && self.memory.home[node as usize].is_none() {
                    self.memory.home[node as usize] = Some(Home::Slot(slot));
                }
                self.leave_register(node, self.after[index][0]);
                self.leave_memory(node);
            }
        }
    }

    fn compute(&mut self, index: usize, node: Node) {
        let [after_one, after_other, first_use] = self.after[index];
        let (operation, mut first, mut second) = match self.circuit.kind(node) {
            Kind::And(one, other) => (Operation::And, (one, after_one), (other, after_other)),
            Kind::Or(one, other) => (Operation::Or, (one, after_one), (other, after_other)),
            Kind::Xor(one, other) => (Operation::Xor, (one, after_one), (other, after_other)),
            Kind::Without(one, other) => (Operation::NotAnd, (other, after_other), (one, after_one)),
            Kind::Input(_) => return,
        };
        let is_in = |part: &Self, node: Node| part.register[node as usize].is_some();
        if operation != Operation::NotAnd && !is_in(self, first.0) && (is_in(self, second.0) || second.1 < first.1) {
            (first, second) = (second, first);
        }
        let first_register = self.bring(first.0, &[second.0]);
        if !is_in(self, second.0) && second.1 < LATER.min(self.farthest(&[first.0]).1) {
            self.bring(second.0, &[first.0]);
        }
        let second_operand = match (self.register[second.0 as usize], self.memory.home[second.0 as usize]) {
            (Some(register), _) => Operand::Register(register),
            (None, Some(home)) => Operand::Memory(self.address(home)),
            (None, None) => unreachable!("a node is computed before it is read"),
        };
        self.leave_register(first.0, first.1);
        self.leave_register(second.0, second.1);
        let target = self.room(&[]);
        self.assembler.operate(operation, target, first_register, second_operand);
        self.leave_memory(first.0);
        self.leave_memory(second.0);
        self.put(node, target);
        self.upcoming[node as usize] = first_use;
    }

    fn address(&self, home: Home) -> Address {
        match home {
            Home::Slot(slot) => Address::Batch(slot * self.stride),
            Home::Scratch(index) => Address::Scratch(index * u32::from(VECTOR_BYTES)),
        }
    }

    fn put(&mut self, node: Node, register: Register) {
        self.registers[register as usize] = Some(node);
        self.register[node as usize] = Some(register);
    }

    /// Records when a node is read next, and frees its register if that is not in this part.
    fn leave_register(&mut self, node: Node, next: u32) {
        self.upcoming[node as usize] = next;
        let is_home = self.memory.home[node as usize].is_some();
        if (next == NEVER || (next == LATER && is_home))
            && let Some(register) = self.register[node as usize].take()
        {
            self.registers[register as usize] = None;
        }
    }

    /// Frees the memory of a node that is not read again; called after the instruction that reads it there.
    fn leave_memory(&mut self, node: Node) {
        if self.upcoming[node as usize] != NEVER {
            return;
        }
        match self.memory.home[node as usize] {
            Some(Home::Slot(slot)) if slot >= self.memory.fixed => self.memory.free.push(slot),
            Some(Home::Scratch(index)) => self.free_scratch.push(index),
            _ => return,
        }
        self.memory.home[node as usize] = None;
    }

    /// The register whose value is read last, and when that is; a free register is preferred.
    fn farthest(&self, pinned: &[Node]) -> (Register, u32) {
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
    fn room(&mut self, pinned: &[Node]) -> Register {
        let (register, _) = self.farthest(pinned);
        if let Some(node) = self.registers[register as usize].take() {
            self.save(node, register);
            self.register[node as usize] = None;
        }
        register
    }

    /// Stores a node that is in a register, unless it is in memory already.
    fn save(&mut self, node: Node, register: Register) {
        if self.memory.home[node as usize].is_none() {
            let home = match self.last[node as usize] < self.block_end {
                true => Home::Scratch(self.free_scratch.pop().unwrap_or_else(|| {
                    self.scratch += 1;
                    self.scratch - 1
                })),
                false => Home::Slot(self.memory.free.pop().unwrap_or_else(|| {
                    self.memory.slots += 1;
                    self.memory.slots - 1
                })),
            };
            self.memory.home[node as usize] = Some(home);
            self.assembler.store(register, self.address(home));
        }
    }

    /// Loads a node into a register, unless it is in one already.
    fn bring(&mut self, node: Node, pinned: &[Node]) -> Register {
        if let Some(register) = self.register[node as usize] {
            return register;
        }
        let register = self.room(pinned);
        let Some(home) = self.memory.home[node as usize] else { unreachable!("a node is computed before it is read") };
        self.assembler.load(register, self.address(home));
        self.put(node, register);
        register
    }

    /// Stores the nodes that are read after this block, and empties the registers.
    fn flush(&mut self) {
        for (index, register) in (0..REGISTERS).zip(0..) {
            let Some(node) = self.registers[index].take() else { continue };
            self.register[node as usize] = None;
            if self.upcoming[node as usize] != NEVER {
                self.save(node, register);
            }
        }
    }
}
