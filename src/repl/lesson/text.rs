//! Reads the text of a lesson.

use super::{Lesson, LessonTask, StepCondition};

/// The lesson in a text; a message with its line if the text is not one.
pub(super) fn read(number: usize, text: &str) -> Result<Lesson, String> {
    let mut blocks = blocks(text)?.into_iter();
    let mut lesson = head(number, blocks.next().ok_or("the text is empty")?)?;
    lesson.steps = blocks.map(step).collect::<Result<_, _>>()?;
    match lesson.steps.is_empty() {
        true => Err("there are no steps".to_string()),
        false => Ok(lesson),
    }
}

/// A line `key: value`, with the lines that continue it.
struct KeyLine<'a> {
    line: usize,
    key: &'a str,
    value: String,
}

/// The blocks of entries with empty lines between them.
fn blocks(text: &str) -> Result<Vec<Vec<KeyLine<'_>>>, String> {
    let mut blocks: Vec<Vec<KeyLine>> = vec![Vec::new()];
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let line_number = index + 1;
        let block = blocks.last_mut().expect("there is always one");
        if line.trim().is_empty() {
            if !block.is_empty() {
                blocks.push(Vec::new());
            }
        } else if line.starts_with(' ') {
            let entry = block.last_mut().ok_or_else(|| format!("line {line_number} continues nothing"))?;
            entry.value += &format!(" {}", line.trim());
        } else {
            let (key, value) =
                line.split_once(": ").ok_or_else(|| format!("line {line_number} is not of the form `key: value`"))?;
            block.push(KeyLine { line: line_number, key, value: value.trim().to_string() });
        }
    }
    blocks.retain(|block| !block.is_empty());
    Ok(blocks)
}

fn head(number: usize, entries: Vec<KeyLine<'_>>) -> Result<Lesson, String> {
    let name = String::new();
    let title = String::new();
    let about = String::new();
    let mut lesson = Lesson { number, name, title, about, begin: Vec::new(), steps: Vec::new() };
    for KeyLine { line, key, value } in entries {
        match key {
            "name" => lesson.name = value,
            "title" => lesson.title = value,
            "about" => lesson.about = value,
            "begin" => lesson.begin.push(value),
            _ => return Err(format!("line {line}: a lesson has no `{key}`")),
        }
    }
    let given = [("name", &lesson.name), ("title", &lesson.title), ("about", &lesson.about)];
    match given.iter().find(|(_, value)| value.is_empty()) {
        Some((key, _)) => Err(format!("`{key}` is missing")),
        None => Ok(lesson),
    }
}

fn step(entries: Vec<KeyLine<'_>>) -> Result<LessonTask, String> {
    let first = entries.first().map_or(0, |entry| entry.line);
    let mut task = LessonTask { text: String::new(), line: String::new(), hint: String::new(), conditions: Vec::new() };
    for KeyLine { line, key, value } in entries {
        match key {
            "step" => task.text = value,
            "line" => task.line = value,
            "hint" => task.hint = value,
            "uses" => task.conditions.push(StepCondition::Uses(value)),
            "game" => task.conditions.push(StepCondition::Game(value)),
            "answer" => task.conditions.push(StepCondition::Answer(value)),
            "count" => task.conditions.push(StepCondition::Count(value)),
            "fails" => task.conditions.push(StepCondition::Fails(value)),
            "then" => task.conditions.push(StepCondition::Then(value)),
            _ => return Err(format!("line {line}: a step has no `{key}`")),
        }
    }
    let given = [("step", &task.text), ("line", &task.line), ("hint", &task.hint)];
    match given.iter().find(|(_, value)| value.is_empty()) {
        Some((key, _)) => Err(format!("line {first}: the step has no `{key}`")),
        None if task.conditions.is_empty() => Err(format!("line {first}: the step has no condition")),
        None => Ok(task),
    }
}
