// Sentence encoders of the BERT family as their makers publish them, made into a file that the
// local engine reads.
#pragma once

#include <string>

#include "hone/model/gguf.h"

namespace hone::model {

// What a published encoder is made of.
struct BertParts {
  std::string name;
  std::string licence;
  std::string config;      // config.json.
  std::string vocabulary;  // vocab.txt: a word piece a line.
  std::string tensors;     // model.safetensors: a length, a JSON head, then float32 values.
};

// Writes a GGUF file whose vectors are the mean of all positions; matrices in half precision. The
// same parts give the same bytes everywhere. Throws Corrupt for parts that are damaged, do not fit
// together or have a tensor of an unknown name or type.
void write_bert_gguf(const BertParts& parts, const Put& put);

}  // namespace hone::model
