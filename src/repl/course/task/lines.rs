//! The lines of a file as a task: the settings that each kind has, and what is wrong with them.

use super::{
    ComparedNumber, ConditionTest, LessonStep, NodeEvent, PlanProperty, PlanWish, StatedChoice, StepCondition, Task,
    TaskCondition, TaskKind, WrittenContent,
};
use gdl::settings::{SettingLine, SettingMistake, TextPart};
use gdl::suggestion::near_or_all;
use std::path::PathBuf;
use std::time::Duration;

/// The settings that every task may have.
const SETTINGS: [&str; 13] = [
    "title", "section", "game", "begin", "question", "kind", "command", "hint", "solution", "wrong", "seconds",
    "because", "field",
];
/// The settings of some kinds.
const OF_KINDS: [(&str, &[&str]); 15] = [
    ("step", &["lesson"]),
    ("line", &["lesson"]),
    ("uses", &["lesson"]),
    ("loaded", &["lesson"]),
    ("answer", &["lesson"]),
    ("count", &["lesson"]),
    ("fails", &["lesson"]),
    ("wants", &["plan"]),
    ("event", &["order"]),
    ("choice", &["choice"]),
    ("when", &["choice"]),
    ("same", &["sheet"]),
    ("words", &["text"]),
    ("draft", &["sheet", "layout", "heuristic", "evaluation"]),
    ("must", &["lesson", "text", "sheet", "layout", "heuristic", "evaluation"]),
];
/// The kinds.
const KINDS: [&str; 13] = [
    "lesson",
    "move",
    "plan",
    "number",
    "cut",
    "order",
    "values",
    "choice",
    "text",
    "sheet",
    "layout",
    "heuristic",
    "evaluation",
];
/// The settings that may be repeated: a question goes on, and the others are lists.
const LISTS: [&str; 15] = [
    "question", "begin", "hint", "wrong", "choice", "when", "must", "because", "step", "line", "uses", "loaded",
    "answer", "count", "fails",
];

/// The seconds that a judge may take, if the file does not say.
const SECONDS: u64 = 30;

/// The lines of a task.
pub(super) struct TaskLines<'t> {
    pub(super) lines: Vec<SettingLine<'t>>,
    pub(super) end: TextPart<'t>,
}

impl<'t> TaskLines<'t> {
    /// The task, or the first mistake: of the lines in their order, and then of what is missing.
    pub(super) fn task(&self, name: String, folder: Option<PathBuf>) -> Result<Task, SettingMistake> {
        self.check()?;
        let kind = self.needed("kind")?;
        let section = self.needed("section")?;
        let command = self.one("command");
        let solution = self.one("solution");
        let kind = self.kind(kind)?;
        if let (true, None) = (kind.is_computed(), command) {
            return Err(self.end.mistake(format!("a task of kind `{}` needs a `command`", kind.word())));
        }
        if let (false, None) =
            (kind.is_computed() || matches!(kind, TaskKind::Lesson { .. } | TaskKind::Choice { .. }), solution)
        {
            return Err(self.end.mistake(format!("a task of kind `{}` needs a `solution`", kind.word())));
        }
        if let (TaskKind::File { content: WrittenContent::Heuristic | WrittenContent::Evaluation, .. }, None) =
            (&kind, self.one("game"))
        {
            return Err(self.end.mistake(format!("a task of kind `{}` needs a `game`", kind.word())));
        }
        let is_lesson = matches!(kind, TaskKind::Lesson { .. });
        let seconds = self.one("seconds").map_or(Ok(SECONDS), TextPart::count)?;
        Ok(Task {
            name,
            title: self.needed("title")?.text.to_string(),
            section: section.text.to_string(),
            game: self.one("game").map(|game| game.text.to_string()),
            begin: self.texts("begin"),
            question: {
                self.needed("question")?;
                self.texts("question").join(" ")
            },
            kind,
            // The hints of a lesson are those of its steps.
            hints: if is_lesson { Vec::new() } else { self.texts("hint") },
            command: command.map(|command| command.text.to_string()),
            solution: solution.map(|solution| solution.text.to_string()),
            draft: self.one("draft").map(|draft| draft.text.to_string()),
            wrong: self.texts("wrong"),
            time: Duration::from_secs(seconds),
            folder,
        })
    }

    /// The first line with a setting that does not exist, is not one of this kind or is given twice, or with a value
    /// that the setting cannot have.
    fn check(&self) -> Result<(), SettingMistake> {
        let kind = self.one("kind").map(|kind| kind.text).filter(|kind| KINDS.contains(kind));
        for (index, &SettingLine { key, value }) in self.lines.iter().enumerate() {
            let of_kind = OF_KINDS.iter().find(|(name, _)| *name == key.text);
            if of_kind.is_none() && !SETTINGS.contains(&key.text) {
                let known: Vec<&str> = SETTINGS.into_iter().chain(OF_KINDS.iter().map(|(name, _)| *name)).collect();
                let help = Some(near_or_all(key.text, &known));
                return Err(SettingMistake { help, ..key.mistake(format!("there is no setting `{}`", key.text)) });
            }
            if let (Some((_, kinds)), Some(kind)) = (of_kind, kind)
                && !kinds.contains(&kind)
            {
                return Err(key.mistake(format!("`{}` is for tasks of kind {}", key.text, kinds.join(", "))));
            }
            let is_list = LISTS.contains(&key.text);
            if !is_list && self.lines[..index].iter().any(|line| line.key.text == key.text) {
                return Err(key.mistake(format!("`{}` is set a second time", key.text)));
            }
            match key.text {
                "kind" if kind.is_none() => return Err(unknown_kind(value)),
                "section" if !is_section(value.text) => {
                    return Err(value.mistake(format!("`{}` is no item of the course, such as S3.7", value.text)));
                }
                "seconds" => drop(value.count()?),
                "wants" => drop(wishes(value)?),
                "event" => drop(event(value)?),
                "must" | "when" => drop(test(value)?),
                _ => {}
            }
        }
        Ok(())
    }

    fn kind(&self, kind: TextPart<'t>) -> Result<TaskKind, SettingMistake> {
        let file = |content| {
            let same = self.one("same").map(|game| game.text.to_string());
            let conditions = self.conditions("must")?;
            if conditions.is_empty() && same.is_none() {
                return Err(kind.mistake("what has to hold of the answer? `must` says it"));
            }
            Ok(TaskKind::File { content, same, conditions })
        };
        Ok(match kind.text {
            "move" => TaskKind::Move,
            "plan" => TaskKind::Plan { wants: wishes(self.needed("wants")?)? },
            "number" => TaskKind::Number { field: self.one("field").map(|field| field.text.to_string()) },
            "cut" => TaskKind::Cut,
            "order" => TaskKind::Order { event: self.one("event").map_or(Ok(NodeEvent::Generated), event)? },
            "values" => TaskKind::Values,
            "lesson" => TaskKind::Lesson { steps: self.steps()? },
            "choice" => TaskKind::Choice { choices: self.choices()? },
            "text" => {
                let conditions = self.conditions("must")?;
                if conditions.is_empty() {
                    return Err(kind.mistake("what has to hold of the answer? `must` says it"));
                }
                let words = self
                    .one("words")
                    .map_or(Vec::new(), |words| words.listed().map(|word| word.text.to_string()).collect());
                TaskKind::Text { words, conditions }
            }
            "sheet" => file(WrittenContent::Sheet)?,
            "layout" => file(WrittenContent::Layout)?,
            "heuristic" => file(WrittenContent::Heuristic)?,
            "evaluation" => file(WrittenContent::Evaluation)?,
            _ => return Err(unknown_kind(kind)),
        })
    }

    /// The steps of a lesson, each with the settings after it.
    fn steps(&self) -> Result<Vec<LessonStep>, SettingMistake> {
        let mut steps: Vec<(TextPart<'t>, LessonStep)> = Vec::new();
        let is_of_step = |line: &&SettingLine<'t>| {
            line.key.text == "hint"
                || OF_KINDS.iter().any(|(name, kinds)| *name == line.key.text && kinds.contains(&"lesson"))
        };
        for &SettingLine { key, value } in self.lines.iter().filter(is_of_step) {
            let text = value.text.to_string();
            if key.text == "step" {
                let step = LessonStep { text, line: String::new(), hint: String::new(), conditions: Vec::new() };
                steps.push((value, step));
                continue;
            }
            let Some((_, step)) = steps.last_mut() else {
                return Err(key.mistake(format!("`{}` belongs to the `step` before it", key.text)));
            };
            let own = match key.text {
                "line" => &mut step.line,
                "hint" => &mut step.hint,
                _ => {
                    step.conditions.push(match key.text {
                        "uses" => StepCondition::Uses(text),
                        "loaded" => StepCondition::Loaded(text),
                        "answer" => StepCondition::Answer(text),
                        "count" => StepCondition::Count(text),
                        "fails" => StepCondition::Fails(text),
                        _ => StepCondition::Must(text),
                    });
                    continue;
                }
            };
            if !own.is_empty() {
                return Err(key.mistake(format!("`{}` is set a second time in this step", key.text)));
            }
            *own = text;
        }
        for (part, LessonStep { line, hint, conditions, .. }) in &steps {
            let missing = [("line", line.is_empty()), ("hint", hint.is_empty()), ("condition", conditions.is_empty())];
            if let Some((name, _)) = missing.iter().find(|(_, is_missing)| *is_missing) {
                return Err(part.mistake(format!("this step has no {name}")));
            }
        }
        match steps.is_empty() {
            true => Err(self.end.mistake("a lesson needs steps")),
            false => Ok(steps.into_iter().map(|(_, step)| step).collect()),
        }
    }

    /// The statements, each with the condition on the line after it.
    fn choices(&self) -> Result<Vec<StatedChoice>, SettingMistake> {
        let mut choices: Vec<StatedChoice> = Vec::new();
        let mut stated: Option<TextPart<'t>> = None;
        for line in self.lines.iter().filter(|line| ["choice", "when", "because"].contains(&line.key.text)) {
            if let ("because", Some(choice), None) = (line.key.text, choices.last_mut(), stated) {
                choice.when.because = Some(line.value.text.to_string());
                continue;
            }
            match (line.key.text, stated.take()) {
                ("choice", None) => stated = Some(line.value),
                ("choice", Some(part)) => return Err(part.mistake("a choice needs a line `when = CONDITION` after it")),
                (_, None) => return Err(line.key.mistake("`when` belongs to the `choice` before it")),
                (_, Some(text)) => {
                    let name = char::from(b'a' + u8::try_from(choices.len().min(25)).unwrap_or(0)).to_string();
                    let when = TaskCondition { test: test(line.value)?, because: None };
                    choices.push(StatedChoice { name, text: text.text.to_string(), when });
                }
            }
        }
        match (stated, choices.len()) {
            (Some(part), _) => Err(part.mistake("a choice needs a line `when = CONDITION` after it")),
            (None, 0 | 1) => Err(self.end.mistake("a task of kind `choice` needs two choices or more")),
            (None, _) => Ok(choices),
        }
    }

    /// The conditions with the replies on the lines after them.
    fn conditions(&self, name: &str) -> Result<Vec<TaskCondition>, SettingMistake> {
        let mut conditions: Vec<TaskCondition> = Vec::new();
        for line in self.lines.iter().filter(|line| [name, "because"].contains(&line.key.text)) {
            if line.key.text == name {
                conditions.push(TaskCondition { test: test(line.value)?, because: None });
                continue;
            }
            match conditions.last_mut().filter(|condition| condition.because.is_none()) {
                Some(condition) => condition.because = Some(line.value.text.to_string()),
                None => return Err(line.key.mistake(format!("`because` belongs to the `{name}` before it"))),
            }
        }
        Ok(conditions)
    }

    fn one(&self, key: &str) -> Option<TextPart<'t>> {
        self.lines.iter().find(|line| line.key.text == key).map(|line| line.value)
    }

    fn needed(&self, key: &str) -> Result<TextPart<'t>, SettingMistake> {
        self.one(key).ok_or_else(|| self.end.mistake(format!("`{key}` is missing")))
    }

    fn texts(&self, key: &str) -> Vec<String> {
        let lines = self.lines.iter().filter(|line| line.key.text == key);
        lines.map(|line| line.value.text.to_string()).collect()
    }
}

/// `S3.7` and the like; also a section of conventions, `C1`, and a lesson, `L1`.
fn is_section(text: &str) -> bool {
    let numbers = text.strip_prefix(['L', 'S', 'C']).unwrap_or_default();
    !numbers.is_empty() && numbers.split('.').all(|part| part.parse::<u32>().is_ok())
}

fn unknown_kind(kind: TextPart<'_>) -> SettingMistake {
    let help = Some(near_or_all(kind.text, &KINDS));
    SettingMistake { help, ..kind.mistake(format!("there is no kind `{}` of tasks", kind.text)) }
}

/// The properties that a plan must have, or with `not ` before them must not have.
fn wishes(wants: TextPart<'_>) -> Result<Vec<PlanWish>, SettingMistake> {
    let wish = |part: TextPart<'_>| {
        let (is_wanted, word) = part.text.strip_prefix("not ").map_or((true, part.text), |word| (false, word));
        let property = PlanProperty::ALL.iter().find(|(name, _)| *name == word.trim());
        property.map(|&(_, property)| PlanWish { property, is_wanted }).ok_or_else(|| {
            let help = Some(near_or_all(word, &PlanProperty::ALL.map(|(name, _)| name)));
            SettingMistake { help, ..part.mistake(format!("`{word}` is no property of plans")) }
        })
    };
    wants.listed().map(wish).collect()
}

fn event(event: TextPart<'_>) -> Result<NodeEvent, SettingMistake> {
    match event.text {
        "generated" => Ok(NodeEvent::Generated),
        "expanded" => Ok(NodeEvent::Expanded),
        "valued" => Ok(NodeEvent::Valued),
        _ => Err(event.mistake("an event is `generated`, `expanded` or `valued`")),
    }
}

/// A condition: a comparison if it has the form of one, otherwise an expectation.
fn test(part: TextPart<'_>) -> Result<ConditionTest, SettingMistake> {
    if let Some(games) = part.text.strip_prefix("same ") {
        let games = games.trim().split_once(' ').filter(|(_, other)| !other.trim().is_empty());
        let (game, other) = games.ok_or_else(|| part.mistake("which two games are the same? `same GAME OTHER`"))?;
        return Ok(ConditionTest::Same { game: game.to_string(), other: other.trim().to_string() });
    }
    let Some((left, right)) = part.split_once('<') else { return Ok(ConditionTest::Expect(part.text.to_string())) };
    let side = |part: TextPart<'_>| match (part.text.parse(), part.text.split_once(" of ")) {
        (Ok(number), _) => Ok(ComparedNumber::Number(number)),
        (Err(_), Some((field, command))) => {
            Ok(ComparedNumber::Answer { field: field.trim().to_string(), command: command.trim().to_string() })
        }
        (Err(_), None) => Err(part.mistake("a side of `<` is a number or `FIELD of COMMAND`")),
    };
    Ok(ConditionTest::Less { left: side(left)?, right: side(right)? })
}
