// What counts as sensitive: the published formats of keys, and the facts about cards, accounts and
// names of hosts. Data only; sensitive.cc reads it, sensitive_test.cc tries every line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hone::sensitive {

// The characters of which the secret part of a key is made.
enum class Alphabet : std::uint8_t {
  Hex,     // Lower case.
  Base32,  // A–Z, 2–7.
  Alnum,
  Word,   // Alnum, - and _: also base64url.
  Dotted  // Word, . + / = ~: tokens of parts, and base64.
};

// How much the secret part has to prove. A prefix that is also a word, like sk-, proves little.
enum class Proof : std::uint8_t { Format, Random };

// A key is `prefix` and then at least `shortest` characters of its alphabet.
struct KeyRule {
  std::string_view kind;
  std::string_view prefix;
  Alphabet alphabet;
  std::size_t shortest;
  Proof proof = Proof::Format;
};

// Longer prefixes stand before those they begin with.
inline constexpr std::array kKeyRules{
    KeyRule{"ANTHROPIC_KEY", "sk-ant-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"OPENROUTER_KEY", "sk-or-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"OPENAI_KEY", "sk-proj-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"OPENAI_KEY", "sk-svcacct-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"OPENAI_KEY", "sk-admin-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"LANGFUSE_KEY", "sk-lf-", Alphabet::Word, 30, Proof::Random},
    KeyRule{"LANGFUSE_KEY", "pk-lf-", Alphabet::Word, 30, Proof::Random},
    KeyRule{"OPENAI_KEY", "sk-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"CEREBRAS_KEY", "csk-", Alphabet::Alnum, 32, Proof::Random},
    KeyRule{"AWS_KEY", "AKIA", Alphabet::Base32, 16},
    KeyRule{"AWS_KEY", "ASIA", Alphabet::Base32, 16},
    KeyRule{"AWS_KEY", "ABIA", Alphabet::Base32, 16},
    KeyRule{"AWS_KEY", "ACCA", Alphabet::Base32, 16},
    KeyRule{"GITHUB_TOKEN", "ghp_", Alphabet::Alnum, 36},
    KeyRule{"GITHUB_TOKEN", "gho_", Alphabet::Alnum, 36},
    KeyRule{"GITHUB_TOKEN", "ghu_", Alphabet::Alnum, 36},
    KeyRule{"GITHUB_TOKEN", "ghs_", Alphabet::Alnum, 36},
    KeyRule{"GITHUB_TOKEN", "ghr_", Alphabet::Alnum, 36},
    KeyRule{"GITHUB_TOKEN", "github_pat_", Alphabet::Word, 22, Proof::Random},
    KeyRule{"GITLAB_TOKEN", "glpat-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"GITLAB_TOKEN", "gldt-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"GITLAB_TOKEN", "glrt-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"GITLAB_TOKEN", "glptt-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"GITLAB_TOKEN", "glcbt-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"SLACK_TOKEN", "xoxb-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"SLACK_TOKEN", "xoxp-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"SLACK_TOKEN", "xoxa-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"SLACK_TOKEN", "xoxr-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"SLACK_TOKEN", "xoxs-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"SLACK_TOKEN", "xoxe.", Alphabet::Dotted, 20, Proof::Random},
    KeyRule{"SLACK_TOKEN", "xapp-", Alphabet::Word, 20, Proof::Random},
    KeyRule{"SLACK_WEBHOOK", "hooks.slack.com/services/T", Alphabet::Dotted, 30},
    KeyRule{"GOOGLE_KEY", "AIza", Alphabet::Word, 35, Proof::Random},
    KeyRule{"GOOGLE_TOKEN", "ya29.", Alphabet::Word, 20, Proof::Random},
    KeyRule{"GOOGLE_SECRET", "GOCSPX-", Alphabet::Word, 24, Proof::Random},
    KeyRule{"HUGGINGFACE_TOKEN", "hf_", Alphabet::Alnum, 30, Proof::Random},
    KeyRule{"HUGGINGFACE_TOKEN", "api_org_", Alphabet::Alnum, 30, Proof::Random},
    KeyRule{"GROQ_KEY", "gsk_", Alphabet::Alnum, 40, Proof::Random},
    KeyRule{"XAI_KEY", "xai-", Alphabet::Alnum, 40, Proof::Random},
    KeyRule{"PERPLEXITY_KEY", "pplx-", Alphabet::Alnum, 32, Proof::Random},
    KeyRule{"REPLICATE_TOKEN", "r8_", Alphabet::Alnum, 30, Proof::Random},
    KeyRule{"TOGETHER_KEY", "tgp_v1_", Alphabet::Word, 30, Proof::Random},
    KeyRule{"FIREWORKS_KEY", "fw_", Alphabet::Alnum, 20, Proof::Random},
    KeyRule{"NVIDIA_KEY", "nvapi-", Alphabet::Word, 40, Proof::Random},
    KeyRule{"LANGSMITH_KEY", "lsv2_pt_", Alphabet::Word, 32, Proof::Random},
    KeyRule{"LANGSMITH_KEY", "lsv2_sk_", Alphabet::Word, 32, Proof::Random},
    KeyRule{"PINECONE_KEY", "pcsk_", Alphabet::Word, 40, Proof::Random},
    KeyRule{"TAVILY_KEY", "tvly-", Alphabet::Word, 24, Proof::Random},
    KeyRule{"STRIPE_KEY", "sk_live_", Alphabet::Alnum, 16, Proof::Random},
    KeyRule{"STRIPE_KEY", "sk_test_", Alphabet::Alnum, 16, Proof::Random},
    KeyRule{"STRIPE_KEY", "rk_live_", Alphabet::Alnum, 16, Proof::Random},
    KeyRule{"STRIPE_KEY", "rk_test_", Alphabet::Alnum, 16, Proof::Random},
    KeyRule{"STRIPE_KEY", "whsec_", Alphabet::Dotted, 24, Proof::Random},
    KeyRule{"SENDGRID_KEY", "SG.", Alphabet::Dotted, 60, Proof::Random},
    KeyRule{"TWILIO_KEY", "SK", Alphabet::Hex, 32}, KeyRule{"TWILIO_KEY", "AC", Alphabet::Hex, 32},
    KeyRule{"MAILGUN_KEY", "key-", Alphabet::Hex, 32},
    KeyRule{"BREVO_KEY", "xkeysib-", Alphabet::Word, 64, Proof::Random},
    KeyRule{"NPM_TOKEN", "npm_", Alphabet::Alnum, 36, Proof::Random},
    KeyRule{"PYPI_TOKEN", "pypi-", Alphabet::Word, 50, Proof::Random},
    KeyRule{"DOCKER_TOKEN", "dckr_pat_", Alphabet::Word, 24, Proof::Random},
    KeyRule{"DIGITALOCEAN_TOKEN", "dop_v1_", Alphabet::Hex, 64},
    KeyRule{"DIGITALOCEAN_TOKEN", "doo_v1_", Alphabet::Hex, 64},
    KeyRule{"DIGITALOCEAN_TOKEN", "dor_v1_", Alphabet::Hex, 64},
    KeyRule{"SHOPIFY_TOKEN", "shpat_", Alphabet::Alnum, 32},
    KeyRule{"SHOPIFY_TOKEN", "shpss_", Alphabet::Alnum, 32},
    KeyRule{"SHOPIFY_TOKEN", "shpca_", Alphabet::Alnum, 32},
    KeyRule{"SHOPIFY_TOKEN", "shppa_", Alphabet::Alnum, 32},
    KeyRule{"SQUARE_TOKEN", "sq0atp-", Alphabet::Word, 22, Proof::Random},
    KeyRule{"SQUARE_TOKEN", "sq0csp-", Alphabet::Word, 40, Proof::Random},
    KeyRule{"DATABRICKS_TOKEN", "dapi", Alphabet::Hex, 32},
    KeyRule{"LINEAR_KEY", "lin_api_", Alphabet::Alnum, 32, Proof::Random},
    KeyRule{"NOTION_TOKEN", "ntn_", Alphabet::Alnum, 40, Proof::Random},
    KeyRule{"FIGMA_TOKEN", "figd_", Alphabet::Word, 36, Proof::Random},
    KeyRule{"POSTMAN_KEY", "PMAK-", Alphabet::Word, 40, Proof::Random},
    KeyRule{"GRAFANA_TOKEN", "glsa_", Alphabet::Word, 36, Proof::Random},
    KeyRule{"GRAFANA_TOKEN", "glc_", Alphabet::Dotted, 40, Proof::Random},
    KeyRule{"NEWRELIC_KEY", "NRAK-", Alphabet::Alnum, 24},
    KeyRule{"SENTRY_TOKEN", "sntrys_", Alphabet::Dotted, 40, Proof::Random},
    KeyRule{"VAULT_TOKEN", "hvs.", Alphabet::Word, 24, Proof::Random},
    KeyRule{"VAULT_TOKEN", "hvb.", Alphabet::Word, 24, Proof::Random},
    KeyRule{"DOPPLER_TOKEN", "dp.pt.", Alphabet::Alnum, 40, Proof::Random},
    KeyRule{"SUPABASE_TOKEN", "sbp_", Alphabet::Hex, 40},
    KeyRule{"NETLIFY_TOKEN", "nfp_", Alphabet::Alnum, 36, Proof::Random},
    KeyRule{"AGE_KEY", "AGE-SECRET-KEY-1", Alphabet::Alnum, 58},
    KeyRule{"ALIBABA_KEY", "LTAI", Alphabet::Alnum, 16, Proof::Random},
    KeyRule{"TENCENT_KEY", "AKID", Alphabet::Alnum, 32, Proof::Random},
    // RFC 7519: a header and a payload that begin with {" in base64url.
    KeyRule{"JWT", "eyJ", Alphabet::Dotted, 40, Proof::Random},
    // RFC 6750 and RFC 7617. The word itself stays.
    KeyRule{"BEARER", "Bearer ", Alphabet::Dotted, 16, Proof::Random},
    KeyRule{"BEARER", "bearer ", Alphabet::Dotted, 16, Proof::Random},
    KeyRule{"BASIC_AUTH", "Basic ", Alphabet::Dotted, 16, Proof::Random}};

// Schemes of URLs that open a database or a broker: with a password the whole of one is a secret.
inline constexpr std::array<std::string_view, 24> kConnectionSchemes{
    "postgres", "postgresql", "mysql", "mariadb", "mongodb",    "mongodb+srv", "redis",   "rediss",
    "amqp",     "amqps",      "mssql", "oracle",  "clickhouse", "cockroachdb", "nats",    "kafka",
    "ldap",     "ldaps",      "smtp",  "smtps",   "snowflake",  "sqlserver",   "couchdb", "neo4j"};

// Names that hold a password, and names that hold a key or a token, by how they end.
inline constexpr std::array<std::string_view, 6> kPasswordNames{
    "password", "passwd", "passphrase", "pwd", "passwort", "pgpassword"};
inline constexpr std::array<std::string_view, 20> kSecretNames{
    "api_key",     "api-key",    "apikey",         "secret",        "secret_key",
    "secret-key",  "secretkey",  "access_key",     "accesskey",     "access-key",
    "private_key", "auth_key",   "account_key",    "accountkey",    "sharedaccesskey",
    "signing_key", "master_key", "encryption_key", "client_secret", "token"};

// What stands for a password in examples.
inline constexpr std::array<std::string_view, 14> kStandIns{
    "password", "pass", "passwd", "pw",  "pwd",      "your",        "example",
    "changeme", "xxx",  "***",    "...", "redacted", "placeholder", "dummy"};

// Begins of names of algorithms, encodings and types, which have digits too ("sha256", "int32"): a
// digit, a hyphen, a line or nothing follows.
inline constexpr std::array<std::string_view, 40> kTechnical{
    "sha",    "md",     "aes",  "rsa",  "dsa",   "ecdsa", "argon",  "bcrypt", "scrypt",  "pbkdf",
    "blake",  "hmac",   "hs",   "rs",   "es",    "ed",    "x25519", "p256",   "secp",    "base",
    "utf",    "ucs",    "int",  "uint", "float", "char",  "str",    "string", "varchar", "text",
    "binary", "chacha", "poly", "tls",  "ssl",   "oauth", "crc",    "des",    "v",       "bit"};

// What examples call a key, with a number behind it or not.
inline constexpr std::array<std::string_view, 16> kNounsOfCode{
    "key",     "token",  "secret", "pass", "test", "value", "arg", "param",
    "setting", "config", "user",   "name", "foo",  "bar",   "var", "sample"};

// Suffixes that no public name has (RFC 6762, RFC 8375, ICANN on .internal, and common usage).
inline constexpr std::array<std::string_view, 9> kInternalSuffixes{
    ".internal",    ".intranet",      ".corp",  ".lan",           ".home.arpa",
    ".localdomain", ".cluster.local", ".local", ".service.consul"};

// Begins of dotted names that are packages of code rather than hosts.
inline constexpr std::array<std::string_view, 14> kPackageRoots{
    "com", "org", "net", "io",   "java", "javax", "sun",
    "jdk", "edu", "dev", "self", "this", "std",   "github"};

// What stands between + and the digits of a number is not looked at: ISO 3166 codes and lengths of
// accounts (ISO 13616, SWIFT's IBAN registry).
struct Iban {
  std::string_view country;
  std::size_t length;
};
inline constexpr std::array kIbans{
    Iban{"AD", 24}, Iban{"AE", 23}, Iban{"AL", 28}, Iban{"AT", 20}, Iban{"AZ", 28}, Iban{"BA", 20},
    Iban{"BE", 16}, Iban{"BG", 22}, Iban{"BH", 22}, Iban{"BR", 29}, Iban{"BY", 28}, Iban{"CH", 21},
    Iban{"CR", 22}, Iban{"CY", 28}, Iban{"CZ", 24}, Iban{"DE", 22}, Iban{"DK", 18}, Iban{"DO", 28},
    Iban{"EE", 20}, Iban{"EG", 29}, Iban{"ES", 24}, Iban{"FI", 18}, Iban{"FO", 18}, Iban{"FR", 27},
    Iban{"GB", 22}, Iban{"GE", 22}, Iban{"GI", 23}, Iban{"GL", 18}, Iban{"GR", 27}, Iban{"GT", 28},
    Iban{"HR", 21}, Iban{"HU", 28}, Iban{"IE", 22}, Iban{"IL", 23}, Iban{"IQ", 23}, Iban{"IS", 26},
    Iban{"IT", 27}, Iban{"JO", 30}, Iban{"KW", 30}, Iban{"KZ", 20}, Iban{"LB", 28}, Iban{"LC", 32},
    Iban{"LI", 21}, Iban{"LT", 20}, Iban{"LU", 20}, Iban{"LV", 21}, Iban{"MC", 27}, Iban{"MD", 24},
    Iban{"ME", 22}, Iban{"MK", 19}, Iban{"MR", 27}, Iban{"MT", 31}, Iban{"MU", 30}, Iban{"NL", 18},
    Iban{"NO", 15}, Iban{"PK", 24}, Iban{"PL", 28}, Iban{"PS", 29}, Iban{"PT", 25}, Iban{"QA", 29},
    Iban{"RO", 24}, Iban{"RS", 22}, Iban{"SA", 24}, Iban{"SC", 31}, Iban{"SE", 24}, Iban{"SI", 19},
    Iban{"SK", 24}, Iban{"SM", 27}, Iban{"ST", 25}, Iban{"SV", 28}, Iban{"TL", 23}, Iban{"TN", 24},
    Iban{"TR", 26}, Iban{"UA", 29}, Iban{"VA", 22}, Iban{"VG", 24}, Iban{"XK", 20}};

// Numbers of cards by how they begin (ISO/IEC 7812): the first four digits and the lengths.
struct Card {
  int from;
  int to;
  std::size_t shortest;
  std::size_t longest;
};
inline constexpr std::array kCards{
    Card{4000, 4999, 16, 16}, Card{5100, 5599, 16, 16}, Card{2221, 2720, 16, 16},
    Card{3400, 3499, 15, 15}, Card{3700, 3799, 15, 15}, Card{6011, 6011, 16, 16},
    Card{6440, 6599, 16, 16}, Card{3528, 3589, 16, 16}, Card{3000, 3059, 14, 14},
    Card{3600, 3699, 14, 14}, Card{3800, 3999, 14, 14}, Card{6200, 6299, 16, 19}};

}  // namespace hone::sensitive
