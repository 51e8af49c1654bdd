#ifndef popart_op_convbase_hpp
#define popart_op_convbase_hpp

#include <cmath>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <popart/attributes.hpp>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/receptive.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/vendored/optional.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace popart {

class OpSerialiserBase;
struct OperatorIdentifier;
struct ConvParameters {
  DataType type;
  std::int64_t batchSize;
  std::int64_t numInChannelsPerGroup;
  std::int64_t numOutChannelsPerGroup;
  std::int64_t numGroups;
  Shape inputShape;
  Shape kernelShape;
  struct Input {
    std::vector<std::int64_t> lowerTruncation, upperTruncation, dilation;
    std::vector<std::int64_t> lowerPadding, upperPadding;
    std::vector<bool> flip;
  } inputTransformation, kernelTransformation;
  struct Output {
    std::vector<std::int64_t> lowerTruncation, upperTruncation, stride;
    std::vector<std::int64_t> lowerPadding, upperPadding;
  } outputTransformation;
};

inline std::ostream& operator<<(std::ostream&, const ConvParameters::Input&) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const ConvParameters::Output&) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const ConvParameters&) {
  emulator::missing("popart::operator<<");
}

inline bool operator==(const ConvParameters::Input&, const ConvParameters::Input&) {
  emulator::missing("popart::operator==");
}

inline bool operator!=(const ConvParameters::Input&, const ConvParameters::Input&) {
  emulator::missing("popart::operator!=");
}

inline bool operator==(const ConvParameters::Output&, const ConvParameters::Output&) {
  emulator::missing("popart::operator==");
}

inline bool operator!=(const ConvParameters::Output&, const ConvParameters::Output&) {
  emulator::missing("popart::operator!=");
}

inline bool operator==(const ConvParameters&, const ConvParameters&) {
  emulator::missing("popart::operator==");
}

inline bool operator!=(const ConvParameters&, const ConvParameters&) {
  emulator::missing("popart::operator!=");
}

class MultiConvOptions {
 public:
  MultiConvOptions(const std::map<std::string, std::string>, const Attributes&) {
    emulator::missing("popart::MultiConvOptions");
  }
  std::map<std::string, std::string> getConvOptions(int) const {
    emulator::missing("popart::MultiConvOptions::getConvOptions");
  }
  std::map<std::string, std::string> getGlobalOptions() const {
    emulator::missing("popart::MultiConvOptions::getGlobalOptions");
  }
  std::vector<float> availableMemoryProportions;
  std::vector<std::string> partialsTypes;
  nonstd::optional<std::string> planType;
  nonstd::optional<int> perConvReservedTiles;
  nonstd::optional<float> cycleBackOff;
  std::vector<int64_t> enableConvDithering;
};

class MultiConvBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MultiConvBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::MultiConvBaseOp")) {}
  static void appendConvParameterAttributes(const ConvParameters&, const std::string&,
                                            OpSerialiserBase&) {
    emulator::missing("popart::MultiConvBaseOp::appendConvParameterAttributes");
  }
  static InIndex getDataInIndex(int) {
    emulator::missing("popart::MultiConvBaseOp::getDataInIndex");
  }
  static InIndex getWeightsInIndex(int) {
    emulator::missing("popart::MultiConvBaseOp::getWeightsInIndex");
  }
  static OutIndex getOutIndex(int) { emulator::missing("popart::MultiConvBaseOp::getOutIndex"); }
  static int getConvIndexFromInIndex(InIndex) {
    emulator::missing("popart::MultiConvBaseOp::getConvIndexFromInIndex");
  }
  virtual int numConvs() const { emulator::missing("popart::MultiConvBaseOp::numConvs"); }
  int64_t getNSpatialDims(int) const {
    emulator::missing("popart::MultiConvBaseOp::getNSpatialDims");
  }
  Shape getSpatialD(int) const { emulator::missing("popart::MultiConvBaseOp::getSpatialD"); }
  Shape getSpatialK(int) const { emulator::missing("popart::MultiConvBaseOp::getSpatialK"); }
  int64_t getGroups(int) const { emulator::missing("popart::MultiConvBaseOp::getGroups"); }
  int64_t getNOutChans(int) const { emulator::missing("popart::MultiConvBaseOp::getNOutChans"); }
  int64_t getNInChans(int) const { emulator::missing("popart::MultiConvBaseOp::getNInChans"); }
  Shape lowerPads(int) const { emulator::missing("popart::MultiConvBaseOp::lowerPads"); }
  Shape upperPads(int) const { emulator::missing("popart::MultiConvBaseOp::upperPads"); }
  Shape lowerOutPads(int) const { emulator::missing("popart::MultiConvBaseOp::lowerOutPads"); }
  Shape upperOutPads(int) const { emulator::missing("popart::MultiConvBaseOp::upperOutPads"); }
  Shape getOutShape(int, const ConvPads&) const {
    emulator::missing("popart::MultiConvBaseOp::getOutShape");
  }
  ConvParameters getParameters(int) const {
    emulator::missing("popart::MultiConvBaseOp::getParameters");
  }
  virtual void setParamsFromDataGradOp(const Op*) {
    emulator::missing("popart::MultiConvBaseOp::setParamsFromDataGradOp");
  }
  virtual void restoreAttributesFromParams(const std::vector<ConvParameters>&) {
    emulator::missing("popart::MultiConvBaseOp::restoreAttributesFromParams");
  }
  const MultiConvOptions& getConvOptions() const {
    emulator::missing("popart::MultiConvBaseOp::getConvOptions");
  }
  void setConvOptions(const MultiConvOptions&) {
    emulator::missing("popart::MultiConvBaseOp::setConvOptions");
  }
  int64_t getCumulativeSpatialDims(int64_t) const {
    emulator::missing("popart::MultiConvBaseOp::getCumulativeSpatialDims");
  }
  ConvStrides getStrides(int64_t) const {
    emulator::missing("popart::MultiConvBaseOp::getStrides");
  }
  ConvPads getPads(int64_t) const { emulator::missing("popart::MultiConvBaseOp::getPads"); }
  ConvPads getOutPads(int64_t) const { emulator::missing("popart::MultiConvBaseOp::getOutPads"); }
  ConvDilations getDilations(int64_t) const {
    emulator::missing("popart::MultiConvBaseOp::getDilations");
  }
  ConvDilations getInDilations(int64_t) const {
    emulator::missing("popart::MultiConvBaseOp::getInDilations");
  }
  Shape lowerKernTruncs(int64_t) const {
    emulator::missing("popart::MultiConvBaseOp::lowerKernTruncs");
  }
  Shape upperKernTruncs(int64_t) const {
    emulator::missing("popart::MultiConvBaseOp::upperKernTruncs");
  }
  Shape lowerInTruncs(int64_t) const {
    emulator::missing("popart::MultiConvBaseOp::lowerInTruncs");
  }
  Shape upperInTruncs(int64_t) const {
    emulator::missing("popart::MultiConvBaseOp::upperInTruncs");
  }
  Shape lowerOutTruncs(int64_t) const {
    emulator::missing("popart::MultiConvBaseOp::lowerOutTruncs");
  }
  Shape upperOutTruncs(int64_t) const {
    emulator::missing("popart::MultiConvBaseOp::upperOutTruncs");
  }
};

class MultiConvWeightsGradBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MultiConvWeightsGradBaseOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiConvWeightsGradBaseOp")) {}
  static InIndex getGradConvolvedInIndex(int) {
    emulator::missing("popart::MultiConvWeightsGradBaseOp::getGradConvolvedInIndex");
  }
  static InIndex getPreConvolvedInIndex(int) {
    emulator::missing("popart::MultiConvWeightsGradBaseOp::getPreConvolvedInIndex");
  }
  static OutIndex getOutIndex(int) {
    emulator::missing("popart::MultiConvWeightsGradBaseOp::getOutIndex");
  }
  virtual int numConvs() const {
    emulator::missing("popart::MultiConvWeightsGradBaseOp::numConvs");
  }
  const ConvParameters& getParameters(int) const {
    emulator::missing("popart::MultiConvWeightsGradBaseOp::getParameters");
  }
  const MultiConvOptions& getConvOptions() const {
    emulator::missing("popart::MultiConvWeightsGradBaseOp::getConvOptions");
  }
};

class MultiConvDataGradBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MultiConvDataGradBaseOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiConvDataGradBaseOp")) {}
  static InIndex getWeightsInIndex(int) {
    emulator::missing("popart::MultiConvDataGradBaseOp::getWeightsInIndex");
  }
  static InIndex getGradConvolvedInIndex(int) {
    emulator::missing("popart::MultiConvDataGradBaseOp::getGradConvolvedInIndex");
  }
  static OutIndex getOutIndex(int) {
    emulator::missing("popart::MultiConvDataGradBaseOp::getOutIndex");
  }
  const ConvParameters& getParameters(int) const {
    emulator::missing("popart::MultiConvDataGradBaseOp::getParameters");
  }
  virtual int numConvs() const { emulator::missing("popart::MultiConvDataGradBaseOp::numConvs"); }
  const MultiConvOptions& getConvOptions() const {
    emulator::missing("popart::MultiConvDataGradBaseOp::getConvOptions");
  }
  void setConvOptions(const MultiConvOptions&) {
    emulator::missing("popart::MultiConvDataGradBaseOp::setConvOptions");
  }
  TensorInfo getDataInfo(int) const {
    emulator::missing("popart::MultiConvDataGradBaseOp::getDataInfo");
  }
};

}  // namespace popart

#endif  // popart_op_convbase_hpp
