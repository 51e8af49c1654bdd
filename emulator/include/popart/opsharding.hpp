#ifndef popart_opsharding_hpp
#define popart_opsharding_hpp

#include <cstdint>
#include <popart/datatype.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/init.hpp>
#include <popart/tensordebuginfo.hpp>
#include <vector>

namespace popart {

class Graph;
class Tensor;
class TensorInfo;
class ShardingHelper {
 public:
  ShardingHelper(Graph*) { emulator::missing("popart::ShardingHelper"); }
  std::vector<Op*> staticConcat(int64_t, std::vector<TensorId>, TensorId, Op::Settings) const {
    emulator::missing("popart::ShardingHelper::staticConcat");
  }
  std::vector<Op*> staticShard(int64_t, std::vector<TensorId>, TensorId,
                               std::vector<Op::Settings>) const {
    emulator::missing("popart::ShardingHelper::staticShard");
  }
  std::vector<Op*> offset(TensorId, TensorId, TensorId, Op::Settings) const {
    emulator::missing("popart::ShardingHelper::offset");
  }
  std::vector<Op*> offsets(std::vector<TensorId>, TensorId, std::vector<Op::Settings>) const {
    emulator::missing("popart::ShardingHelper::offsets");
  }
  std::vector<Op*> dynamicUpdate(int64_t, int64_t, TensorId, TensorId, TensorId, TensorId,
                                 Op::Settings) const {
    emulator::missing("popart::ShardingHelper::dynamicUpdate");
  }
  std::vector<Op*> dynamicConcat(int64_t, std::vector<TensorId>, TensorId,
                                 std::vector<Op::Settings>) const {
    emulator::missing("popart::ShardingHelper::dynamicConcat");
  }
  std::vector<Op*> dynamicSlice(int64_t, int64_t, TensorId, TensorId, TensorId,
                                Op::Settings) const {
    emulator::missing("popart::ShardingHelper::dynamicSlice");
  }
  std::vector<Op*> dynamicShard(int64_t, std::vector<TensorId>, TensorId,
                                std::vector<Op::Settings>) const {
    emulator::missing("popart::ShardingHelper::dynamicShard");
  }
  Tensor* initTensor(TensorInfo, TensorId, InitType, Op::Settings) const {
    emulator::missing("popart::ShardingHelper::initTensor");
  }
  Op* idLoss(ReductionType, TensorId, TensorId, Op::Settings) const {
    emulator::missing("popart::ShardingHelper::idLoss");
  }
  Op* scale(float, TensorId, TensorId, Op::Settings) const {
    emulator::missing("popart::ShardingHelper::scale");
  }
  void connectOutTensor(Op*, TensorId, OutIndex) const {
    emulator::missing("popart::ShardingHelper::connectOutTensor");
  }
  std::vector<Op*> reshapeForSlice(TensorId, Shape, TensorId, Op::Settings) const {
    emulator::missing("popart::ShardingHelper::reshapeForSlice");
  }
  TensorId createOrGetIndexTensor(uint32_t, Op::Settings) const {
    emulator::missing("popart::ShardingHelper::createOrGetIndexTensor");
  }
  template <class T>
  TensorId createOrGetConstTensor(DataType, T, Op::Settings) const {
    emulator::missing("popart::ShardingHelper::createOrGetConstTensor");
  }
};

}  // namespace popart

#endif  // popart_opsharding_hpp
