//! Jinja templates: compiled once, rendered with a JSON context.

use crate::filters;
use crate::text::parse;
use crate::{Failure, Status};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Enumerator, Object};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

const TRIM_BLOCKS: u32 = 1;
const LSTRIP_BLOCKS: u32 = 2;

pub struct Template {
    environment: Environment<'static>,
    name: String,
}

/// The value of a variable, as the other side gives it.
pub enum Given<'a> {
    Text(Cow<'a, str>),
    Flag(bool),
    Texts(Vec<Cow<'a, str>>),
    Json(&'a str),
}

impl Given<'_> {
    fn value(self) -> Result<Value, Failure> {
        Ok(match self {
            Given::Text(text) => Value::from(&*text),
            Given::Flag(flag) => flag.into(),
            Given::Texts(texts) => texts.iter().map(|text| Value::from(&**text)).collect(),
            Given::Json(text) => parse(text)?,
        })
    }
}

/// A context of a few variables, which are looked up one after the other.
#[derive(Debug)]
struct Variables(Vec<(String, Value)>);

impl Object for Variables {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = key.as_str()?;
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.0.iter().map(|(name, _)| name.into()).collect())
    }
}

// What all templates share; cloning it shares the tables of filters and functions.
fn common() -> &'static Environment<'static> {
    static COMMON: OnceLock<Environment<'static>> = OnceLock::new();
    COMMON.get_or_init(|| {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_debug(false);
        environment.remove_global("debug");
        filters::register(&mut environment);
        environment
    })
}

fn syntax(flags: u32) -> Result<SyntaxConfig, Failure> {
    let mut builder = SyntaxConfig::builder();
    builder
        .trim_blocks(flags & TRIM_BLOCKS != 0)
        .lstrip_blocks(flags & LSTRIP_BLOCKS != 0);
    builder.build().map_err(failure)
}

impl Template {
    pub fn new(name: &str, source: &str, flags: u32, fuel: u64) -> Result<Template, Failure> {
        let mut environment = common().clone();
        environment.set_fuel(Some(fuel));
        environment.set_syntax(syntax(flags)?);
        // Jinja2 reads every kind of line end as \n.
        let source = source.replace("\r\n", "\n").replace('\r', "\n");
        environment
            .add_template_owned(name.to_owned(), source)
            .map_err(failure)?;
        Ok(Template {
            environment,
            name: name.to_owned(),
        })
    }

    pub fn render(&self, context: &str) -> Result<String, Failure> {
        self.rendered(parse(context)?)
    }

    pub fn render_with(&self, variables: Vec<(&str, Given)>) -> Result<String, Failure> {
        let named = |(name, given): (&str, Given)| Ok((name.to_owned(), given.value()?));
        let variables = variables
            .into_iter()
            .map(named)
            .collect::<Result<_, Failure>>()?;
        self.rendered(Value::from_object(Variables(variables)))
    }

    fn rendered(&self, context: Value) -> Result<String, Failure> {
        let template = self.environment.get_template(&self.name).map_err(failure)?;
        template.render(context).map_err(failure)
    }

    pub fn undeclared_variables(&self) -> Result<String, Failure> {
        let template = self.environment.get_template(&self.name).map_err(failure)?;
        let mut names: Vec<String> = template.undeclared_variables(false).into_iter().collect();
        names.retain(|name| self.environment.globals().all(|(global, _)| global != name));
        names.sort();
        Ok(serde_json::to_string(&names).expect("strings serialise"))
    }
}

fn failure(error: Error) -> Failure {
    let status = match error.kind() {
        ErrorKind::OutOfFuel => Status::Limit,
        _ => Status::Invalid,
    };
    let message = match (error.kind(), error.detail()) {
        (ErrorKind::SyntaxError, Some(detail)) => detail.to_owned(),
        (kind, Some(detail)) => format!("{kind}: {detail}"),
        (kind, None) => kind.to_string(),
    };
    Failure {
        status,
        line: error.line().unwrap_or(0) as u32,
        message,
    }
}
