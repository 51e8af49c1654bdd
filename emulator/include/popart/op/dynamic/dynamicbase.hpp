#ifndef popart_op_dynamic_dynamicbase_hpp
#define popart_op_dynamic_dynamicbase_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class DynamicBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit DynamicBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::DynamicBaseOp")) {}
  static InIndex getIndexInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
  const std::vector<int64_t>& getAxes() const {
    emulator::missing("popart::DynamicBaseOp::getAxes");
  }
  void setAxes(const std::vector<int64_t>&) { emulator::missing("popart::DynamicBaseOp::setAxes"); }
  const std::vector<int64_t>& getSizes() const {
    emulator::missing("popart::DynamicBaseOp::getSizes");
  }
  void setSizes(const std::vector<int64_t>&) {
    emulator::missing("popart::DynamicBaseOp::setSizes");
  }
  bool isNotOverlapping() const { emulator::missing("popart::DynamicBaseOp::isNotOverlapping"); }
  TensorInfo createOutInfo() const { emulator::missing("popart::DynamicBaseOp::createOutInfo"); }

 protected:
  std::vector<int64_t> axes;
  std::vector<int64_t> sizes;
  bool noOverlap;
};

class DynamicSliceBaseOp : public DynamicBaseOp {
 public:
  template <class... Args>
  explicit DynamicSliceBaseOp(const Args&...)
      : DynamicBaseOp(emulator::absent<const OperatorIdentifier>("popart::DynamicSliceBaseOp")) {}
  TensorInfo createOutInfo() const {
    emulator::missing("popart::DynamicSliceBaseOp::createOutInfo");
  }
  static InIndex getInIndex() { return 0; }
};

class DynamicBinaryBaseOp : public DynamicBaseOp {
 public:
  template <class... Args>
  explicit DynamicBinaryBaseOp(const Args&...)
      : DynamicBaseOp(emulator::absent<const OperatorIdentifier>("popart::DynamicBinaryBaseOp")) {}
  const TensorInfo& getUpdateTensorInfo() const {
    emulator::missing("popart::DynamicBinaryBaseOp::getUpdateTensorInfo");
  }
  static InIndex getUpdateInIndex() { return 0; }
  static InIndex getIndexInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }

 protected:
  TensorInfo updateInInfo;
};

class DynamicBinaryBaseInplaceOp : public DynamicBinaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicBinaryBaseInplaceOp(const Args&...)
      : DynamicBinaryBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicBinaryBaseInplaceOp")) {}
};

class DynamicTernaryBaseOp : public DynamicBinaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicTernaryBaseOp(const Args&...)
      : DynamicBinaryBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicTernaryBaseOp")) {}
  static InIndex getUpdateInIndex() { return 0; }
  static InIndex getInIndex() { return 2; }
};

class DynamicTernaryBaseInplaceOp : public DynamicTernaryBaseOp {
 public:
  template <class... Args>
  explicit DynamicTernaryBaseInplaceOp(const Args&...)
      : DynamicTernaryBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::DynamicTernaryBaseInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_dynamic_dynamicbase_hpp
