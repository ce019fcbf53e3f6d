//! The filters and functions of Jinja2 that minijinja lacks or words differently. The behaviour is
//! that of Jinja2's own documentation; tests/template compares both.

use crate::text;
use minijinja::value::{from_args, Kwargs, Object, ObjectRepr, Rest, Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State};
use minijinja_contrib::{filters as contrib, globals, pycompat};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

pub fn register(environment: &mut Environment<'static>) {
    environment.set_unknown_method_callback(method);
    environment.add_filter("escape", escape);
    environment.add_filter("e", escape);
    environment.add_filter("replace", replace);
    environment.add_filter("int", int);
    environment.add_filter("float", float);
    environment.add_filter("urlencode", urlencode);
    environment.add_filter("filesizeformat", contrib::filesizeformat);
    environment.add_filter("striptags", contrib::striptags);
    environment.add_filter("tojson", tojson);
    environment.add_filter("fromjson", fromjson);
    environment.add_filter("wordcount", wordcount);
    environment.add_filter("truncate", truncate);
    environment.add_filter("center", center);
    environment.add_filter("indent", indent);
    environment.add_filter("wordwrap", wordwrap);
    environment.add_function("cycler", cycler);
    environment.add_function("joiner", globals::joiner);
}

fn invalid(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}

// A positional argument, or the one of that name, or the default.
fn option<T>(given: Option<T>, kwargs: &Kwargs, name: &'static str, default: T) -> Result<T, Error>
where
    T: for<'a> minijinja::value::ArgType<'a, Output = T>,
{
    match given {
        Some(value) => Ok(value),
        None => Ok(kwargs.get::<Option<T>>(name)?.unwrap_or(default)),
    }
}

// Python's methods; those that pad are missing in the library.
fn method(
    state: &mut State<'_, '_>,
    value: &Value,
    name: &str,
    args: &[Value],
) -> Result<Value, Error> {
    if let (Some(text), "zfill" | "ljust" | "rjust" | "center") = (value.as_str(), name) {
        let (width,): (usize,) = from_args(args)?;
        return Ok(Value::from(pad(text, width, name)));
    }
    pycompat::unknown_method_callback(state, value, name, args)
}

fn pad(text: &str, width: usize, method: &str) -> String {
    let blanks = width.saturating_sub(text.chars().count());
    let sign = usize::from(text.starts_with(['+', '-']));
    match method {
        "zfill" => format!("{}{}{}", &text[..sign], "0".repeat(blanks), &text[sign..]),
        "ljust" => format!("{text}{}", " ".repeat(blanks)),
        "rjust" => format!("{}{text}", " ".repeat(blanks)),
        _ => {
            // Python puts the odd blank to the left when the width is odd.
            let left = blanks / 2 + (blanks & width & 1);
            format!("{}{text}{}", " ".repeat(left), " ".repeat(blanks - left))
        }
    }
}

/// The entities that Jinja2 writes; the library also escapes `/`.
fn escape(value: &Value) -> Value {
    let mut escaped = String::new();
    for character in value.to_string().chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&#34;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    Value::from_safe_string(escaped)
}

fn replace(text: &str, old: &str, new: &str, count: Option<usize>) -> String {
    match count {
        Some(count) => text.replacen(old, new, count),
        None => text.replace(old, new),
    }
}

// What is no number is 0 unless a default says otherwise; the library fails then.
fn int(
    state: &State,
    value: &Value,
    default: Option<Value>,
    base: Option<u32>,
    kwargs: Kwargs,
) -> Result<Value, Error> {
    let default = option(default, &kwargs, "default", Value::from(0))?;
    minijinja::filters::int(state, value, Some(default), base, kwargs)
}

fn float(
    state: &State,
    value: &Value,
    default: Option<Value>,
    kwargs: Kwargs,
) -> Result<Value, Error> {
    let default = option(default, &kwargs, "default", Value::from(0.0))?;
    minijinja::filters::float(state, value, Some(default), kwargs)
}

// In a query a blank is a plus.
fn urlencode(value: &Value) -> Result<String, Error> {
    let encoded = minijinja::filters::urlencode(value)?;
    Ok(if value.kind() == ValueKind::Map {
        encoded.replace("%20", "+")
    } else {
        encoded
    })
}

/// Plain JSON. The library's own makes `<`, `>`, `&` and `'` safe for HTML, which mangles code.
fn tojson(value: &Value, indent: Option<Value>, kwargs: Kwargs) -> Result<String, Error> {
    let escaped = minijinja::filters::tojson(value, indent, kwargs)?.to_string();
    let mut plain = String::with_capacity(escaped.len());
    let mut rest = escaped.as_str();
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let character = match rest.get(..6) {
            Some("\\u003c") => '<',
            Some("\\u003e") => '>',
            Some("\\u0026") => '&',
            Some("\\u0027") => '\'',
            _ => {
                plain.push_str(&rest[..2]);
                rest = &rest[2..];
                continue;
            }
        };
        plain.push(character);
        rest = &rest[6..];
    }
    plain.push_str(rest);
    Ok(plain)
}

fn fromjson(text: &str) -> Result<Value, Error> {
    text::parse(text).map_err(|failure| invalid(format!("fromjson: {}", failure.message)))
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn wordcount(text: &str) -> usize {
    text.split(|character| !is_word(character))
        .filter(|word| !word.is_empty())
        .count()
}

fn truncate(
    text: &str,
    length: Option<usize>,
    killwords: Option<bool>,
    end: Option<String>,
    kwargs: Kwargs,
) -> Result<String, Error> {
    let length = option(length, &kwargs, "length", 255)?;
    let killwords = option(killwords, &kwargs, "killwords", false)?;
    let end = option(end, &kwargs, "end", "...".to_owned())?;
    let leeway = option(None, &kwargs, "leeway", 5)?;
    kwargs.assert_all_used()?;
    if text.chars().count() <= length + leeway {
        return Ok(text.to_owned());
    }
    let kept = length.checked_sub(end.chars().count());
    let kept =
        kept.ok_or_else(|| invalid(format!("truncate: {length} is shorter than {end:?}")))?;
    let cut: String = text.chars().take(kept).collect();
    let whole_words = if killwords { None } else { cut.rfind(' ') };
    Ok(format!("{}{end}", &cut[..whole_words.unwrap_or(cut.len())]))
}

fn center(text: &str, width: Option<usize>, kwargs: Kwargs) -> Result<String, Error> {
    let width = option(width, &kwargs, "width", 80)?;
    kwargs.assert_all_used()?;
    Ok(pad(text, width, "center"))
}

fn indent(
    text: &str,
    width: Option<Value>,
    first: Option<bool>,
    blank: Option<bool>,
    kwargs: Kwargs,
) -> Result<String, Error> {
    let width = option(width, &kwargs, "width", Value::from(4))?;
    let first = option(first, &kwargs, "first", false)?;
    let blank = option(blank, &kwargs, "blank", false)?;
    kwargs.assert_all_used()?;
    let prefix = match width.as_str() {
        Some(prefix) => prefix.to_owned(),
        None => " ".repeat(usize::try_from(width)?),
    };
    let lines = text.split('\n').enumerate().map(|(number, line)| {
        let indented = if number == 0 {
            first
        } else {
            blank || !line.is_empty()
        };
        if indented {
            format!("{prefix}{line}")
        } else {
            line.to_owned()
        }
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

fn wordwrap(
    text: &str,
    width: Option<usize>,
    break_long_words: Option<bool>,
    wrapstring: Option<String>,
    kwargs: Kwargs,
) -> Result<String, Error> {
    let width = option(width, &kwargs, "width", 79)?.max(1);
    let break_long_words = option(break_long_words, &kwargs, "break_long_words", true)?;
    let wrapstring = option(wrapstring, &kwargs, "wrapstring", "\n".to_owned())?;
    let on_hyphens = option(None, &kwargs, "break_on_hyphens", true)?;
    kwargs.assert_all_used()?;
    let lines = text.lines().map(|line| {
        let pieces = pieces(line, on_hyphens);
        fill(pieces, width, break_long_words).join(&wrapstring)
    });
    Ok(lines.collect::<Vec<_>>().join(&wrapstring))
}

// Runs of blanks and words, the latter cut behind hyphens between letters.
fn pieces(line: &str, on_hyphens: bool) -> Vec<String> {
    let characters: Vec<char> = line.chars().collect();
    let mut pieces: Vec<String> = Vec::new();
    for (at, &character) in characters.iter().enumerate() {
        let fresh = at == 0
            || character.is_whitespace() != characters[at - 1].is_whitespace()
            || on_hyphens
                && characters[at - 1] == '-'
                && at >= 2
                && characters[at - 2].is_alphabetic()
                && character.is_alphabetic();
        if fresh {
            pieces.push(String::new());
        }
        pieces
            .last_mut()
            .expect("the first character is fresh")
            .push(character);
    }
    pieces
}

fn fill(pieces: Vec<String>, width: usize, break_long_words: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut waiting: Vec<String> = pieces.into_iter().rev().collect();
    while let Some(piece) = waiting.pop() {
        let room = width.saturating_sub(line.chars().count());
        if line.is_empty() && !lines.is_empty() && piece.trim().is_empty() {
            continue;
        }
        if piece.chars().count() <= room {
            line.push_str(&piece);
        } else if piece.chars().count() > width && break_long_words && room > 0 {
            line.extend(piece.chars().take(room));
            waiting.push(piece.chars().skip(room).collect());
        } else if line.is_empty() {
            line = piece;
        } else {
            waiting.push(piece);
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
        }
    }
    if !line.trim().is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Jinja2's cycler: `next()`, `reset()` and `current`.
#[derive(Debug)]
struct Cycler {
    items: Vec<Value>,
    position: AtomicUsize,
}

impl Cycler {
    fn current(&self) -> Value {
        self.items[self.position.load(Ordering::Relaxed) % self.items.len()].clone()
    }
}

impl Object for Cycler {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        (key.as_str() == Some("current")).then(|| self.current())
    }

    fn call_method(
        self: &Arc<Self>,
        _state: &mut State<'_, '_>,
        method: &str,
        args: &[Value],
    ) -> Result<Value, Error> {
        let () = from_args(args)?;
        match method {
            "next" => {
                let item = self.current();
                self.position.fetch_add(1, Ordering::Relaxed);
                Ok(item)
            }
            "reset" => {
                self.position.store(0, Ordering::Relaxed);
                Ok(Value::from(()))
            }
            _ => Err(Error::from(ErrorKind::UnknownMethod)),
        }
    }
}

fn cycler(items: Rest<Value>) -> Result<Value, Error> {
    if items.is_empty() {
        return Err(invalid("cycler: at least one item is needed"));
    }
    Ok(Value::from_object(Cycler {
        items: items.0,
        position: AtomicUsize::new(0),
    }))
}
