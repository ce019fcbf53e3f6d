/* Jinja templates, JSON Schema and text diffs, implemented in Rust (src/lib.rs). Nobody but
 * hone/template, hone/schema and hone/base includes this: they have the C++ types and the errors;
 * and the engine plugin of hone/model for vocabularies and constraints.
 *
 * Text crosses as UTF-8 bytes with a length. Every hone_string that comes out is the caller's and
 * goes back to hone_string_free. Objects may be used by any number of threads at once; only _free
 * needs them alone. No function opens a file or a socket, prints, or lets a panic out. */
#ifndef HONE_RUST_H
#define HONE_RUST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  HONE_OK = 0,
  HONE_INVALID = 1, /* The input is wrong; the text says how. */
  HONE_LIMIT = 2,   /* A template ran out of fuel. */
  HONE_BUG = 3,     /* A panic, with its message. */
  HONE_MISSING = 4  /* A schema needs a document that was not given; the text is its URI. */
};

/* Borrowed for the time of the call. */
typedef struct hone_bytes {
  const char* data;
  size_t size;
} hone_bytes;

/* Not terminated by a zero. */
typedef struct hone_string {
  char* data;
  size_t size;
} hone_string;

typedef struct hone_reply {
  int32_t status;   /* HONE_OK or why not. */
  uint32_t line;    /* Of the mistake in a template, from 1; 0 if unknown. */
  hone_string text; /* The result if HONE_OK, else a message for people. */
} hone_reply;

void hone_string_free(hone_string text);

typedef struct hone_template hone_template;
enum {
  HONE_TRIM_BLOCKS = 1,  /* The newline after a block tag is dropped. */
  HONE_LSTRIP_BLOCKS = 2 /* Blanks in front of a block tag are dropped. */
};
/* Compiles `source`; null if it is wrong, and the reply says why. `fuel` bounds the number of
 * instructions that one rendering executes. */
hone_template* hone_template_new(hone_bytes name, hone_bytes source, uint32_t flags, uint64_t fuel,
                                 hone_reply* reply);
/* `context` is a JSON object. */
hone_reply hone_template_render(const hone_template* compiled, hone_bytes context);
/* A variable of a template and its value, borrowed for the time of the call. */
enum {
  HONE_TEXT = 0,  /* `text`; what is not UTF-8 in it becomes U+FFFD */
  HONE_FLAG = 1,  /* `flag`: 0 or 1 */
  HONE_TEXTS = 2, /* `texts`, so many as `count` says; UTF-8 as for HONE_TEXT */
  HONE_JSON = 3   /* `text`: any value as JSON */
};
typedef struct hone_variable {
  hone_bytes name;
  int32_t kind;
  int32_t flag;
  hone_bytes text;
  const hone_bytes* texts;
  size_t count;
} hone_variable;
/* The same with a context that need not be written as JSON. */
hone_reply hone_template_render_with(const hone_template* compiled, const hone_variable* variables,
                                     size_t count);
/* A sorted JSON array with the names that the template takes from its context. */
hone_reply hone_template_variables(const hone_template* compiled);
void hone_template_free(hone_template* compiled);

typedef struct hone_schema hone_schema;
enum {
  HONE_FORMATS_AS_DRAFT = 1 /* `format` asserts only where its draft says so, not always. */
};
/* Compiles a JSON Schema (draft 4 to 2020-12, by $schema; 2020-12 without). `library` is empty or
 * {"base":uri,"documents":{uri:schema}}: where the schema stands, and all that references to other
 * documents may lead to. */
hone_schema* hone_schema_new(hone_bytes text, hone_bytes library, uint32_t flags,
                             hone_reply* reply);
/* Checks one JSON text. The reply's text is empty if it is valid. Else it is `held` and a colon,
 * where `held` counts the assertions that hold, and then of each violation the place in the
 * instance, the place in the schema, the keyword and the message, each of them as its length in
 * bytes, a colon, and the text. HONE_INVALID: not JSON. */
hone_reply hone_schema_check(const hone_schema* schema, hone_bytes instance);
void hone_schema_free(hone_schema* schema);

enum {
  HONE_BY_LINES = 1 /* Compares lines, not words. */
};
/* What turns one text into another: a JSON array of ["=", text] for what stays, ["-", text] and
 * ["+", text], in order. HONE_INVALID: not UTF-8. */
hone_reply hone_text_difference(hone_bytes before, hone_bytes after, uint32_t flags);

/* The tokens of a model. */
typedef struct hone_vocabulary hone_vocabulary;
/* `tokens` are the bytes of every token in order, of any encoding; none for tokens that are never
 * text. `ends` are those that end an answer, at least one. */
hone_vocabulary* hone_vocabulary_new(const hone_bytes* tokens, size_t token_count,
                                     const uint32_t* ends, size_t end_count, hone_reply* reply);
void hone_vocabulary_free(hone_vocabulary* vocabulary);

/* What may come next in a JSON text that fits a schema, white space bounded. */
typedef struct hone_constraint hone_constraint;
enum {
  HONE_LENIENT = 1 /* Keywords that cannot be enforced are passed over instead of refused. */
};
/* Null, and the reply says why, if the schema cannot be enforced. Keeps what it needs of the
 * vocabulary. Unlike the other objects a constraint changes: one call at a time. */
hone_constraint* hone_constraint_new(const hone_vocabulary* vocabulary, hone_bytes schema,
                                     uint32_t flags, hone_reply* reply);
/* Goes on by one token. HONE_LIMIT: it may not come next, and nothing has changed. */
hone_reply hone_constraint_take(hone_constraint* constraint, uint32_t token);
/* Sets bit t % 32 of word t / 32 for each token t that may come next, and clears the others. */
hone_reply hone_constraint_mask(hone_constraint* constraint, uint32_t* words, size_t count);
/* 1 when the text is complete and nothing may follow. */
int32_t hone_constraint_is_done(const hone_constraint* constraint);
void hone_constraint_free(hone_constraint* constraint);

#ifdef __cplusplus
}
#endif

#endif /* HONE_RUST_H */
