//! Jinja templates: compiled once, rendered with a JSON context.

use crate::filters;
use crate::text::parse;
use crate::{Failure, Status};
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value};
use std::sync::OnceLock;

const TRIM_BLOCKS: u32 = 1;
const LSTRIP_BLOCKS: u32 = 2;

pub struct Template {
    environment: Environment<'static>,
    name: String,
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
        let context: Value = parse(context)?;
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
