//! Means are fractions, as long as their terms fit.

use crate::sessions::{json, say, session_in};
use ggp::repl::Session;
use ggp::search::{Rational, Real};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::path::Path;

fn fraction(text: &str) -> Rational {
    text.parse().expect("it is a number")
}

#[test]
fn fractions_are_read_as_people_write_them() {
    for (text, expected) in
        [("7/12", "7/12"), ("-14/24", "-7/12"), ("0.125", "1/8"), ("-2.50", "-5/2"), ("+3", "3"), ("0/5", "0")]
    {
        assert_eq!(fraction(text).to_string(), expected, "{text}");
    }
    for text in ["", "1/0", "1/-2", "a", "1.", ".5", "1e3", "1/2/3", "--1"] {
        let error = text.parse::<Rational>().expect_err(text);
        assert_eq!(error.to_string(), "this is neither a decimal number nor a fraction", "{text}");
    }
    let long = "1".repeat(40);
    assert_eq!(long.parse::<Rational>().unwrap_err().to_string(), "this number has too many digits");
    // A number that is not exact is near, and remains so.
    let rounded: Real = "1e-3".parse().expect("it is a number");
    assert_eq!((rounded.exact(), rounded.plus(Real::ONE)), (None, Real::Rounded(1.001)));
}

#[test]
fn terms_that_do_not_fit_are_rounded_and_never_wrong() {
    let greatest = Rational::new(i128::MAX, 1).unwrap();
    let least = Rational::new(i128::MIN, 1).unwrap();
    assert_eq!((greatest.plus(Rational::ONE), least.times(fraction("-1"))), (None, None));
    assert_eq!(
        (Rational::ONE.over(Rational::ZERO), Rational::new(1, 0), Rational::new(1, u128::MAX)),
        (None, None, None)
    );
    assert_eq!(Real::Exact(greatest).plus(Real::ONE), Real::Rounded(i128::MAX as f64 + 1.0));
    // 1/p + 1/q for coprime denominators of 100 bits.
    let (p, q) = (Rational::new(1, (1 << 100) - 1).unwrap(), Rational::new(1, (1 << 100) - 3).unwrap());
    assert_eq!((p.plus(q), p.cmp(&q), q.cmp(&p)), (None, Ordering::Less, Ordering::Greater));
    assert_eq!(least.cmp(&greatest), Ordering::Less);
}

proptest! {
    /// Fractions of small terms, against whole numbers of a common denominator.
    #[test]
    fn arithmetic_is_that_of_fractions(a in -50_i128..50, b in 1_u128..50, c in -50_i128..50, d in 1_u128..50) {
        let (left, right) = (Rational::new(a, b).unwrap(), Rational::new(c, d).unwrap());
        let (b, d) = (b.cast_signed(), d.cast_signed());
        prop_assert_eq!(left.cmp(&right), (a * d).cmp(&(c * b)));
        prop_assert_eq!(left.plus(right), Rational::new(a * d + c * b, (b * d).cast_unsigned()));
        prop_assert_eq!(left.times(right), Rational::new(a * c, (b * d).cast_unsigned()));
        prop_assert_eq!(left.over(right).and_then(|quotient| quotient.times(right)), (c != 0).then_some(left));
        prop_assert!((left.to_f64() - a as f64 / b as f64).abs() < 1e-12);
    }

    /// The order of fractions whose cross products do not fit is that of their distance from a third.
    #[test]
    fn long_fractions_are_compared_exactly(k in 1_i128 << 110..1 << 120, offset in 1_i128..1000) {
        let below = Rational::new(k - offset, (3 * k).cast_unsigned()).unwrap();
        let above = Rational::new(k + offset, (3 * k + 1).cast_unsigned()).unwrap();
        let third = fraction("1/3");
        prop_assert_eq!([below.cmp(&third), third.cmp(&above), below.cmp(&above)], [Ordering::Less; 3]);
        prop_assert_eq!(above.cmp(&below), Ordering::Greater);
        prop_assert_eq!(above.cmp(&above), Ordering::Equal);
    }
}

fn game(text: &str) -> Session {
    session_in(Path::new("."), &[&format!("load {text}")])
}

#[test]
fn hand_computed_means() {
    // 1/3·1 + 2/3·0; with the tie 0.2 against (0.1 + 0.2 + 0.3) / 3, which is greater in floating-point numbers.
    for (tree, line, expected) in [
        ("(1/3: 1 2/3: 0)", "expectimax", "1/3 ≈ 0.333 expected"),
        ("(1/7: 100 6/7: 10)", "expectimax", "160/7 ≈ 22.857 expected"),
        ("(1/2: 8 1/3: 24 1/6: -12)", "expectimax", "10 expected"),
        ("[0.2 (1/3: 0.1 1/3: 0.2 1/3: 0.3)]", "expectimax", "0.2 expected by a1"),
        ("[(1/3: 0.1 1/3: 0.2 1/3: 0.3) 0.2]", "expectimax", "0.2 expected by a1"),
        ("[(1/3: 1 2/3: 0) (2/7: 1 5/7: 0)]", "solve", "1/3 ≈ 0.333 expected with a1"),
        ("(1/8: 1 7/8: 0)", "solve", "0.125 expected"),
        ("(1/16: 1 15/16: 0)", "solve", "1/16 ≈ 0.063 expected"),
    ] {
        let found = say(&mut game(tree), line);
        assert!(found.contains(&format!(": {expected}")) && found.contains("(exact"), "{tree}: {found}");
    }
}

/// A die with three faces is thrown until it stops, at most `throws` times: one face wins, one loses, one throws again.
/// The last throw that would go on wins. The mean is 50 (1 + 1/3^throws).
fn lucky(throws: usize) -> String {
    format!("{}100{}", "(1/3: 100 1/3: 0 1/3: ".repeat(throws), ")".repeat(throws))
}

#[test]
fn means_are_compared_as_they_are_and_not_as_they_are_written() {
    // 50 (1 + 1/3^36) is the same floating-point number as 50.
    for line in ["expectimax", "expectimax --table", "solve"] {
        let found = say(&mut game(&format!("[50 {}]", lucky(36))), line);
        assert!(found.contains("by a2") || found.contains("with a2"), "{line}: {found}");
    }
}

#[test]
fn what_is_chosen_by_a_rounded_mean_is_rounded() {
    // The terms of 50 (1 + 1/3^90) do not fit: whether 60 is greater was judged by a rounded number.
    for line in ["expectimax", "expectimax --table", "solve"] {
        let found = say(&mut game(&format!("[60 {}]", lucky(90))), line);
        assert!(found.contains("60 expected") && found.contains("exact up to rounding"), "{line}: {found}");
        let found = say(&mut game(&format!("[60 {}]", lucky(30))), line);
        assert!(found.contains("60 expected") && !found.contains("rounding"), "{line}: {found}");
    }
}

/// A player watches `throws` of a die with three faces: one wins, one loses, one goes on; to go on to the end is lost.
/// The mean is 100 (1/3 + 1/9 + …) = 50 (1 - 1/3^throws).
fn throws(throws: u32) -> Session {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = format!("throws_{throws}.gdl");
    let next: String = (0..throws).map(|now| format!("after({now},{}) ", now + 1)).collect();
    let text = format!(
        "role(player) role(random) init(step(0)) {next}
        legal(player,noop) legal(random,win) legal(random,lose) legal(random,go)
        next(won) :- does(random,win) next(lost) :- does(random,lose)
        next(step(M)) :- does(random,go) & true(step(N)) & after(N,M)
        terminal :- true(won) terminal :- true(lost) terminal :- true(step({throws}))
        goal(player,100) :- true(won) goal(player,0) :- ~true(won)"
    );
    std::fs::write(directory.join(&file), text).expect("the file can be written");
    session_in(directory, &[&format!("load {file}")])
}

#[test]
fn a_mean_is_a_fraction_until_its_terms_do_not_fit() {
    let power = 3_i128.pow(40);
    let exact = Rational::new(50 * (power - 1), power.cast_unsigned()).unwrap().to_string();
    for line in ["expectimax", "expectimax --table", "expectiminimax"] {
        let found = json(&mut throws(40), line);
        assert_eq!(found["fraction"], exact.as_str(), "{line}");
        let text = say(&mut throws(40), line);
        assert!(text.starts_with("player: 50 expected") && text.contains("(exact; "), "{line}: {text}");
        // 3^81 does not fit.
        let found = json(&mut throws(90), line);
        assert!(found.get("fraction").is_none() && found["exact"] == true, "{line}: {found}");
        assert!((found["mean"].as_f64().unwrap() - 50.0).abs() < 1e-9, "{line}: {found}");
        let text = say(&mut throws(90), line);
        assert!(text.contains("(exact up to rounding; "), "{line}: {text}");
    }
    let solved = json(&mut throws(40), "solve");
    assert_eq!(
        (&solved["expected"]["fractions"][0][1], &solved["expected"]["precision"]),
        (&exact.into(), &"exact".into())
    );
    let solved = json(&mut throws(90), "solve");
    assert!(solved["expected"].get("fractions").is_none(), "{solved}");
    assert_eq!(solved["expected"]["precision"], "rounded", "{solved}");
}

/// A turn of Pig: a player adds throws of 2 to 6 and may stop before a 1 takes all away. The best of a turn is 8.14
/// points on average (Neller and Presser, *Optimal Play of the Dice Game Pig*, 2004), by holding at 20 or more.
#[test]
fn a_turn_of_pig_has_the_published_mean() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (throws, points) = (20, 30);
    let next: String = (0..points).map(|now| format!("succ({now},{}) ", now + 1)).collect();
    let text = format!(
        "role(player) role(random) init(pot(0)) {next}
        die(1) die(2) die(3) die(4) die(5) die(6)
        legal(player,roll) :- true(pot(N)) & ~true(rolling) & less(N,{throws})
        legal(player,hold) :- true(pot(N)) & ~true(rolling)
        legal(player,noop) :- true(rolling)
        legal(random,throw(D)) :- true(rolling) & die(D) legal(random,noop) :- ~true(rolling)
        next(rolling) :- does(player,roll)
        next(held) :- does(player,hold)
        next(pot(N)) :- true(pot(N)) & ~true(rolling)
        next(pot(M)) :- does(random,throw(D)) & distinct(D,1) & true(pot(N)) & plus(N,D,M)
        next(pot(0)) :- does(random,throw(1)) next(held) :- does(random,throw(1))
        plus(N,1,M) :- succ(N,M) plus(N,D,M) :- die(D) & succ(C,D) & die(C) & plus(N,C,K) & succ(K,M)
        less(N,M) :- succ(N,M) less(N,M) :- succ(N,K) & less(K,M)
        terminal :- true(held)
        goal(player,N) :- true(pot(N))"
    );
    std::fs::write(directory.join("pig_turn.gdl"), text).expect("the file can be written");
    let mut session = session_in(directory, &["load pig_turn.gdl"]);
    // v(n) = max(n, (v(n + 2) + … + v(n + 6)) / 6) in units of 1/6^20, from the greatest n down.
    let unit = 6_i128.pow(20);
    let mut best: Vec<i128> = (0..=points).map(|points| i128::from(points) * unit).collect();
    for now in (0..throws as usize).rev() {
        best[now] = best[now].max(best[now + 2..=now + 6].iter().sum::<i128>() / 6);
    }
    let exact = Rational::new(best[0], unit.cast_unsigned()).unwrap();
    assert!((exact.to_f64() - 8.1418).abs() < 1e-4, "{exact}");
    for line in ["expectimax", "expectimax --table"] {
        assert_eq!(json(&mut session, line)["fraction"], exact.to_string().as_str(), "{line}");
    }
    let solved = json(&mut session, "solve");
    assert_eq!(solved["expected"]["fractions"][0][1], exact.to_string().as_str(), "{solved}");
}

/// A tree of decisions and chance, with its value for the maximiser, in units of 1/420^depth.
#[derive(Clone, Debug)]
enum Tree {
    End(i64),
    Max(Vec<Tree>),
    Min(Vec<Tree>),
    Chance(Vec<Tree>),
}

impl Tree {
    fn text(&self) -> String {
        let all = |trees: &[Self]| trees.iter().map(Self::text).collect::<Vec<_>>().join(" ");
        match self {
            Self::End(utility) => utility.to_string(),
            Self::Max(trees) => format!("max[{}]", all(trees)),
            Self::Min(trees) => format!("min[{}]", all(trees)),
            Self::Chance(trees) => format!("exp[{}]", all(trees)),
        }
    }

    /// The value times 420^3: 420 is a multiple of every number of branches.
    fn scaled(&self) -> i128 {
        let each = |trees: &[Self]| trees.iter().map(Self::scaled).collect::<Vec<_>>();
        match self {
            Self::End(utility) => i128::from(*utility) * 420_i128.pow(3),
            Self::Max(trees) => each(trees).into_iter().max().unwrap(),
            Self::Min(trees) => each(trees).into_iter().min().unwrap(),
            Self::Chance(trees) => each(trees).iter().sum::<i128>() / i128::try_from(trees.len()).unwrap(),
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    (-100_i64..100).prop_map(Tree::End).prop_recursive(3, 60, 7, |inner| {
        let several = || proptest::collection::vec(inner.clone(), 2..=7);
        prop_oneof![
            several().prop_map(Tree::Max),
            several().prop_map(Tree::Min),
            several().prop_map(Tree::Chance),
            several().prop_map(Tree::Chance)
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::effort::effort(24, 400), ..ProptestConfig::default() })]

    /// Searches node by node, in batches, with a table and from all states find the same fraction, which is the one
    /// that whole numbers give.
    #[test]
    fn random_trees_have_the_means_of_whole_numbers(tree in trees()) {
        prop_assume!(!matches!(tree, Tree::End(_)));
        let exact = Rational::new(tree.scaled(), 420_u128.pow(3)).unwrap();
        let mut session = game(&tree.text());
        let roles = say(&mut session, "roles");
        prop_assume!(roles.contains("max"));
        for line in ["expectiminimax max", "expectiminimax max --table", "expectiminimax max --trace"] {
            let found = json(&mut session, line);
            let fraction = found["fraction"].as_str().unwrap_or_else(|| panic!("{line}: {found}"));
            prop_assert_eq!(fraction, exact.to_string(), "{}: {}", line, tree.text());
            prop_assert!((found["mean"].as_f64().unwrap() - exact.to_f64()).abs() < 1e-12);
        }
        let solved = json(&mut session, "solve");
        if let Some(expected) = solved.get("expected").filter(|expected| !expected.is_null()) {
            let of_max = expected["fractions"].as_array().unwrap().iter().find(|mean| mean[0] == "max");
            prop_assert_eq!(of_max.map(|mean| mean[1].as_str().unwrap().to_string()), Some(exact.to_string()));
        }
    }
}
