#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "hone/model/local_chat.h"
#include "hone/model/local_sample.h"

namespace hone::model {
namespace {

// The ways to begin an answer with one of the choices, as a tree of tokens.
struct Node {
  std::map<llama_token, Node> next;
  std::set<std::size_t> ending;   // Choices that are complete here.
  std::set<std::size_t> through;  // Choices that are complete here or below.
};

std::string with_case(std::string text, int (*letter)(int), std::size_t letters) {
  for (std::size_t i = 0; i < std::min(letters, text.size()); ++i) {
    text[i] = static_cast<char>(letter(static_cast<unsigned char>(text[i])));
  }
  return text;
}

std::set<std::string> forms_of(const std::string& choice) {
  const std::string lower = with_case(choice, std::tolower, choice.size());
  std::set<std::string> forms;
  for (const std::string& form : {choice, lower, with_case(lower, std::toupper, 1),
                                  with_case(lower, std::toupper, choice.size())}) {
    forms.insert(form);
    forms.insert(" " + form);
  }
  return forms;
}

Node tree_of(const llama_vocab& vocab, const std::vector<std::string>& choices) {
  Node root;
  for (std::size_t choice = 0; choice < choices.size(); ++choice) {
    for (const std::string& form : forms_of(choices[choice])) {
      Node* node = &root;
      for (const llama_token token : plain_tokens(vocab, form)) {
        node = &node->next[token];
        node->through.insert(choice);
      }
      node->ending.insert(choice);
    }
  }
  return root;
}

// Adds up the probabilities along the tree.
class Walk {
 public:
  Walk(std::size_t choices, llama_context& context, KeptSequences& kept)
      : probabilities_(choices), context_(context), kept_(kept) {}

  // `likelihood` is that of getting to the node, by the tokens of the path.
  void visit(const Node& node, double likelihood, std::span<const float> logits) {
    const Scale scale(logits);
    double gone = 0;
    for (const auto& [token, child] : node.next) {
      const double part = scale.likelihood(token);
      gone += part;
      path_.push_back(token);
      enter(child, likelihood * part, logits.size());
      path_.pop_back();
    }
    for (const std::size_t choice : node.ending) probabilities_[choice] += likelihood * (1 - gone);
  }

  std::vector<double> relative() const {
    const double sum = std::accumulate(probabilities_.begin(), probabilities_.end(), 0.0);
    if (failed_ || !(sum > 0)) return {};
    std::vector<double> parts = probabilities_;
    for (double& part : parts) part /= sum;
    return parts;
  }

 private:
  // Logits as probabilities.
  class Scale {
   public:
    explicit Scale(std::span<const float> logits)
        : logits_(logits), most_(*std::ranges::max_element(logits)) {
      for (const float logit : logits) sum_ += std::exp(static_cast<double>(logit - most_));
    }
    double likelihood(llama_token token) const {
      const float logit = logits_[static_cast<std::size_t>(token)];
      return std::exp(static_cast<double>(logit - most_)) / sum_;
    }

   private:
    std::span<const float> logits_;
    float most_;
    double sum_ = 0;
  };

  void enter(const Node& node, double likelihood, std::size_t vocabulary) {
    if (node.through.size() == 1) {
      probabilities_[*node.through.begin()] += likelihood;
      return;
    }
    const std::vector<float> logits = logits_after_path(vocabulary);
    if (failed_) return;
    visit(node, likelihood, logits);
  }

  std::vector<float> logits_after_path(std::size_t vocabulary) {
    std::string ignored;
    failed_ = failed_ || !kept_.can_branch();
    if (failed_) return {};
    kept_.branch();
    failed_ = kept_.read(path_, ignored) != EngineFault::None;
    kept_.leave();
    if (failed_) return {};
    const float* first = llama_get_logits_ith(&context_, -1);
    return {first, first + vocabulary};
  }

  std::vector<double> probabilities_;
  llama_context& context_;
  KeptSequences& kept_;
  std::vector<llama_token> path_;
  bool failed_ = false;
};

}  // namespace

std::vector<double> choice_probabilities(const std::vector<std::string>& choices,
                                         std::span<const float> logits, llama_context& context,
                                         KeptSequences& kept) {
  const llama_vocab& vocab = *llama_model_get_vocab(llama_get_model(&context));
  Walk walk(choices.size(), context, kept);
  walk.visit(tree_of(vocab, choices), 1, logits);
  return walk.relative();
}

}  // namespace hone::model
