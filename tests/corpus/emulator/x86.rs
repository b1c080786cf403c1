//! The instructions of AVX2 and AVX-512, decoded by `iced-x86`.

use super::{Instruction, Location, Source};
use ggp_engine::lanes::steps::Operation;
use iced_x86::{Code, Decoder, DecoderOptions, OpKind, Register};

/// The instructions of a function, each with its offset.
pub(super) fn decode(bytes: &[u8]) -> Vec<(usize, Instruction)> {
    let decoder = Decoder::new(64, bytes, DecoderOptions::NONE);
    decoder.into_iter().map(|decoded| (decoded.ip() as usize, instruction(&decoded))).collect()
}

fn instruction(decoded: &iced_x86::Instruction) -> Instruction {
    assert!(!decoded.is_invalid(), "the bytes at {:#x} are no instruction", decoded.ip());
    assert!(decoded.op_mask() == Register::None && !decoded.zeroing_masking() && !decoded.is_broadcast());
    let vector = |operand: u32| number(decoded.op_register(operand));
    let source = |operand: u32| match decoded.op_kind(operand) {
        OpKind::Register => Source::Register(vector(operand)),
        _ => Source::Memory(location(decoded)),
    };
    let bitwise = |operation| Instruction::Bitwise { operation, to: vector(0), first: vector(1), second: source(2) };
    match decoded.code() {
        Code::VEX_Vmovdqa_ymm_ymmm256 | Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512 => {
            Instruction::Load { to: vector(0), from: source(1) }
        }
        Code::VEX_Vmovdqa_ymmm256_ymm | Code::EVEX_Vmovdqa64_zmmm512_k1z_zmm => {
            Instruction::Store { from: vector(1), to: location(decoded) }
        }
        Code::VEX_Vpand_ymm_ymm_ymmm256 | Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64 => bitwise(Operation::And),
        Code::VEX_Vpandn_ymm_ymm_ymmm256 | Code::EVEX_Vpandnq_zmm_k1z_zmm_zmmm512b64 => bitwise(Operation::NotAnd),
        Code::VEX_Vpor_ymm_ymm_ymmm256 | Code::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64 => bitwise(Operation::Or),
        Code::VEX_Vpxor_ymm_ymm_ymmm256 | Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64 => bitwise(Operation::Xor),
        Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8 => {
            Instruction::Table { table: decoded.immediate8(), to: vector(0), second: vector(1), third: source(2) }
        }
        Code::Mov_rm64_r64 => Instruction::Move { to: vector(0), from: vector(1) },
        Code::Mov_r32_imm32 => Instruction::Set { to: vector(0), value: decoded.immediate32().into() },
        Code::Add_rm64_imm8 => {
            Instruction::AddNumber { to: vector(0), first: vector(0), number: decoded.immediate8to64() }
        }
        Code::Dec_rm32 => Instruction::Decrement(vector(0)),
        Code::Jne_rel32_64 => Instruction::Jump { to: decoded.near_branch64() as usize, if_zero: Some(false) },
        Code::VEX_Vzeroupper => Instruction::ClearUpper,
        Code::Retnq => Instruction::Return,
        other => panic!("the encoders write no {other:?}"),
    }
}

/// The number of a register in its encoding; the decoder lists registers of a kind in this order.
fn number(register: Register) -> u8 {
    let kinds = [(Register::EAX, 16), (Register::RAX, 16), (Register::YMM0, 32), (Register::ZMM0, 32)];
    let number =
        |&(first, count): &(Register, u8)| (register as u8).checked_sub(first as u8).filter(|number| *number < count);
    kinds.iter().find_map(number).unwrap_or_else(|| panic!("the encoders use no {register:?}"))
}

fn location(decoded: &iced_x86::Instruction) -> Location {
    let base = decoded.memory_base();
    assert!(decoded.memory_index() == Register::None && !decoded.has_segment_prefix());
    assert!((Register::RAX..=Register::R15).contains(&base), "an address has 64 bits");
    Location { base: number(base), offset: decoded.memory_displacement64().cast_signed() }
}
