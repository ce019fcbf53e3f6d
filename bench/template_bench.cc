// How long it takes to compile and to render a prompt of usual size.
#include <benchmark/benchmark.h>

#include <string_view>

#include "hone/template/template.h"

namespace {

constexpr std::string_view kPrompt = R"({% for attempt in attempts %}
## Attempt {{ attempt.number }}{% if attempt.score is not none %} ({{ attempt.score }}){% endif %}

{{ attempt.output | trim }}
{% for issue in attempt.issues %}
- {{ issue.path or 'whole' }}: {{ issue.message }}
{% endfor %}
{% endfor %}
Task: {{ task }}
Answer as {{ schema | tojson }}.
)";
constexpr std::string_view kContext = R"({
  "task": "Summarise the memo.",
  "schema": {"type": "object", "required": ["title", "summary"]},
  "attempts": [
    {"number": 1, "score": 0.5, "output": "{\"title\": \"Q3\"}\n",
     "issues": [{"path": "/summary", "message": "`summary` is required"}]},
    {"number": 2, "score": null, "output": "none", "issues": []}
  ]
})";

using hone::templates::Blocks;
using hone::templates::Template;

void compile(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(Template("prompt", kPrompt, {.blocks = Blocks::OwnLines}));
  }
}
BENCHMARK(compile)->Name("template/compile");

void render(benchmark::State& state) {
  const Template prompt("prompt", kPrompt, {.blocks = Blocks::OwnLines});
  for (auto _ : state) benchmark::DoNotOptimize(prompt.render(kContext));
}
BENCHMARK(render)->Name("template/render");

}  // namespace
