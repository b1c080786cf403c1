//! From trees to rules: the normal form of different spellings.

use gdl::rules::{Clause, DependencyGraph, Keyword, Literal, Pattern, RuleSet, normalise, stratify};
use gdl::syntax::{Dialect, Source, parse};

fn rules(text: &str) -> RuleSet {
    let parsed = parse(&Source::new("test", text), None);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    normalise(&parsed.sheet)
}

/// Clauses as text; variables with their numbers, so that two with the same name can be distinguished.
fn show(rules: &RuleSet) -> String {
    rules.clauses.iter().map(|clause| clause_text(rules, clause) + "\n").collect()
}

fn clause_text(rules: &RuleSet, clause: &Clause) -> String {
    let head = atom(rules, &clause.head);
    if clause.body.is_empty() { head } else { format!("{head} :- {}", conjunction(rules, &clause.body)) }
}

fn conjunction(rules: &RuleSet, literals: &[Literal]) -> String {
    literals.iter().map(|part| literal(rules, part)).collect::<Vec<_>>().join(", ")
}

fn literal(rules: &RuleSet, part: &Literal) -> String {
    match part {
        Literal::Atom(positive) => atom(rules, positive),
        Literal::Not(denied, _) => format!("not({})", conjunction(rules, denied)),
        Literal::Or(branches, _) => {
            let branches: Vec<_> = branches.iter().map(|branch| conjunction(rules, branch)).collect();
            format!("or({})", branches.join("; "))
        }
        Literal::Distinct(left, right, _) => format!("{} != {}", term(rules, left), term(rules, right)),
        Literal::Equal(left, right, _) => format!("{} == {}", term(rules, left), term(rules, right)),
    }
}

fn atom(rules: &RuleSet, atom: &gdl::rules::Atom) -> String {
    apply(rules.relation_name(atom.relation), &atom.arguments, rules)
}

fn apply(name: &str, arguments: &[Pattern], rules: &RuleSet) -> String {
    let arguments: Vec<_> = arguments.iter().map(|argument| term(rules, argument)).collect();
    if arguments.is_empty() { name.to_string() } else { format!("{name}({})", arguments.join(",")) }
}

fn term(rules: &RuleSet, pattern: &Pattern) -> String {
    match pattern {
        Pattern::Variable(variable) => format!("V{}", variable.index()),
        Pattern::Symbol(name) => rules.symbols.name(*name).to_string(),
        Pattern::Compound(name, arguments) => apply(rules.symbols.name(*name), arguments, rules),
    }
}

#[track_caller]
fn becomes(text: &str, expected: &str) {
    assert_eq!(show(&rules(text)).trim_end(), expected);
}

#[test]
fn keywords_come_first_whatever_is_used() {
    for rules in [rules(""), rules("(p a)")] {
        for (index, keyword) in Keyword::ALL.into_iter().enumerate() {
            let relation = rules.keyword(keyword);
            assert_eq!(relation.index(), index);
            assert_eq!(rules.relation_name(relation), keyword.name());
            assert_eq!(rules.keyword_of(relation), Some(keyword));
        }
    }
    assert!(rules("(p a)").find_relation("p", 1).is_some());
    assert!(rules("(p a)").find_relation("p", 2).is_none());
}

#[test]
fn spellings_of_the_same_thing_are_unified() {
    becomes("(<= (p) (q))", "p :- q");
    becomes("(<= (p ?x) (TRUE (f ?x (c))))", "p(V0) :- true(f(V0,c))");
    becomes("(<= (p ?x) (and (q ?x) (and (r ?x) s)))", "p(V0) :- q(V0), r(V0), s");
    becomes("(<= (p ?x ?y) (q ?y ?x))", "p(V0,V1) :- q(V1,V0)");
    becomes("p(X) :- q(X,_,_)", "p(V0) :- q(V0,V1,V2)");
    let distinct = rules("p(X) :- q(X,_,_)").clauses[0].variables.clone();
    assert_eq!(distinct.len(), 3);
    assert!(distinct[1] != distinct[2]);
}

#[test]
fn negation_is_pushed_inward() {
    becomes("(<= p (not (or a b)))", "p :- not(a), not(b)");
    becomes("(<= p (not (and a b)))", "p :- not(a, b)");
    becomes("(<= p (not (and a)))", "p :- not(a)");
    becomes("(<= p (not (not (and a b))))", "p :- a, b");
    becomes("(<= p (not (not (or a b))))", "p :- or(a; b)");
    becomes("(<= (p ?x ?y) (q ?x ?y) (not (distinct ?x ?y)))", "p(V0,V1) :- q(V0,V1), V0 == V1");
    becomes("(<= (p ?x ?y) (q ?x ?y) (not (not (distinct ?x ?y))))", "p(V0,V1) :- q(V0,V1), V0 != V1");
    becomes("(<= p (not (or (not a) (and b c) (or d (distinct e f)))))", "p :- a, not(b, c), not(d), e == f");
    becomes("(<= p (or (not (or a b)) c))", "p :- or(not(a), not(b); c)");
    becomes("(<= p (not (or)))", "p");
    becomes("(<= p (or))", "p :- or()");
    becomes("(<= p (not (and)))", "p :- not()");
}

#[test]
fn a_variable_local_to_a_negation_stays_local_when_it_is_split() {
    let text = "(<= p (not (or (and (a ?x) (b ?x)) (and (c ?x) (d ?x)))))";
    becomes(text, "p :- not(a(V0), b(V0)), not(c(V1), d(V1))");
    let text = "(<= p (q ?x) (not (or (and (a ?x ?y) (b ?y)) (c ?x ?y))))";
    becomes(text, "p :- q(V0), not(a(V0,V1), b(V1)), not(c(V0,V2))");
    let text = "(<= p (not (or (a ?x) (not (and (b ?x) (not (or (c ?y) (d ?y))))))))";
    becomes(text, "p :- not(a(V0)), b(V3), not(c(V4)), not(d(V5))");
}

#[test]
fn roles_are_the_ground_facts_in_order() {
    let rules = rules("(role white) (role black) (role white) (ROLE red) (<= (role x) p) (role ?y) (role (f a))");
    let names: Vec<_> = rules.roles.iter().map(|&role| rules.symbols.name(role).to_string()).collect();
    assert_eq!(names, ["white", "black", "red"]);
}

#[test]
fn both_dialects_give_the_same_rules() {
    let prefix = "(role x) (<= (legal x (mark ?m)) (true (cell ?m b)) (not (true done)) (distinct ?m 1))";
    let infix = "role(x)\nlegal(x,mark(M)) :- true(cell(M,b)) & ~true(done) & distinct(M,1)";
    assert_eq!(show(&rules(prefix)), show(&rules(infix)));
    let forced = parse(&Source::new("test", "p"), Some(Dialect::Prefix));
    assert_eq!(show(&normalise(&forced.sheet)), "p\n");
}

#[test]
fn strata_evaluate_negated_relations_first() {
    let rules = rules("a :- ~b\nb :- c & ~d\nc :- b\nd\ne :- a | f\n");
    let strata = stratify(&rules, &DependencyGraph::new(&rules)).expect("stratified");
    assert_eq!(strata.of_clause, [2, 1, 1, 0, 2]);
}

#[test]
fn arguments_distinguish_strata() {
    let rules = rules("goal(R,0) :- role(R) & ~goal(R,100)\ngoal(R,100) :- role(R) & ~lost(R)\nlost(R) :- true(R)\n");
    let strata = stratify(&rules, &DependencyGraph::new(&rules)).expect("stratified by arguments");
    assert_eq!(strata.of_clause, [2, 1, 0]);
    assert_eq!(strata.of_relation[rules.keyword(Keyword::Goal).index()], 2);
}

#[test]
fn the_whole_negative_cycle_is_reported() {
    let rules = rules("p :- q(1)\nq(X) :- r(X)\nr(X) :- s(X) & ~p\ns(1)\nt :- ~t\nu(1) :- ~u(2)\nu(2) :- ~u(1)\n");
    let cycles = stratify(&rules, &DependencyGraph::new(&rules)).expect_err("three negative cycles");
    let mut shown: Vec<String> = Vec::new();
    for cycle in &cycles {
        let first = &cycle.dependencies[0];
        assert!(first.negative);
        let mut text = rules.relation_name(first.from).to_string();
        let mut at = first.from;
        for dependency in &cycle.dependencies {
            assert_eq!(dependency.from, at);
            at = dependency.to;
            text += if dependency.negative { " -> not " } else { " -> " };
            text += rules.relation_name(at);
        }
        assert_eq!(at, first.from);
        shown.push(text);
    }
    shown.sort();
    assert_eq!(shown, ["r -> not p -> q -> r", "t -> not t", "u -> not u -> not u"]);
}
