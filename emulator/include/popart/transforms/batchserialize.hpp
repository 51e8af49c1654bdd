#ifndef popart_transforms_batchserialize_hpp
#define popart_transforms_batchserialize_hpp

#include <cstddef>
#include <popart/basicoptionals.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/shardingplan.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/transforms/transform.hpp>
#include <string>
#include <vector>

namespace popart {

class Graph;
class BatchSerializedTensorInfo {
 public:
  TensorId id;
  TensorId concatId;
  TensorInfo info;
  std::vector<TensorInfo> serializedInfos;
  std::vector<TensorId> serializedIds;
  ShardTensorType type;
};

class BatchSerialize : public Transform {
 public:
  static std::size_t id(int) { emulator::missing("popart::BatchSerialize::id"); }
  BatchSerialize(int) { emulator::missing("popart::BatchSerialize"); }
  bool apply(Graph&) const override { emulator::missing("popart::BatchSerialize::apply"); }
  std::size_t getId() const override { emulator::missing("popart::BatchSerialize::getId"); }
  std::string getName() const override { return "BatchSerialize"; }
};

}  // namespace popart

#endif  // popart_transforms_batchserialize_hpp
