//! Searches, players and models of opponents with their options as texts: one grammar, and one form that is written.

use ggp::ask::spec::{NamedOption, Noun, Signature, TextValue, Vocabulary};
use ggp::ask::{OpponentSpec, SpecError};
use ggp::diagnostic::render::Paint;
use ggp::play::{PlayerKind, PlayerSpec};
use ggp::repl::{Session, evaluate, render};
use ggp::search::Real;
use ggp::syntax::Dialect;
use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// Names of files with separators in them; parentheses are balanced.
fn a_file() -> impl Strategy<Value = String> {
    let part = "[a-z+,=:.-]{1,4}".boxed();
    let nested = part.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inside| format!("({inside})")),
            (inner.clone(), inner).prop_map(|(first, second)| first + &second),
        ]
    });
    nested.prop_filter("a text that does not look like a dashed option", |text| !text.contains(" --"))
}

fn a_model() -> impl Strategy<Value = OpponentSpec> {
    let epsilon = (0_u32..=7).prop_map(|part| format!("{part}/7").parse::<Real>().expect("a fraction"));
    let search = (proptest::option::of(1_u32..9), epsilon, proptest::option::of(a_file()));
    prop_oneof![
        Just(OpponentSpec::Uniform),
        Just(OpponentSpec::Adversaries),
        search.prop_map(|(depth, epsilon, evaluation)| OpponentSpec::Search { depth, epsilon, evaluation }),
        a_file().prop_map(|evaluation| OpponentSpec::Greedy { evaluation }),
        a_file().prop_map(|file| OpponentSpec::Weights { file }),
    ]
}

/// Players with options that they have, in any order.
fn a_player() -> impl Strategy<Value = PlayerSpec> {
    let kind = proptest::sample::select(PlayerKind::ALL);
    let value = prop_oneof![
        (0_u64..99).prop_map(|number| ("seed", number.to_string())),
        (1_u64..99).prop_map(|number| ("depth", number.to_string())),
        (1_u64..99).prop_map(|number| ("nodes", number.to_string())),
        (1_u64..64).prop_map(|number| ("repeats", number.to_string())),
        (1_u64..64).prop_map(|size| ("memory", format!("{size}M"))),
        (0.0..9.0).prop_map(|weight| ("exploration", f64::to_string(&weight))),
        a_file().prop_map(|file| ("eval", file)),
        a_file().prop_map(|file| ("db", file)),
        a_model().prop_map(|model| ("opponents", model.to_string())),
    ];
    (kind, prop::collection::vec(value, 0..6)).prop_map(|(kind, values)| {
        let with =
            |player: PlayerSpec, (key, value): (&str, String)| player.clone().with(key, &value).unwrap_or(player);
        values.into_iter().fold(PlayerSpec::from(kind), with)
    })
}

proptest! {
    #[test]
    fn printed_players_are_read_back(player in a_player()) {
        prop_assert_eq!(player.to_string().parse(), Ok(player.clone()), "{}", player);
        prop_assert_eq!(format!("{player:#}").parse(), Ok(player.clone()), "{:#}", player);
    }

    #[test]
    fn printed_models_are_read_back(model in a_model()) {
        prop_assert_eq!(model.to_string().parse(), Ok(model.clone()), "{}", model);
    }
}

const COLOURS: Vocabulary = Vocabulary {
    noun: Noun::Search,
    signatures: &[Signature::new(
        Noun::Search,
        "paint",
        &[
            NamedOption::flag("--glossy", "shines"),
            NamedOption::number("--coats", "N", "from 1 to 3", "the number of coats").within(1, 3),
            NamedOption::text("--with", "FILE", "a file", TextValue::File, "what paints"),
        ],
    )],
};

/// All separators, and the form of the prompt, mean the same.
#[test]
fn there_is_one_grammar() {
    let written = "paint:glossy,coats=2,with=brush";
    for text in [
        written,
        "paint:glossy+coats=2+with=brush",
        "paint:glossy,coats=2+with=brush",
        "paint --glossy --coats 2 --with brush",
        "paint:,glossy,,coats=02,with=brush",
    ] {
        let spec = COLOURS.read(text).expect("it is right");
        assert_eq!((spec.to_string(), format!("{spec:#}")), (written.to_string(), written.replace(',', "+")), "{text}");
    }
    // A file may have a plus sign in its name, and anything in parentheses.
    for text in ["paint:with=a+b.txt,coats=2", "paint:with=a+b.txt+coats=2", "paint:with=(a+b.txt)+coats=2"] {
        let spec = COLOURS.read(text).expect("it is right");
        assert_eq!(spec.to_string(), "paint:with=(a+b.txt),coats=2", "{text}");
    }
}

/// The plus signs behind an inner search are its own as long as it has such options.
#[test]
fn a_search_may_be_a_value() {
    let written = "expectimax:depth=3,opponents=minimax:depth=2+epsilon=0.2,memory=64M";
    for text in [
        written,
        "expectimax:depth=3,opponents=(minimax:depth=2,epsilon=0.2),memory=64M",
        "expectimax:opponents=minimax:depth=2+epsilon=0.2+memory=64M,depth=3",
        "expectimax:opponents=minimax+depth=2+epsilon=0.2+memory=64M,depth=3",
        "expectimax --depth 3 --memory 64 --opponents minimax:depth=2,epsilon=0.2",
    ] {
        let player: PlayerSpec = text.parse().expect("it is a player");
        assert_eq!(player.to_string(), written, "{text}");
        let inner = "expectimax:depth=3+opponents=(minimax:depth=2+epsilon=0.2)+memory=64M";
        assert_eq!(format!("{player:#}"), inner);
    }
}

#[test]
fn errors_name_the_option_and_what_is_possible() {
    let problem = |text: &str| COLOURS.read(text).expect_err("it is wrong").to_string();
    assert_eq!(problem("pant"), "there is no search `pant`; did you mean paint?");
    assert_eq!(problem("paint:goats=2"), "`paint` has no option `goats`; did you mean coats?");
    assert_eq!(problem("paint:coats=2+colour=red"), "`paint` has no option `colour`; there is glossy, coats or with");
    assert_eq!(problem("paint:coats=4"), "`coats=4` is not `coats=N`, from 1 to 3");
    assert_eq!(problem("paint --coats"), "`coats` is not `coats=N`, from 1 to 3");
    assert_eq!(problem("paint:with="), "`with=` is not `with=FILE`, a file");
    let inner = "expectimax:opponents=minimax:depth=2+width=3".parse::<PlayerSpec>().expect_err("it is wrong");
    assert!(matches!(&inner, SpecError::UnknownOption { noun: Noun::Opponents, key, .. } if key == "width"), "{inner}");
    let missing = "expectimax:opponents=greedy".parse::<PlayerSpec>().expect_err("it is wrong").to_string();
    assert_eq!(missing, "opponents that are `greedy` need `eval=SHEET`, a sheet");
}

fn said(game: &str, line: &str) -> String {
    let mut session = Session::new(Path::new("."), Arc::default());
    evaluate(&mut session, &format!("load {game}")).expect("the game loads");
    match evaluate(&mut session, line) {
        Ok(answer) => render::text(&answer, Paint::Plain, Dialect::Infix),
        Err(error) => format!("error: {error}"),
    }
}

/// The prompt, `play` and `compare` read the same texts.
#[test]
fn the_prompt_reads_searches_with_their_options() {
    let plain = said("tic_tac_toe", "alphabeta oplayer --depth 3 --order random --seed 4 --table");
    for line in [
        "alphabeta:depth=3,order=random,seed=4,table oplayer",
        "alphabeta:depth=3+order=random oplayer --seed 4 --table",
    ] {
        assert_eq!(said("tic_tac_toe", line), plain, "{line}");
    }
    let order = said("three_puzzle", "bfs --order right,left --trace 3");
    assert_eq!(said("three_puzzle", "bfs:order=(right,left),trace=3"), order);
    let moves = said("tic_tac_toe", "play mcts --visits 20 --seed 1");
    for line in ["play mcts:visits=20,seed=1", "play mcts:visits=20+seed=1"] {
        assert_eq!(said("tic_tac_toe", line), moves, "{line}");
    }
    assert_eq!(said("nim", "expect alphabeta:table = 100"), said("nim", "expect alphabeta --table = 100"));
    let wrong = [
        ("alphabeta:tabel", "`alphabeta` has no option `--tabel`; did you mean --table?"),
        ("alphabeta:table=5", "`table=5` is not `table`, which takes no value"),
        ("alphabeta:ties=luck", "`ties=luck` is not `ties=honest` or `ties=naive`"),
        ("alphabeta:trace=many", "`trace=many` is not `trace[=N]`, a number"),
        ("alphabeta:depth", "`depth` is not `depth=MOVES`, a number of moves"),
        ("alphabeta:depth=3 --depth 4", "`--depth` is given twice"),
        ("alphabeta:depth=3,depth=4", "`--depth` is given twice"),
        ("expectimax:opponents=friendly", "opponents cannot be `friendly`; there is"),
        ("compare --algorithms alphabeta:tabel", "`alphabeta` has no option `--tabel`; did you mean --table?"),
        ("play show:deep", "`show` is not a search"),
    ];
    for (line, problem) in wrong {
        let text = said("tic_tac_toe", line);
        assert!(text.starts_with("error: ") && text.contains(problem), "{line}: {text}");
    }
}

/// In a list of searches, commas in parentheses are not between searches, and an inner search keeps its options.
#[test]
fn compare_reads_values_with_separators() {
    let line =
        "compare --algorithms expectimax:opponents=minimax:depth=1+epsilon=0.5+table,bfs:nodes=2 --count generated";
    let text = said("minimax_tree", line);
    assert!(text.contains("`bfs` is for one player") || text.contains("one player"), "{text}");
    let line =
        "compare --algorithms expectimax:opponents=minimax:depth=1+epsilon=0.5+table,expectimax:opponents=uniform";
    let text = said("minimax_tree", line);
    assert!(text.contains("expectimax:opponents=(minimax:depth=1+epsilon=0.5)+table"), "{text}");
    let text = said("three_puzzle", "compare --algorithms bfs:order=(left,right),dfs");
    assert!(text.contains("bfs:order=(left,right)"), "{text}");
}
