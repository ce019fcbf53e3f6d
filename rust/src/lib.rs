//! The border between hone and its Rust libraries. Everything that C++ may call is in this file;
//! hone_rust.h beside Cargo.toml documents it.

mod constraint;
mod diff;
mod filters;
mod message;
mod schema;
mod tally;
mod template;
mod text;
mod units;

use std::borrow::Cow;
use std::cell::RefCell;
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
use std::slice;
use std::sync::Once;

pub use constraint::{Constraint, Vocabulary};
pub use schema::Schema;
pub use template::{Given, Template};

/// What went wrong, as the other side distinguishes it.
#[derive(Clone, Copy, PartialEq)]
#[repr(i32)]
pub enum Status {
    Ok = 0,
    Invalid = 1,
    Limit = 2,
    Bug = 3,
    Missing = 4,
}

/// A failure with a text for people; `line` counts from 1, 0 is unknown.
pub struct Failure {
    pub status: Status,
    pub line: u32,
    pub message: String,
}

impl Failure {
    pub fn of(status: Status, message: impl Into<String>) -> Failure {
        Failure {
            status,
            line: 0,
            message: message.into(),
        }
    }

    pub fn invalid(message: impl Into<String>) -> Failure {
        Failure::of(Status::Invalid, message)
    }

    pub fn bug(message: impl Into<String>) -> Failure {
        Failure::of(Status::Bug, message)
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct HoneBytes {
    data: *const u8,
    size: usize,
}

/// A variable of a template; which of the other fields counts is said by `kind`.
#[repr(C)]
pub struct HoneVariable {
    name: HoneBytes,
    kind: i32,
    flag: i32,
    text: HoneBytes,
    texts: *const HoneBytes,
    count: usize,
}

impl HoneVariable {
    fn given(&self) -> Result<(&str, Given<'_>), Failure> {
        let given = match self.kind {
            0 => Given::Text(lossy(self.text)),
            1 => Given::Flag(self.flag != 0),
            // SAFETY: the caller vouches for `count` texts during the call.
            2 => Given::Texts(
                unsafe { listed(self.texts, self.count) }
                    .iter()
                    .map(|text| lossy(*text))
                    .collect(),
            ),
            3 => Given::Json(text_of(self.text)?),
            kind => return Err(Failure::bug(format!("a variable of the kind {kind}"))),
        };
        Ok((text_of(self.name)?, given))
    }
}

// What is not UTF-8 becomes U+FFFD: an output may be anything.
fn lossy<'a>(bytes: HoneBytes) -> Cow<'a, str> {
    if bytes.size == 0 {
        return Cow::Borrowed("");
    }
    // SAFETY: the caller vouches for `size` readable bytes during the call.
    String::from_utf8_lossy(unsafe { slice::from_raw_parts(bytes.data, bytes.size) })
}

// SAFETY: `items` points to `count` items, or `count` is 0.
unsafe fn listed<'a, T>(items: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    unsafe { slice::from_raw_parts(items, count) }
}

#[repr(C)]
pub struct HoneString {
    data: *mut u8,
    size: usize,
}

#[repr(C)]
pub struct HoneReply {
    status: i32,
    line: u32,
    text: HoneString,
}

impl From<String> for HoneString {
    fn from(text: String) -> HoneString {
        let bytes = Box::leak(text.into_bytes().into_boxed_slice());
        HoneString {
            data: bytes.as_mut_ptr(),
            size: bytes.len(),
        }
    }
}

impl From<Result<String, Failure>> for HoneReply {
    fn from(result: Result<String, Failure>) -> HoneReply {
        match result {
            Ok(text) => HoneReply {
                status: Status::Ok as i32,
                line: 0,
                text: text.into(),
            },
            Err(failure) => HoneReply {
                status: failure.status as i32,
                line: failure.line,
                text: failure.message.into(),
            },
        }
    }
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

// The default hook writes to stderr, where a library has no business.
fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        set_hook(Box::new(|info| {
            PANIC.with(|text| *text.borrow_mut() = info.to_string())
        }))
    });
}

fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    keep_panics_quiet();
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = PANIC.with(|text| text.take());
        Err(Failure::bug(message))
    })
}

fn text_of<'a>(bytes: HoneBytes) -> Result<&'a str, Failure> {
    if bytes.size == 0 {
        return Ok("");
    }
    // SAFETY: the caller vouches for `size` readable bytes during the call.
    let bytes = unsafe { slice::from_raw_parts(bytes.data, bytes.size) };
    std::str::from_utf8(bytes).map_err(|error| {
        Failure::invalid(format!(
            "the text is not UTF-8 at byte {}",
            error.valid_up_to()
        ))
    })
}

fn hand_over<T>(made: Result<T, Failure>, reply: *mut HoneReply) -> *mut T {
    let (object, result) = match made {
        Ok(object) => (Box::into_raw(Box::new(object)), Ok(String::new())),
        Err(failure) => (std::ptr::null_mut(), Err(failure)),
    };
    // SAFETY: `reply` points to an uninitialised reply of the caller.
    unsafe { reply.write(result.into()) };
    object
}

fn take_back<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: made by `hand_over`, given back once. A panicking destructor must not cross.
        let _ = guarded(|| {
            drop(unsafe { Box::from_raw(object) });
            Ok(())
        });
    }
}

#[no_mangle]
pub extern "C" fn hone_string_free(text: HoneString) {
    if !text.data.is_null() {
        // SAFETY: made from a boxed slice of this size.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text.data, text.size)) });
    }
}

#[no_mangle]
pub extern "C" fn hone_template_new(
    name: HoneBytes,
    source: HoneBytes,
    flags: u32,
    fuel: u64,
    reply: *mut HoneReply,
) -> *mut Template {
    hand_over(
        guarded(|| Template::new(text_of(name)?, text_of(source)?, flags, fuel)),
        reply,
    )
}

/// # Safety
/// The object is alive.
#[no_mangle]
pub unsafe extern "C" fn hone_template_render(
    template: *const Template,
    context: HoneBytes,
) -> HoneReply {
    // SAFETY: a live template; rendering does not change it.
    guarded(|| unsafe { &*template }.render(text_of(context)?)).into()
}

/// # Safety
/// The object is alive.
#[no_mangle]
pub unsafe extern "C" fn hone_template_variables(template: *const Template) -> HoneReply {
    // SAFETY: a live template.
    guarded(|| unsafe { &*template }.undeclared_variables()).into()
}

/// # Safety
/// The object is alive, and `variables` points to `count` of them.
#[no_mangle]
pub unsafe extern "C" fn hone_template_render_with(
    template: *const Template,
    variables: *const HoneVariable,
    count: usize,
) -> HoneReply {
    // SAFETY: the caller vouches for the array.
    let variables = unsafe { listed(variables, count) };
    let work = || {
        let given = variables.iter().map(HoneVariable::given);
        let given = given.collect::<Result<Vec<_>, Failure>>()?;
        // SAFETY: a live template; rendering does not change it.
        unsafe { &*template }.render_with(given)
    };
    guarded(work).into()
}

#[no_mangle]
pub extern "C" fn hone_template_free(template: *mut Template) {
    take_back(template);
}

#[no_mangle]
pub extern "C" fn hone_schema_new(
    text: HoneBytes,
    library: HoneBytes,
    flags: u32,
    reply: *mut HoneReply,
) -> *mut Schema {
    hand_over(
        guarded(|| Schema::new(text_of(text)?, text_of(library)?, flags)),
        reply,
    )
}

/// # Safety
/// The object is alive.
#[no_mangle]
pub unsafe extern "C" fn hone_schema_check(
    schema: *const Schema,
    instance: HoneBytes,
) -> HoneReply {
    // SAFETY: a live schema; checking does not change it.
    guarded(|| unsafe { &*schema }.check(text_of(instance)?)).into()
}

#[no_mangle]
pub extern "C" fn hone_schema_free(schema: *mut Schema) {
    take_back(schema);
}

#[no_mangle]
pub extern "C" fn hone_text_difference(
    before: HoneBytes,
    after: HoneBytes,
    flags: u32,
) -> HoneReply {
    guarded(|| diff::difference(text_of(before)?, text_of(after)?, flags)).into()
}

/// # Safety
/// `tokens` and `ends` point to as many elements as they say.
#[no_mangle]
pub unsafe extern "C" fn hone_vocabulary_new(
    tokens: *const HoneBytes,
    token_count: usize,
    ends: *const u32,
    end_count: usize,
    reply: *mut HoneReply,
) -> *mut Vocabulary {
    // SAFETY: the caller vouches for both arrays, which are not empty.
    let (tokens, ends) = unsafe {
        (
            slice::from_raw_parts(tokens, token_count),
            slice::from_raw_parts(ends, end_count),
        )
    };
    let tokens: Vec<Vec<u8>> = tokens.iter().map(copied).collect();
    hand_over(guarded(|| Vocabulary::new(&tokens, ends)), reply)
}

// A token's bytes need not be UTF-8.
fn copied(bytes: &HoneBytes) -> Vec<u8> {
    if bytes.size == 0 {
        return Vec::new();
    }
    // SAFETY: the caller vouches for `size` readable bytes during the call.
    unsafe { slice::from_raw_parts(bytes.data, bytes.size) }.to_vec()
}

#[no_mangle]
pub extern "C" fn hone_vocabulary_free(vocabulary: *mut Vocabulary) {
    take_back(vocabulary);
}

/// # Safety
/// The vocabulary is alive.
#[no_mangle]
pub unsafe extern "C" fn hone_constraint_new(
    vocabulary: *const Vocabulary,
    schema: HoneBytes,
    flags: u32,
    reply: *mut HoneReply,
) -> *mut Constraint {
    // SAFETY: a live vocabulary, which compiling does not change.
    let made = guarded(|| Constraint::new(unsafe { &*vocabulary }, text_of(schema)?, flags));
    hand_over(made, reply)
}

/// # Safety
/// The object is alive and in no other call.
#[no_mangle]
pub unsafe extern "C" fn hone_constraint_take(
    constraint: *mut Constraint,
    token: u32,
) -> HoneReply {
    // SAFETY: a live constraint that this call alone uses.
    match guarded(|| unsafe { &mut *constraint }.take(token)) {
        Ok(true) => Ok(String::new()).into(),
        Ok(false) => HoneReply {
            status: Status::Limit as i32,
            line: 0,
            text: String::new().into(),
        },
        Err(failure) => Err(failure).into(),
    }
}

/// # Safety
/// The object is alive and in no other call; `words` points to `count` words.
#[no_mangle]
pub unsafe extern "C" fn hone_constraint_mask(
    constraint: *mut Constraint,
    words: *mut u32,
    count: usize,
) -> HoneReply {
    // SAFETY: a live constraint that this call alone uses, and the caller's words.
    let (constraint, words) =
        unsafe { (&mut *constraint, slice::from_raw_parts_mut(words, count)) };
    guarded(|| constraint.mask(words).map(|()| String::new())).into()
}

/// # Safety
/// The object is alive and in no other call.
#[no_mangle]
pub unsafe extern "C" fn hone_constraint_is_done(constraint: *const Constraint) -> i32 {
    // SAFETY: a live constraint.
    i32::from(unsafe { &*constraint }.is_done())
}

#[no_mangle]
pub extern "C" fn hone_constraint_free(constraint: *mut Constraint) {
    take_back(constraint);
}
