//! Lessons: each is solved by its own lines, refuses others, and gives back what was loaded before it.

use ggp::diagnostic::render::Paint;
use ggp::repl::answer::Answer;
use ggp::repl::command::course::judge;
use ggp::repl::course::{Task, tasks};
use ggp::repl::lesson::{LessonPage, LessonRemark, LessonReply};
use ggp::repl::{Session, Transcript, evaluate, render, script};
use ggp::syntax::{Dialect, Source};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const LESSONS: usize = 5;

/// An empty directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lessons_{name}"));
    // It may not exist yet.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory can be made");
    path
}

fn answer(session: &mut Session, line: &str) -> Answer {
    evaluate(session, line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Begins a lesson, or goes to another step; the page that is shown.
fn page(session: &mut Session, line: &str) -> LessonPage {
    match answer(session, line).downcast() {
        Some(LessonReply::Step(page) | LessonReply::Skipped { then: LessonRemark::Next(page), .. }) => page,
        other => panic!("{line}: {other:?}"),
    }
}

/// What the lesson says of a line, which may fail.
fn remark(session: &mut Session, line: &str) -> Option<LessonRemark> {
    let _ = evaluate(session, line);
    session.take_remark()
}

fn is_refused(remark: Option<&LessonRemark>, step: usize) -> bool {
    matches!(remark, Some(LessonRemark::NotYet { page, .. }) if page.step == step)
}

/// The position, as far as lines could change it.
fn position(session: &mut Session) -> String {
    let name = session.game_name().map(str::to_string);
    format!("{name:?} {:?} {:?}", evaluate(session, "state").ok(), evaluate(session, "rules").ok())
}

#[test]
fn every_lesson_is_solved_by_its_own_lines_and_by_no_others() {
    for number in 1..=LESSONS {
        let mut session = Session::new(directory(&format!("solved_{number}")), Arc::default());
        for line in ["load hanoi", "do puton(d1,right)"] {
            let _ = evaluate(&mut session, line);
        }
        let before = position(&mut session);
        let mut next = page(&mut session, &format!("learn {number}"));
        assert!(next.of >= 5 && next.step == 1, "{next:?}");
        loop {
            for wrong in
                ["xyzzy", "roles", "?- true(nothing)", "do nothing", "rules role", "rules add (", "load nothing"]
            {
                let remark = remark(&mut session, wrong);
                assert!(is_refused(remark.as_ref(), next.step), "lesson {number}, {wrong}: {remark:?}");
            }
            // The right command, with an error.
            let odd = remark(&mut session, &format!("{} --no-such-option", next.line));
            assert!(is_refused(odd.as_ref(), next.step), "lesson {number}, {}: {odd:?}", next.line);
            for ignored in ["", "% a comment", "help", "learn", "course"] {
                assert!(remark(&mut session, ignored).is_none(), "`{ignored}` is no attempt");
            }
            match remark(&mut session, &next.line) {
                Some(LessonRemark::Next(page)) => {
                    assert_eq!((page.step, page.of), (next.step + 1, next.of));
                    next = page;
                }
                Some(LessonRemark::Finished { back, .. }) => {
                    assert_eq!(next.step, next.of);
                    assert_eq!(back.map(|(game, _)| game).as_deref(), Some("hanoi"));
                    break;
                }
                other => panic!("lesson {number}, step {}, `{}`: {other:?}", next.step, next.line),
            }
        }
        assert_eq!(position(&mut session), before, "the game before the lesson is back");
        assert!(remark(&mut session, "legal").is_none(), "the lesson is over");
    }
}

#[test]
fn lines_that_are_nearly_right_are_refused() {
    let near_misses: [(usize, usize, &[&str]); 7] = [
        (1, 4, &["do mark(1,1)", "next mark(2,2)", "expect legal oplayer noop"]),
        (1, 7, &["undo 2", "history"]),
        (2, 3, &["?- true(cell(R,C,o))", "?- true(cell(1,1,x))"]),
        (2, 6, &["why legal(oplayer,mark(1,1))", "why not legal(oplayer,mark(1,3))"]),
        (3, 7, &["astar", "greedy --heuristic blocksworld_tiles_manhattan"]),
        (5, 3, &["rules add size(4,3)", "rules add size(4", "rules add (size 4 1)"]),
        (5, 8, &["rules add full(H) :- size(H,_)", "rules add full(H", "?- full(H)"]),
    ];
    for (lesson, step, lines) in near_misses {
        let mut session = Session::new(directory("near"), Arc::default());
        let mut shown = page(&mut session, &format!("learn {lesson}"));
        while shown.step < step {
            shown = page(&mut session, "learn next");
        }
        for line in lines {
            let wrong = remark(&mut session, line);
            assert!(is_refused(wrong.as_ref(), step), "lesson {lesson}, step {step}, {line}: {wrong:?}");
            // Nothing is lost: the step begins again.
            shown = page(&mut session, "learn again");
        }
        let right = remark(&mut session, &shown.line);
        assert!(matches!(right, Some(LessonRemark::Next(_))), "{}: {right:?}", shown.line);
    }
}

#[test]
fn steps_can_be_left_out_to_the_end() {
    for number in 1..=LESSONS {
        let directory = directory(&format!("skipped_{number}"));
        let mut session = Session::new(&directory, Arc::default());
        let mut next = page(&mut session, &format!("learn {number}"));
        while next.step < next.of {
            next = page(&mut session, if next.step.is_multiple_of(2) { "learn next" } else { "learn skip" });
        }
        let Some(LessonReply::Skipped { line, then: LessonRemark::Finished { back: None, .. } }) =
            answer(&mut session, "learn next").downcast()
        else {
            panic!("lesson {number} ends")
        };
        assert_eq!(line, next.line);
        assert!(session.game_name().is_some(), "without a game before it, the game of the lesson stays");
        assert!(std::fs::read_dir(&directory).expect("it is there").next().is_none(), "no file was written");
    }
}

#[test]
fn a_lesson_can_be_left_and_another_begun_and_the_first_game_comes_back() {
    let mut session = Session::new(".", Arc::default());
    answer(&mut session, "load nim");
    answer(&mut session, "do take(1,2)");
    let before = position(&mut session);
    assert_eq!(page(&mut session, "learn ask").step, 1);
    assert_eq!(session.game_name(), Some("tic_tac_toe"));
    page(&mut session, "learn alone");
    assert_eq!(session.game_name(), Some("three_puzzle"));
    let left = answer(&mut session, "learn off");
    assert_eq!(
        render::text(&left, Paint::Plain, Dialect::Infix),
        "the lesson \"search alone\" is left; nim is back, at ply 1\n"
    );
    assert_eq!(position(&mut session), before);
    for (line, message) in [
        ("learn off", "no lesson is running"),
        ("learn next", "no lesson is running"),
        ("learn again", "no lesson is running"),
        ("learn 0", "there is no lesson `0`"),
        ("learn 6", "there is no lesson `6`; `learn` lists them"),
        ("learn alon", "there is no lesson `alon`; did you mean alone?"),
    ] {
        let error = evaluate(&mut session, line).expect_err(line).to_string();
        assert!(error.starts_with(message), "{line}: {error}");
    }
    assert_eq!(position(&mut session), before);
}

/// The list of the course has the lessons, and begins, repeats and ends them.
#[test]
fn the_course_lists_lessons_and_begins_them() {
    let mut session = Session::new(".", Arc::default());
    let text = render::text(&answer(&mut session, "course"), Paint::Plain, Dialect::Infix);
    let listed: Vec<&str> = text.lines().skip(1).take_while(|line| line.starts_with('L')).collect();
    assert_eq!(listed.len(), LESSONS, "{text}");
    assert!(listed[0].contains("play") && listed[0].contains("look and play"));
    assert_eq!(page(&mut session, "course play").step, 1);
    assert!(matches!(remark(&mut session, "load tic_tac_toe"), Some(LessonRemark::Next(_))));
    assert_eq!(page(&mut session, "course again").step, 2);
    answer(&mut session, "course off");
    let error = evaluate(&mut session, "course off").expect_err("nothing runs").to_string();
    assert!(error.starts_with("no task has begun"), "{error}");
}

#[test]
fn a_lesson_that_cannot_begin_changes_nothing() {
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut session = Session::new(".", interrupt.clone());
    answer(&mut session, "load nim");
    let before = position(&mut session);
    page(&mut session, "learn 1");
    interrupt.store(true, Ordering::Relaxed);
    evaluate(&mut session, "learn 2").expect_err("it is interrupted");
    interrupt.store(false, Ordering::Relaxed);
    let solved = remark(&mut session, "load tic_tac_toe");
    assert!(matches!(solved, Some(LessonRemark::Next(_))), "lesson 1 goes on: {solved:?}");
    answer(&mut session, "learn off");
    assert_eq!(position(&mut session), before);
}

#[test]
fn lessons_fit_the_screen_and_no_line_to_type_is_longer() {
    for width in [40, 80] {
        let mut text = String::new();
        let mut session = Session::new(directory("width"), Arc::default());
        let mut show = |session: &mut Session, line: &str| {
            let answer = answer(session, line);
            text += &render::text_within(&answer, Paint::Plain, Dialect::Infix, width);
            if let Some(LessonReply::Step(page)) = answer.downcast_ref() {
                return page.of;
            }
            0
        };
        show(&mut session, "learn");
        for number in 1..=LESSONS {
            let steps = show(&mut session, &format!("learn {number}"));
            (0..steps).for_each(|_| _ = show(&mut session, "learn next"));
        }
        for line in text.lines() {
            let is_typed = line.starts_with("  type: ") && width < 80;
            let is_one_word = line.split_whitespace().count() == 1;
            assert!(is_typed || is_one_word || line.chars().count() <= width, "{width} columns: {line}");
        }
        if width == 80 {
            insta::assert_snapshot!(text);
        }
    }
}

#[test]
fn a_script_runs_a_lesson_as_text_and_as_json() {
    let lines = ["learn 1", "show", "load tic_tac_toe", "show", "learn off"];
    let run = |json| {
        let mut session = Session::new(".", Arc::default());
        let mut console = Transcript::default();
        let options = script::Options { keep_going: true, echo: true, json };
        let lines = lines.iter().map(|line| Ok(line.to_string()));
        script::run(&mut session, "lesson.query", lines, options, &mut console).expect("a transcript can be written");
        console.text
    };
    let text = run(false);
    assert!(text.contains("step 1 of 8"), "{text}");
    let (before, after) = text.split_once("> load tic_tac_toe\n").expect("commands are echoed");
    assert!(before.contains("no game is loaded") && before.contains("not yet (step 1 of 8): `load` takes"), "{text}");
    assert!(after.starts_with("tic_tac_toe: roles xplayer, oplayer") && after.contains("\nstep 2 of 8: "), "{text}");
    let records: Vec<serde_json::Value> =
        run(true).lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect();
    assert_eq!(records[0]["answer"]["kind"], "lesson");
    assert_eq!(records[0]["answer"]["line"], "load tic_tac_toe");
    assert_eq!(records[1]["lesson"]["verdict"], "not_yet");
    assert_eq!(records[2]["lesson"]["verdict"], "next");
    assert_eq!(records[3]["lesson"]["step"], 3);
    assert_eq!(records[4]["answer"]["page"], "left");
}

/// A lesson is a task: its lines are an answer, which is judged again, and wrong lines count as tries.
#[test]
fn a_lesson_has_a_mark_and_is_judged_again() {
    let mut session = Session::new(".", Arc::default());
    let mut next = page(&mut session, "course play");
    let _ = remark(&mut session, "legal");
    let _ = remark(&mut session, "load nim");
    loop {
        match remark(&mut session, &next.line) {
            Some(LessonRemark::Next(page)) => next = page,
            Some(LessonRemark::Finished { .. }) => break,
            other => panic!("{}: {other:?}", next.line),
        }
    }
    let mark = session.marks().of("play");
    assert_eq!((mark.right, mark.tries, mark.shown), (true, 2, false));
    assert!(mark.answer.starts_with("load tic_tac_toe\nshow\n"), "{}", mark.answer);
    let lesson = tasks().iter().find(|task| task.name == "play").expect("the lesson is there");
    let judged = |answer: &str| {
        let judgement = judge(&session, lesson, answer).expect("it can be judged");
        (judgement.is_right, judgement.text)
    };
    assert_eq!(judged(&mark.answer), (true, "8 steps are solved".to_string()));
    let (is_right, text) = judged("load tic_tac_toe\nlegal");
    assert!(!is_right && text.starts_with("`legal` does not solve step 2 of 8"), "{text}");
    assert_eq!(judged("load tic_tac_toe"), (false, "a line for step 2 of 8 is missing".to_string()));
    assert!(!judged(&format!("{}\nshow", mark.answer)).0);
}

/// A task ends a lesson, and a lesson a task; the match before the first of them comes back. Help in a lesson is no attempt.
#[test]
fn lessons_and_tasks_end_each_other() {
    let mut session = Session::new(".", Arc::default());
    answer(&mut session, "load nim");
    let before = position(&mut session);
    page(&mut session, "course play");
    for (line, said) in [("hint", "`load` takes the name"), ("course solution", "load tic_tac_toe")] {
        let text = render::text(&answer(&mut session, line), Paint::Plain, Dialect::Infix);
        assert!(text.contains(said), "{line}: {text}");
        assert!(session.take_remark().is_none(), "{line}");
    }
    let mark = session.marks().of("play");
    assert_eq!((mark.tries, mark.hints, mark.shown), (0, 1, true));
    answer(&mut session, "course two_ply_value");
    assert!(remark(&mut session, "answer 2").is_none(), "the lesson is over");
    page(&mut session, "learn ask");
    let error = evaluate(&mut session, "answer 3").expect_err("the task is over").to_string();
    assert!(error.starts_with("no task has begun"), "{error}");
    answer(&mut session, "course off");
    assert_eq!(position(&mut session), before);
}

/// A teacher's lesson is a file as a task is.
#[test]
fn a_lesson_of_a_teacher_begins_from_its_file() {
    let folder = directory("teacher");
    let text = "title = Nim\nsection = L9\nkind = lesson\nquestion = First steps in nim.\nbegin = load nim\nstep = Who wins?\n\
        line = solve\nhint = Type `solve`.\nuses = solve\nwrong = show\n";
    std::fs::write(folder.join("nim.task"), text).expect("it can be written");
    let mut session = Session::new(&folder, Arc::default());
    assert_eq!(page(&mut session, "course nim.task").line, "solve");
    assert!(is_refused(remark(&mut session, "show").as_ref(), 1));
    assert!(matches!(remark(&mut session, "solve"), Some(LessonRemark::Finished { .. })));
}

#[test]
fn mistakes_in_the_text_of_a_lesson_have_their_places() {
    const HEAD: &str = "title = a\nsection = L1\nkind = lesson\nquestion = b\n";
    let problem = |text: &str| {
        let source = Source::new("a.task", text);
        let error = Task::read(&source, None).err()?;
        let line = source.text()[..error.mistake.span.start as usize].matches('\n').count() + 1;
        Some(format!("line {line}: {}", error.mistake.problem))
    };
    let step = |step: &str| problem(&format!("{HEAD}{step}"));
    assert_eq!(step("").as_deref(), Some("line 5: a lesson needs steps"));
    assert_eq!(step("line = y\n").as_deref(), Some("line 5: `line` belongs to the `step` before it"));
    assert_eq!(step("hint = y\nstep = x\n").as_deref(), Some("line 5: `hint` belongs to the `step` before it"));
    assert_eq!(step("step = x\nline = y\n").as_deref(), Some("line 5: this step has no hint"));
    assert_eq!(step("step = x\nhint = y\nuses = z\n").as_deref(), Some("line 5: this step has no line"));
    assert_eq!(step("step = x\nline = y\nhint = z\n").as_deref(), Some("line 5: this step has no condition"));
    assert_eq!(
        step("step = x\nline = y\nline = z\n").as_deref(),
        Some("line 7: `line` is set a second time in this step")
    );
    assert_eq!(step("step = x\nanswers = y\n").as_deref(), Some("line 6: there is no setting `answers`"));
    assert_eq!(step("step = x\nline = y\nhint = z\nuses = y\n"), None);
    assert_eq!(problem("kind = number\nstep = x\n").as_deref(), Some("line 2: `step` is for tasks of kind lesson"));
}
