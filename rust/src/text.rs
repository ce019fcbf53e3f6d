//! Reading JSON text within limits, and naming places and values in sentences.

use crate::Failure;
use serde::de::DeserializeOwned;
use serde_json::{Deserializer, Value};

/// The depth that hone's own reader allows.
const MAX_DEPTH: usize = 200;

/// Longer values are cut when a message shows them.
const SHOWN: usize = 60;

pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    if depth(text) > MAX_DEPTH {
        return Err(Failure::invalid(format!(
            "the JSON nests deeper than {MAX_DEPTH}"
        )));
    }
    let mut reader = Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = T::deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| Failure::invalid(format!("the text is not JSON: {error}")))
}

// An upper bound for well-formed text; malformed text fails in the parser.
fn depth(text: &str) -> usize {
    let (mut open, mut deepest, mut quoted) = (0usize, 0usize, false);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if quoted => drop(bytes.next()),
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                open += 1;
                deepest = deepest.max(open);
            }
            b'}' | b']' if !quoted => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// `/a~1b/0` as its names `a/b` and `0`.
pub fn names(pointer: &str) -> impl Iterator<Item = String> + '_ {
    pointer
        .split('/')
        .skip(1)
        .map(|name| name.replace("~1", "/").replace("~0", "~"))
}

/// The pointer of a member.
pub fn child(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// How a sentence calls a place: `items.0.name`, or "the document" for all of it.
pub fn place(pointer: &str) -> String {
    if pointer.is_empty() {
        return "the document".into();
    }
    format!("`{}`", names(pointer).collect::<Vec<_>>().join("."))
}

/// The value as JSON, cut if it is long.
pub fn show(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// "the string \"five\"", "the number 5", "an object".
pub fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) => format!("the boolean {value}"),
        Value::Number(_) => format!("the number {value}"),
        Value::String(_) => format!("the string {}", show(value)),
        Value::Array(items) => {
            format!("an array of {}", count(items.len() as u64, "item", "items"))
        }
        Value::Object(_) => "an object".into(),
    }
}

pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
