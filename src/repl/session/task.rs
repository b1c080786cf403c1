//! The task of the course that a session is about, and the marks of who does it.

use super::{Match, Session};
use crate::repl::course::{Marks, Task};
use std::sync::Arc;

/// A task that is being done.
pub(crate) struct RunningTask {
    pub(crate) task: Arc<Task>,
    /// The plies of the match where the task begins: those after it are moves of an answer.
    pub(crate) ply: usize,
    /// The hints that were shown.
    pub(crate) hints: usize,
    /// The match before the first task, which comes back at the end.
    before: Option<Match>,
}

impl Session {
    /// The task that is being done, if one is.
    pub(crate) fn task(&self) -> Option<&RunningTask> {
        self.task.as_ref()
    }

    /// Begins a task whose position is the current match. `before` is the match before it, which comes back after the
    /// last task.
    pub(crate) fn begin_task(&mut self, task: Arc<Task>, before: Option<Match>) {
        let ply = self.current.as_ref().map_or(0, Match::ply);
        let before = self.leave_course(before);
        let hints = (self.marks.of(&task.name).hints as usize).min(task.hints.len());
        self.task = Some(RunningTask { task, ply, hints, before });
    }

    /// Leaves the task or the lesson that runs. Returns the match that comes back after what follows it: the one before
    /// the first of them, or `current` if none runs.
    pub(super) fn leave_course(&mut self, current: Option<Match>) -> Option<Match> {
        let of_task = self.task.take().map(|running| running.before);
        let of_lesson = self.lesson.take().map(|running| running.before);
        of_task.or(of_lesson).unwrap_or(current)
    }

    /// The next hint of the task, which counts as shown; `None` if there is no task, or no other hint.
    pub(crate) fn next_hint(&mut self) -> Option<String> {
        let running = self.task.as_mut()?;
        let hint = running.task.hints.get(running.hints)?.clone();
        running.hints += 1;
        let number = u32::try_from(running.hints).unwrap_or(u32::MAX);
        self.marks.note_hints(&running.task.name, number);
        self.has_new_marks = true;
        Some(hint)
    }

    /// Ends the task. The match before it comes back; if there was none, the current one stays. Returns the name and
    /// ply of the match that is back.
    pub(crate) fn end_task(&mut self) -> Option<(String, usize)> {
        let before = self.task.take()?.before?;
        let back = (before.game.name.clone(), before.ply());
        self.current = Some(before);
        Some(back)
    }

    /// The marks of the course.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// The marks of the course, to be changed.
    pub(crate) fn marks_mut(&mut self) -> &mut Marks {
        self.has_new_marks = true;
        &mut self.marks
    }

    /// The marks, if they have changed since the last call.
    #[cfg(feature = "cli")]
    pub(crate) fn take_changed_marks(&mut self) -> Option<Marks> {
        std::mem::take(&mut self.has_new_marks).then(|| self.marks.clone())
    }

    /// With the marks of an earlier session.
    #[cfg(feature = "cli")]
    pub(crate) fn with_marks(self, marks: Marks) -> Self {
        Self { marks, ..self }
    }
}
