//! SVG documents: the frame of every picture, and the escaping of text. They contain no scripts and no fonts.

/// A document with this size in pixels: the CSS, a white background, and the elements of the picture.
pub(super) fn document(width: f64, height: f64, style: &str, elements: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>{style}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{elements}</svg>\n"
    )
}

/// Escapes text for use between tags or in attributes.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
