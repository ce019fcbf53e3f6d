// The processes of a sandbox: zygotes, idle workers and shared namespaces.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "hone/sandbox/worker.h"
#include "hone/sandbox/zygote.h"

namespace hone::sandbox {

// Threads: any; calls block. After a call the process of the next one is made.
class Workers {
 public:
  Workers(std::string program, bool weak) : program_(std::move(program)), weak_(weak) {}

  core::CodeResult call(const core::CodeRequest& request, const process::Descriptor& cancelled);
  Protection protection(core::Language language) { return zygote(language)->protection(); }

 private:
  using Key = std::tuple<core::Language, std::uint64_t, std::size_t>;
  // A namespace that several calls share, one after the other.
  struct Shared {
    std::mutex busy;
    std::unique_ptr<Worker> worker;
    std::vector<core::CodeRequest> earlier;  // To make it again when its process had to be killed.
  };

  std::shared_ptr<Zygote> zygote(core::Language language);
  std::shared_ptr<Zygote> protected_zygote(core::Language language);
  void forget(core::Language language, const std::shared_ptr<Zygote>& zygote);
  Worker make_worker(const core::CodeRequest& request);
  Worker worker_of(Zygote& zygote, const core::CodeRequest& request);
  process::Descriptor take_ready(core::Language language);
  void make_ready(core::Language language);
  core::CodeResult call_by_kind(const core::CodeRequest& request,
                                const process::Descriptor& cancelled);
  core::CodeResult call_fresh(const core::CodeRequest& request,
                              const process::Descriptor& cancelled);
  core::CodeResult call_reused(const core::CodeRequest& request,
                               const process::Descriptor& cancelled);
  core::CodeResult call_shared(const core::CodeRequest& request,
                               const process::Descriptor& cancelled);
  std::unique_ptr<Worker> idle_worker(const Key& key);
  Shared& shared(const std::string& name);

  std::string program_;
  bool weak_;
  std::array<std::mutex, 3> starting_;  // By language.
  std::mutex lock_;                     // Of what follows.
  std::map<core::Language, std::shared_ptr<Zygote>> zygotes_;
  // One process for each language that has been used, forked and isolated, waiting for any call.
  std::map<core::Language, process::Descriptor> ready_;
  std::map<Key, std::vector<std::unique_ptr<Worker>>> idle_;
  std::map<std::string, std::unique_ptr<Shared>> shared_;
};

}  // namespace hone::sandbox
