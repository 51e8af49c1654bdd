#ifndef popart_op_subsample_hpp
#define popart_op_subsample_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/graphcoreoperators.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/tensorinfo.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

class SubsampleBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SubsampleBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SubsampleBaseOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  std::vector<int64_t> getStrides() const {
    emulator::missing("popart::SubsampleBaseOp::getStrides");
  }
  std::vector<uint32_t> strides_u32() const {
    emulator::missing("popart::SubsampleBaseOp::strides_u32");
  }
  bool strideSizeOne() const { emulator::missing("popart::SubsampleBaseOp::strideSizeOne"); }
  std::vector<int64_t> strides;
};

class SubsampleOp : public SubsampleBaseOp {
 public:
  template <class... Args>
  explicit SubsampleOp(const Args&...)
      : SubsampleBaseOp(emulator::absent<const OperatorIdentifier>("popart::SubsampleOp")) {}
};

class SubsampleInplaceOp : public SubsampleBaseOp {
 public:
  template <class... Args>
  explicit SubsampleInplaceOp(const Args&...)
      : SubsampleBaseOp(emulator::absent<const OperatorIdentifier>("popart::SubsampleInplaceOp")) {}
};

class SubsampleGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SubsampleGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SubsampleGradOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  std::vector<int64_t> getStrides() const {
    emulator::missing("popart::SubsampleGradOp::getStrides");
  }
  std::vector<uint32_t> strides_u32() const {
    emulator::missing("popart::SubsampleGradOp::strides_u32");
  }
  const Shape& getFwdInputShape() const {
    emulator::missing("popart::SubsampleGradOp::getFwdInputShape");
  }
};

}  // namespace popart

#endif  // popart_op_subsample_hpp
