//! Searches of one player as courses teach them. The pages of `docs/course/` show most of their counts, plans and
//! traces, and [`super::course`] runs those; further ones are lines of `tests/counts/teaching.query`, and what is
//! refused is in `tests/scripts/teaching.query`. Here is what takes a computation to check.

use ggp::diagnostic::render::Paint;
use ggp::repl::answer::SearchAnswer;
use ggp::repl::{Answer, Session, Transcript, evaluate, render, script};
use ggp::search::{Bound, RoundCost};
use ggp::syntax::Dialect;
use std::path::Path;
use std::sync::Arc;

/// A session with a game of the library or a file of the package.
fn session(game: &str) -> Session {
    let mut session = Session::new(Path::new(env!("CARGO_MANIFEST_DIR")), Arc::default());
    evaluate(&mut session, &format!("load {game}")).expect("the game loads");
    session
}

fn answer(session: &mut Session, line: &str) -> Answer {
    evaluate(session, line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// The text of an answer, without the line break at its end.
fn text(session: &mut Session, line: &str) -> String {
    render::text(&answer(session, line), Paint::Plain, Dialect::Infix).trim_end().to_string()
}

/// The message of the error of a line; the session goes on.
fn refused(session: &mut Session, line: &str) -> String {
    evaluate(session, line).err().unwrap_or_else(|| panic!("`{line}` is accepted")).to_string()
}

fn tiles(number: usize) -> Session {
    session(&format!("course/tiles_{number}.gdl"))
}

#[test]
fn the_expectations_of_the_courses_are_met() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("tests/counts/teaching.query")).expect("the script is there");
    let (mut session, mut console) = (Session::new(root, Arc::default()), Transcript::default());
    let options = script::Options { keep_going: true, echo: true, json: false };
    let lines = text.lines().map(|line| Ok(line.to_string()));
    let report = script::run(&mut session, "teaching.query", lines, options, &mut console).expect("it runs");
    assert_eq!(report.exit_code, 0, "{}", console.text);
}

// ---- the tree searches of the coursework
// -----------------------------------------------------------------------------

const DEEPENING: &str = "ids --tree-search --stack --goal-test generation";

/// The rounds of a search that was told to list them.
fn rounds(session: &mut Session, line: &str) -> Vec<(Bound, RoundCost)> {
    let search = answer(session, &format!("{line} --rounds")).downcast::<SearchAnswer>().expect("it is a search");
    search.rounds.iter().map(|round| (round.bound, round.cost)).collect()
}

#[test]
fn iterative_deepening_pops_all_walks_up_to_each_failing_limit() {
    // The walks of the agent by length, from its corner.
    let walks = [1, 2, 6, 18, 58, 186, 602, 1_946, 6_298, 20_378, 65_946];
    for seed in [0, 1] {
        let rounds = rounds(&mut tiles(1), &format!("{DEEPENING} --order random --seed {seed}"));
        assert_eq!(rounds.len(), 11);
        for (index, (bound, cost)) in rounds[..10].iter().enumerate() {
            assert_eq!(*bound, Bound::Depth(u32::try_from(index).unwrap() + 1));
            assert_eq!(cost.pops, Some(walks[..=index + 1].iter().sum()), "limit {}", index + 1);
            assert_eq!(cost.expanded, walks[..=index].iter().sum::<u64>(), "limit {}", index + 1);
        }
        let failing: u64 = rounds[..10].iter().filter_map(|(_, cost)| cost.pops).sum();
        assert_eq!(failing, 138_140);
    }
}

/// Middles of 101 runs. The document of 25 runs states none; 1,001 runs by a program apart from this one gave a median
/// of 247 pops (quartiles 133 and 437) for one block, and 1,100 (415 and 2,280) for two.
#[test]
fn a_depth_first_search_in_random_order_is_a_random_walk() {
    for (problem, middle, all) in [(1, 185..310, 25..3_000), (2, 700..1_700, 40..15_000)] {
        let mut session = tiles(problem);
        let mut pops: Vec<u64> = (0..101)
            .map(|seed| {
                let line = format!("dfs --tree-search --stack --goal-test generation --order random --seed {seed}");
                let search = answer(&mut session, &line).downcast::<SearchAnswer>().expect("it is a search");
                search.cost.pops.expect("a search with a stack has pops")
            })
            .collect();
        pops.sort_unstable();
        assert!(middle.contains(&pops[50]), "problem {problem}: {pops:?}");
        assert!(pops.iter().all(|pops| (11..50_000).contains(pops)), "problem {problem}: {pops:?}");
        assert!(pops.iter().filter(|pops| all.contains(*pops)).count() > 95, "problem {problem}: {pops:?}");
    }
}

#[test]
fn a_seed_repeats_a_random_search() {
    let mut tiles = tiles(1);
    let search = "dfs --tree-search --stack --goal-test generation --order random";
    let first = text(&mut tiles, search);
    assert_eq!(text(&mut tiles, search), first, "the session's seed is 0");
    assert_eq!(text(&mut tiles, &format!("{search} --seed 0")), first);
    let other = text(&mut tiles, &format!("{search} --seed 7"));
    assert_ne!(other, first);
    answer(&mut tiles, "seed 7");
    assert_eq!(text(&mut tiles, search), other);
}

#[test]
fn an_order_names_moves_of_the_game() {
    let warned = answer(&mut session("three_puzzle"), "bfs --order left,sideways/up");
    assert_eq!(warned.warnings(), ["`sideways` is not a move of this game"]);
}

// ---- deliberation
// ----------------------------------------------------------------------------------------------------

#[test]
fn a_stopped_deliberation_tells_the_steps_that_were_finished() {
    let mut puzzle = session("eight_puzzle");
    let line = "deliberate --exit no --order left,right,up,down";
    let calls = [4_545, 2_212, 577, 284, 73, 36, 17, 4];
    // Planning and the first steps fit exactly; then one call is missing.
    for (steps, short) in [(0, 1), (1, 0), (2, 0), (3, 1), (7, 0)] {
        let nodes = 4_545 + calls[..steps].iter().sum::<u64>() + short - steps as u64;
        let found = serde_json::to_value(answer(&mut puzzle, &format!("{line} --nodes {nodes}"))).expect("it is JSON");
        let finished = found["steps"].as_array().expect("a list").iter().map(|step| &step["calls"]);
        assert_eq!(finished.collect::<Vec<_>>(), calls[..steps], "{nodes} nodes");
        assert!(found["utility"].is_null() && found["stopped"].is_object(), "{found}");
    }
    let shown = text(&mut puzzle, &format!("{line} --nodes 7000"));
    assert_eq!(
        shown,
        "deliberation: the limit of 7000 nodes was reached in the first step\nplanning once: 4,545 calls, ends with 100"
    );
    let shown = text(&mut puzzle, &format!("{line} --nodes 9500"));
    let end = "deliberation: the limit of 9500 nodes was reached; 4,545 calls in 1 finished step\n\
        planning once: 4,545 calls, ends with 100\nratio: at least 1.00";
    assert!(shown.ends_with(end), "{shown}");
    let shown = text(&mut puzzle, &format!("{line} --nodes 4000"));
    let words = "planning once: best so far, the limit of 4000 nodes was reached; 4,000 calls, ends with ";
    assert!(shown.starts_with(words), "{shown}");
    let json = text(&mut puzzle, &format!("{line} --nodes 7000 --json"));
    assert!(json.contains(r#""stopped":{"limit":"nodes","given":7000}"#), "{json}");
}

// ---- all optimal plans
// -----------------------------------------------------------------------------------------------

#[test]
fn optimal_plans_are_counted_by_length() {
    let mut puzzle = session("eight_puzzle");
    let shown = text(&mut puzzle, "bestplan --optimal 2");
    let first: Vec<&str> = shown.lines().collect();
    assert_eq!(first[0], "right down right down");
    assert_eq!(first[2], "…");
    assert!(
        first[3].starts_with("64 optimal plans to 100: 1 of 4 moves, 8 of 6 moves, 55 of 8 moves (exact;"),
        "{shown}"
    );
    answer(&mut puzzle, "expect bestplan --optimal 64");
    answer(&mut session("three_puzzle"), "expect bestplan --optimal 2");
    // Every listed plan is legal, complete, minimal and optimal, and no plan is listed twice.
    let found = answer(&mut puzzle, "bestplan --optimal 100");
    let text = format!("{:?}", found.downcast_ref::<SearchAnswer>().expect("it is a search").found);
    assert!(text.contains("55"), "{text}");
    let shown = render::text(&found, Paint::Plain, Dialect::Infix);
    let plans: std::collections::BTreeSet<&str> = shown.lines().take(64).collect();
    assert_eq!(plans.len(), 64);
    for plan in plans {
        let judged = self::text(&mut puzzle, &format!("plan check {plan}"));
        for word in ["legal     yes", "complete  yes", "minimal   yes", "optimal   yes"] {
            assert!(judged.contains(word), "{plan}:\n{judged}");
        }
    }
}

// ---- narrated procedures
// ---------------------------------------------------------------------------------------------

/// The lines of a narration, without its answer.
fn narrated(session: &mut Session, line: &str) -> Vec<String> {
    let text = text(session, line);
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    lines.pop();
    lines
}

/// After `stay` the game goes round for ever; the other move ends it.
#[test]
fn the_table_of_moves_says_after_which_no_line_ends_the_game() {
    let path = std::env::temp_dir().join(format!("ggp-no-end-{}.gdl", std::process::id()));
    let sheet = "role(r) init(s) legal(r,stay) legal(r,go) :- true(s) next(loop) :- does(r,stay) next(e) :- does(r,go)
        terminal :- true(e) goal(r,70) :- true(e)";
    std::fs::write(&path, sheet).expect("it is written");
    let mut session = session(&path.display().to_string());
    let table = text(&mut session, "maxscore --values");
    assert!(table.contains("no end") && table.contains("70"), "{table}");
    answer(&mut session, "do stay");
    assert!(refused(&mut session, "maxscore --values").contains("no line of moves ends the game"));
    std::fs::remove_file(path).expect("it can go");
}

#[test]
fn maxscore_is_narrated_step_by_step() {
    let mut puzzle = session("three_puzzle");
    let lines = narrated(&mut puzzle, "maxscore --naive --trace --order left,right,up,down");
    let first = [
        "call 1: maxscore",
        "terminal: no",
        "moves: right, down; begin with score 0",
        "  call 2: maxscore after right",
        "  terminal: no",
        "  moves: left, down; begin with score 0",
        "    call 3: maxscore after left",
    ];
    assert_eq!(lines[..7], first);
    assert_eq!(lines.iter().filter(|line| line.contains("call ")).count(), 46);
    // The first end is six moves deep, the plan is found there, and all six calls around it return at once.
    let end = lines.iter().position(|line| line.contains("terminal: yes")).expect("the game ends");
    assert_eq!(lines[end], "            terminal: yes, return 0");
    assert_eq!(lines[end + 1], "          left: 0, not greater than 0");
    let last: Vec<&str> = lines[lines.len() - 6..].iter().map(|line| line.trim_start()).collect();
    let plan = ["down", "right", "up", "left", "down", "right"];
    assert_eq!(last, plan.map(|chosen| format!("{chosen}: 100, return at once")));
}

#[test]
fn a_greater_score_is_kept_and_returned_in_the_end() {
    let mut puzzle = session("eight_puzzle");
    let facts =
        "cell(1,1,b) cell(1,2,1) cell(1,3,3) cell(2,1,4) cell(2,2,2) cell(2,3,5) cell(3,1,7) cell(3,2,8) cell(3,3,6)";
    answer(&mut puzzle, &format!("set {facts} step(6)"));
    let lines = narrated(&mut puzzle, "bestmove --naive --trace");
    assert_eq!(lines[..2], ["call 1: bestmove", "moves: down, right; begin with down and score 0"]);
    assert_eq!(lines[2], "  call 2: maxscore after down");
    assert!(lines.contains(&"down: 40, greater than 0, keep".to_string()), "{lines:#?}");
    assert_eq!(lines[lines.len() - 2..], ["right: 60, greater than 40, keep", "return right"]);
}

/// The pairs that the calls return: the plan's last move comes first.
#[test]
fn bestplan_builds_its_plan_backwards() {
    let mut puzzle = session("three_puzzle");
    let lines = narrated(&mut puzzle, "bestplan --naive --trace");
    assert_eq!(lines.iter().filter(|line| line.contains("call ")).count(), 127);
    assert!(lines.contains(&"down: (100, [right down left up right]), the first result, keep".to_string()));
    assert!(lines.contains(&"right: (100, [down right up left down]), not greater than 100".to_string()));
    assert_eq!(lines.last().unwrap(), "return (100, [right down left up right down])");
    let at_once = narrated(&mut puzzle, "bestplan --naive --exit yes --trace");
    assert_eq!(at_once.last().unwrap(), "down: (100, [right down left up right]), return at once");
}

#[test]
fn a_narration_is_cut_at_its_length_and_at_the_depth_limit() {
    let mut puzzle = session("three_puzzle");
    let lines = narrated(&mut puzzle, "maxscore --naive --trace 5");
    assert_eq!(lines.len(), 6);
    assert!(lines[5].starts_with("… ") && lines[5].ends_with(" steps more"), "{lines:?}");
    let whole = narrated(&mut puzzle, "maxscore --naive --trace");
    assert_eq!(lines[5], format!("… {} steps more", whole.len() - 5));
    let lines = narrated(&mut puzzle, "maxscore --naive --trace --depth 1");
    assert_eq!(
        lines[3..6],
        [
            "  call 2: maxscore after down",
            "  beyond the limit on depth: not examined",
            "down: nothing, not greater than 0"
        ]
    );
    // With memory there is no recursive procedure to narrate: the events of the search are listed.
    assert!(text(&mut puzzle, "maxscore --trace 3").starts_with("0 the first state\nexpand 0\n"));
    let json = render::text(&answer(&mut puzzle, "maxscore --naive --trace 2 --json"), Paint::Plain, Dialect::Infix);
    assert!(
        json.contains(
            r#""narration":{"procedure":"max_score","steps":[{"depth":0,"step":"call","number":1,"move":null}"#
        ),
        "{json}"
    );
}

// ---- runs with many seeds
// ---------------------------------------------------------------------------------------------

#[test]
fn the_runs_of_many_seeds_are_those_of_each_seed() {
    let mut blocks = tiles(1);
    let search = "dfs --tree-search --stack --goal-test generation --order random --count pops";
    let shown = text(&mut blocks, &format!("{search} --runs 25 --list"));
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "pops of 25 runs, seeds 0 to 24");
    let counts: Vec<u64> = lines[1].split(' ').map(|count| count.replace(',', "").parse().unwrap()).collect();
    assert_eq!(counts.len(), 25);
    let mut sorted = counts.clone();
    sorted.sort_unstable();
    assert!(lines[2].starts_with(&format!("median {}, quartiles ", sorted[12])), "{}", lines[2]);
    assert!(lines[3].starts_with("with seed 0: "), "{}", lines[3]);
    // Run n is the search with the n-th seed.
    answer(&mut blocks, &format!("expect nodes {search} --seed 3 {}", counts[3]));
    let json = text(&mut blocks, &format!("{search} --runs 2 --seed 3 --json"));
    assert!(
        json.contains(&format!(r#""runs":[{{"seed":3,"count":{}}},{{"seed":4,"count":{}}}]"#, counts[3], counts[4]))
    );
    // A run that a limit stops has no count.
    let limited = text(&mut blocks, &format!("{search} --runs 25 --nodes 1000"));
    assert!(limited.contains(" stopped by a limit\n"), "{limited}");
}

// ---- layouts
// ---------------------------------------------------------------------------------------------------------

#[test]
fn a_comparison_needs_games() {
    let folder = tempfile_folder("empty");
    let line = format!("compare {} --algorithms bfs", folder.display());
    let problem = refused(&mut session("three_puzzle"), &line);
    assert!(problem.contains("has no games: files gdl, hrf, kif, layout, tree"), "{problem}");
}

/// A folder for the files of a test, empty at its beginning.
fn tempfile_folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("teaching_{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

#[test]
fn a_layout_of_any_size_is_read_by_a_sheet_in_either_dialect() {
    let folder = tempfile_folder("layouts");
    let sheet = "(role r) (<= (init (at ?x ?y)) (drawn ?x ?y agent)) (<= (base (at ?x ?y)) (drawn ?x ?y ?t))
        (input r stay) (legal r stay) (<= (next (at ?x ?y)) (true (at ?x ?y)))
        (<= terminal (true (at ?x ?y)) (drawn ?x ?y agent)) (goal r 50)";
    std::fs::write(folder.join("still.kif"), sheet).unwrap();
    std::fs::write(folder.join("wide.layout"), "% Five columns.\nsheet still.kif\n@ agent\n.#...\r\n....@\n").unwrap();
    let mut wide = session(&folder.join("wide.layout").display().to_string());
    answer(&mut wide, "expect state [at(4,0)]");
    assert!(text(&mut wide, "?- drawn(1,1,T)").starts_with("T = wall\n"));
    assert!(text(&mut wide, "?- drawn(X,Y,free)").ends_with("8 solutions"));
    // What is wrong is said with its position, and the old game stays.
    std::fs::write(folder.join("lost.layout"), "sheet nowhere.gdl\n....\n").unwrap();
    std::fs::write(folder.join("circle.layout"), "sheet circle.layout\n....\n").unwrap();
    std::fs::write(folder.join("bare.layout"), "....\n").unwrap();
    std::fs::write(folder.join("ragged.layout"), "sheet still.kif\n....\n..\n@ two words\nwall wall\n..?\n").unwrap();
    for (name, words) in [
        ("lost", "cannot read"),
        ("circle", "which is no rule sheet"),
        ("bare", "is not a layout: 1 error"),
        ("ragged", "is not a layout: 5 errors"),
    ] {
        let problem = refused(&mut wide, &format!("load {}", folder.join(format!("{name}.layout")).display()));
        assert!(problem.contains(words), "{name}: {problem}");
    }
    answer(&mut wide, "expect state [at(4,0)]");
}

/// The sheet of the slides with its slip: the parenthesis is reported where it is opened, and everything else is right.
#[test]
fn the_printed_three_puzzle_lacks_one_parenthesis() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gdl/course/three_puzzle_as_printed.kif");
    let printed = std::fs::read_to_string(path).expect("the sheet is there");
    let source = ggp::syntax::Source::new("printed.kif", printed.as_str());
    let problems = ggp::engine::check_text(&source, None).diagnostics;
    assert_eq!(problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>(), ["E002"]);
    let rule = "(<= terminal (true (step 7))";
    assert_eq!(problems[0].labels[0].span.start as usize, printed.find(rule).expect("the rule is there"));
    assert_eq!(problems[0].help.as_deref(), Some("a `)` is missing here"));
    let whole = printed.replace(rule, "(<= terminal (true (step 7)))");
    assert!(
        ggp::engine::check_text(&ggp::syntax::Source::new("whole.kif", whole.as_str()), None).diagnostics.is_empty()
    );
    let file = tempfile_folder("printed").join("whole.kif");
    std::fs::write(&file, whole).unwrap();
    let mut puzzle = session(&file.display().to_string());
    answer(&mut puzzle, "expect tree [127, 64, 27]");
    answer(&mut puzzle, "expect bestplan --all 2");
}

#[test]
fn plans_longer_than_a_screen_are_folded_unless_they_are_asked_for_in_full() {
    let mut session = tiles(3);
    let folded = text(&mut session, "dfs");
    assert!(
        folded
            .starts_with("2,217 moves: left left left up right down left up right down … ; --full lists them: 100 in"),
        "{folded}"
    );
    let full = text(&mut session, "dfs --full");
    assert!(full.starts_with("left left left up right down left up right down left") && !full.contains('…'), "{full}");
    let answer = answer(&mut session, "dfs");
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(2_217));
    let mut session = self::session("hanoi_8");
    let (folded, full) = (text(&mut session, "solve"), text(&mut session, "solve --full"));
    let line = |text: &str| text.lines().find(|line| line.starts_with("best play: ")).unwrap().to_string();
    assert!(line(&folded).starts_with("best play: 255 moves: ") && line(&folded).ends_with(" … ; --full lists them"));
    assert!(line(&full).len() > 10 * line(&folded).len() && !line(&full).contains('…'));
}

#[test]
fn lines_in_tables_are_folded_too() {
    let next: String = (0..70).map(|at| format!("succ({at},{}) ", at + 1)).collect();
    let sheet = format!(
        "role(p) init(at(0)) {next} legal(p,go) legal(p,stop) next(over) :- does(p,stop)
        next(at(Y)) :- true(at(X)) & does(p,go) & succ(X,Y) terminal :- true(over) terminal :- true(at(70))
        goal(p,100) :- true(at(70)) goal(p,0) :- true(at(X)) & distinct(X,70) goal(p,0) :- true(over)"
    );
    let file = tempfile_folder("corridor").join("corridor.gdl");
    std::fs::write(&file, sheet).unwrap();
    let mut corridor = session(&file.display().to_string());
    let begin = "70 moves: go go go go go go go go go go …";
    let plan = "go ".repeat(70);
    for line in [&format!("plan compare stop / {plan}"), "analyse --algorithm mcts", "analyse"] {
        let shown = text(&mut corridor, line);
        assert!(shown.contains(begin) && !shown.contains("--full"), "{line}: {shown}");
    }
    let shown = text(&mut corridor, "mcts --visits 1000 --single");
    assert!(shown.contains(&format!(" by {begin} ; --full lists them")), "{shown}");
    let shown = text(&mut corridor, "mcts --visits 1000 --single --full");
    assert!(shown.contains(&format!(" by {}", plan.trim_end())), "{shown}");
}

#[test]
fn a_search_says_that_it_sees_what_the_roles_do_not() {
    for line in ["expectimax candidate", "solve"] {
        let hidden = answer(&mut session("monty_hall"), line);
        assert!(
            matches!(hidden.warnings(), [warning] if warning.contains("`sees`")),
            "{line}: {:?}",
            hidden.warnings()
        );
        assert!(serde_json::to_string(&hidden).unwrap().contains("as if they saw everything"), "{line}");
    }
    assert!(answer(&mut session("nim"), "solve").warnings().is_empty());
}
