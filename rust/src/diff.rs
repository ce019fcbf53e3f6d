//! The difference of two texts as runs of words or of lines.

use crate::Failure;
use serde::Serialize;
use similar::{Algorithm, ChangeTag, TextDiff};
use std::time::Duration;

const LINES: u32 = 1;

/// Texts that differ in everything are compared in this time, more coarsely if need be.
const LONGEST: Duration = Duration::from_secs(2);

/// What happened to a piece of text: "=" kept, "-" taken out, "+" put in.
#[derive(Serialize)]
struct Piece(&'static str, String);

pub fn difference(before: &str, after: &str, flags: u32) -> Result<String, Failure> {
    let mut config = TextDiff::configure();
    config.algorithm(Algorithm::Myers).timeout(LONGEST);
    let diff = if flags & LINES == 0 {
        config.diff_words(before, after)
    } else {
        config.diff_lines(before, after)
    };
    let mut pieces: Vec<Piece> = Vec::new();
    for change in diff.iter_all_changes() {
        let mark = mark_of(change.tag());
        match pieces.last_mut() {
            Some(last) if last.0 == mark => last.1.push_str(change.value()),
            _ => pieces.push(Piece(mark, change.value().to_string())),
        }
    }
    serde_json::to_string(&pieces).map_err(|error| Failure::bug(error.to_string()))
}

fn mark_of(tag: ChangeTag) -> &'static str {
    match tag {
        ChangeTag::Equal => "=",
        ChangeTag::Delete => "-",
        ChangeTag::Insert => "+",
    }
}
