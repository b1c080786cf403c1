//! Questions about the rules: look-ups by relation and by head, dependencies, and the JSON and completion of the
//! commands for them.

use crate::sessions::{say, session_in};
use ggp::diagnostic::render::Paint;
use ggp::repl::answer::SearchAnswer;
use ggp::repl::command::{ArgumentKind, Command};
use ggp::repl::render::{self, Record};
use ggp::repl::{Answer, CommandError, Session, commands, complete, evaluate};
use ggp::rules::depends::{ChangesWith, depends};
use ggp::rules::listing::{Selection, select};
use ggp::rules::{RuleSet, normalise};
use ggp::syntax::ast::Formula;
use ggp::syntax::{Source, parse, parse_query};
use std::path::Path;
use std::sync::Arc;

const TEXT: &str = "role(r)
init(p(1))
legal(r,go(X)) :- true(p(X))
next(p(X)) :- does(r,go(Y)) & reach(Y,X)
next(q(f(a),a)) :- ~reach(1,2)
next(q(X,X)) :- true(p(X))
reach(X,Y) :- edge(X,Y)
reach(X,Z) :- reach(X,Y) & edge(Y,Z)
edge(1,2) edge(2,3)
edge(1)
terminal :- true(p(3))
goal(r,100) :- terminal
goal(r,0) :- ~terminal";

fn rules(source: &Source) -> RuleSet {
    let parsed = parse(source, None);
    assert!(parsed.errors.is_empty());
    normalise(&parsed.sheet)
}

/// The relations with the lines of their selected clauses.
fn selected(selection: Selection<'_>) -> Vec<(String, Vec<u32>)> {
    let source = Source::new("sheet", TEXT);
    let rules = rules(&source);
    let line = |&clause: &usize| source.position(rules.clauses[clause].span.start).line;
    let listed = select(&rules, selection).into_iter();
    listed.map(|listed| (rules.relation_label(listed.relation), listed.clauses.iter().map(line).collect())).collect()
}

/// The lines of the clauses whose head unifies with the atom.
fn lines_of_head(atom: &str) -> Vec<u32> {
    let query = parse_query(&Source::new("query", atom), None).expect("it parses");
    let [Formula::Atom(atom)] = &query[..] else { panic!("an atom") };
    selected(Selection::Head(atom)).into_iter().flat_map(|(_, lines)| lines).collect()
}

#[test]
fn rules_are_found_by_relation() {
    assert_eq!(selected(Selection::Name("reach")), [("reach/2".to_string(), vec![7, 8])]);
    assert_eq!(selected(Selection::Name("edge")), [("edge/2".into(), vec![9, 9]), ("edge/1".into(), vec![10])]);
    assert_eq!(selected(Selection::Relation("edge", 1)), [("edge/1".to_string(), vec![10])]);
    assert!(selected(Selection::Relation("edge", 3)).is_empty());
    assert!(selected(Selection::Name("does")).is_empty());
    let all: usize = selected(Selection::All).iter().map(|(_, lines)| lines.len()).sum();
    assert_eq!(all, 14);
}

#[test]
fn rules_are_found_by_unifying_their_head() {
    assert_eq!(lines_of_head("next(p(7))"), [4]);
    assert_eq!(lines_of_head("next(X)"), [4, 5, 6]);
    assert_eq!(lines_of_head("next(q(X,a))"), [5, 6]);
    // q(X,X) has no instance q(X,f(X)), and none q(f(a),a).
    assert_eq!(lines_of_head("next(q(X,f(X)))"), [] as [u32; 0]);
    assert_eq!(lines_of_head("(next (q ?x ?x))"), [6]);
    assert_eq!(lines_of_head("edge(2,X)"), [9]);
    assert_eq!(lines_of_head("next(unheard_of(X))"), [] as [u32; 0]);
    assert_eq!(lines_of_head("unheard_of(X)"), [] as [u32; 0]);
}

#[test]
fn dependencies_have_strata_and_scopes() {
    let source = Source::new("sheet", TEXT);
    let rules = rules(&source);
    let of = |name: &str, arity| depends(&rules, &source, rules.find_relation(name, arity).expect("it occurs"));
    let reach = of("reach", 2);
    assert_eq!((reach.changes_with, reach.recursive, reach.stratum), (ChangesWith::Nothing, true, Some(0)));
    let (legal, next, goal) = (of("legal", 2), of("next", 1), of("goal", 2));
    assert_eq!((legal.changes_with, legal.recursive), (ChangesWith::State, false));
    assert_eq!((next.changes_with, next.stratum), (ChangesWith::JointMove, Some(1)));
    assert_eq!((goal.changes_with, goal.stratum), (ChangesWith::State, Some(1)));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("depends");
    std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join("sheet"), TEXT)).expect("it is written");
    let mut session = session_in(&folder, &["load ./sheet"]);
    let path = format!("{}/./", folder.display());
    let mut said = |line: &str| say(&mut session, line).replace(&path, "");
    insta::assert_snapshot!("depends_reach", said("depends reach"));
    insta::assert_snapshot!("depends_goal", said("depends goal"));
    insta::assert_snapshot!("depends_dot", said("depends reach --dot"));
}

fn session() -> Session {
    let mut session = Session::new(env!("CARGO_MANIFEST_DIR"), Arc::default());
    session.load("three_puzzle").expect("it is in the library");
    session
}

#[test]
fn answers_are_json_for_programs() {
    let mut session = session();
    for (name, command) in [
        ("json_why", "why not legal(robot,left)"),
        ("json_rules", "rules goal(robot,0)"),
        ("json_depends", "depends solved"),
        ("json_tree", "tree"),
        ("json_perft", "perft 2"),
    ] {
        let result = evaluate(&mut session, command);
        let value: serde_json::Value = serde_json::from_str(&Record::new(command, &result).to_line()).expect("JSON");
        insta::assert_snapshot!(name, serde_json::to_string_pretty(&value).expect("JSON"));
    }
}

#[test]
fn branching_is_the_number_of_joint_moves() {
    let mut session = Session::new("", Arc::default());
    let mut text = |line: &str| {
        let answer = evaluate(&mut session, line).expect("it has an answer");
        render::text(&answer, Paint::Plain, session.dialect())
    };
    text("load rock_paper_scissors");
    assert_eq!(text("branching"), "left: 3 moves\nright: 3 moves\njoint moves: 9\n");
    assert_eq!(text("expect branching 9"), "as expected\n");
    let json = r#"{"kind":"branching","roles":[{"role":"left","moves":3},{"role":"right","moves":3}],"joint_moves":9}"#;
    assert_eq!(text("branching --json").trim_end(), json);
    text("do rock paper");
    assert_eq!(text("expect branching 0"), "as expected\n");
}

#[test]
fn completion_offers_relations() {
    let mut session = session();
    let mut completed = |line: &str| complete::complete(&mut session, line).1;
    assert_eq!(completed("rules go"), ["goal"]);
    assert_eq!(completed("depends sl"), ["slide"]);
    assert_eq!(completed("why not le"), ["legal"]);
    assert_eq!(completed("expect why ter"), ["terminal"]);
    assert_eq!(completed("per"), ["perft"]);
    assert_eq!(completed("astar --heuristic eight_puzzle_man"), ["eight_puzzle_manhattan"]);
    assert_eq!(completed("heuristic check hm"), ["hmax"]);
    assert_eq!(completed("expect bfs --tre"), ["--tree", "--tree-search"]);
    assert_eq!(completed("bestplan --na"), ["--naive"]);
}

#[test]
fn why_answers_no_if_the_claim_is_false() {
    let mut session = session();
    let mut is_no = |command: &str| evaluate(&mut session, command).is_ok_and(|answer: Answer| answer.is_no());
    assert!(!is_no("why legal(robot,down)"));
    assert!(is_no("why legal(robot,left)"));
    assert!(!is_no("why not legal(robot,left)"));
    assert!(is_no("why not legal(robot,down)"));
    assert!(is_no("rules next(nothing)"));
}

/// Help, completion and parsing know the same options of each command.
#[test]
fn help_and_completion_list_the_options_of_the_table() {
    let mut session = session();
    for command in commands() {
        let answer = evaluate(&mut session, &format!("help {}", command.name)).expect("each command has a page");
        let page = serde_json::to_value(answer).expect("answers are objects");
        let explained: Vec<&str> =
            page["options"].as_array().into_iter().flatten().filter_map(|option| option["form"].as_str()).collect();
        let own: Vec<_> = command.options.iter().flat_map(|group| group.options).collect();
        assert_eq!(explained, own.iter().map(|option| option.usage()).collect::<Vec<_>>());
        assert!(own.iter().all(|option| !option.help.is_empty() && option.name.starts_with("--")), "{}", command.name);
        let mut names: Vec<&str> = command.every_option().map(|option| option.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{}: {names:?}", command.name);
        if !matches!(command.takes, ArgumentKind::Command | ArgumentKind::Topic) {
            assert_eq!(complete::complete(&mut session, &format!("{} --", command.name)).1, names);
        }
    }
    let help = evaluate(&mut session, "help bestplan").expect("there is such a command");
    insta::assert_snapshot!(render::text(&help, Paint::Plain, session.dialect()));
}

/// An option that relates to others belongs to a command that has them.
#[test]
fn options_relate_to_options_that_exist() {
    let has = |command: &Command, name: &str| command.every_option().any(|option| option.name == name);
    let mut related = 0;
    for option in commands().flat_map(|command| command.every_option()) {
        for other in option.related() {
            related += 1;
            let exists = commands().any(|command| has(command, option.name) && has(command, other));
            assert!(exists, "{}: {other}", option.name);
        }
    }
    assert!(related > 20, "{related}");
}

#[test]
fn options_that_are_excluded_are_not_completed() {
    let mut session = session();
    let mut completed = |line: &str| complete::complete(&mut session, line).1;
    assert_eq!(completed("bestplan --a"), ["--all"]);
    assert!(completed("bestplan --naive --a").is_empty());
    assert!(completed("bestplan --all --na").is_empty());
    assert_eq!(completed("bestplan --exit no --a"), ["--all"], "it depends on the value");
    assert!(completed("compare --algorithms bfs --depths 1..2 --depth").is_empty());
}

#[test]
fn options_that_need_or_exclude_others_are_refused_where_they_are_read() {
    let mut session = session();
    let mut problem = |line: &str| match evaluate(&mut session, line) {
        Err(CommandError::Usage { problem, usage }) => (problem, usage),
        other => panic!("{line}: {other:?}"),
    };
    for (line, said) in [
        ("bfs:seed=3", "`--seed` needs `--order random`"),
        ("play dfs --stack", "`--stack` needs `--tree-search`"),
        ("bfs --symmetry --queue", "`--symmetry` and `--queue` cannot be combined"),
        ("bestplan --optimal --all", "`--optimal` and other ways to search cannot be combined"),
        ("bestplan --exit no --shortest", "`--exit no` and `--all` or `--shortest` cannot be combined"),
        ("compare --algorithms dfs:stack", "`--stack` needs `--tree-search`"),
        ("compare --algorithms bfs --depth 3 --depths 1..2", "either `--depth` or `--depths`"),
    ] {
        let (problem, usage) = problem(line);
        assert_eq!(problem, said, "{line}");
        assert!(usage.contains("--"), "{usage}");
    }
    // What `compare` hands on counts as given, and so does another order than the one that an option needs.
    evaluate(&mut session, "compare --algorithms bfs:seed=3 --order random").expect("the order is random");
    assert!(evaluate(&mut session, "compare --algorithms bfs:seed=3 --order down").is_err());
    evaluate(&mut session, "bestplan --exit yes --shortest").expect("only `no` excludes it");
    evaluate(&mut session, "bfs --goal-test generation").expect("it has no stack to need");
}

#[test]
fn the_value_of_an_option_is_completed() {
    let mut session = session();
    let mut completed = |line: &str| complete::complete(&mut session, line).1;
    assert_eq!(completed("ida --depth 3 --heuristic hm"), ["hmax"]);
    assert_eq!(completed("bfs --tree svg READ"), ["README.md"]);
    assert_eq!(completed("time alphabeta --eval connect_four_w"), ["connect_four_weights"]);
    assert!(completed("bfs --depth ").is_empty());
    assert_eq!(completed("bfs --tree "), ["text", "list", "dot", "svg", "stages"]);
}

#[test]
fn options_are_read_once_and_wrong_ones_are_named() {
    let mut session = session();
    let mut problem = |line: &str| match evaluate(&mut session, line) {
        Err(CommandError::Usage { problem, .. }) => problem,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(problem("bfs --deph 3"), "`bfs` has no option `--deph`; did you mean --depth?");
    assert_eq!(problem("bfs --depth 3 --nodes 9 --depth 4"), "`--depth` is given twice");
    assert_eq!(problem("bfs --depth --nodes 3"), "`--depth` needs a value");
    assert_eq!(problem("bfs --tree --force"), "`--tree` needs a value");
    assert_eq!(problem("bfs --memory 3T"), "`--memory` takes a size such as 500M or 2G, not `3T`");
    assert_eq!(problem("bfs down --depth 2 left"), "`bfs` does not take `down left`");
    assert_eq!(problem("bfs --naive"), "`bfs` has no option `--naive`");
    assert_eq!(problem("compare"), "`--algorithms NAME[:OPTION[=VALUE]+…],…` is needed");
    assert_eq!(
        problem("compare --algorithms negamax:depth=3 --depths 1..2"),
        "either `--depths` or a depth of the search itself"
    );
    // Between parentheses there are no options, and a value in parentheses is one word.
    assert!(matches!(evaluate(&mut session, "set f(a, --depth b)"), Err(CommandError::Syntax { .. })));
    let found = |session: &mut Session, line: &str| {
        let answer = evaluate(session, line).ok().and_then(Answer::downcast::<SearchAnswer>).expect("a search answers");
        (answer.cost.nodes, format!("{:?}", answer.found))
    };
    let expected = found(&mut session, "bfs --order down,left --seconds 60s --memory 64");
    assert_eq!(found(&mut session, "bfs  --memory 64M --order down,left   --seconds 60"), expected);
    assert!(matches!(evaluate(&mut session, "--json bfs"), Err(CommandError::UnknownCommand { .. })));
    let timed = evaluate(&mut session, "time bfs --json").expect("a search with its time");
    assert!(render::text(&timed, Paint::Plain, session.dialect()).starts_with(r#"{"kind":"timed","seconds":"#));
}

/// Names inside `true`, `does`, `next`, `legal` and `init` are compared with what the rules derive there.
#[test]
fn names_within_keywords_of_a_query_are_checked() {
    let mut session = Session::new("", Arc::default());
    evaluate(&mut session, "load tic_tac_toe").expect("it is in the library");
    let mut warnings = |query: &str| evaluate(&mut session, query).expect("a query").warnings().to_vec();
    assert_eq!(warnings("?- true(cel(X,Y,Z))"), ["the game has no fact `cel/3`; did you mean cell?"]);
    assert_eq!(warnings("?- true(control)"), ["the game has no fact `control/0`; it has 1 argument"]);
    assert_eq!(warnings("?- init(cell(X,Y))"), ["the game has no fact `cell/2`; it has 3 arguments"]);
    assert_eq!(warnings("?- legal(R,mrk(X,Y))"), ["the game has no move `mrk/2`; did you mean mark?"]);
    assert_eq!(warnings("?- ~true(xyz)"), ["the game has no fact `xyz/0`"]);
    assert!(warnings("?- true(cell(X,Y,b)) & true(F) & legal(R,mark(X,Y))").is_empty());
}
