//! Machine code of all targets: each form of instruction, operand for operand as independent decoders read it.

use crate::emulator::{self, Instruction, Location, Source};
use ggp_engine::lanes::steps::{Operand, Operation, Register, Step, Steps, VectorAddress};
use ggp_engine::lanes::{Function, Target};

const OPERATIONS: [Operation; 4] = [Operation::And, Operation::NotAnd, Operation::Or, Operation::Xor];
/// Numbers of slots and scratch vectors: near ones, and those where displacements become longer.
const NUMBERS: [u32; 16] = [0, 1, 2, 3, 4, 63, 64, 127, 128, 255, 4_095, 4_096, 8_191, 65_535, 1 << 20, (1 << 24) - 1];

/// The instructions of steps for a batch of one vector, without those that enter and leave the function.
fn instructions(target: Target, steps: Vec<Step>) -> Vec<Instruction> {
    let steps = Steps { blocks: vec![steps], scratch: 0 };
    let function = Function::new(target, &steps, target.columns()).expect("it is near enough");
    let instructions: Vec<_> = emulator::decode(&function).into_iter().map(|(_, decoded)| decoded).collect();
    let (entry, exit) = if target == Target::Neon { (4, 5) } else { (0, 2) };
    assert_eq!(instructions.last(), Some(&Instruction::Return));
    instructions[entry..instructions.len() - exit].to_vec()
}

fn operate(operation: Operation, to: Register, first: Register, second: Operand) -> Step {
    Step::Operate { operation, to, first, second }
}

#[test]
fn operations_on_registers_are_encoded_for_all_registers() {
    for target in Target::MACHINES {
        let all = || 0..target.registers();
        let triples =
            || all().flat_map(move |to| all().flat_map(move |first| all().map(move |last| (to, first, last))));
        for operation in OPERATIONS {
            let steps = triples().map(|(to, first, last)| operate(operation, to, first, Operand::Register(last)));
            let expected = triples().map(|(to, first, last)| match (target, operation) {
                // Reads as a move.
                (Target::Neon, Operation::Or) if first == last => {
                    Instruction::Load { to, from: Source::Register(first) }
                }
                _ => Instruction::Bitwise { operation, to, first, second: Source::Register(last) },
            });
            assert!(instructions(target, steps.collect()).into_iter().eq(expected), "{target:?} {operation:?}");
        }
    }
}

#[test]
fn operands_in_memory_are_encoded_near_and_far() {
    for target in Target::MACHINES {
        let vector = target.columns() as i64 * 8;
        let [batch, scratch] = emulator::arguments(target);
        let addresses =
            NUMBERS.into_iter().flat_map(|number| [VectorAddress::Batch(number), VectorAddress::Scratch(number)]);
        for address in addresses {
            let (base, number) = match address {
                VectorAddress::Batch(number) => (batch, number),
                VectorAddress::Scratch(number) => (scratch, number),
            };
            let location = Location { base, offset: i64::from(number) * vector };
            for register in 0..target.registers() {
                let other = target.registers() - 1 - register;
                let mut steps =
                    vec![Step::Load { to: register, from: address }, Step::Store { from: register, to: address }];
                let mut expected = vec![
                    Instruction::Load { to: register, from: Source::Memory(location) },
                    Instruction::Store { from: register, to: location },
                ];
                for operation in OPERATIONS {
                    steps.push(operate(operation, register, other, Operand::Memory(address)));
                    let bitwise = |second| Instruction::Bitwise { operation, to: register, first: other, second };
                    match target {
                        Target::Portable => {}
                        Target::Avx2 | Target::Avx512 => expected.push(bitwise(Source::Memory(location))),
                        Target::Neon => expected.extend([
                            Instruction::Load { to: 31, from: Source::Memory(location) },
                            bitwise(Source::Register(31)),
                        ]),
                    }
                }
                let found = instructions(target, steps);
                let found = if target == Target::Neon { with_whole_offsets(&found) } else { found };
                assert_eq!(found, expected, "{target:?} {address:?}");
            }
        }
    }
}

/// Replaces offsets from the start of a page, which two instructions have computed, by those from the memory's start.
fn with_whole_offsets(instructions: &[Instruction]) -> Vec<Instruction> {
    let (mut page, mut start) = (0, None);
    let mut whole = Vec::new();
    for &instruction in instructions {
        let place = |location: Location| match (location.base, start) {
            (9, Some((base, distance))) => Location { base, offset: location.offset + distance },
            _ => location,
        };
        match instruction {
            Instruction::Set { to: 9, value } => page = value as i64,
            Instruction::Add { to: 9, first, second: 9 } => start = Some((first, page)),
            Instruction::Load { to, from: Source::Memory(location) } => {
                whole.push(Instruction::Load { to, from: Source::Memory(place(location)) });
            }
            Instruction::Store { from, to } => whole.push(Instruction::Store { from, to: place(to) }),
            other => whole.push(other),
        }
    }
    whole
}

#[test]
fn tables_are_encoded_for_all_registers() {
    let table = 0b1100_1010;
    let all = 0..32;
    let pairs = || all.clone().flat_map(|to| (0..32).map(move |other| (to, other)));
    let steps = pairs().map(|(to, second)| Step::Table {
        table,
        to,
        first: to,
        second,
        third: Operand::Register((to + second) % 32),
    });
    let expected = pairs().map(|(to, second)| Instruction::Table {
        table,
        to,
        second,
        third: Source::Register((to + second) % 32),
    });
    assert!(instructions(Target::Avx512, steps.collect()).into_iter().eq(expected));
}

/// The memory of a function, filled with numbers of a simple generator.
fn memory(bytes: usize, seed: &mut u64) -> Vec<u64> {
    let next = || {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *seed ^ *seed >> 29
    };
    std::iter::repeat_with(next).take(bytes / 8).collect()
}

#[test]
fn tables_have_their_value_wherever_the_operands_are() {
    let mut seed = 1;
    for target in Target::MACHINES {
        for table in (0..=u8::MAX).filter(|&table| target.has_table(table)) {
            // All ways in which the result and the operands can share registers, and the last operand in memory.
            for way in 0..4 * 4 * 4 * 5 {
                let [to, first, second] = [way % 4, way / 4 % 4, way / 16 % 4].map(|register| register as Register);
                let third = match way / 64 {
                    4 => Operand::Memory(VectorAddress::Batch(9)),
                    register => Operand::Register(register as Register),
                };
                let load =
                    |register: Register| Step::Load { to: register, from: VectorAddress::Batch(register.into()) };
                let mut steps: Vec<Step> = (0..4).map(load).collect();
                steps.push(Step::Table { table, to, first, second, third });
                steps.extend((0..4).map(|from| Step::Store { from, to: VectorAddress::Scratch(from.into()) }));
                let steps = Steps { blocks: vec![steps], scratch: 4 };
                let columns = target.columns();
                let function = Function::new(target, &steps, columns).expect("it is near");
                let mut batch = memory(function.extent().batch, &mut seed);
                let mut scratch = memory(function.extent().scratch, &mut seed);
                emulator::run(&function, &mut batch, &mut scratch);
                for column in 0..columns {
                    let value = |register: Register| batch[usize::from(register) * columns + column];
                    let last = match third {
                        Operand::Register(register) => value(register),
                        Operand::Memory(_) => batch[9 * columns + column],
                    };
                    for register in 0..4 {
                        let expected = match register == to {
                            true => emulator::looked_up(table, [value(first), value(second), last]),
                            false => value(register),
                        };
                        let found = scratch[usize::from(register) * columns + column];
                        assert_eq!(found, expected, "{target:?} {table:08b} {to} {first} {second} {third:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn all_vectors_pass_a_block_before_the_next_one_begins() {
    for target in Target::MACHINES {
        for vectors in 1..5 {
            // The second block reads what the first one has left of the last vector in scratch memory.
            let first = vec![
                Step::Load { to: 9, from: VectorAddress::Batch(0) },
                Step::Store { from: 9, to: VectorAddress::Scratch(0) },
            ];
            let second = vec![
                Step::Load { to: 3, from: VectorAddress::Scratch(0) },
                operate(Operation::Xor, 3, 3, Operand::Memory(VectorAddress::Batch(0))),
                Step::Store { from: 3, to: VectorAddress::Batch(5_000) },
            ];
            let steps = Steps { blocks: vec![first, second], scratch: 1 };
            let columns = vectors * target.columns();
            let function = Function::new(target, &steps, columns).expect("it is near");
            let extent = (5_000 * columns + columns) * 8;
            assert_eq!((function.extent().batch, function.extent().scratch), (extent, target.columns() * 8));
            let mut batch = memory(extent, &mut 7);
            let mut scratch = vec![0; target.columns()];
            emulator::run(&function, &mut batch, &mut scratch);
            for column in 0..columns {
                let last = batch[columns - target.columns() + column % target.columns()];
                assert_eq!(batch[5_000 * columns + column], batch[column] ^ last, "{target:?} {vectors} {column}");
            }
        }
    }
}

#[test]
fn a_memory_beyond_the_range_of_offsets_is_refused() {
    for target in Target::MACHINES {
        let load =
            |slot| Steps { blocks: vec![vec![Step::Load { to: 0, from: VectorAddress::Batch(slot) }]], scratch: 0 };
        let slots = (1 << 31) / (16 * 8);
        assert!(Function::new(target, &load(slots - 2), 16).is_some(), "{target:?}");
        assert!(Function::new(target, &load(slots), 16).is_none(), "{target:?}");
        assert!(Function::new(target, &load(u32::MAX), 16).is_none(), "{target:?}");
    }
}

#[test]
fn steps_that_a_target_does_not_have_are_refused() {
    let table = |table| Step::Table { table, to: 0, first: 0, second: 1, third: Operand::Register(2) };
    let refused = |target: Target, step: Step| {
        let steps = Steps { blocks: vec![vec![step]], scratch: 0 };
        std::panic::catch_unwind(|| Function::new(target, &steps, 16)).is_err()
    };
    for target in Target::MACHINES {
        let load = |to| Step::Load { to, from: VectorAddress::Batch(0) };
        assert!(!refused(target, load(target.registers() - 1)) && refused(target, load(target.registers())));
        assert!((0..=u8::MAX).all(|number| refused(target, table(number)) != target.has_table(number)), "{target:?}");
    }
    assert!(Function::new(Target::Portable, &Steps::default(), 16).is_none(), "it has no machine code");
}
