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
    PAGES.iter().find(|(known, _)| *known == name).map(|(_, text)| to_html(text))
}

/// All pages, by their names.
pub(super) fn pages() -> impl Iterator<Item = (&'static str, String)> {
    PAGES.iter().map(|&(name, text)| (name, to_html(text)))
}

fn to_html(text: &str) -> String {
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(text, Options::ENABLE_TABLES));
    page
}
