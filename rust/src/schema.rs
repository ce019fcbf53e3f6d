//! JSON Schemas: compiled once, checked with all violations in the order of the document.

use crate::message;
use crate::tally::Tally;
use crate::text::{child, names, parse};
use crate::{Failure, Status};
use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{Retrieve, Uri, ValidationError, Validator};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::error::Error;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

const FORMATS_AS_DRAFT: u32 = 1;

pub struct Schema {
    validator: Validator,
    tally: Tally,
}

struct Violation {
    instance: String,
    schema: String,
    keyword: String,
    message: String,
}

/// Where a schema stands, and the documents to which references may lead, by URI.
#[derive(Deserialize, Default)]
struct Library {
    base: String,
    documents: Map<String, Value>,
}

/// Gives out the documents of a library, and keeps the first URI that it has not.
struct Shelf {
    documents: Map<String, Value>,
    missing: Arc<Mutex<Option<String>>>,
}

impl Retrieve for Shelf {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        if let Some(document) = self.documents.get(uri.as_str()) {
            return Ok(document.clone());
        }
        let mut missing = self.missing.lock().expect("no panic holds it");
        missing.get_or_insert_with(|| uri.as_str().to_owned());
        Err("it is not among the documents".into())
    }
}

impl Schema {
    pub fn new(text: &str, library: &str, flags: u32) -> Result<Schema, Failure> {
        let schema: Value = parse(text)?;
        let library: Library = match library {
            "" => Library::default(),
            given => parse(given)?,
        };
        let missing = Arc::new(Mutex::new(None));
        let mut options = jsonschema::options().with_retriever(Shelf {
            documents: library.documents.clone(),
            missing: Arc::clone(&missing),
        });
        if !library.base.is_empty() {
            options = options.with_base_uri(library.base);
        }
        if flags & FORMATS_AS_DRAFT == 0 {
            options = options.should_validate_formats(true);
        }
        let validator = options.build(&schema).map_err(|error| {
            let missing = missing.lock().expect("no panic holds it").take();
            match missing {
                Some(uri) => Failure::of(Status::Missing, uri),
                None => Failure::invalid(message::of_bad_schema(&error, &schema)),
            }
        })?;
        Ok(Schema {
            validator,
            tally: Tally::new(&schema, &library.documents),
        })
    }

    pub fn check(&self, text: &str) -> Result<String, Failure> {
        let instance: Value = parse(text)?;
        if self.validator.is_valid(&instance) {
            return Ok(String::new());
        }
        let mut violations: Vec<Violation> = self
            .validator
            .iter_errors(&instance)
            .flat_map(|error| violations_of(&error, &instance))
            .collect();
        if violations.is_empty() {
            return Err(Failure::bug("an invalid document without a violation"));
        }
        violations.sort_by_cached_key(|violation| position(&instance, &violation.instance));
        let held = self
            .tally
            .held(&self.validator.evaluate(&instance), &instance);
        Ok(report(held, &violations))
    }
}

// As hone_rust.h says: the other side reads it without a JSON reader.
fn report(held: usize, violations: &[Violation]) -> String {
    let mut text = format!("{held}:");
    for one in violations {
        for field in [&one.instance, &one.schema, &one.keyword, &one.message] {
            write!(text, "{}:{field}", field.len()).expect("a String takes all");
        }
    }
    text
}

// The library reports all surplus members in one error; people mend them one by one.
fn violations_of(error: &ValidationError<'_>, document: &Value) -> Vec<Violation> {
    let place = error.instance_path().as_str();
    let places = match error.kind() {
        // The library calls a property missing that is there, if it is not an allowed one.
        Kind::Required { property } if is_there(document, place, property) => Vec::new(),
        Kind::Required { property } => vec![child(place, property.as_str().unwrap_or_default())],
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| child(place, name)).collect()
        }
        Kind::AdditionalItems { limit } => {
            let items = error.instance().as_array().map_or(0, Vec::len);
            (*limit..items)
                .map(|index| child(place, &index.to_string()))
                .collect()
        }
        Kind::PropertyNames { error: name } => {
            vec![child(place, name.instance().as_str().unwrap_or_default())]
        }
        Kind::FalseSchema if message::forbids_properties(error) => {
            let object = document.pointer(place).and_then(Value::as_object);
            let members = object.into_iter().flatten();
            members.map(|(name, _)| child(place, name)).collect()
        }
        _ => vec![place.to_owned()],
    };
    let violation = |instance: String| Violation {
        schema: error.schema_path().as_str().to_owned(),
        keyword: message::keyword(error),
        message: message::of(error, &instance),
        instance,
    };
    places.into_iter().map(violation).collect()
}

fn is_there(document: &Value, place: &str, property: &Value) -> bool {
    let object = document.pointer(place).and_then(Value::as_object);
    object
        .zip(property.as_str())
        .is_some_and(|(members, name)| members.contains_key(name))
}

// Where a place lies in the document, as indices from the root; what is missing comes last.
fn position(instance: &Value, pointer: &str) -> Vec<usize> {
    let mut value = Some(instance);
    let mut path = Vec::new();
    for name in names(pointer) {
        let index = match value {
            Some(Value::Object(members)) => members.keys().position(|key| *key == name),
            Some(Value::Array(items)) => name.parse().ok().filter(|index| *index < items.len()),
            _ => None,
        };
        path.push(index.unwrap_or(usize::MAX));
        value = match (value, index) {
            (Some(Value::Object(members)), Some(_)) => members.get(&name),
            (Some(Value::Array(items)), Some(index)) => items.get(index),
            _ => None,
        };
    }
    path
}
