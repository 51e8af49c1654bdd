#ifndef popart_op_conv_hpp
#define popart_op_conv_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/convbase.hpp>
#include <popart/op/receptive.hpp>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ConvOp : public MultiConvBaseOp {
 public:
  template <class... Args>
  explicit ConvOp(const Args&...)
      : MultiConvBaseOp(emulator::absent<const OperatorIdentifier>("popart::ConvOp")) {}
  virtual int numConvs() const { return 1; }
  static InIndex getDataInIndex() { emulator::missing("popart::ConvOp::getDataInIndex"); }
  static InIndex getWeightsInIndex() { emulator::missing("popart::ConvOp::getWeightsInIndex"); }
  static InIndex getLog2ScaleInIndex() { emulator::missing("popart::ConvOp::getLog2ScaleInIndex"); }
  static OutIndex getOutIndex() { emulator::missing("popart::ConvOp::getOutIndex"); }
  int64_t getGroups() const { emulator::missing("popart::ConvOp::getGroups"); }
  void setGroup() { emulator::missing("popart::ConvOp::setGroup"); }
  int64_t getNInChans() const { emulator::missing("popart::ConvOp::getNInChans"); }
  int64_t getNOutChans() const { emulator::missing("popart::ConvOp::getNOutChans"); }
  ConvParameters getParameters() const { emulator::missing("popart::ConvOp::getParameters"); }
  virtual void restoreAttributesFromParams(const std::vector<ConvParameters>&) {
    emulator::missing("popart::ConvOp::restoreAttributesFromParams");
  }
  bool isPow2ScaledConv() const { emulator::missing("popart::ConvOp::isPow2ScaledConv"); }
};

class ConvWeightsGradOp : public MultiConvWeightsGradBaseOp {
 public:
  template <class... Args>
  explicit ConvWeightsGradOp(const Args&...)
      : MultiConvWeightsGradBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::ConvWeightsGradOp")) {}
  virtual int numConvs() const { return 1; }
  static InIndex getGradConvolvedInIndex() {
    emulator::missing("popart::ConvWeightsGradOp::getGradConvolvedInIndex");
  }
  static InIndex getPreConvolvedInIndex() {
    emulator::missing("popart::ConvWeightsGradOp::getPreConvolvedInIndex");
  }
  static OutIndex getOutIndex() { emulator::missing("popart::ConvWeightsGradOp::getOutIndex"); }
  const ConvParameters& getParameters() const {
    emulator::missing("popart::ConvWeightsGradOp::getParameters");
  }
};

class ConvFlipWeightsOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ConvFlipWeightsOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ConvFlipWeightsOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  const ConvParameters& getParameters() const {
    emulator::missing("popart::ConvFlipWeightsOp::getParameters");
  }
  void setParameters(const ConvParameters&) {
    emulator::missing("popart::ConvFlipWeightsOp::setParameters");
  }
  bool getGroupReshape() const { emulator::missing("popart::ConvFlipWeightsOp::getGroupReshape"); }
  void setGroupReshape(bool) { emulator::missing("popart::ConvFlipWeightsOp::setGroupReshape"); }
  void setConvOptions(const MultiConvOptions&) {
    emulator::missing("popart::ConvFlipWeightsOp::setConvOptions");
  }
  const MultiConvOptions& getMultiConvOptions() const {
    emulator::missing("popart::ConvFlipWeightsOp::getMultiConvOptions");
  }
  std::map<std::string, std::string> getConvOptions() const {
    emulator::missing("popart::ConvFlipWeightsOp::getConvOptions");
  }
};

class ConvFlipWeightsGradOp : public ConvFlipWeightsOp {
 public:
  template <class... Args>
  explicit ConvFlipWeightsGradOp(const Args&...)
      : ConvFlipWeightsOp(
            emulator::absent<const OperatorIdentifier>("popart::ConvFlipWeightsGradOp")) {}
};

class ConvDataGradOp : public MultiConvDataGradBaseOp {
 public:
  template <class... Args>
  explicit ConvDataGradOp(const Args&...)
      : MultiConvDataGradBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::ConvDataGradOp")) {}
  virtual int numConvs() const { return 1; }
  static InIndex getWeightsInIndex() {
    emulator::missing("popart::ConvDataGradOp::getWeightsInIndex");
  }
  static InIndex getGradConvolvedInIndex() {
    emulator::missing("popart::ConvDataGradOp::getGradConvolvedInIndex");
  }
  static OutIndex getOutIndex() { emulator::missing("popart::ConvDataGradOp::getOutIndex"); }
  const ConvParameters& getParameters() const {
    emulator::missing("popart::ConvDataGradOp::getParameters");
  }
};

}  // namespace popart

#endif  // popart_op_conv_hpp
