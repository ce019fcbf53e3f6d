// Every rule is tried. Nothing in this file is a secret.
#include "hone/base/sensitive.h"

#include <gtest/gtest.h>

#include <string>

#include "hone/base/sensitive_testing.h"

namespace hone {
namespace {

TEST(Sensitive, KnowsEveryFormatOfKeys) {
  Maker maker;
  for (const sensitive::KeyRule& rule : sensitive::kKeyRules) {
    for (int i = 0; i < 20; ++i) {
      const std::string key = key_of(rule, maker);
      const std::string kept = rule.prefix.ends_with(' ') ? std::string(rule.prefix) : "";
      EXPECT_EQ(marked("use " + key + " now"),
                "use " + kept + "[" + std::string(rule.kind) + "] now")
          << key;
    }
  }
}

TEST(Sensitive, FormatsOfKeysHaveTheLongerPrefixFirst) {
  for (std::size_t i = 0; i < sensitive::kKeyRules.size(); ++i) {
    for (std::size_t j = i + 1; j < sensitive::kKeyRules.size(); ++j) {
      const auto later = sensitive::kKeyRules[j].prefix;
      EXPECT_FALSE(later.starts_with(sensitive::kKeyRules[i].prefix)) << later;
    }
  }
}

struct Case {
  const char* text;
  const char* expected;
};

TEST(Sensitive, FindsWhatLiesInText) {
  const Case cases[] = {
      {"Authorization: Bearer abcdef0123456789xyz", "Authorization: Bearer [BEARER]"},
      {"-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc=\n-----END RSA PRIVATE KEY-----\nrest",
       "[PRIVATE_KEY]\nrest"},
      {R"({"key":"-----BEGIN PRIVATE KEY-----\nMIIEow\n-----END PRIVATE KEY-----\n"})",
       R"({"key":"[PRIVATE_KEY]\n"})"},
      {"-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234567890abcdef", "[PRIVATE_KEY]"},
      {"postgres://app:s3cr3t-pw@db.example.org:5432/app?ssl=1 is ours",
       "[CONNECTION_STRING] is ours"},
      {"mongodb+srv://root:Zx81kk@cluster0.abc.example.net/", "[CONNECTION_STRING]"},
      {"postgresql+asyncpg://app:s3cr3tpw@db/app", "[CONNECTION_STRING]"},
      {"git clone https://bob:hunter22@example.org/r.git",
       "git clone https://bob:[PASSWORD]@example.org/r.git"},
      {"Server=db1;Database=x;User Id=sa;Password=topf;Encrypt=yes",
       "Server=db1;Database=x;User Id=sa;Password=[PASSWORD];Encrypt=yes"},
      {"DB_PASSWORD=tr0ub4dor&3", "DB_PASSWORD=[PASSWORD]&3"},
      {R"("password": "tr0ub4dor3",)", R"("password": "[PASSWORD]",)"},
      {R"(\"password\": \"tr0ub4dor3\")", R"(\"password\": \"[PASSWORD]\")"},
      {"aws_secret_access_key = wJalrXUtnFEMI7K7MDENGbPxRfiCYzzzzKEY12",
       "aws_secret_access_key = [SECRET]"},
      {"api_key=abc123 is wrong", "api_key=[SECRET] is wrong"},
      {"api_key: q7w8e9", "api_key: [SECRET]"},
      {R"({"api_key": "abc123"})", R"({"api_key": "[SECRET]"})"},
      {"client_secret=k3yb0ard", "client_secret=[SECRET]"},
      {"auth_token=ab12cd34", "auth_token=[SECRET]"},
      {"Log in with password: hunter2 and go.", "Log in with password: [PASSWORD] and go."},
      {"The password: hunter2.", "The password: [PASSWORD]."},
      {"DB_PASSWORD=s3cr3t", "DB_PASSWORD=[PASSWORD]"},
      {"pwd=x9kk21", "pwd=[PASSWORD]"},
      {"passwd: qwerty1", "passwd: [PASSWORD]"},
      {"Write to ada@example.org, please.", "Write to [EMAIL], please."},
      {"Ada <ada.love+x@mail.example.co.uk>", "Ada <[EMAIL]>"},
      {R"(mails:\nada@example.org\n)", R"(mails:\n[EMAIL]\n)"},
      {"Call +49 30 901820 or +1 (555) 010-4477.", "Call [PHONE] or [PHONE]."},
      {"Call 555-010-4477 or (555) 010-4477", "Call [PHONE] or [PHONE]"},
      {"Tel. 030/9018-2021", "Tel. [PHONE]"},
      {"card 4111 1111 1111 1111, 378282246310005", "card [CARD], [CARD]"},
      {"to DE89 3704 0044 0532 0130 00 or GB82WEST12345698765432", "to [IBAN] or [IBAN]"},
      {"ping 10.1.2.3 and 192.168.0.17:8080", "ping [ADDRESS] and [ADDRESS]:8080"},
      {"fd12:3456:789a::1 and fe80::1ff:fe23:4567:890a", "[ADDRESS] and [ADDRESS]"},
      {"see http://10.0.0.5:8080/jobs?id=3.", "see [INTERNAL_URL]."},
      {"see https://wiki.corp/page (internal)", "see [INTERNAL_URL] (internal)"},
      {"curl http://grafana:3000/api", "curl [INTERNAL_URL]"},
      {"ssh build-01.internal", "ssh [HOST]"},
      {"vault.service.consul and api.default.svc.cluster.local", "[HOST] and [HOST]"},
      {"[db1.lan]", "[[HOST]]"},
  };
  for (const Case& item : cases) EXPECT_EQ(marked(item.text), item.expected);
}

const char* const kHarmless[] = {
    "Set your API key in OPENAI_API_KEY.",
    "An API key is a secret; never print it.",
    "sk-learn is a library",
    "task-012345678901234567890123",
    "sk-a-name-with-many-hyphens-in-it",
    "sk-learn-tutorial-chapter-03-linear-models-2024",
    "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "export OPENAI_API_KEY=sk-...",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "Bearer tokens are described in RFC 6750.",
    "Authorization: Bearer <token>",
    "Authorization: Bearer ${TOKEN}",
    "Basic understanding of authentication",
    "password = input()",
    "password = getpass.getpass('Password: ')",
    "password = os.environ[\"DB_PASSWORD\"]",
    "password: str = Field(min_length=8)",
    "password: sha256",
    "password: SHA-512 with salt",
    "password: md5 is weak",
    "password: argon2id",
    "password: utf8mb4",
    "password: varchar255",
    "password: string",
    "password: required",
    "password: String64",
    "password: Text",
    "Password: 8 characters",
    "password: part 2",
    "passwd: base64",
    "PWD=/home/ada1/src",
    "pwd=~/work2/x",
    "api_key=None",
    "api_key=os.environ[\"KEY1\"]",
    "api_key=YOUR_KEY",
    "api_key=YOUR_API_KEY_1",
    "api_key=key1",
    "api_key=api_key_2",
    "api_key=test_key_01",
    "api_key=settings2",
    "client_secret=secret2",
    "signing_key: ed25519",
    "encryption_key=aes256",
    "encryption_key: AES-128-GCM",
    "private_key: rsa4096",
    "secret: sha512",
    "secret: phase2",
    "secret: v2024",
    "access_key=int64",
    "token=w2v300",
    "token: gpt2tok33",
    "if password == stored_password:",
    "def login(user, password=None):",
    "password = \"password\"",
    "password: your-password-here1",
    "PASSWORD=${DB_PASSWORD}",
    "PASSWORD=<your password 1>",
    "Password: at least 8 characters",
    "token = tokens[0]",
    "token = next(stream)",
    "max_tokens: 2048",
    "eos_token = \"<|endoftext|>\"",
    "secret = secrets.token_hex(16)",
    "api_key = config.openai.api_key",
    "api_key: Optional[str] = None",
    "primary_key: user_id_2024_01_01x",
    "postgres://user:password@localhost/db",
    "postgres://USER:${PASSWORD}@localhost:5432/app",
    "postgres://localhost:5432/app",
    "https://user:<password>@example.org",
    "https://example.org/a:b@c",
    "https://example.org/@user/post",
    "-----BEGIN PUBLIC KEY-----",
    "A key begins with -----BEGIN PRIVATE KEY----- and is PEM.",
    "import {x} from '@types/node'",
    "@dataclass(frozen=True)",
    "npm install left-pad@1.3.0",
    "icon@2x.png",
    "git@github.com:org/repo.git",
    "a @ b is a matrix product",
    "user@host",
    "2026-03-15T10:20:30.123456Z",
    "1763769600123456789",
    "pi is 3.14159265358979323846",
    "0.4111111111111111",
    "4111 1111 1111 1112",
    "1234567890123456",
    "order 6011000990139425",
    "a+12345678901",
    "x = y +1234567",
    "range(100, 200)",
    "555-1234",
    "pages 100-200-3000",
    "2024-01-02-0345",
    "ISBN 978-3-16-148410-0",
    "DE89 3704 0044 0532 0130 01",
    "GB29 is a bus",
    "FR2024 and IT2025",
    "version 10.4.2",
    "version 10.4.2.1.7",
    "10.0.0.0/8 is private",
    "127.0.0.1 and ::1",
    "8.8.8.8 and 172.32.0.1",
    "0.0.0.0:8080",
    "http://localhost:8080/health",
    "http://127.0.0.1:9/v1",
    "http://example/path",
    "https://www.example.org/internal/page",
    "threading.local()",
    "data = threading.local",
    "com.example.internal.Parser",
    "self.internal = 1",
    "#include \"foo.internal.h\"",
    "std::chrono::seconds fade::in",
    "fdef: face: fe",
    "feature: fc: fd",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "550e8400-e29b-41d4-a716-446655440000",
    "[EMAIL_1] wrote",
    "The localdomain. Next sentence.corpus",
    "Local time.local weather",
    "ACCESS DENIED: ACcessible SKills",
    "key-value stores",
    "hf_hub_download(repo_id='a/b')",
    "eyJust kidding",
    "pypi-publish-workflow-file-for-everything-and-everyone-else",
    "phone numbers have digits",
    "call 911",
    "Tel Aviv 2024",
    "BEGIN = '-----BEGIN PRIVATE KEY-----'\nEND = '-----END PRIVATE KEY-----'",
    "private_key: ec.EllipticCurvePrivateKey",
    "offset +352364500.6",
    "fw_update_2024_version_03_final",
};

TEST(Sensitive, LeavesWhatOnlyLooksLikeIt) {
  for (const char* text : kHarmless) EXPECT_EQ(marked(text), text);
  EXPECT_EQ(marked("order 6011000990139424"), "order [CARD]") << "but for its check digit";
}

TEST(Sensitive, HasASwitchForEachClass) {
  const std::string text = "hf_" + Maker().of(kAlnum, 34) + " ada@example.org 10.1.2.3";
  const auto kinds = [&](const Redaction& redaction) {
    std::string all;
    std::size_t from = 0;
    while (const auto found = find_sensitive(text, from, redaction)) {
      all += std::string(found->kind) + " ";
      from = found->end;
    }
    return all;
  };
  EXPECT_EQ(kinds({}), "HUGGINGFACE_TOKEN EMAIL ADDRESS ");
  EXPECT_EQ(kinds({.secrets = false}), "EMAIL ADDRESS ");
  EXPECT_EQ(kinds({.personal = false}), "HUGGINGFACE_TOKEN ADDRESS ");
  EXPECT_EQ(kinds({.infrastructure = false}), "HUGGINGFACE_TOKEN EMAIL ");
  EXPECT_EQ(kinds({.secrets = false, .personal = false, .infrastructure = false}), "");
}

TEST(Sensitive, TakesNoLongerThanTheTextIsLong) {
  for (const std::string piece :
       {"sk-", "x://", "a.corp.", "@a.", ".c", "-----BEGIN PRIVATE KEY-----", "password=", "+4",
        "1-", "[EMAIL_", "eyJ."}) {
    std::string text;
    while (text.size() < 50'000) text += piece;
    std::size_t from = 0;
    while (const auto found = find_sensitive(text, from, {})) {
      ASSERT_GT(found->end, from) << piece;
      from = found->end;
    }
  }
}

}  // namespace
}  // namespace hone
