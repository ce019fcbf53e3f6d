//! Counts the assertions that a document satisfies, for graded scores.
//!
//! An assertion is a keyword that can fail by itself. It counts where it looks at a value of its
//! kind: `minimum` at numbers, `required` (once for each name) at objects. Applicators such as
//! `properties`, `allOf` and `$ref` only lead to assertions. `anyOf`, `oneOf`, `not`, `contains` and
//! `propertyNames` are one assertion each, whatever they contain.

use crate::text::child;
use crate::units::{each_unit, Unit};
use jsonschema::Evaluation;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// What the counting needs to know of the schema: the names that it requires by its location, and
/// the keywords that are `false`. Locations in other documents have their URI and # in front.
pub struct Tally {
    required: HashMap<String, Vec<String>>,
    forbidding: HashSet<String>,
    documents: HashSet<String>,
}

/// Assertions by the kind of value at which they look.
const OF_ANY: [&str; 4] = ["type", "enum", "const", "not"];
const OF_CHOICE: [&str; 2] = ["anyOf", "oneOf"];
const OF_NUMBERS: [&str; 5] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
];
const OF_STRINGS: [&str; 4] = ["minLength", "maxLength", "pattern", "format"];
const OF_ARRAYS: [&str; 4] = ["minItems", "maxItems", "uniqueItems", "contains"];
const OF_OBJECTS: [&str; 4] = [
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "propertyNames",
];

/// Assertions only if their value is `false`.
const FORBIDDING_PROPERTIES: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];
const FORBIDDING_ITEMS: [&str; 3] = ["additionalItems", "unevaluatedItems", "items"];

/// What lies below these never counts.
const OPAQUE: [&str; 6] = ["anyOf", "oneOf", "not", "contains", "propertyNames", "if"];

/// Keywords whose members have names or numbers of their own.
const NAMED: [&str; 6] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
    "$defs",
    "definitions",
];
const NUMBERED: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];

impl Tally {
    pub fn new(schema: &Value, documents: &Map<String, Value>) -> Tally {
        let mut tally = Tally {
            required: HashMap::new(),
            forbidding: HashSet::new(),
            documents: documents.keys().cloned().collect(),
        };
        tally.learn(schema, "", "");
        for (uri, document) in documents {
            let place = format!("{uri}#");
            tally.learn(document, &place, &place);
        }
        tally
    }

    // The location as it was learned: the pointer alone, but for other documents.
    fn place<'a>(&self, unit: &'a Unit) -> &'a str {
        let location = unit.schema_location.as_str();
        match location.split_once('#') {
            Some((uri, _)) if self.documents.contains(uri) => location,
            Some((_, pointer)) => pointer,
            None => location,
        }
    }

    // Enters every value, for a schema may stand wherever a reference leads. `resource` is the
    // pointer from the nearest $id, from which the library counts.
    fn learn(&mut self, value: &Value, document: &str, resource: &str) {
        match value {
            Value::Object(members) => {
                let resource = if members.contains_key("$id") {
                    ""
                } else {
                    resource
                };
                self.learn_keywords(members, document);
                self.learn_keywords(members, resource);
                for (name, member) in members {
                    self.learn(member, &child(document, name), &child(resource, name));
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let name = index.to_string();
                    self.learn(item, &child(document, &name), &child(resource, &name));
                }
            }
            _ => {}
        }
    }

    fn learn_keywords(&mut self, members: &Map<String, Value>, place: &str) {
        if let Some(Value::Array(names)) = members.get("required") {
            let names = names
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect();
            self.required.insert(place.to_owned(), names);
        }
        for name in FORBIDDING_PROPERTIES.iter().chain(&FORBIDDING_ITEMS) {
            if members.get(*name) == Some(&Value::Bool(false)) {
                self.forbidding.insert(child(place, name));
            }
        }
    }

    /// The number of assertions that hold.
    pub fn held(&self, evaluation: &Evaluation, instance: &Value) -> usize {
        let mut held = 0;
        let mut opaque: Option<String> = None;
        let mut required: HashSet<(String, String)> = HashSet::new();
        each_unit(evaluation, |unit| {
            let path = unit.evaluation_path.as_str();
            if opaque.as_ref().is_some_and(|above| is_below(path, above)) {
                return;
            }
            let keyword = keyword_of(path);
            opaque = OPAQUE.contains(&keyword).then(|| path.to_owned());
            let Some(value) = instance.pointer(&unit.instance_location) else {
                return;
            };
            held += self.weight(unit, keyword, value);
            let place = self.place(unit);
            if tells_of_required(keyword, self.forbidding.contains(place)) {
                let schema = place.rsplit_once('/').map_or("", |(schema, _)| schema);
                if required.insert((schema.to_owned(), unit.instance_location.clone())) {
                    held += self.present(schema, value);
                }
            }
        });
        held
    }

    fn present(&self, schema: &str, value: &Value) -> usize {
        match (self.required.get(schema), value) {
            (Some(names), Value::Object(members)) => names
                .iter()
                .filter(|name| members.contains_key(name.as_str()))
                .count(),
            _ => 0,
        }
    }

    fn weight(&self, unit: &Unit, keyword: &str, value: &Value) -> usize {
        let holds = match self.forbidding.contains(self.place(unit)) {
            true => forbids(keyword, value, unit),
            false => unit.valid && applies(keyword, value),
        };
        usize::from(holds)
    }
}

fn fails_at(unit: &Unit, keyword: &str) -> bool {
    let fails = |error: &String| error == keyword || error == "falseSchema";
    unit.errors.iter().any(fails)
}

fn applies(keyword: &str, value: &Value) -> bool {
    let of_kind: &[&str] = match value {
        Value::Number(_) => &OF_NUMBERS,
        Value::String(_) => &OF_STRINGS,
        Value::Array(_) => &OF_ARRAYS,
        Value::Object(_) => &OF_OBJECTS,
        Value::Null | Value::Bool(_) => &[],
    };
    OF_ANY.contains(&keyword) || OF_CHOICE.contains(&keyword) || of_kind.contains(&keyword)
}

// Whether a keyword that is `false` holds. The library checks other keywords along with
// additionalProperties and then calls it invalid for their sake; its own errors tell.
fn forbids(keyword: &str, value: &Value, unit: &Unit) -> bool {
    match value {
        Value::Object(_) => FORBIDDING_PROPERTIES.contains(&keyword) && !fails_at(unit, keyword),
        Value::Array(_) => FORBIDDING_ITEMS.contains(&keyword) && unit.valid,
        _ => false,
    }
}

// The library may check `required` along with one of the others and mention only that.
fn tells_of_required(keyword: &str, is_false: bool) -> bool {
    matches!(keyword, "required" | "properties") || keyword == "additionalProperties" && is_false
}

fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The keyword that a path ends with; empty if it ends with a subschema such as /properties/type.
pub fn keyword_of(path: &str) -> &str {
    let mut keyword = "";
    let mut names_follow = false;
    for name in path.split('/').skip(1) {
        let numbered =
            NUMBERED.contains(&keyword) && name.bytes().all(|byte| byte.is_ascii_digit());
        if names_follow || numbered {
            keyword = "";
            names_follow = false;
        } else {
            keyword = name;
            names_follow = NAMED.contains(&name);
        }
    }
    keyword
}
