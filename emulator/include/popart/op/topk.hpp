#ifndef popart_op_topk_hpp
#define popart_op_topk_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/basesort.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/vendored/optional.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class TopKOp : public BaseSortOp {
 public:
  template <class... Args>
  explicit TopKOp(const Args&...)
      : BaseSortOp(emulator::absent<const OperatorIdentifier>("popart::TopKOp")) {}
  int64_t getK() const { emulator::missing("popart::TopKOp::getK"); }
  bool getLargest() const { emulator::missing("popart::TopKOp::getLargest"); }
  bool getSorted() const { emulator::missing("popart::TopKOp::getSorted"); }
  bool getStable() const { emulator::missing("popart::TopKOp::getStable"); }
  static OutIndex getValuesOutIndex() { return 0; }
  static OutIndex getIndicesOutIndex() { return 1; }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::TopKOp::getAvailableMemoryProportion");
  }
};

class TopKGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit TopKGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::TopKGradOp")) {}
  int64_t getAxis() const { emulator::missing("popart::TopKGradOp::getAxis"); }
  const TensorInfo& getGradOutInfo() const {
    emulator::missing("popart::TopKGradOp::getGradOutInfo");
  }
  static InIndex gradInIndex() { return 0; }
  static InIndex indicesInIndex() { return 1; }
  static OutIndex gradOutIndex() { return 0; }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::TopKGradOp::getAvailableMemoryProportion");
  }
};

}  // namespace popart

#endif  // popart_op_topk_hpp
