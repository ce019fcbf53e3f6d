// Every rule is tried, then a corpus made by the test itself: nothing in this file is a secret.
#include "hone/base/sensitive.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "hone/base/sensitive_rules.h"

namespace hone {
namespace {

struct Planted {
  std::string text;
  std::string secret;  // The part that has to be gone.
};

// What find_sensitive leaves of the text, with "[KIND]" for what it finds.
std::string marked(std::string_view text) {
  std::string result;
  std::size_t copied = 0;
  while (const auto found = find_sensitive(text, copied, {})) {
    result += text.substr(copied, found->begin - copied);
    result += "[" + std::string(found->kind) + "]";
    copied = found->end;
  }
  result += text.substr(copied);
  return result;
}

class Maker {
 public:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  std::string of(std::string_view alphabet, std::size_t length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += alphabet[random_() % alphabet.size()];
    return text;
  }
  std::string digits(std::size_t length) { return of("0123456789", length); }
  template <class List>
  auto any(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }

 private:
  std::mt19937 random_{20'260'315};
};

constexpr std::string_view kAlnum =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

std::string_view characters(sensitive::Alphabet alphabet) {
  switch (alphabet) {
    case sensitive::Alphabet::Hex:
      return "0123456789abcdef";
    case sensitive::Alphabet::Base32:
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    default:
      return kAlnum;
  }
}

std::string key_of(const sensitive::KeyRule& rule, Maker& maker) {
  return std::string(rule.prefix) + maker.of(characters(rule.alphabet), rule.shortest);
}

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

// A corpus of several hundred of both.
using Make = std::function<std::string(Maker&)>;

int luhn_digit(const std::string& digits) {
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 0) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return (10 - sum % 10) % 10;
}

std::string grouped(const std::string& text, std::size_t size, char separator) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && i % size == 0) result += separator;
    result += text[i];
  }
  return result;
}

std::string a_card(Maker& maker) {
  const char* const begins[] = {"4532", "5105", "2223", "6011", "6445"};
  const std::string digits = maker.any(begins) + maker.digits(11);
  const std::string whole = digits + std::to_string(luhn_digit(digits));
  const int form = maker.below(3);
  return form == 0 ? whole : grouped(whole, 4, form == 1 ? ' ' : '-');
}

std::string an_iban(Maker& maker) {
  const auto country = maker.any(sensitive::kIbans);
  const std::string account = maker.digits(country.length - 4);
  int rest = 0;
  for (const char c : account + std::string(country.country) + "00") {
    rest = c <= '9' ? (rest * 10 + (c - '0')) % 97 : (rest * 100 + (c - 'A' + 10)) % 97;
  }
  const std::string check = std::to_string(198 - rest).substr(1);
  const std::string whole = std::string(country.country) + check + account;
  return maker.below(2) == 0 ? whole : grouped(whole, 4, ' ');
}

std::string a_mail(Maker& maker) {
  const char* const names[] = {"ada", "grace.hopper", "j_doe", "anna+lists", "o-neill"};
  const char* const domains[] = {"example.org", "mail.example.com", "uni-example.de",
                                 "x.example.io"};
  return std::string(maker.any(names)) + maker.digits(2) + "@" + maker.any(domains);
}

std::string a_phone(Maker& maker) {
  switch (maker.below(4)) {
    case 0:
      return "+49 30 " + maker.digits(7);
    case 1:
      return "+1 (555) 01" + maker.digits(1) + "-" + maker.digits(4);
    case 2:
      return "555-01" + maker.digits(1) + "-" + maker.digits(4);
    default:
      return "+44" + maker.digits(10);
  }
}

std::string a_connection(Maker& maker) {
  return std::string(maker.any(sensitive::kConnectionSchemes)) + "://app:" + maker.of(kAlnum, 12) +
         "@db" + maker.digits(1) + ".example.org:5432/main";
}

std::string an_address(Maker& maker) {
  const char* const begins[] = {"10.", "192.168.", "172.16.", "169.254."};
  std::string address = maker.any(begins);
  while (std::count(address.begin(), address.end(), '.') < 3) address += maker.digits(1) + "7.";
  if (address.back() == '.') address += "4" + maker.digits(1);
  return address;
}

std::string a_host(Maker& maker) {
  return "db-" + maker.digits(2) + std::string(maker.any(sensitive::kInternalSuffixes));
}

std::string an_internal_url(Maker& maker) {
  return "https://" + (maker.below(2) == 0 ? a_host(maker) : an_address(maker)) + "/jobs/" +
         maker.digits(3);
}

std::string a_private_key(Maker& maker) {
  return "-----BEGIN EC PRIVATE KEY-----\n" + maker.of(kAlnum, 64) + "\n" + maker.of(kAlnum, 40) +
         "==\n-----END EC PRIVATE KEY-----";
}

std::string a_key(Maker& maker) {
  const auto rule = maker.any(sensitive::kKeyRules);
  return key_of(rule, maker).substr(rule.prefix.ends_with(' ') ? 0 : 0);
}

const char* const kFrames[] = {"Use @ for this.",
                               "{\"value\":\"@\"}",
                               "x = '@'",
                               "- value: @\n- other: 1",
                               "first line\n@\nlast",
                               "(@)",
                               "see: @",
                               "`@`"};

Planted plant(const std::string& secret, Maker& maker) {
  std::string frame = maker.any(kFrames);
  frame.replace(frame.find('@'), 1, secret);
  return {frame, secret};
}

TEST(Sensitive, CatchesAPlantedCorpus) {
  Maker maker;
  const Make makers[] = {a_card, an_iban,         a_mail,        a_phone, a_connection, an_address,
                         a_host, an_internal_url, a_private_key, a_key,   a_key,        a_key};
  int missed = 0;
  constexpr int kAll = 1200;
  for (int i = 0; i < kAll; ++i) {
    const auto [text, secret] =
        plant(makers[static_cast<std::size_t>(i) % std::size(makers)](maker), maker);
    // Of a bearer the word stays.
    const std::string body = secret.substr(secret.find(' ') == 6   ? 7
                                           : secret.find(' ') == 5 ? 6
                                                                   : 0);
    const bool gone = marked(text).find(body) == std::string::npos;
    missed += gone ? 0 : 1;
    EXPECT_TRUE(gone) << text;
  }
  EXPECT_LE(missed, kAll / 100);
}

std::string words(Maker& maker, const char* joint) {
  const char* const list[] = {"model", "train", "data",     "key",  "secret",  "token", "small",
                              "v2",    "api",   "password", "test", "chapter", "03",    "linear"};
  std::string text = maker.any(list);
  for (int i = 0; i < 6; ++i) text += joint + std::string(maker.any(list));
  return text;
}

TEST(Sensitive, LeavesAHarmlessCorpus) {
  Maker maker;
  const Make makers[] = {
      [](Maker& m) { return "sk-" + words(m, "-"); },
      [](Maker& m) { return words(m, " ") + "."; },
      [](Maker& m) { return words(m, "_") + " = " + words(m, "_") + "()"; },
      [](Maker& m) { return "https://example.org/" + words(m, "/"); },
      [](Maker& m) { return "commit " + m.of("0123456789abcdef", 40); },
      [](Maker& m) { return "id: " + m.digits(8) + "-" + m.digits(4); },
      [](Maker& m) { return "at 1763769" + m.digits(9) + " ns"; },
      [](Maker& m) { return "v" + m.digits(1) + "." + m.digits(2) + "." + m.digits(1); },
      [](Maker& m) { return "0." + m.digits(17) + ", 1e" + m.digits(2); },
      [](Maker& m) { return "x[" + m.digits(3) + "] += " + m.digits(5); },
      [](Maker& m) { return "2026-0" + m.digits(1) + "-1" + m.digits(1) + " 10:2" + m.digits(1); },
      [](Maker& m) { return words(m, ".") + "(" + words(m, ", ") + ")"; },
  };
  int wrong = 0;
  constexpr int kAll = 1200;
  for (int i = 0; i < kAll; ++i) {
    const std::string text = makers[static_cast<std::size_t>(i) % std::size(makers)](maker);
    wrong += marked(text) == text ? 0 : 1;
    EXPECT_EQ(marked(text), text);
  }
  EXPECT_LT(wrong, kAll / 100);
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
