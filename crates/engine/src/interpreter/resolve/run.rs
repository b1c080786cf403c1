//! The run of one block of a plan: its operations from left to right, with backtracking to the last generator that has
//! another candidate, and the handling of each answer.

use super::WorkingMemory;
use crate::interpreter::index::{TupleList, TupleSet, make_room};
use crate::interpreter::plan::{ArgumentSource, CandidateAccess, Columns, Op, PlanBlock, PredicateId};
use crate::interpreter::program::CompiledRules;
use crate::interpreter::table::{CallAnswers, Collector};
use crate::interpreter::terms::TermId;
use gdl::limits::{Stop, WorkKind};
use gdl::number::to_u32;

/// The position of a generator in its candidates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    position: u32,
    end: u32,
    /// The list of an index, or [`Cursor::WHOLE`].
    list: u32,
}

impl Cursor {
    /// All rows are candidates.
    const WHOLE: u32 = u32::MAX;
    const EMPTY: Self = Self { position: 0, end: 0, list: Self::WHOLE };

    fn range(position: u32, end: u32) -> Self {
        Self { position, end, list: Self::WHOLE }
    }
}

/// The destination of the answers of a plan.
pub(super) enum Sink<'a> {
    /// The first answer ends the run.
    Exists,
    Collect(&'a mut Collector),
    /// They become tuples of a recursive component.
    Tuples {
        component: u32,
        relation: u32,
    },
    /// They are added to a list of at most `most` tuples, since the plan finds none twice.
    List {
        tuples: &'a mut TupleList,
        most: usize,
    },
    /// They are added to a set of at most `most` tuples.
    Set {
        tuples: &'a mut TupleSet,
        most: usize,
    },
}

impl WorkingMemory {
    /// Runs a block; returns true if it stopped early because an answer sufficed.
    pub(super) fn run(
        &mut self,
        program: &CompiledRules,
        block: &PlanBlock,
        outputs: &[ArgumentSource],
        base: usize,
        sink: &mut Sink,
    ) -> bool {
        let cursors = self.cursors.len();
        self.cursors.resize(cursors + block.ops.len(), Cursor::EMPTY);
        let mut index = 0;
        let stopped = loop {
            let holds = match block.ops.get(index) {
                Some(op) => self.enter(program, op, base, cursors + index),
                // After the last operation the registers hold an answer.
                None if self.give(outputs, base, sink) => break true,
                None => false,
            };
            if holds {
                index += 1;
                continue;
            }
            match self.back(program, block, base, cursors, index) {
                Some(generator) => index = generator + 1,
                None => break false,
            }
        };
        self.cursors.truncate(cursors);
        stopped
    }

    /// Backtracks to the last generator that has another candidate.
    #[inline]
    fn back(
        &mut self,
        program: &CompiledRules,
        block: &PlanBlock,
        base: usize,
        cursors: usize,
        mut index: usize,
    ) -> Option<usize> {
        loop {
            let back = block.back[index];
            if back == PlanBlock::NONE || self.halted.is_some() {
                return None;
            }
            index = back as usize;
            if self.advance(program, &block.ops[index], base, cursors + index) {
                return Some(index);
            }
        }
    }

    /// Passes an answer to the sink; returns true if it suffices.
    fn give(&mut self, outputs: &[ArgumentSource], base: usize, sink: &mut Sink) -> bool {
        match sink {
            Sink::Exists => true,
            Sink::Collect(collector) => {
                make_room(&mut self.pending, outputs.len());
                for &output in outputs {
                    let value = self.value(output, base);
                    self.pending.push(value);
                }
                collector.take_last(&mut self.pending, &mut self.seen);
                false
            }
            Sink::Tuples { component, relation } => {
                self.fill_key(outputs, base);
                self.fixpoints[*component as usize].add(*relation, &self.key);
                false
            }
            Sink::List { tuples, most } => {
                self.fill_key(outputs, base);
                tuples.push(&self.key);
                tuples.len() > *most
            }
            Sink::Set { tuples, most } => {
                self.fill_key(outputs, base);
                tuples.insert(&self.key);
                tuples.len() > *most
            }
        }
    }

    #[inline]
    fn value(&self, operand: ArgumentSource, base: usize) -> TermId {
        operand_value(operand, &self.registers[base..])
    }

    #[inline]
    fn fill_key(&mut self, operands: &[ArgumentSource], base: usize) {
        let frame = &self.registers[base..];
        self.key.clear();
        self.key.extend(operands.iter().map(|&operand| operand_value(operand, frame)));
    }

    /// Starts an operation; returns true if it holds.
    #[inline]
    fn enter(&mut self, program: &CompiledRules, op: &Op, base: usize, cursor: usize) -> bool {
        match op {
            Op::Same { left, right, negated } => (self.value(*left, base) == self.value(*right, base)) != *negated,
            Op::Holds { functor, arguments, negated } => {
                self.fill_key(arguments, base);
                let fact = self.terms.find(*functor, &self.key);
                fact.is_some_and(|fact| self.facts.holds(fact)) != *negated
            }
            Op::HoldsTerm { term, negated } => self.facts.holds(self.value(*term, base)) != *negated,
            Op::Known { relation, arguments, negated } => {
                self.fill_key(arguments, base);
                program.stored[*relation as usize].tuples.find(&self.key).is_some() != *negated
            }
            Op::Found { component, relation, arguments } => {
                self.fill_key(arguments, base);
                self.fixpoints[*component as usize].sees(*relation, &self.key)
            }
            Op::Proves { predicate, arguments, negated } => {
                (self.call_with(program, *predicate, arguments, base).count > 0) != *negated
            }
            Op::Absent { block } => !self.run(program, block, &[], base, &mut Sink::Exists),
            Op::Either { blocks } => blocks.iter().any(|block| self.run(program, block, &[], base, &mut Sink::Exists)),
            Op::Build { functor, arguments, into } => {
                self.fill_key(arguments, base);
                let term = self.terms.build(*functor, &self.key);
                self.registers[base + *into as usize] = term;
                self.is_shallow(term)
            }
            Op::Split { term, functor, columns } => {
                let term = self.value(*term, base);
                self.terms.functor(term) == *functor
                    && take_columns(columns, self.terms.arguments(term), &mut self.registers, base)
            }
            _ => {
                self.cursors[cursor] = self.start(program, op, base);
                self.advance(program, op, base, cursor)
            }
        }
    }

    /// True if a term is within the maximum depth; otherwise everything stops.
    #[inline]
    fn is_shallow(&mut self, term: TermId) -> bool {
        let limit = TermId::MOST_DEPTH;
        let shallow = self.terms.depth(term) <= limit;
        if !shallow {
            self.halt(Stop::work(WorkKind::NestedFunctions, limit).into());
        }
        shallow
    }

    fn call_with(
        &mut self,
        program: &CompiledRules,
        predicate: PredicateId,
        arguments: &[ArgumentSource],
        base: usize,
    ) -> CallAnswers {
        let top = self.registers.len();
        for &argument in arguments {
            let value = self.value(argument, base);
            self.registers.push(value);
        }
        let answers = self.call(program, predicate, top);
        self.registers.truncate(top);
        answers
    }

    /// The candidates of a generator.
    fn start(&mut self, program: &CompiledRules, op: &Op, base: usize) -> Cursor {
        match op {
            Op::EachFact { relation, access, .. } => {
                if let CandidateAccess::Index { key, .. } = access {
                    self.fill_key(key, base);
                }
                let relation = &self.facts.relations[*relation as usize];
                let all = to_u32(relation.current.len());
                let CandidateAccess::Index { index, .. } = access else { return Cursor::range(0, all) };
                let index = &relation.indexes[*index as usize];
                let Some(list) = index.find(&self.key) else { return Cursor::EMPTY };
                let ever = to_u32(index.list(list).len());
                // The index lists facts of all states. If it has more than the current state has facts, testing these
                // is faster.
                if ever <= all { Cursor { position: 0, end: ever, list } } else { Cursor::range(0, all) }
            }
            Op::EveryFact { .. } => Cursor::range(0, to_u32(self.facts.all.len())),
            Op::EachRow { relation, access, .. } => match access {
                CandidateAccess::All => {
                    Cursor::range(0, to_u32(program.stored[*relation as usize].tuples.tuples.len()))
                }
                CandidateAccess::Index { index, key } => {
                    self.fill_key(key, base);
                    let (first, end) = program.stored[*relation as usize].indexes[*index as usize].find(&self.key);
                    Cursor::range(first, end)
                }
            },
            Op::EachDoes { .. } => Cursor::range(0, to_u32(self.does.len())),
            Op::EachAnswer { predicate, arguments, .. } => {
                // Candidates are offsets and not references, since later calls may move the table in memory.
                let answers = self.call_with(program, *predicate, arguments, base);
                let width = to_u32(program.predicates[predicate.index()].outputs);
                Cursor::range(answers.first, answers.first + answers.count * width)
            }
            Op::EachTuple { component, relation, access, .. } => {
                if let CandidateAccess::Index { key, .. } = access {
                    self.fill_key(key, base);
                }
                let fixpoint = &self.fixpoints[*component as usize];
                let CandidateAccess::Index { index, .. } = access else {
                    return Cursor::range(0, fixpoint.visible(*relation));
                };
                let index = fixpoint.index(*relation, *index);
                let Some(list) = index.find(&self.key) else { return Cursor::EMPTY };
                Cursor { position: 0, end: to_u32(index.list(list).len()), list }
            }
            _ => Cursor::EMPTY,
        }
    }

    /// Advances a generator to its next candidate that holds.
    #[inline]
    fn advance(&mut self, program: &CompiledRules, op: &Op, base: usize, cursor: usize) -> bool {
        let Cursor { mut position, end, list } = self.cursors[cursor];
        let first = position;
        let registers = &mut self.registers;
        let mut found = false;
        match op {
            Op::EachFact { relation, access, columns } => {
                let relation = &self.facts.relations[*relation as usize];
                match access {
                    CandidateAccess::Index { index, .. } if list != Cursor::WHOLE => {
                        let candidates = relation.indexes[*index as usize].list(list);
                        while !found && position < end {
                            let fact = TermId::kept(candidates[position as usize] as usize);
                            position += 1;
                            // The index also lists facts of other states.
                            found = self.facts.holds(fact)
                                && take_columns(columns, self.terms.arguments(fact), registers, base);
                        }
                    }
                    CandidateAccess::Index { index, key } => {
                        let keyed = &relation.indexes[*index as usize].columns;
                        while !found && position < end {
                            let arguments = self.terms.arguments(relation.current[position as usize]);
                            position += 1;
                            found = has_key(arguments, keyed, key, registers, base)
                                && take_columns(columns, arguments, registers, base);
                        }
                    }
                    CandidateAccess::All => {
                        while !found && position < end {
                            let arguments = self.terms.arguments(relation.current[position as usize]);
                            position += 1;
                            found = take_columns(columns, arguments, registers, base);
                        }
                    }
                }
            }
            Op::EveryFact { into } if position < end => {
                registers[base + *into as usize] = self.facts.all[position as usize];
                position += 1;
                found = true;
            }
            Op::EachRow { relation, access, columns } => {
                let relation = &program.stored[*relation as usize];
                let width = to_u32(relation.tuples.arity);
                let rows = match access {
                    CandidateAccess::All => &relation.tuples.tuples,
                    CandidateAccess::Index { index, .. } => &relation.indexes[*index as usize].rows,
                };
                while !found && position < end {
                    let row = &rows[position as usize..(position + width) as usize];
                    position += width;
                    found = take_columns(columns, row, registers, base);
                }
            }
            Op::EachDoes { columns } => {
                while !found && position < end {
                    let row = &self.does[position as usize];
                    position += 1;
                    found = take_columns(columns, row, registers, base);
                }
            }
            Op::EachAnswer { predicate, columns, .. } => {
                let predicate = &program.predicates[predicate.index()];
                let width = to_u32(predicate.outputs);
                let answers = &self.tables[predicate.scope as usize].answers;
                while !found && position < end {
                    let row = &answers[position as usize..(position + width) as usize];
                    position += width;
                    found = take_columns(columns, row, registers, base);
                }
            }
            Op::EachTuple { component, relation, access, columns } => {
                let fixpoint = &self.fixpoints[*component as usize];
                while !found && position < end {
                    let number = match access {
                        CandidateAccess::Index { index, .. } => {
                            fixpoint.index(*relation, *index).list(list)[position as usize]
                        }
                        CandidateAccess::All => position,
                    };
                    position += 1;
                    found = take_columns(columns, fixpoint.tuple(*relation, number), registers, base);
                }
            }
            _ => {}
        }
        self.cursors[cursor].position = position;
        self.steps += u64::from(position - first);
        if self.steps >= self.next_check {
            self.check();
        }
        found
    }
}

#[inline]
fn operand_value(operand: ArgumentSource, frame: &[TermId]) -> TermId {
    match operand {
        ArgumentSource::Register(register) => frame[register as usize],
        ArgumentSource::Constant(term) => term,
    }
}

/// Binds and tests the columns of a row; returns true if all tests hold.
#[inline]
fn take_columns(columns: &Columns, row: &[TermId], registers: &mut [TermId], base: usize) -> bool {
    let frame = &mut registers[base..];
    for &(column, register) in &columns.bind {
        frame[register as usize] = row[column as usize];
    }
    columns.check.iter().all(|&(column, operand)| row[column as usize] == operand_value(operand, frame))
}

#[inline]
fn has_key(row: &[TermId], keyed: &[u32], key: &[ArgumentSource], registers: &[TermId], base: usize) -> bool {
    let frame = &registers[base..];
    keyed.iter().zip(key).all(|(&column, &operand)| row[column as usize] == operand_value(operand, frame))
}
