//! The instructions of aarch64, decoded by `yaxpeax-arm`.

use super::{Insertion, Instruction, Location, STACK_POINTER, Source};
use ggp_engine::lanes::steps::Operation;
use yaxpeax_arch::{Arch, Decoder, U8Reader};
use yaxpeax_arm::armv8::a64::{ARMv8, Opcode, Operand, SIMDSizeCode, ShiftStyle, SizeCode};

/// The instructions of a function, each with its offset.
pub(super) fn decode(bytes: &[u8]) -> Vec<(usize, Instruction)> {
    let (words, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty(), "instructions have four bytes");
    let decoder = <ARMv8 as Arch>::Decoder::default();
    let instruction = |(index, word): (usize, &[u8; 4])| {
        let decoded = decoder.decode(&mut U8Reader::new(word));
        let decoded = decoded.unwrap_or_else(|error| panic!("{word:02x?} is no instruction: {error:?}"));
        (index * 4, instruction(decoded.opcode, decoded.operands, index * 4))
    };
    words.iter().enumerate().map(instruction).collect()
}

fn instruction(opcode: Opcode, operands: [Operand; 4], offset: usize) -> Instruction {
    use Operand::{ImmShift, Immediate, PCOffset, RegPostIndex, RegPreIndex, RegShift, Register, RegisterOrSP};
    use Operand::{Nothing, SIMDRegister, SIMDRegisterElements as Elements};
    use SIMDSizeCode::{B, D, Q};
    use SizeCode::{W, X};
    let unknown = || -> ! { panic!("the encoders write no {opcode:?} {operands:?}") };
    let place = |base: u16, offset: i32| Location { base: number(base), offset: offset.into() };
    let target = |distance: i64| offset.wrapping_add_signed(distance as isize);
    match (opcode, operands) {
        (_, [Elements(Q, to, B), Elements(Q, first, B), Elements(Q, second, B), Nothing]) => {
            vector(opcode, number(to), number(first), number(second)).unwrap_or_else(|| unknown())
        }
        (Opcode::LDR, [SIMDRegister(Q, to), RegPreIndex(base, offset, false), Nothing, Nothing]) => {
            Instruction::Load { to: number(to), from: Source::Memory(place(base, offset)) }
        }
        (Opcode::STR, [SIMDRegister(Q, from), RegPreIndex(base, offset, false), Nothing, Nothing]) => {
            Instruction::Store { from: number(from), to: place(base, offset) }
        }
        (Opcode::ORR, [Register(X, to), Register(X, 31), RegShift(ShiftStyle::LSL, 0, X, from), Nothing]) => {
            Instruction::Move { to: number(to), from: number(from) }
        }
        (Opcode::MOVZ, [Register(W, to), ImmShift(value, shift), Nothing, Nothing]) => {
            Instruction::Set { to: number(to), value: u64::from(value) << shift }
        }
        (Opcode::ADD, [Register(X, to), Register(X, first), RegShift(ShiftStyle::LSL, 0, X, second), Nothing]) => {
            Instruction::Add { to: number(to), first: number(first), second: number(second) }
        }
        (Opcode::ADD, [RegisterOrSP(X, to), RegisterOrSP(X, first), Immediate(value), Nothing]) => {
            Instruction::AddNumber { to: number(to), first: number(first), number: value.into() }
        }
        (Opcode::SUBS, [Register(W, to), RegisterOrSP(W, first), Immediate(1), Nothing]) if to == first => {
            Instruction::Decrement(number(to))
        }
        (Opcode::Bcc(0), [PCOffset(distance), Nothing, Nothing, Nothing]) => {
            Instruction::Jump { to: target(distance), if_zero: Some(true) }
        }
        (Opcode::B, [PCOffset(distance), Nothing, Nothing, Nothing]) => {
            Instruction::Jump { to: target(distance), if_zero: None }
        }
        (Opcode::STP, [SIMDRegister(D, one), SIMDRegister(D, other), RegPreIndex(31, offset, is_written), Nothing]) => {
            let (offset, before) = if is_written { (0, offset) } else { (offset, 0) };
            let to = Location { base: STACK_POINTER, offset: offset.into() };
            Instruction::SavePair { from: [one, other].map(number), to, before: before.into() }
        }
        (Opcode::LDP, [SIMDRegister(D, one), SIMDRegister(D, other), RegPreIndex(31, offset, false), Nothing]) => {
            let from = Location { base: STACK_POINTER, offset: offset.into() };
            Instruction::LoadPair { to: [one, other].map(number), from, after: 0 }
        }
        (Opcode::LDP, [SIMDRegister(D, one), SIMDRegister(D, other), RegPostIndex(31, after), Nothing]) => {
            let from = Location { base: STACK_POINTER, offset: 0 };
            Instruction::LoadPair { to: [one, other].map(number), from, after: after.into() }
        }
        (Opcode::RET, [Register(X, 30), Nothing, Nothing, Nothing]) => Instruction::Return,
        _ => unknown(),
    }
}

/// An instruction on three vectors of 128 bits.
fn vector(opcode: Opcode, to: u8, first: u8, second: u8) -> Option<Instruction> {
    let bitwise = |operation, first, second| {
        Some(Instruction::Bitwise { operation, to, first, second: Source::Register(second) })
    };
    let insert = |insertion| Some(Instruction::Insert { insertion, to, first, second });
    match opcode {
        Opcode::AND => bitwise(Operation::And, first, second),
        // Its second operand is the negated one.
        Opcode::BIC => bitwise(Operation::NotAnd, second, first),
        Opcode::ORR if first == second => Some(Instruction::Load { to, from: Source::Register(first) }),
        Opcode::ORR => bitwise(Operation::Or, first, second),
        Opcode::EOR => bitwise(Operation::Xor, first, second),
        Opcode::BSL => insert(Insertion::Bsl),
        Opcode::BIT => insert(Insertion::Bit),
        Opcode::BIF => insert(Insertion::Bif),
        _ => None,
    }
}

fn number(register: u16) -> u8 {
    register.try_into().expect("there are 32 registers")
}
