//! Registers for a circuit: which node is where, instruction by instruction.
//!
//! What is in registers follows Belady's rule (1966): where there is no free one, the value goes whose next use is farthest away, and is
//! stored if it has not been. An operand that is not used again soon is read from memory by the instruction itself.
//!
//! Code that is larger than the first cache of instructions is fetched more slowly than it runs. So a part is cut into blocks, and all
//! vectors of a batch go through a block before the first goes on to the next. Values that nobody reads outside their block
//! are stored where those of the vector before have been, which are still in the first cache.

use super::assembler::{Address, Assembler, Function, Operand, Operation, REGISTERS, Register, VECTOR_BYTES};
use super::circuit::{Circuit, Kind, Node};
use super::code::Slot;
use super::order::{Order, Step, Wanted, inputs};

/// Not used again in this part, but behind it.
const LATER: u32 = u32::MAX - 1;
/// Not used again at all.
const NEVER: u32 = u32::MAX;

/// A part is cut into blocks of so many steps: their machine code fits the first cache of instructions.
const BLOCK: usize = 2_000;

/// Where a node is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    Slot(Slot),
    /// So manieth of what is used again for each vector, and in each block.
    Aside(u32),
}

/// The memory of all parts.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// Where each node is, if it has been stored.
    home: Vec<Option<Home>>,
    is_computed: Vec<bool>,
    free: Vec<Slot>,
    /// The slots below are not given away when what stands there is not used any more.
    fixed: Slot,
    pub(super) slots: u32,
}

impl Memory {
    /// The inputs are where they are; `fixed` slots are taken.
    pub(super) fn new(circuit: &Circuit, fixed: u32) -> Self {
        let home = (0..circuit.len() as Node).map(|node| match circuit.kind(node) {
            Kind::Input(slot) => Some(Home::Slot(slot)),
            _ => None,
        });
        let home: Vec<_> = home.collect();
        Self { is_computed: home.iter().map(Option::is_some).collect(), home, free: Vec::new(), fixed, slots: fixed }
    }

    /// Where a node was left for others.
    pub(super) fn home(&self, node: Node) -> Option<Slot> {
        match self.home[node as usize] {
            Some(Home::Slot(slot)) => Some(slot),
            _ => None,
        }
    }

    /// The nodes that a first part computes, or finds, and later ones read.
    pub(super) fn shared(&self, circuit: &Circuit, first: Wanted<'_>, later: &[Wanted<'_>]) -> Vec<bool> {
        let behind = Order::new(circuit, &self.is_computed, first).run();
        let mut shared = vec![false; circuit.len()];
        for &wanted in later {
            for step in Order::new(circuit, &behind.is_computed, wanted).run().steps {
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
        shared
    }

    /// The code that computes what is wanted. `is_shared` says which nodes are read by parts that come later; `stride` is the number of
    /// bytes from one slot to the next.
    pub(super) fn part(&mut self, circuit: &Circuit, wanted: Wanted<'_>, is_shared: &[bool], stride: u32) -> Function {
        let Order { steps, is_computed, .. } = Order::new(circuit, &self.is_computed, wanted).run();
        self.is_computed = is_computed;
        let mut part = Part::new(circuit, self, &steps, (wanted.kept, is_shared), stride);
        for (index, &step) in steps.iter().enumerate() {
            if index > 0 && index % BLOCK == 0 {
                part.flush();
                part.assembler.begin_block();
                part.block_end += BLOCK as u32;
            }
            part.step(index, step);
        }
        part.flush();
        part.assembler.finish()
    }
}

/// A part while it is being written.
struct Part<'a> {
    circuit: &'a Circuit,
    memory: &'a mut Memory,
    assembler: Assembler,
    stride: u32,
    /// What is in each register.
    registers: [Option<Node>; REGISTERS],
    register: Vec<Option<Register>>,
    /// When each node is read next.
    upcoming: Vec<u32>,
    /// For each step, when its inputs are read again behind it, and its result for the first time.
    after: Vec<[u32; 3]>,
    /// The node of the bit in each slot.
    bits: Vec<Option<Node>>,
    /// When each node is read last.
    last: Vec<u32>,
    /// The present block ends before this step.
    block_end: u32,
    /// How many words aside are used, and which of them are free.
    aside: u32,
    free_aside: Vec<u32>,
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
            let time = index as u32;
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
        for node in 0..circuit.len() as Node {
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
            block_end: BLOCK as u32,
            aside: 0,
            free_aside: Vec::new(),
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
                    // The old value is read again: from now on it is in a register alone.
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
            Home::Aside(index) => Address::Aside(index * u32::from(VECTOR_BYTES)),
        }
    }

    fn put(&mut self, node: Node, register: Register) {
        self.registers[register as usize] = Some(node);
        self.register[node as usize] = Some(register);
    }

    /// A node is read next at this time: if not in this part, it needs no register.
    fn leave_register(&mut self, node: Node, next: u32) {
        self.upcoming[node as usize] = next;
        let is_home = self.memory.home[node as usize].is_some();
        if (next == NEVER || (next == LATER && is_home))
            && let Some(register) = self.register[node as usize].take()
        {
            self.registers[register as usize] = None;
        }
    }

    /// A node that is not read again needs no memory; not before the instruction has read it there.
    fn leave_memory(&mut self, node: Node) {
        if self.upcoming[node as usize] != NEVER {
            return;
        }
        match self.memory.home[node as usize] {
            Some(Home::Slot(slot)) if slot >= self.memory.fixed => self.memory.free.push(slot),
            Some(Home::Aside(index)) => self.free_aside.push(index),
            _ => return,
        }
        self.memory.home[node as usize] = None;
    }

    /// The register whose value is read last, and when that is; a free one before all others.
    fn farthest(&self, pinned: &[Node]) -> (Register, u32) {
        let mut best = (0, 0);
        for (register, held) in self.registers.iter().enumerate() {
            match held {
                None => return (register as Register, NEVER),
                Some(node) if pinned.contains(node) => {}
                Some(node) if self.upcoming[*node as usize] >= best.1 => {
                    best = (register as Register, self.upcoming[*node as usize]);
                }
                Some(_) => {}
            }
        }
        best
    }

    /// A free register.
    fn room(&mut self, pinned: &[Node]) -> Register {
        let (register, _) = self.farthest(pinned);
        if let Some(node) = self.registers[register as usize].take() {
            self.save(node, register);
            self.register[node as usize] = None;
        }
        register
    }

    /// Sees that a node that is in a register is in memory.
    fn save(&mut self, node: Node, register: Register) {
        if self.memory.home[node as usize].is_none() {
            let home = match self.last[node as usize] < self.block_end {
                true => Home::Aside(self.free_aside.pop().unwrap_or_else(|| {
                    self.aside += 1;
                    self.aside - 1
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

    /// Sees that a node is in a register.
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

    /// Stores what is read behind this block, and leaves nothing in the registers.
    fn flush(&mut self) {
        for register in 0..REGISTERS {
            let Some(node) = self.registers[register].take() else { continue };
            self.register[node as usize] = None;
            if self.upcoming[node as usize] != NEVER {
                self.save(node, register as Register);
            }
        }
    }
}
