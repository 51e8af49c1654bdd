#ifndef popart_op_slice_hpp
#define popart_op_slice_hpp

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/pad.hpp>
#include <popart/region.hpp>
#include <popart/tensorinfo.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
struct Slice;
class BaseSliceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BaseSliceOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BaseSliceOp")) {}
  static InIndex getInIndex() { return 0; }
  static InIndex getStartsInIndex() { return 1; }
  static InIndex getEndsInIndex() { return 2; }
  static InIndex getAxesInIndex() { return 3; }
  static InIndex getStepsInIndex() { return 4; }
  static OutIndex getOutIndex() { return 0; }
  view::Region createSlicedRegion(const Shape&) const {
    emulator::missing("popart::BaseSliceOp::createSlicedRegion");
  }
  view::Region getFullInRegion() const {
    emulator::missing("popart::BaseSliceOp::getFullInRegion");
  }
  view::Region getFullOutRegion() const {
    emulator::missing("popart::BaseSliceOp::getFullOutRegion");
  }
  const std::vector<int64_t>& getStarts() const {
    emulator::missing("popart::BaseSliceOp::getStarts");
  }
  const std::vector<int64_t>& getEnds() const { emulator::missing("popart::BaseSliceOp::getEnds"); }
  const std::vector<int64_t>& getAxes() const { emulator::missing("popart::BaseSliceOp::getAxes"); }
  const std::vector<int64_t>& getSteps() const {
    emulator::missing("popart::BaseSliceOp::getSteps");
  }
  void setStarts(const std::vector<int64_t>&) {
    emulator::missing("popart::BaseSliceOp::setStarts");
  }
  void setEnds(const std::vector<int64_t>&) { emulator::missing("popart::BaseSliceOp::setEnds"); }
  void setAxes(const std::vector<int64_t>&) { emulator::missing("popart::BaseSliceOp::setAxes"); }
  void setSteps(const std::vector<int64_t>&) { emulator::missing("popart::BaseSliceOp::setSteps"); }
  std::array<std::vector<int64_t>, 2> getLowerUpper() const {
    emulator::missing("popart::BaseSliceOp::getLowerUpper");
  }
  std::vector<Slice> getSlices(std::vector<int64_t>) const {
    emulator::missing("popart::BaseSliceOp::getSlices");
  }
  std::vector<Slice> getSlices() const { emulator::missing("popart::BaseSliceOp::getSlices"); }
  std::vector<int64_t> getPads() const { emulator::missing("popart::BaseSliceOp::getPads"); }
  std::vector<unsigned int> getFlips() const { emulator::missing("popart::BaseSliceOp::getFlips"); }
  int unwindConcatDim = 0;
};

class SliceOp : public BaseSliceOp {
 public:
  template <class... Args>
  explicit SliceOp(const Args&...)
      : BaseSliceOp(emulator::absent<const OperatorIdentifier>("popart::SliceOp")) {}
};

class SliceInplaceOp : public BaseSliceOp {
 public:
  template <class... Args>
  explicit SliceInplaceOp(const Args&...)
      : BaseSliceOp(emulator::absent<const OperatorIdentifier>("popart::SliceInplaceOp")) {}
};

class SliceGradOp : public BasePadOutplaceOp {
 public:
  template <class... Args>
  explicit SliceGradOp(const Args&...)
      : BasePadOutplaceOp(emulator::absent<const OperatorIdentifier>("popart::SliceGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_slice_hpp
