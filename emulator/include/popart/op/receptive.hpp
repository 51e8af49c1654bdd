#ifndef popart_op_receptive_hpp
#define popart_op_receptive_hpp

#include <cstddef>
#include <cstdint>
#include <memory>
#include <popart/attributes.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
enum class AutoPad { NOTSET = 0, SAME_UPPER, SAME_LOWER, VALID };

class HasReceptiveFieldOp : public emulator::AbsentOp {
 public:
  struct ReceptiveOpAttributes {
    std::vector<int64_t> pads;
    std::vector<int64_t> outPads;
    std::vector<int64_t> strides;
    std::vector<int64_t> dilations;
    std::vector<int64_t> inDilations;
    std::string auto_pad;
    int64_t ceil_mode = 0;
    void setFromAttributes(const Attributes&) {
      emulator::missing("popart::HasReceptiveFieldOp::ReceptiveOpAttributes::setFromAttributes");
    }
  };
  template <class... Args>
  explicit HasReceptiveFieldOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::HasReceptiveFieldOp")) {}
  int getNSpatialDims() const { emulator::missing("popart::HasReceptiveFieldOp::getNSpatialDims"); }
  int64_t getBatchSize() const { emulator::missing("popart::HasReceptiveFieldOp::getBatchSize"); }
  int64_t getNInChans() const { emulator::missing("popart::HasReceptiveFieldOp::getNInChans"); }
  virtual Shape getSpatialK() const = 0;
  Shape getStrides() const { emulator::missing("popart::HasReceptiveFieldOp::getStrides"); }
  Shape getLowerPads() const { emulator::missing("popart::HasReceptiveFieldOp::getLowerPads"); }
  Shape getUpperPads() const { emulator::missing("popart::HasReceptiveFieldOp::getUpperPads"); }
  Shape getLowerOutPads() const {
    emulator::missing("popart::HasReceptiveFieldOp::getLowerOutPads");
  }
  Shape getUpperOutPads() const {
    emulator::missing("popart::HasReceptiveFieldOp::getUpperOutPads");
  }
  Shape getPads() const { emulator::missing("popart::HasReceptiveFieldOp::getPads"); }
  Shape getOutPads() const { emulator::missing("popart::HasReceptiveFieldOp::getOutPads"); }
  Shape getDilations() const { emulator::missing("popart::HasReceptiveFieldOp::getDilations"); }
  Shape getInDilations() const { emulator::missing("popart::HasReceptiveFieldOp::getInDilations"); }
  const std::vector<int64_t> basePads;
  const std::vector<int64_t> baseOutPads;
  const std::vector<int64_t> baseStrides;
  const std::vector<int64_t> baseDilations;
  const std::vector<int64_t> baseInDilations;
  const AutoPad padType;
  const bool ceilMode;
  static AutoPad getAutoPad(const std::string&) {
    emulator::missing("popart::HasReceptiveFieldOp::getAutoPad");
  }
  std::string getAutoPadStr(const AutoPad&) const {
    emulator::missing("popart::HasReceptiveFieldOp::getAutoPadStr");
  }
  static void alterPads(Shape&, Shape, Shape, Shape, std::vector<int64_t>) {
    emulator::missing("popart::HasReceptiveFieldOp::alterPads");
  }
  std::vector<int64_t> getSpatialD() const {
    emulator::missing("popart::HasReceptiveFieldOp::getSpatialD");
  }
  std::vector<int64_t> getSpatialO() const {
    emulator::missing("popart::HasReceptiveFieldOp::getSpatialO");
  }
  virtual int64_t getNOutChans() const = 0;
  std::vector<int64_t> lowerPads() const {
    emulator::missing("popart::HasReceptiveFieldOp::lowerPads");
  }
  static std::vector<int64_t> lowerPads(Shape, int, AutoPad) {
    emulator::missing("popart::HasReceptiveFieldOp::lowerPads");
  }
  std::vector<int64_t> upperPads() const {
    emulator::missing("popart::HasReceptiveFieldOp::upperPads");
  }
  static std::vector<int64_t> upperPads(Shape, int, AutoPad) {
    emulator::missing("popart::HasReceptiveFieldOp::upperPads");
  }
  std::vector<int64_t> lowerOutPads() const {
    emulator::missing("popart::HasReceptiveFieldOp::lowerOutPads");
  }
  std::vector<int64_t> upperOutPads() const {
    emulator::missing("popart::HasReceptiveFieldOp::upperOutPads");
  }
  std::vector<size_t> spatialD_szt() const {
    emulator::missing("popart::HasReceptiveFieldOp::spatialD_szt");
  }
  std::vector<size_t> spatialK_szt() const {
    emulator::missing("popart::HasReceptiveFieldOp::spatialK_szt");
  }
  std::vector<uint32_t> lowerPads_u32() const {
    emulator::missing("popart::HasReceptiveFieldOp::lowerPads_u32");
  }
  std::vector<uint32_t> upperPads_u32() const {
    emulator::missing("popart::HasReceptiveFieldOp::upperPads_u32");
  }
  std::vector<int> lowerPads_i32() const {
    emulator::missing("popart::HasReceptiveFieldOp::lowerPads_i32");
  }
  std::vector<int> upperPads_i32() const {
    emulator::missing("popart::HasReceptiveFieldOp::upperPads_i32");
  }
  std::vector<uint32_t> dilations_u32() const {
    emulator::missing("popart::HasReceptiveFieldOp::dilations_u32");
  }
  std::vector<uint32_t> strides_u32() const {
    emulator::missing("popart::HasReceptiveFieldOp::strides_u32");
  }
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  static Shape getSpatialOutShape(Shape, Shape, std::vector<int64_t>, std::vector<int64_t>,
                                  std::vector<int64_t>, std::vector<int64_t>, std::vector<int64_t>,
                                  AutoPad, bool = false) {
    emulator::missing("popart::HasReceptiveFieldOp::getSpatialOutShape");
  }

 private:
  virtual void setup0() const = 0;
};

}  // namespace popart

#endif  // popart_op_receptive_hpp
