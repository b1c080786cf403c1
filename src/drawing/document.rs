//! SVG documents: what stands around every picture, and how text is written in them. No scripts, no fonts of their own.

/// A document of a size in pixels: a style sheet, a white ground, and the elements of the picture.
pub(super) fn document(width: f64, height: f64, style: &str, elements: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>{style}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{elements}</svg>\n"
    )
}

/// Text between tags or within quotation marks.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
