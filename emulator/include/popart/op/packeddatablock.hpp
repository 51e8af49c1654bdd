#ifndef popart_op_packeddatablock_hpp
#define popart_op_packeddatablock_hpp

#include <cstdint>
#include <functional>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorlocation.hpp>
#include <set>
#include <vector>

namespace popart {

class Graph;
class Tensor;
class TensorInfo;
struct OperatorIdentifier;
struct PackedSequences {
  Tensor* data;
  Tensor* offsets;
  Tensor* lengths;
};

class PackedDataBlockOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit PackedDataBlockOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::PackedDataBlockOp")) {}
  Graph& getCalledGraph() const { emulator::missing("popart::PackedDataBlockOp::getCalledGraph"); }
  void setCalledGraph(Graph&) { emulator::missing("popart::PackedDataBlockOp::setCalledGraph"); }
  int64_t numCallbackInputs() const {
    emulator::missing("popart::PackedDataBlockOp::numCallbackInputs");
  }
  int64_t numDataInputs() const { emulator::missing("popart::PackedDataBlockOp::numDataInputs"); }
  int64_t getCallbackIterations() const {
    emulator::missing("popart::PackedDataBlockOp::getCallbackIterations");
  }
  std::vector<PackedSequences> getPackedInputs() {
    emulator::missing("popart::PackedDataBlockOp::getPackedInputs");
  }
  PackedSequences getPackedOutput() {
    emulator::missing("popart::PackedDataBlockOp::getPackedOutput");
  }
  InIndex dataIndex(InIndex) { emulator::missing("popart::PackedDataBlockOp::dataIndex"); }
  InIndex offsetsIndex(InIndex) { emulator::missing("popart::PackedDataBlockOp::offsetsIndex"); }
  InIndex lengthsIndex(InIndex) { emulator::missing("popart::PackedDataBlockOp::lengthsIndex"); }
  int64_t getCallbackBatchSize() {
    emulator::missing("popart::PackedDataBlockOp::getCallbackBatchSize");
  }
  std::vector<int64_t> getMaxSequenceLengths() {
    emulator::missing("popart::PackedDataBlockOp::getMaxSequenceLengths");
  }
  int64_t getMaxSequenceLength(int64_t) {
    emulator::missing("popart::PackedDataBlockOp::getMaxSequenceLength");
  }
  std::vector<TensorInfo> callbackSequenceInInfos() {
    emulator::missing("popart::PackedDataBlockOp::callbackSequenceInInfos");
  }
};

}  // namespace popart

#endif  // popart_op_packeddatablock_hpp
