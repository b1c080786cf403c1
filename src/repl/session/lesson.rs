//! The lesson that runs in a session.

use super::{Match, Session};
use crate::repl::lesson::{Lesson, LessonPage, LessonRemark, LessonTask};

/// A lesson with its progress.
pub(crate) struct RunningLesson {
    /// The lesson.
    pub(crate) lesson: &'static Lesson,
    /// The index of the step that is next.
    pub(crate) step: usize,
    /// The match before the lesson began, which comes back when it ends.
    before: Option<Match>,
}

impl RunningLesson {
    /// The step that is next.
    pub(crate) fn task(&self) -> &'static LessonTask {
        &self.lesson.steps[self.step]
    }

    /// The step that is next, as a page.
    pub(crate) fn page(&self) -> LessonPage {
        self.lesson.page(self.step)
    }
}

impl Session {
    /// The lesson that runs, if one does.
    pub(crate) fn lesson(&self) -> Option<&RunningLesson> {
        self.lesson.as_ref()
    }

    /// Begins a lesson, without a game. A lesson that runs ends; what was loaded before it is kept.
    pub(crate) fn begin_lesson(&mut self, lesson: &'static Lesson) {
        let current = self.current.take();
        let before = self.lesson.take().map_or(current, |running| running.before);
        self.lesson = Some(RunningLesson { lesson, step: 0, before });
    }

    /// Makes a step of the running lesson the next one.
    pub(crate) fn go_to_step(&mut self, step: usize) {
        if let Some(running) = &mut self.lesson {
            running.step = step;
        }
    }

    /// Ends the running lesson. The match before it comes back; if there was none, the current one stays. Returns the
    /// lesson, and the name and ply of the match that is back.
    pub(crate) fn end_lesson(&mut self) -> Option<(&'static Lesson, Option<(String, usize)>)> {
        let running = self.lesson.take()?;
        let back = running.before.as_ref().map(|before| (before.game.name.clone(), before.ply()));
        if running.before.is_some() {
            self.current = running.before;
        }
        Some((running.lesson, back))
    }

    /// Notes what is said of the last line.
    pub(crate) fn remark(&mut self, remark: LessonRemark) {
        self.remark = Some(remark);
    }

    /// Removes and returns what is said of the last line by the lesson that runs.
    pub fn take_remark(&mut self) -> Option<LessonRemark> {
        self.remark.take()
    }
}
