//! Messages in the path of a `GET`: `/%28info%29`.

/// The text of a path behind its first `/`: `%28` is a byte, `+` is a blank. What is no code stands for itself.
pub(super) fn decode(path: &str) -> String {
    let path = path.strip_prefix('/').unwrap_or(path);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = behind.get(..2).filter(|_| first == b'%').and_then(hexadecimal);
        bytes.push(code.unwrap_or(if first == b'+' { b' ' } else { first }));
        rest = if code.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let digit = |&byte: &u8| char::from(byte).to_digit(16);
    let [high, low] = digits else { return None };
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}
