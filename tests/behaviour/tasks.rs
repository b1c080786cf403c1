//! The tasks of the course: each is solved by its own solution, refuses its wrong answers, and says why; a teacher's
//! file with a mistake is told where it is; the prompt leads through tasks and keeps marks, and `ggp course grade` judges
//! them again.

use crate::ggp::ggp;
use ggp::diagnostic::render::Paint;
use ggp::repl::command::course::{Judgement, judge, problems, written};
use ggp::repl::course::{Marks, Task, tasks};
use ggp::repl::{Session, evaluate, render};
use ggp::syntax::{Dialect, Source};
use ggp::workbench::{PageAnswer, PageRequest};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn session() -> Session {
    Session::without_files(Arc::default())
}

/// The replies to all wrong answers of the tasks of a document, after their solutions were judged right.
fn replies(document: &str) -> String {
    let session = session();
    let mut text = String::new();
    let of_document = tasks().iter().filter(|task| task.section.starts_with(document));
    for task in of_document {
        let found = problems(&session, task);
        assert!(found.is_empty(), "{}: {found:?}", task.name);
        for wrong in &task.wrong {
            let answer = written(task, wrong).expect("the answer can be read");
            let Judgement { is_right, text: said } = judge(&session, task, &answer).expect("the answer can be judged");
            assert!(!is_right, "{}: {wrong}", task.name);
            writeln!(text, "{}: {wrong}\n  {}", task.name, said.replace('\n', "\n  ")).expect("a string grows");
        }
    }
    text
}

#[test]
fn tasks_of_one_player_are_solved_and_tell_what_is_wrong() {
    insta::assert_snapshot!("tasks_of_one_player", ["S0", "S1", "S2"].map(replies).concat());
}

#[test]
fn lessons_are_solved_and_tell_what_is_wrong() {
    insta::assert_snapshot!("lessons", replies("L"));
}

#[test]
fn tasks_of_the_lecture_are_solved_and_tell_what_is_wrong() {
    insta::assert_snapshot!("tasks_of_the_lecture", replies("S3"));
}

#[test]
fn tasks_of_the_coursework_are_solved_and_tell_what_is_wrong() {
    insta::assert_snapshot!("tasks_of_the_coursework", ["S4", "C"].map(replies).concat());
}

/// Every item of the table of the course that has something to do has a task, as the page of tasks says.
#[test]
fn the_page_names_the_tasks_of_every_item() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/course");
    let page = std::fs::read_to_string(folder.join("tasks.md")).expect("the page is there");
    let rows: Vec<(&str, BTreeSet<&str>)> = page
        .lines()
        .filter_map(|line| {
            line.strip_prefix("| S")
                .or_else(|| line.strip_prefix("| C"))
                .or_else(|| line.strip_prefix("| L"))
                .map(|_| line)
        })
        .filter_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [section, names] = cells[..] else { return None };
            Some((
                section,
                names.split(", ").map(|name| name.trim_matches('`')).filter(|name| !name.is_empty()).collect(),
            ))
        })
        .collect();
    let named: BTreeSet<(&str, &str)> =
        rows.iter().flat_map(|(section, names)| names.iter().map(|name| (*section, *name))).collect();
    let there: BTreeSet<(&str, &str)> =
        tasks().iter().map(|task| (task.section.as_str(), task.name.as_str())).collect();
    let only_there: Vec<_> = there.difference(&named).collect();
    let only_named: Vec<_> = named.difference(&there).filter(|(_, name)| !name.starts_with("nothing")).collect();
    assert!(only_there.is_empty() && only_named.is_empty(), "not named: {only_there:?}; not there: {only_named:?}");
    let contents = std::fs::read_to_string(folder.join("README.md")).expect("the page is there");
    let items = contents.lines().filter_map(|line| line.strip_prefix("| [")?.split_once(']').map(|(item, _)| item));
    let sections: BTreeSet<&str> = rows.iter().map(|(section, _)| *section).collect();
    let missing: Vec<&str> = items.filter(|item| is_item(item) && !sections.contains(item)).collect();
    assert!(missing.is_empty(), "items without a line: {missing:?}");
    assert!(tasks().len() >= 60, "only {} tasks", tasks().len());
    assert!(tasks().iter().filter(|task| task.is_written()).count() >= 10);
}

/// An item of a document or of the conventions: `S3.7`, `C1`.
fn is_item(text: &str) -> bool {
    text.starts_with(['S', 'C']) && text[1..].split('.').all(|part| part.parse::<u32>().is_ok())
}

const GOOD: &str = "title = A\nsection = S3.4\ngame = [[3 12] [2 4]]\nquestion = What is it worth?\nkind = number\n\
    command = minimax\nwrong = 2\n";

/// The example of the page is a task.
#[test]
fn the_example_of_the_page_is_a_task() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/course/tasks.md"));
    let page = page.expect("the page is there");
    let lines = page.lines().skip_while(|line| !line.starts_with("    % ")).take_while(|line| line.starts_with("    "));
    let text: String = lines.map(|line| line.trim().to_string() + "\n").collect();
    let task = Task::read(&Source::new("example.task", text), None).expect("it has the form of a task");
    assert_eq!(problems(&session(), &task), [""; 0]);
}

/// What is wrong with the file of a task.
#[test]
fn mistakes_in_files_of_tasks_have_their_places() {
    assert!(Task::read(&Source::new("a.task", GOOD), None).is_ok());
    let mut text = String::new();
    let files = [
        "",
        "title",
        "title =",
        "title = A\ntitle = B\nkind = number",
        "titel = A\nkind = number",
        "kind = nunber",
        "wants = legal\nkind = plann\nsection = 3.4",
        "section = 3.4\nkind = nunber",
        "title = A\nkind = plan\nwants = legel\nsection = 3.4",
        "kind = number\nsection = 3.4",
        "kind = number\nsection = S3.4\ntitle = A\nquestion = B",
        "kind = number\nwants = legal",
        "kind = plan\nsection = S1.4\nwants = legal, complet",
        "kind = order\nsection = S1.4\nevent = seen\ncommand = bfs",
        "kind = choice\nsection = S1.4\nchoice = yes",
        "kind = choice\nsection = S1.4\nwhen = solve [3, 97]",
        "kind = choice\nsection = S1.4\nchoice = yes\nwhen = solve [3, 97]",
        "kind = heuristic\nsection = S1.4\nsolution = a.gdl",
        "kind = heuristic\nsection = S1.4\nsolution = a.gdl\nmust = x < y",
        "kind = text\nsection = S1.4\nsolution = a\nbecause = no\nmust = minimax 3",
        "kind = number\nsection = S1.4\nseconds = 0\ncommand = bfs",
    ];
    for file in files {
        let error = Task::read(&Source::new("a.task", file), None).expect_err("the file has a mistake");
        let error = ggp::repl::CommandError::from(error);
        writeln!(text, "{}", render::error(&error, Paint::Plain)).expect("a string grows");
    }
    insta::assert_snapshot!(text);
}

/// Answers that are none are refused, and are no tries.
#[test]
fn answers_without_the_form_of_one_are_refused() {
    let mut text = String::new();
    let answers = [
        ("two_ply_value", ["", "three", "1/0", "inf"]),
        ("alpha_beta_cut", ["", "c9", "a1", "root"]),
        ("two_ply_order", ["", "root z1", "[", "root,,q"]),
        ("two_ply_values", ["root", "root=", "b1=3", "root=x"]),
        ("tree_size", ["1 2 3", "0,75", "12,34", "1,234,56"]),
        ("start_estimate", ["d", "1", "a b", "yes"]),
        ("opponent_model", ["uniform; quit", "a\nb", "unknown", "minimax:depth=x"]),
        (
            "order_of_moves",
            ["down,left,right,up --depth 1", "left,right", "left,left,left,left", "left,right,up,sideways"],
        ),
        ("order_the_tree", ["[[3 12 8] [2 4 6] [2 5 14]", "3 12 8", "tic_tac_toe", "[[3 x]]"]),
        (
            "not_minimal",
            ["right down right down up right", "up", "right down right down", "right down right down left; undo"],
        ),
        ("two_ply_move", ["a1 a2", "(", "a9", "x(Y)"]),
        ("eight_shortest", ["(", "right down (", "sideways", "right, down, ]"]),
    ];
    for (name, answers) in answers {
        let task = tasks().iter().find(|task| task.name == name).expect("the task is there");
        for answer in answers {
            let reply = match judge(&session(), task, answer) {
                Ok(Judgement { is_right, text }) => {
                    assert!(!is_right, "{name}: {answer}");
                    format!("not right: {text}")
                }
                Err(error) => render::error(&error, Paint::Plain),
            };
            writeln!(text, "{name}: {answer:?}\n{}", reply.trim_end()).expect("a string grows");
        }
    }
    insta::assert_snapshot!(text);
}

/// What is clearly right is accepted, also with a unit, as a power, with capital letters or with other signs between words.
#[test]
fn what_is_clearly_right_is_accepted() {
    let answers = [
        ("tree_size", "4,545 nodes"),
        ("ten_thousand", "35^4"),
        ("ten_thousand", "1 500 625 leaves."),
        ("tree_of_chess", "35^80"),
        ("tree_of_chess", "10^123.53"),
        ("uniform_minimax_tree", "= 7.67"),
        ("uniform_minimax_tree", "23 / 3"),
        ("alpha_beta_cut", "C2, C3"),
        ("two_ply_order", "ROOT -> a1 -> b1 -> b2 -> a2 -> c1 -> c2"),
        ("two_ply_values", "root: 3, A1 = 3; a2=2 a3=2"),
        ("three_players", "root=1,2,6 a1=1,2,6 b1=1,2,6 b2=6,1,2 a2=1,5,2 e1=1,5,2 e2=5,4,5"),
        ("three_players", "root=(1,5,2) a1=(1,2,6) b1=(1,2,6) b2=(6,1,2) a2=(1,5,2) e1=(1,5,2) e2=(5,4,5)"),
        ("eight_shortest", "Right, Down, Right, Down"),
        ("two_ply_move", "A1"),
        ("narrated", "(B)"),
        ("narrated", "Right"),
        ("order_of_moves", "left right up down"),
        ("order_the_tree", "[[8 12 3] [2 14 5] [2 6 4]]"),
        ("order_the_tree", "[[3,8,12],[2,6,4],[2,5,14]]"),
    ];
    for (name, answer) in answers {
        let task = tasks().iter().find(|task| task.name == name).expect("the task is there");
        let judged = judge(&session(), task, answer).unwrap_or_else(|error| panic!("{name}: {answer}: {error}"));
        assert!(judged.is_right, "{name}: {answer}: {}", judged.text);
    }
}

/// The board of a tree has the names of the task, the values of all leaves, and the probabilities of chance.
#[test]
fn the_board_of_a_tree_has_the_names_of_the_task() {
    let drawn = |tree: &str| {
        let mut session = session();
        evaluate(&mut session, &format!("load {tree}")).expect("it is a tree");
        let Ok(PageAnswer::Json(text)) = PageRequest::read("view", b"").expect("it is a request").answer(&mut session)
        else {
            panic!("only pictures are no JSON")
        };
        let view: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let grid = view["view"]["grids"][0].clone();
        let squares = grid["squares"].as_array().into_iter().flatten().filter_map(|row| row.as_array()).flatten();
        let texts = squares.filter_map(|square| square["text"].as_str());
        let links = grid["links"].as_array().into_iter().flatten().filter_map(|link| link["text"].as_str());
        let mut all: Vec<String> = texts.chain(links).filter(|text| !text.is_empty()).map(str::to_string).collect();
        all.sort();
        all.join(" ")
    };
    insta::assert_snapshot!(
        [
            "[[3 12 8] [2 4 6] [14 5 2]]",
            "[[-8 -5] [-10 8]]",
            "[[1.5 -2.25] [-0.5 1000]]",
            "(1/2: 8  1/3: 24  1/6: -12)",
            "[(1/2: 3  1/2: 12) [2 -1]]",
            "[[(1,2,6) (4,2,3)] [(6,1,2) (7,4,1)]]",
        ]
        .map(|tree| format!("{tree}\n  {}\n", drawn(tree)))
        .concat()
    );
}

/// Who looks around in a lesson has not tried.
#[test]
fn only_lines_of_the_command_of_a_step_are_tries() {
    let mut session = session();
    let lines = ["learn play", "games", "load nim", "load tic_tac_toe", "legal", "help do", "show", "legal", "restart"];
    for line in lines {
        // What fails is no try either.
        let _ = evaluate(&mut session, line);
    }
    assert_eq!(session.marks().of("play").tries, 1);
    for line in ["do mark(2,2)", "restart", "do mark(2,2)", "do mark(1,1)", "history", "undo", "restart"] {
        evaluate(&mut session, line).expect("it is answered");
    }
    let mark = session.marks().of("play");
    assert!(mark.right, "{mark:?}");
    assert_eq!(mark.tries, 3, "`load nim`, `do mark(2,2)` where oplayer has to move, and the lesson");
    let equal = [
        "learn ask",
        "state",
        "?- true(control(oplayer))",
        "true(cell(R,C,x))",
        "rules legal/2",
        "why legal(oplayer, mark(1, 3)).",
        "why not legal(oplayer,  mark(1,1))",
        "why next(cell(1, 3, o)) after mark(1,3)",
        "depends terminal",
    ];
    for line in equal {
        evaluate(&mut session, line).expect("it is answered");
    }
    assert_eq!(session.marks().of("ask").tries, 1, "{:?}", session.marks().of("ask"));
}

/// A huge answer, and a sheet whose play never ends, are judged in time.
#[test]
fn large_answers_and_endless_games_are_judged() {
    let judged = |name: &str, answer: &str| {
        let task = tasks().iter().find(|task| task.name == name).expect("the task is there");
        judge(&session(), task, answer).map(|judgement| judgement.is_right)
    };
    assert!(judged("two_ply_order", &"root ".repeat(100_000)).is_ok_and(|is_right| !is_right));
    let endless = "role(robot) base(p(1)) base(p(2)) input(robot,a) init(p(1)) legal(robot,a) next(p(2)) :- true(p(1)) \
        next(p(1)) :- true(p(2)) terminal :- ~true(p(1)) & ~true(p(2)) goal(robot,100)";
    assert!(judged("own_game", endless).is_ok_and(|is_right| !is_right));
    let counter =
        "role(robot) init(n(z)) legal(robot,a) next(n(s(X))) :- true(n(X)) terminal :- true(n(never)) goal(robot,0)";
    assert!(judged("own_game", counter).is_ok_and(|is_right| !is_right));
    assert!(judged("own_game", "").is_err());
}

/// A utility that none of the conditions of a task asks for: the sheets are compared as well.
#[test]
fn a_sheet_is_compared_in_all_its_states() {
    let task = tasks().iter().find(|task| task.name == "partial_credit").expect("the task is there");
    let right = written(task, "partial_credit.gdl").expect("it is there");
    let wrong = right.replace("more(b,0,10)", "more(b,0,20)");
    let judgement = judge(&session(), task, &wrong).expect("the answer can be judged");
    assert!(!judgement.is_right && judgement.text.contains("the goal of robot is"), "{}", judgement.text);
    assert!(judge(&session(), task, &right).expect("the answer can be judged").is_right);
}

/// A session at the prompt, from the list to the end.
#[test]
fn the_prompt_leads_through_tasks() {
    let mut session = session();
    let mut text = String::new();
    let lines = [
        "answer 3",
        "hint",
        "course off",
        "load nim",
        "course S3.99",
        "course two_ply_value",
        "answer 14",
        "hint",
        "hint",
        "hint",
        "answer x",
        "answer 3",
        "answer 2",
        "course again",
        "course quiz_1",
        "answer none",
        "course solution",
        "course three_puzzle_plan",
        "answer",
        "do right",
        "do down",
        "do left",
        "do up",
        "answer",
        "do right",
        "do down",
        "answer",
        "course next",
        "course draft",
        "course draft a.gdl",
        "course missing_frame_rule",
        "course draft a.gdl",
        "course signs",
        "course three_players",
        "course two_ply_values",
        "answer root=3, a1=3, a2=2, a3=2",
        "course off",
        "course draft a.gdl",
        "course next",
        "show",
    ];
    for line in lines {
        let reply = match evaluate(&mut session, line) {
            Ok(answer) => render::text(&answer, Paint::Plain, Dialect::Infix),
            Err(error) => render::error(&error, Paint::Plain),
        };
        writeln!(text, "> {line}\n{}", reply.trim_end()).expect("a string grows");
    }
    insta::assert_snapshot!(text);
    let mark = session.marks().of("two_ply_value");
    assert_eq!((mark.right, mark.tries, mark.hints, mark.answer.as_str()), (true, 2, 2, "3"));
    assert!(session.marks().of("quiz_1").shown);
    let kept = session.marks().text();
    assert_eq!(Marks::read(&kept).as_ref(), Ok(session.marks()));
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tasks_{name}"));
    // It may not exist yet.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory can be made");
    path
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = ggp().args(arguments).current_dir(folder).env("XDG_DATA_HOME", folder).output();
    let output = output.expect("the program runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().unwrap_or(-1), text)
}

/// A right, a wrong and a forged mark.
#[test]
fn grading_judges_again() {
    let folder = folder("grade");
    let mut marks = Marks::default();
    marks.note_answer("two_ply_value", "2", false);
    marks.note_hints("two_ply_value", 1);
    marks.note_answer("two_ply_value", "3", true);
    marks.note_answer("alpha_beta_cut", "c2", false);
    marks.note_answer("airport", "40", true);
    marks.note_answer("unknown", "1", true);
    // A lesson whose lines were not all typed.
    marks.note_answer("ask", "state", true);
    marks.note_solution("two_dice");
    std::fs::write(folder.join("ada.json"), marks.text()).expect("it can be written");
    std::fs::write(folder.join("no.json"), "{}").expect("it can be written");
    let (code, table) = run(&folder, &["course", "grade", "ada.json"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(table);
    let own = folder.join("ggp");
    std::fs::create_dir_all(&own).expect("a directory can be made");
    for task in tasks() {
        marks.note_hints(&task.name, 2);
        marks.note_answer(&task.name, "x", false);
        marks.note_answer(&task.name, "y", false);
        marks.note_solution(&task.name);
    }
    std::fs::write(own.join("course.json"), marks.text()).expect("it can be written");
    let (_, list) = run(&folder, &["course", "list"]);
    assert!(list.contains("solution shown") && list.lines().all(|line| line.chars().count() <= 80), "{list}");
    let (code, problem) = run(&folder, &["course", "grade", "ada.json", "no.json"]);
    assert_eq!(code, 2);
    assert!(problem.contains("no.json: this is no file of marks"), "{problem}");
    assert_eq!(run(&folder, &["course", "grade", "missing.json"]).0, 2);
}

/// A teacher's own task on the page: its text comes with each question, and names no file of the server.
#[test]
fn a_page_sends_the_text_of_a_task() {
    let mut session = session();
    let mut ask = |task: &str, body: serde_json::Value| -> serde_json::Value {
        let request = PageRequest::read(task, body.to_string().as_bytes()).expect("it is a request");
        let Ok(PageAnswer::Json(text)) = request.answer(&mut session) else { panic!("only pictures are no JSON") };
        serde_json::from_str(&text).expect("it is JSON")
    };
    let opened = ask("task", serde_json::json!({ "name": "own", "text": GOOD }));
    assert_eq!((&opened["task"]["name"], &opened["task"]["section"]), (&"own".into(), &"S3.4".into()), "{opened}");
    let judged = |answer: &str| serde_json::json!({ "name": "own", "text": GOOD, "answer": answer });
    assert_eq!(ask("judge", judged("3"))["judged"]["right"], true);
    assert_eq!(ask("judge", judged("4"))["judged"]["text"], "4 is too large");
    assert_eq!(ask("solution", serde_json::json!({ "name": "own", "text": GOOD }))["solution"]["text"], "3");
    let wrong = GOOD.replace("kind = number", "kind = nunber");
    let refused = ask("task", serde_json::json!({ "name": "own", "text": wrong }))["error"].to_string();
    assert!(refused.contains("own.task:5:8") && refused.contains("did you mean number"), "{refused}");
    assert!(ask("task", serde_json::json!({ "name": "own" }))["error"].is_string());
    let folder = folder("page");
    std::fs::write(folder.join("secret.txt"), "secret").expect("it can be written");
    for file in [folder.join("secret.txt").display().to_string(), "../../../../../../etc/passwd".to_string()] {
        let text = format!(
            "title = A\nsection = S0.3\nquestion = Write.\nkind = sheet\nmust = roles robot\nsolution = {file}\n\
            draft = {file}\nwrong = 1\n"
        );
        for task in ["task", "solution"] {
            let answer = ask(task, serde_json::json!({ "name": "own", "text": text }))["error"].to_string();
            assert!(answer.contains("cannot read"), "{answer}");
        }
        let loads = GOOD.replace("[[3 12] [2 4]]", &file);
        let answer = ask("judge", serde_json::json!({ "name": "own", "text": loads, "answer": "3" }));
        assert!(answer["error"].is_string() && !answer.to_string().contains("secret\""), "{answer}");
    }
}

/// A teacher's own task, beside which its files stand.
#[test]
fn a_task_of_a_teacher_is_checked_and_tried() {
    let folder = folder("teacher");
    std::fs::write(folder.join("good.task"), GOOD).expect("it can be written");
    std::fs::write(folder.join("bad.task"), GOOD.replace("wrong = 2", "wrong = 3")).expect("it can be written");
    std::fs::write(folder.join("lost.task"), GOOD.replace("[[3 12] [2 4]]", "lost.tree")).expect("it can be written");
    assert_eq!(
        run(&folder, &["course", "check", "good.task"]),
        (0, "good.task: its solution is judged right, 1 wrong answer not\n".to_string())
    );
    let (code, text) = run(&folder, &["course", "check", "bad.task", "lost.task"]);
    assert_eq!(code, 1);
    assert!(text.contains("bad.task: the wrong answer `3` is judged right"), "{text}");
    assert!(text.contains("lost.task: the solution cannot be computed: cannot read"), "{text}");
    assert_eq!(run(&folder, &["course", "try", "good.task", "3"]), (0, "right: it is 3\n".to_string()));
    assert_eq!(run(&folder, &["course", "try", "good.task", "4"]), (1, "not right: 4 is too large\n".to_string()));
    let mut session = Session::new(&folder, Arc::default());
    let mut said = |line: &str| match evaluate(&mut session, line) {
        Ok(answer) => render::text(&answer, Paint::Plain, Dialect::Infix),
        Err(error) => render::error(&error, Paint::Plain),
    };
    std::fs::create_dir_all(folder.join("week_1")).expect("a directory can be made");
    std::fs::write(folder.join("week_1/own.tree"), "[[5 6] [7 8]]").expect("it can be written");
    let own = GOOD.replace("[[3 12] [2 4]]", "own.tree");
    std::fs::write(folder.join("week_1/own.task"), own).expect("it can be written");
    assert!(said("course week_1/own.task").contains("A (own)"));
    assert!(said("minimax").contains("max: 7 by a2"));
    assert!(said("answer 3").starts_with("not right: 3 is too small"));
    assert!(said("answer 7").starts_with("right: it is 7"));
    assert_eq!(said("expect answer 7"), "as expected\n");
    assert_eq!(said("expect not answer 8"), "as expected\n");
    assert!(said("expect answer 8").contains("expected true, found false"));
    assert!(said("course no.task").contains("cannot read no.task"));
    assert!(said("course own.tree.task").contains("cannot read"));
    assert_eq!(run(&folder, &["course", "try", "three_puzzle_plan", "up"]).0, 1);
    assert_eq!(run(&folder, &["course", "try", "S3.9999", "up"]).0, 2);
    let (_, lesson) = run(&folder, &["course", "show", "L1"]);
    assert!(lesson.contains("  8  `restart` goes back"), "{lesson}");
    let (_, board) = run(&folder, &["course", "show", "start_reward"]);
    assert!(board.contains("3 │ 7 8 6"), "{board}");
    let (code, draft) = run(&folder, &["course", "show", "own_game", "--draft"]);
    assert_eq!(code, 0);
    std::fs::write(folder.join("answer.gdl"), draft).expect("it can be written");
    let (code, text) = run(&folder, &["course", "try", "own_game", "answer.gdl"]);
    assert_eq!(code, 1, "{text}");
}
