// How long a compiled schema takes for a small object, valid and not.
#include <benchmark/benchmark.h>

#include <string_view>

#include "hone/schema/schema.h"

namespace {

constexpr std::string_view kSchema = R"({
  "type": "object",
  "properties": {
    "title": {"type": "string", "minLength": 3},
    "summary": {"type": "string"},
    "score": {"type": "number", "minimum": 0, "maximum": 1},
    "tags": {"type": "array", "items": {"type": "string"}},
    "kind": {"enum": ["news", "essay"]}
  },
  "required": ["title", "summary", "score"],
  "additionalProperties": false
})";
constexpr std::string_view kValid =
    R"({"title":"Third quarter","summary":"Up 4 %.","score":0.5,"tags":["a","b"],"kind":"news"})";
constexpr std::string_view kInvalid =
    R"({"title":"Third quarter","score":"0.5","tags":["a",5],"kind":"news"})";

void compile(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(hone::schema::Schema(kSchema));
}
BENCHMARK(compile)->Name("schema/compile");

void check(benchmark::State& state, std::string_view text) {
  const hone::schema::Schema schema(kSchema);
  for (auto _ : state) benchmark::DoNotOptimize(schema.check(text));
}
BENCHMARK_CAPTURE(check, valid, kValid)->Name("schema/check/valid");
BENCHMARK_CAPTURE(check, invalid, kInvalid)->Name("schema/check/invalid");

void coerce(benchmark::State& state) {
  const hone::schema::Schema schema(kSchema);
  for (auto _ : state) benchmark::DoNotOptimize(schema.coerce(kInvalid));
}
BENCHMARK(coerce)->Name("schema/coerce");

}  // namespace
