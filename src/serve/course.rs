//! The pages of the course, which are part of the program: examples and exercises whose commands a page runs.

use pulldown_cmark::{Options, Parser, html};

/// All pages, by their names: Markdown.
const PAGES: [(&str, &str); 7] = [
    ("README", include_str!("../../docs/course/README.md")),
    ("slides", include_str!("../../docs/course/slides.md")),
    ("chapter", include_str!("../../docs/course/chapter.md")),
    ("video", include_str!("../../docs/course/video.md")),
    ("coursework", include_str!("../../docs/course/coursework.md")),
    ("lecture", include_str!("../../docs/course/lecture.md")),
    ("conventions", include_str!("../../docs/course/conventions.md")),
];

/// A page as HTML, without a head; `None` if there is none of this name.
pub(super) fn page(name: &str) -> Option<String> {
    let (_, text) = PAGES.iter().find(|(known, _)| *known == name)?;
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(text, Options::ENABLE_TABLES));
    Some(page)
}
