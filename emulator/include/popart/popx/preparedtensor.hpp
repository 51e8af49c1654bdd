#ifndef popart_popx_preparedtensor_hpp
#define popart_popx_preparedtensor_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <vector>

namespace popart {
namespace popx {

enum class CanAlias { No = 0, Yes };

enum class RequireParallelWritable { No = 0, Yes };

struct PreparedTensorInfo {
  PreparedTensorInfo(const TensorId&, const TensorId&, CanAlias, RequireParallelWritable) {
    emulator::missing("popart::popx::PreparedTensorInfo");
  }
  TensorId srcId;
  TensorId dstId;
  CanAlias canAlias;
  RequireParallelWritable requireParallelWritable;
};

using PreparedTensorInfos = std::vector<PreparedTensorInfo>;

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_preparedtensor_hpp
