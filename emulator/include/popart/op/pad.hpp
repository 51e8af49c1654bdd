#ifndef popart_op_pad_hpp
#define popart_op_pad_hpp

#include <cstddef>
#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/region.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
struct Slice;
class BasePadOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BasePadOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BasePadOp")) {}
  bool padSizeZero() const { emulator::missing("popart::BasePadOp::padSizeZero"); }
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  view::Region valueRegion() const { emulator::missing("popart::BasePadOp::valueRegion"); }
  std::vector<int64_t> padDimensions() const {
    emulator::missing("popart::BasePadOp::padDimensions");
  }
  int64_t getLowerPadding(size_t) const { emulator::missing("popart::BasePadOp::getLowerPadding"); }
  int64_t getUpperPadding(size_t) const { emulator::missing("popart::BasePadOp::getUpperPadding"); }
  const std::string& getMode() const { emulator::missing("popart::BasePadOp::getMode"); }
  float getPadValue() const { emulator::missing("popart::BasePadOp::getPadValue"); }
  int64_t getRank() const { emulator::missing("popart::BasePadOp::getRank"); }
  std::vector<Slice> getSlices() const { emulator::missing("popart::BasePadOp::getSlices"); }
  std::vector<std::ptrdiff_t> getLowerPadding() const {
    emulator::missing("popart::BasePadOp::getLowerPadding");
  }
  std::vector<std::ptrdiff_t> getUpperPadding() const {
    emulator::missing("popart::BasePadOp::getUpperPadding");
  }
  const std::vector<int64_t>& getPads() const { emulator::missing("popart::BasePadOp::getPads"); }
  const std::vector<unsigned int>& getFlips() const {
    emulator::missing("popart::BasePadOp::getFlips");
  }
};

class BasePadOutplaceOp : public BasePadOp {
 public:
  template <class... Args>
  explicit BasePadOutplaceOp(const Args&...)
      : BasePadOp(emulator::absent<const OperatorIdentifier>("popart::BasePadOutplaceOp")) {}
};

class PadOp : public BasePadOutplaceOp {
 public:
  template <class... Args>
  explicit PadOp(const Args&...)
      : BasePadOutplaceOp(emulator::absent<const OperatorIdentifier>("popart::PadOp")) {}
};

class PadInplaceOp : public BasePadOp {
 public:
  template <class... Args>
  explicit PadInplaceOp(const Args&...)
      : BasePadOp(emulator::absent<const OperatorIdentifier>("popart::PadInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_pad_hpp
