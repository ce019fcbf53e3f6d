//! Violations in sentences for people and models.

use crate::tally::keyword_of;
use crate::text::{child, count, describe, names, place, show};
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{ReferencingError, ValidationError};
use serde_json::Value;

/// A choice shows so many values, or so many reasons of its nearest branch.
const LISTED: usize = 12;
const REASONS: usize = 3;

/// Whether `false` stands for all properties of an object, not for one value.
pub fn forbids_properties(error: &ValidationError<'_>) -> bool {
    let keyword = keyword_of(error.schema_path().as_str());
    matches!(keyword, "additionalProperties" | "propertyNames")
}

pub fn keyword(error: &ValidationError<'_>) -> String {
    let path = error.schema_path().as_str();
    let last = path.rsplit('/').next().unwrap_or_default();
    match error.kind() {
        Kind::FalseSchema if forbids_properties(error) => last.into(),
        Kind::FalseSchema => "false".into(),
        Kind::Required { .. } if last.starts_with("depend") => last.into(),
        Kind::Contains if last == "minContains" || last == "maxContains" => last.into(),
        kind => kind.keyword().into(),
    }
}

/// The sentence for a violation that is reported at `instance`.
pub fn of(error: &ValidationError<'_>, instance: &str) -> String {
    let subject = place(instance);
    let value = error.instance();
    match error.kind() {
        Kind::Required { .. } => format!("{subject} is required{}", condition(error)),
        Kind::AdditionalProperties { .. } | Kind::UnevaluatedProperties { .. } => {
            format!("{subject} is not an allowed property")
        }
        Kind::AdditionalItems { limit } => {
            format!("{subject} is one item too many, at most {limit} are allowed")
        }
        Kind::UnevaluatedItems { unexpected } => {
            let surplus = count(unexpected.len() as u64, "item", "items");
            format!(
                "{subject} has {surplus} that the schema does not allow: {}",
                unexpected.join(", ")
            )
        }
        Kind::FalseSchema if forbids_properties(error) => {
            format!("{subject} is not an allowed property")
        }
        Kind::FalseSchema if instance.is_empty() => "nothing is allowed here".into(),
        Kind::FalseSchema => format!("{subject} must not be there"),
        Kind::PropertyNames { error: name } => {
            let reason = of(name, "").replace("the document", "its name");
            format!("{subject} is not an allowed property: {reason}")
        }
        kind => match demand(kind) {
            Some(demand) => format!("{subject} must {demand}, but is {}", describe(value)),
            None => format!("{subject} {}", finding(kind, value)),
        },
    }
}

// The library does not say which property it is.
fn condition(error: &ValidationError<'_>) -> &'static str {
    match keyword(error).as_str() {
        "required" => "",
        _ => " by another property that is there",
    }
}

// What the value itself must be.
fn demand(kind: &Kind) -> Option<String> {
    Some(match kind {
        Kind::Type { kind } => format!("be {}", types(kind)),
        Kind::Enum { options } => format!("be {}", choice(options)),
        Kind::Constant { expected_value } => format!("be {}", show(expected_value)),
        Kind::Minimum { limit } => format!("be at least {limit}"),
        Kind::Maximum { limit } => format!("be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("be more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("be a multiple of {multiple_of}"),
        Kind::Pattern { pattern } => format!("match the pattern `{pattern}`"),
        Kind::Format { format } => format!("be a valid {format}"),
        Kind::ContentEncoding { content_encoding } => format!("be encoded as {content_encoding}"),
        Kind::ContentMediaType { content_media_type } => format!("contain {content_media_type}"),
        _ => return None,
    })
}

// What is wrong with it where "must …, but is …" does not fit.
fn finding(kind: &Kind, value: &Value) -> String {
    if let Some((bound, limit, one, many, found)) = size(kind, value) {
        let limit = count(limit, one, many);
        return format!("must have {bound} {limit}, but has {found}");
    }
    match kind {
        Kind::UniqueItems => format!("must not repeat an item{}", repeated(value)),
        Kind::Contains => "does not have as many fitting items as `contains` asks for".into(),
        Kind::Not { schema } => format!("must not fit the schema {}", show(schema)),
        Kind::AnyOf { context } => no_branch("anyOf", context),
        Kind::OneOfNotValid { context } => no_branch("oneOf", context),
        Kind::OneOfMultipleValid { .. } => {
            "fits more than one form of oneOf, but only one may fit".into()
        }
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "could not be matched: the pattern takes too long; simplify it".into()
        }
        Kind::FromUtf8 { .. } => "must contain UTF-8 text".into(),
        Kind::Custom { message, .. } => message.clone(),
        other => format!("does not fit `{}`", other.keyword()),
    }
}

type Size = (&'static str, u64, &'static str, &'static str, usize);

// The bound, its limit, what is counted, and how many there are.
fn size(kind: &Kind, value: &Value) -> Option<Size> {
    let characters = value.as_str().map_or(0, |text| text.chars().count());
    let members = value.as_object().map_or(0, |members| members.len());
    let items = value.as_array().map_or(0, Vec::len);
    Some(match kind {
        Kind::MinLength { limit } => ("at least", *limit, "character", "characters", characters),
        Kind::MaxLength { limit } => ("at most", *limit, "character", "characters", characters),
        Kind::MinProperties { limit } => ("at least", *limit, "property", "properties", members),
        Kind::MaxProperties { limit } => ("at most", *limit, "property", "properties", members),
        Kind::MinItems { limit } => ("at least", *limit, "item", "items", items),
        Kind::MaxItems { limit } => ("at most", *limit, "item", "items", items),
        _ => return None,
    })
}

fn types(kind: &TypeKind) -> String {
    let names: Vec<String> = match kind {
        TypeKind::Single(one) => vec![with_article(one.as_str())],
        TypeKind::Multiple(set) => set.iter().map(|one| with_article(one.as_str())).collect(),
    };
    names.join(" or ")
}

fn with_article(name: &str) -> String {
    match name {
        "null" => "null".into(),
        "integer" | "object" | "array" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

fn choice(options: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let shown: Vec<String> = options.iter().take(LISTED).map(show).collect();
    let more = options.len().saturating_sub(LISTED);
    let tail = if more > 0 {
        format!(" or {more} more")
    } else {
        String::new()
    };
    match (shown.as_slice(), more) {
        ([only], _) => only.clone(),
        ([first @ .., last], 0) => format!("{} or {last}", first.join(", ")),
        _ => format!("{}{tail}", shown.join(", ")),
    }
}

fn repeated(value: &Value) -> String {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    for (later, item) in items.iter().enumerate().take(200) {
        if let Some(earlier) = items[..later].iter().position(|other| other == item) {
            return format!(", but items {earlier} and {later} are both {}", show(item));
        }
    }
    String::new()
}

// The nearest branch is the one whose own type fits and that has the fewest violations.
fn no_branch(keyword: &str, context: &[Vec<ValidationError<'static>>]) -> String {
    let forms = count(context.len() as u64, "form", "forms");
    let nearest = context
        .iter()
        .enumerate()
        .min_by_key(|(_, errors)| distance(errors));
    let Some((index, errors)) = nearest.filter(|(_, errors)| !errors.is_empty()) else {
        return format!("fits none of the {forms} of {keyword}");
    };
    let reasons: Vec<String> = errors.iter().take(REASONS).map(reason).collect();
    let more = errors.len().saturating_sub(REASONS);
    let tail = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!(
        "fits none of the {forms} of {keyword}; form {} is nearest: {}{tail}",
        index + 1,
        reasons.join("; ")
    )
}

fn distance(errors: &[ValidationError<'static>]) -> (bool, usize) {
    let top = errors
        .iter()
        .map(|error| error.instance_path().as_str().len())
        .min()
        .unwrap_or(0);
    let is_other_kind = |error: &ValidationError<'_>| {
        error.instance_path().as_str().len() == top
            && matches!(error.kind(), Kind::Type { .. } | Kind::Constant { .. })
    };
    (errors.iter().any(is_other_kind), errors.len())
}

fn reason(error: &ValidationError<'static>) -> String {
    let at = error.instance_path().as_str();
    match error.kind() {
        Kind::Required { property } => of(error, &child(at, property.as_str().unwrap_or_default())),
        Kind::AdditionalProperties { unexpected } => of(
            error,
            &child(at, unexpected.first().map_or("", String::as_str)),
        ),
        _ => of(error, at),
    }
}

/// Why a schema cannot be used, with the place inside it.
pub fn of_bad_schema(error: &ValidationError<'_>, schema: &Value) -> String {
    let at = error.instance_path().as_str();
    let at = if at.is_empty() {
        "the schema".to_owned()
    } else {
        format!("the schema at {at}")
    };
    if let Kind::Referencing(reference) = error.kind() {
        return bad_reference(reference);
    }
    let last = names(error.instance_path().as_str())
        .last()
        .unwrap_or_default();
    if last == "type" {
        return format!(
            "{at}: {} is not a type; use array, boolean, integer, null, number, object or string",
            show(error.instance())
        );
    }
    if schema.is_object() || schema.is_boolean() {
        return format!("{at}: {}", of(error, error.instance_path().as_str()));
    }
    format!(
        "a schema is an object or a boolean, not {}",
        describe(schema)
    )
}

fn bad_reference(error: &ReferencingError) -> String {
    match error {
        ReferencingError::PointerToNowhere { pointer } => {
            format!("the reference to {pointer} leads nowhere in the schema")
        }
        ReferencingError::NoSuchAnchor { anchor } | ReferencingError::InvalidAnchor { anchor } => {
            format!("the reference to #{anchor} names an anchor that the schema does not have")
        }
        ReferencingError::UnknownSpecification { specification } => format!(
            "$schema names {specification}, which is no draft that is known here (4, 6, 7, 2019-09, 2020-12)"
        ),
        other => format!("a reference cannot be resolved: {other}"),
    }
}
