//! Random programs made of the idioms of real sheets: tokens that are permuted in each step, counters, boards with
//! lines, moving pieces, switches, choices made at the same time, `or`, recursion, cycles, negation.
//!
//! An idiom writes the clauses of some fluents and moves, and adds them to what later clauses may mention. All idioms
//! use the same few constants, so that relations with the same functor and different constants meet, and some write the
//! same fluents. Glue follows: further rules for fluents and moves, views, `terminal` and `goal`, over whatever there
//! is. A program is valid by construction: negated atoms are ground, and a view mentions earlier views only.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const ROLES: [&str; 3] = ["red", "black", "white"];
/// The arguments of fluents. Roles are among them, as in real sheets.
const AXES: [&[&str]; 4] = [&["red", "black", "white"], &["1", "2", "3"], &["a", "b", "c"], &["on", "off"]];
/// The functors of tokens, some of which other idioms have as well.
const FUNCTORS: [&str; 4] = ["control", "token", "phase", "light"];

/// The clauses of a program; the same seed yields the same one.
pub(crate) fn program(seed: u64) -> Vec<String> {
    let mut writer = Writer::new(seed);
    writer.turns();
    let idioms = [
        Writer::tokens,
        Writer::counter,
        Writer::board,
        Writer::piece,
        Writer::switch,
        Writer::choices,
        Writer::recursion,
        Writer::flood,
        Writer::tokens,
    ];
    for _ in 0..=writer.below(3) {
        idioms[writer.below(idioms.len())](&mut writer);
    }
    writer.moves();
    for _ in 0..writer.below(4) {
        writer.glue();
    }
    writer.end();
    writer.clauses
}

struct Writer {
    random: Xoshiro256PlusPlus,
    clauses: Vec<String>,
    roles: &'static [&'static str],
    /// For each role, the condition that it is its turn, if roles take turns.
    guards: Vec<Option<String>>,
    /// Ground fluents.
    facts: Vec<String>,
    /// Ground moves, with their roles: `red drop`.
    moves: Vec<String>,
    /// Ground atoms of views that depend on the state only.
    views: Vec<String>,
    /// The number of idioms, for names that differ.
    number: usize,
}

impl Writer {
    fn new(seed: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let roles = &ROLES[..[1, 1, 2, 2, 2, 3][(random.next_u64() % 6) as usize]];
        let clauses = roles.iter().map(|role| format!("(role {role})")).collect();
        let none = Vec::new;
        let guards = vec![None; roles.len()];
        Self { random, clauses, roles, guards, facts: none(), moves: none(), views: none(), number: 0 }
    }

    fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() % n.max(1) as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn add(&mut self, clause: String) {
        self.clauses.push(clause);
    }

    /// Adds a ground fluent, perhaps one that holds initially.
    fn fact(&mut self, fact: String, initially: bool) {
        if initially {
            self.add(format!("(init {fact})"));
        }
        self.facts.push(fact);
    }

    fn name(&mut self, stem: &str) -> String {
        self.number += 1;
        format!("{stem}{}", self.number)
    }

    /// A literal about the state: a fluent or view, perhaps negated, or a disjunction of two.
    fn literal(&mut self) -> String {
        match self.below(8) {
            0 => format!("(or {} {})", self.atom(), self.simple()),
            1 => format!("(not {})", self.view()),
            2 => self.view(),
            _ => self.simple(),
        }
    }

    fn simple(&mut self) -> String {
        let atom = self.atom();
        if self.one_in(3) { format!("(not {atom})") } else { atom }
    }

    fn atom(&mut self) -> String {
        format!("(true {})", self.pick(&self.facts.clone()))
    }

    fn view(&mut self) -> String {
        let views = self.views.clone();
        if views.is_empty() { self.atom() } else { self.pick(&views) }
    }

    /// A literal about the moves, perhaps negated.
    fn does(&mut self) -> String {
        let chosen = self.pick(&self.moves.clone());
        if self.one_in(4) { format!("(not (does {chosen}))") } else { format!("(does {chosen})") }
    }

    fn literals(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        (0..count).map(|_| self.literal()).collect::<Vec<_>>().join(" ")
    }

    /// How roles take turns.
    fn turns(&mut self) {
        let roles = self.roles;
        match self.below(5) {
            0 => self.fact("start".to_string(), true),
            1 => {
                for (index, role) in roles.iter().enumerate() {
                    let next = roles[(index + 1) % roles.len()];
                    self.fact(format!("(control {role})"), index == 0);
                    self.add(format!("(<= (next (control {next})) (true (control {role})))"));
                    self.guards[index] = Some(format!("(true (control {role}))"));
                }
            }
            2 => {
                let count = roles.len().max(2) + self.below(2);
                for step in 0..count {
                    self.fact(format!("(phase {step})"), step == 0);
                    self.add(format!("(after {step} {})", (step + 1) % count));
                    let guard = &mut self.guards[step % roles.len()];
                    *guard = Some(format!("(true (phase {step}))"));
                }
                self.add("(<= (next (phase ?y)) (true (phase ?x)) (after ?x ?y))".to_string());
            }
            _ => {
                let axis = self.pick(&AXES[1..]);
                let axis = &axis[..roles.len().clamp(2, axis.len())];
                self.permuted("control", &ROLES[..roles.len().max(2)], axis);
                let tokens = self.facts.clone();
                for (guard, role) in (0..).zip(roles) {
                    let own = |fact: &&String| fact.starts_with(&format!("(control {role} "));
                    let own: Vec<String> = tokens.iter().filter(own).cloned().collect();
                    self.guards[guard] = Some(format!("(true {})", self.pick(&own)));
                }
            }
        }
    }

    fn tokens(&mut self) {
        let functor = self.pick(&FUNCTORS);
        let (rows, columns) = (self.pick(&AXES), self.pick(&AXES));
        let (rows, columns) = (self.part(rows), self.part(columns));
        self.permuted(functor, rows, columns);
    }

    /// The first two or more of an axis.
    fn part(&mut self, axis: &'static [&'static str]) -> &'static [&'static str] {
        &axis[..2 + self.below(axis.len() - 1)]
    }

    fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..count).collect();
        for index in (1..count).rev() {
            indices.swap(index, self.below(index + 1));
        }
        indices
    }

    /// Tokens in rows, each in one column, which change places in each step: rows pass theirs on, or columns change,
    /// sometimes under a condition.
    fn permuted(&mut self, functor: &str, rows: &[&str], columns: &[&str]) {
        let (begin, rows_to) = (self.permutation(columns.len()), self.permutation(rows.len()));
        // Sometimes there is a further argument, which never changes.
        let (kind, any_kind) = if self.one_in(3) { (" a", " ?k") } else { ("", "") };
        for (index, row) in rows.iter().enumerate() {
            for (place, column) in columns.iter().enumerate() {
                let initially = place == begin[index % columns.len()];
                self.fact(format!("({functor} {row} {column}{kind})"), initially);
            }
        }
        let pass = |from: &str, to: &str, condition: &str| {
            let (from, to) = (format!("({functor} {from} ?b{any_kind})"), format!("({functor} {to} ?b{any_kind})"));
            format!("(<= (next {to}) (true {from}){condition})")
        };
        let way = self.below(4);
        if way == 0 {
            let (columns_to, relation) = (self.permutation(columns.len()), self.name("turns"));
            for (from, &to) in columns_to.iter().enumerate() {
                self.add(format!("({relation} {} {})", columns[from], columns[to]));
            }
            let (from, to) = (format!("({functor} ?r ?x{any_kind})"), format!("({functor} ?r ?y{any_kind})"));
            return self.add(format!("(<= (next {to}) (true {from}) ({relation} ?x ?y))"));
        }
        let condition = (way == 1).then(|| self.atom());
        for (from, &to) in rows_to.iter().enumerate() {
            let (from, to) = (rows[from], rows[to]);
            match &condition {
                None => self.add(pass(from, to, "")),
                Some(atom) => {
                    self.add(pass(from, to, &format!(" {atom}")));
                    self.add(pass(from, from, &format!(" (not {atom})")));
                }
            }
        }
    }

    /// A counter that stops or begins again, over a successor relation; perhaps it waits.
    fn counter(&mut self) {
        let (counter, successor) = (self.name("step"), self.name("succ"));
        let (count, again) = (2 + self.below(5), self.one_in(2));
        for value in 1..=count {
            self.fact(format!("({counter} {value})"), value == 1);
            if value < count || again {
                self.add(format!("({successor} {value} {})", value % count + 1));
            }
        }
        let waits = if self.one_in(3) { Some(self.atom()) } else { None };
        let condition = waits.clone().unwrap_or_default();
        self.add(format!("(<= (next ({counter} ?y)) (true ({counter} ?x)) ({successor} ?x ?y) {condition})"));
        if let Some(waits) = waits {
            self.add(format!("(<= (next ({counter} ?x)) (true ({counter} ?x)) (not {waits}))"));
        }
    }

    /// The guard of a role, as a further condition; sometimes without it.
    fn guard(&mut self, role: usize) -> String {
        let guard = self.guards[role].clone().unwrap_or_default();
        if self.one_in(8) { String::new() } else { guard }
    }

    /// A board on which roles mark cells, with lines.
    fn board(&mut self) {
        let (cell, mark, line) = (self.name("cell"), self.name("mark"), self.name("line"));
        let (width, height) = (2 + self.below(2), 1 + self.below(3));
        for x in 1..=width {
            for y in 1..=height {
                for content in self.roles {
                    self.facts.push(format!("({cell} {x} {y} {content})"));
                }
                self.fact(format!("({cell} {x} {y} blank)"), true);
            }
        }
        for role in 0..self.roles.len() {
            let (guard, role) = (self.guard(role), self.roles[role]);
            self.add(format!("(<= (legal {role} ({mark} ?x ?y)) (true ({cell} ?x ?y blank)) {guard})"));
            self.moves.push(format!("{role} ({mark} 1 1)"));
            self.moves.push(format!("{role} ({mark} {width} {height})"));
            self.add(format!("(<= (next ({cell} ?x ?y {role})) (does {role} ({mark} ?x ?y)))"));
            self.views.push(format!("({line} {role})"));
        }
        let taken = self.name("taken");
        self.add(format!("(<= ({taken} ?x ?y) (does ?r ({mark} ?x ?y)))"));
        self.add(format!("(<= (next ({cell} ?x ?y ?c)) (true ({cell} ?x ?y ?c)) (not ({taken} ?x ?y)))"));
        let line_of = |place: &str| {
            let cell = |at: usize| format!("(true ({cell} {} ?r))", place.replace('#', &at.to_string()));
            let cells: Vec<String> = (1..=width).map(cell).collect();
            format!("(<= ({line} ?r) (role ?r) {})", cells.join(" "))
        };
        self.add(line_of("# ?y"));
        if height >= width {
            self.add(line_of("# #"));
        }
        let open = self.name("open");
        self.add(format!("(<= {open} (true ({cell} ?x ?y blank)))"));
        self.views.push(open);
    }

    /// A piece that moves on nested terms.
    fn piece(&mut self) {
        let (at, go, link) = (self.name("at"), self.name("go"), self.name("link"));
        let squares: Vec<String> =
            (1..=2 + self.below(3)).map(|x| format!("(pos {} {x})", ["a", "b"][x % 2])).collect();
        for (index, square) in squares.iter().enumerate() {
            self.fact(format!("({at} {square})"), index == 0);
            self.add(format!("({link} {square} {})", squares[(index + 1) % squares.len()]));
        }
        let role = self.below(self.roles.len());
        let (guard, role) = (self.guard(role), self.roles[role]);
        self.add(format!("(<= (legal {role} ({go} ?s)) (true ({at} ?q)) (or ({link} ?q ?s) ({link} ?s ?q)) {guard})"));
        squares.iter().for_each(|square| self.moves.push(format!("{role} ({go} {square})")));
        self.add(format!("(<= (next ({at} ?s)) (does {role} ({go} ?s)))"));
        let goes = self.name("goes");
        self.add(format!("(<= {goes} (does {role} ({go} ?s)))"));
        self.add(format!("(<= (next ({at} ?s)) (true ({at} ?s)) (not {goes}))"));
    }

    /// Fluents without arguments, or with one, that are switched by moves.
    fn switch(&mut self) {
        let stem = self.name("lamp");
        let lamps = [stem.clone(), format!("({stem} a)"), format!("({stem} b)")];
        let lamps = if self.one_in(2) { &lamps[..1] } else { &lamps[1..] };
        let role = self.below(self.roles.len());
        let (guard, role) = (self.guard(role), self.roles[role]);
        for lamp in lamps {
            let initially = self.one_in(3);
            self.fact(lamp.clone(), initially);
            let switch = self.name("press");
            self.moves.push(format!("{role} {switch}"));
            let condition = self.simple();
            self.add(format!("(<= (legal {role} {switch}) {condition} {guard})"));
            self.add(format!("(<= (next {lamp}) (not (true {lamp})) (does {role} {switch}))"));
            self.add(format!("(<= (next {lamp}) (true {lamp}) (not (does {role} {switch})))"));
        }
    }

    /// All roles choose at the same time; what they chose is remembered for a step.
    fn choices(&mut self) {
        let (chose, choose) = (self.name("chose"), self.name("choose"));
        let axis = self.pick(&AXES);
        let axis = self.part(axis);
        for (role, value) in self.roles.iter().flat_map(|role| axis.iter().map(move |value| (role, value))) {
            self.add(format!("(legal {role} ({choose} {value}))"));
            self.moves.push(format!("{role} ({choose} {value})"));
            self.facts.push(format!("({chose} {role} {value})"));
        }
        self.add(format!("(<= (next ({chose} ?r ?v)) (does ?r ({choose} ?v)))"));
        if self.one_in(2) {
            let same = self.name("same");
            let (one, other) = (self.pick(self.roles), self.pick(self.roles));
            self.add(format!("(<= {same} (true ({chose} {one} ?v)) (true ({chose} {other} ?v)))"));
            self.views.push(same);
        }
    }

    /// What can be reached over links that depend on the state.
    fn recursion(&mut self) {
        let (link, reach) = (self.name("way"), self.name("reach"));
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "a")] {
            let condition = self.literal();
            self.add(format!("(<= ({link} {from} {to}) {condition})"));
        }
        self.add(format!("(<= ({reach} ?x ?y) ({link} ?x ?y))"));
        self.add(format!("(<= ({reach} ?x ?z) ({reach} ?x ?y) ({link} ?y ?z))"));
        self.views.extend([format!("({reach} a c)"), format!("({reach} b b)")]);
    }

    /// What spreads over a ring of places, some of which the state opens: recursion that stays in the ground rules, as
    /// cycles that are long and in no particular order. A rule for each link, or one for all of them.
    fn flood(&mut self) {
        let (wet, flow, dry) = (self.name("wet"), self.name("flow"), self.name("dry"));
        let count = 3 + self.below(30);
        let ring: Vec<String> = self.permutation(count).iter().map(|place| format!("p{place}")).collect();
        let (has_rule_for_each, flows_back) = (self.one_in(2), self.one_in(2));
        let links = ring.iter().zip(ring.iter().cycle().skip(1));
        let back = links.clone().filter(|_| flows_back).map(|(from, to)| (to, from));
        for (from, to) in links.clone().chain(back) {
            let gate = if self.one_in(8) { self.simple() } else { String::new() };
            if has_rule_for_each || !gate.is_empty() {
                self.add(format!("(<= ({wet} {to}) ({wet} {from}) {gate})"));
            } else {
                self.add(format!("({flow} {from} {to})"));
            }
        }
        let (one, other, third) = (self.pick(&ring), self.pick(&ring), self.pick(&ring));
        self.add(format!("({flow} {one} {third})"));
        self.add(format!("(<= ({wet} ?y) ({wet} ?x) ({flow} ?x ?y))"));
        for _ in 0..=self.below(2) {
            let (spring, source) = (self.pick(&ring), self.literal());
            self.add(format!("(<= ({wet} {spring}) {source})"));
        }
        if self.one_in(2) {
            self.add(format!("(<= ({wet} {one}) ({wet} {other}) ({wet} {third}))"));
        }
        self.add(format!("(<= {dry} (not ({wet} {other})))"));
        let damp = self.name("damp");
        self.add(format!("(<= (next ({damp} ?x)) ({wet} ?x))"));
        self.facts.push(format!("({damp} {one})"));
        self.views.extend([format!("({wet} {one})"), format!("({wet} {other})"), dry]);
    }

    /// The moves that every role has: for waiting, and others that some rule mentions.
    fn moves(&mut self) {
        for role in 0..self.roles.len() {
            let (guard, name) = (self.guards[role].clone(), self.roles[role]);
            let waits = match guard.clone().filter(|_| self.one_in(2)) {
                Some(guard) => format!("(<= (legal {name} noop) (not {guard}))"),
                None => format!("(legal {name} noop)"),
            };
            self.add(waits);
            self.moves.push(format!("{name} noop"));
            if self.one_in(2) || guard.is_some() {
                let (guard, condition) = (guard.unwrap_or_default(), self.literals(2));
                self.add(format!("(<= (legal {name} drop) {guard} {condition})"));
                self.moves.push(format!("{name} drop"));
                let dropped = self.name("dropped");
                self.add(format!("(<= (next {dropped}) (does {name} drop))"));
                if self.one_in(2) {
                    self.add(format!("(<= (next {dropped}) (true {dropped}))"));
                }
                self.facts.push(dropped);
            }
        }
    }

    /// A rule over whatever there is.
    fn glue(&mut self) {
        match self.below(5) {
            0 | 1 => {
                let condition = self.literals(3);
                let view = self.name("view");
                self.add(format!("(<= {view} {condition})"));
                self.views.push(view);
            }
            2 => {
                let (fact, condition) = (self.pick(&self.facts.clone()), self.literals(2));
                let does = if self.one_in(2) { self.does() } else { String::new() };
                self.add(format!("(<= (next {fact}) {condition} {does})"));
            }
            3 => {
                let (chosen, condition) = (self.pick(&self.moves.clone()), self.literals(2));
                self.add(format!("(<= (legal {chosen}) {condition})"));
            }
            _ => {
                let fact = self.pick(&self.facts.clone());
                self.add(format!("(<= (next {fact}) (true {fact}))"));
            }
        }
    }

    fn end(&mut self) {
        for _ in 0..=self.below(2) {
            let condition = self.literals(2);
            self.add(format!("(<= terminal {condition})"));
        }
        for role in self.roles {
            let condition = if self.one_in(2) { self.atom() } else { self.view() };
            self.add(format!("(<= (goal {role} 100) {condition})"));
            self.add(format!("(<= (goal {role} 0) (not {condition}))"));
        }
    }
}
