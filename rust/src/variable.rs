//! The variables of a template as they come over the border.

use crate::{listed, text_of, Failure, Given, HoneBytes};
use std::borrow::Cow;
use std::slice;

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
    pub fn given(&self) -> Result<(&str, Given<'_>), Failure> {
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
    let bytes = unsafe { slice::from_raw_parts(bytes.data, bytes.size) };
    // Text mostly is UTF-8, and to find that out is quicker.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
