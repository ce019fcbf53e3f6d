//! JSON Schemas as constraints on what a model writes: which tokens may come next.

use crate::text::parse;
use crate::Failure;
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, InferenceCapabilities, TokRxInfo, TokTrie};
use llguidance::{Matcher, ParserFactory};
use serde_json::{json, Value};
use std::sync::Arc;

const LENIENT: u32 = 1;

/// Between two tokens of JSON: one blank, or a new line with its indent. A weak model that may
/// write any amount of white space writes nothing else.
const WHITE_SPACE: &str = "[ ]|\n[ ]{0,16}";

pub struct Vocabulary {
    factory: ParserFactory,
}

impl Vocabulary {
    /// `tokens` are the bytes of each token in order; empty ones are never allowed. `ends` are the
    /// tokens that end an answer.
    pub fn new(tokens: &[Vec<u8>], ends: &[u32]) -> Result<Vocabulary, Failure> {
        let Some(first) = ends.first() else {
            return Err(Failure::invalid(
                "the vocabulary has no token that ends an answer",
            ));
        };
        let trie = TokTrie::from(&TokRxInfo::new(tokens.len() as u32, *first), tokens);
        let environment = Arc::new(ApproximateTokEnv::new(trie.with_eos_tokens(ends)));
        let slices = llguidance::earley::SlicedBiasComputer::json_slices();
        let environment = environment as llguidance::toktrie::TokEnv;
        let mut factory =
            ParserFactory::new(&environment, InferenceCapabilities::default(), &slices)
                .map_err(|error| Failure::invalid(error.to_string()))?;
        factory.quiet();
        factory.limits_mut().verbose_errors = false;
        Ok(Vocabulary { factory })
    }
}

pub struct Constraint {
    matcher: Matcher,
}

impl Constraint {
    pub fn new(vocabulary: &Vocabulary, schema: &str, flags: u32) -> Result<Constraint, Failure> {
        let grammar = TopLevelGrammar::from_json_schema(with_options(parse(schema)?, flags));
        let parser = vocabulary.factory.create_parser(grammar);
        let matcher = Matcher::new(parser);
        match matcher.get_error() {
            Some(reason) => Err(Failure::invalid(first_line(&reason))),
            None => Ok(Constraint { matcher }),
        }
    }

    /// Goes on by `token` if it may come next; false, and nothing changed, if it may not.
    pub fn take(&mut self, token: u32) -> Result<bool, Failure> {
        let taken = self.matcher.try_consume_tokens(&[token]);
        taken.map(|count| count == 1).map_err(stuck)
    }

    /// Sets the bit of each token that may come next.
    pub fn mask(&mut self, words: &mut [u32]) -> Result<(), Failure> {
        let allowed = self.matcher.compute_mask_or_eos().map_err(stuck)?;
        words.fill(0);
        for (to, from) in words.iter_mut().zip(allowed.as_slice()) {
            *to = *from;
        }
        Ok(())
    }

    /// Whether the document is complete and nothing may follow.
    pub fn is_done(&self) -> bool {
        self.matcher.is_stopped()
    }
}

fn with_options(schema: Value, flags: u32) -> Value {
    let mut members = match schema {
        Value::Object(members) => members,
        Value::Bool(true) => serde_json::Map::new(),
        other => return other,
    };
    let options = json!({
        "whitespace_flexible": true,
        "whitespace_pattern": WHITE_SPACE,
        "lenient": flags & LENIENT != 0,
    });
    members.insert("x-guidance".into(), options);
    Value::Object(members)
}

fn stuck(error: impl std::fmt::Display) -> Failure {
    Failure::invalid(first_line(&error.to_string()))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
