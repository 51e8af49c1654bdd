#ifndef popart_transforms_decomposeloops_hpp
#define popart_transforms_decomposeloops_hpp

#include <cstddef>
#include <iosfwd>
#include <map>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <popart/op/exchange/exchange.hpp>
#include <popart/pointercomparators.hpp>
#include <popart/tensordebuginfo.hpp>
#include <popart/transforms/transform.hpp>
#include <popart/util.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Graph;
class LoopOp;
class Op;
using LoopIteration = int;

using LoopTensorMap = std::map<std::pair<TensorId, LoopIteration>, TensorId>;

enum class DecomposeLoopOpTypeEnum {
  AuxiliaryBefore = 0,
  IoBeforeCompute,
  IoToCompute,
  Compute,
  ComputeToIo,
  IoAfterCompute,
  AuxiliaryAfter,
  N
};

class DecomposeLoopOpType {
 public:
  DecomposeLoopOpType() = default;
  virtual bool operator<(const DecomposeLoopOpType&) const = 0;
  virtual std::ostream& output(std::ostream&) const = 0;
  virtual ~DecomposeLoopOpType() = default;
  virtual bool operator==(const DecomposeLoopOpType&) const = 0;
  virtual bool operator!=(const DecomposeLoopOpType&) const = 0;
};

class DecomposeLoopOpIOOverlapType : public DecomposeLoopOpType {
 public:
  DecomposeLoopOpIOOverlapType(DecomposeLoopOpTypeEnum) {
    emulator::missing("popart::DecomposeLoopOpIOOverlapType");
  }
  bool operator<(const DecomposeLoopOpType&) const override {
    emulator::missing("popart::DecomposeLoopOpIOOverlapType::operator<");
  }
  bool operator==(const DecomposeLoopOpType&) const override {
    emulator::missing("popart::DecomposeLoopOpIOOverlapType::operator==");
  }
  bool operator!=(const DecomposeLoopOpType&) const override {
    emulator::missing("popart::DecomposeLoopOpIOOverlapType::operator!=");
  }
  DecomposeLoopOpTypeEnum getType() const {
    emulator::missing("popart::DecomposeLoopOpIOOverlapType::getType");
  }
  std::ostream& output(std::ostream&) const override {
    emulator::missing("popart::DecomposeLoopOpIOOverlapType::output");
  }
};

class DecomposeLoopOpPipelineType : public DecomposeLoopOpType {
 public:
  DecomposeLoopOpPipelineType() { emulator::missing("popart::DecomposeLoopOpPipelineType"); }
  DecomposeLoopOpPipelineType(PipelineStage, DecomposeLoopOpTypeEnum, bool, bool) {
    emulator::missing("popart::DecomposeLoopOpPipelineType");
  }
  bool operator<(const DecomposeLoopOpType&) const override {
    emulator::missing("popart::DecomposeLoopOpPipelineType::operator<");
  }
  bool operator==(const DecomposeLoopOpType&) const override {
    emulator::missing("popart::DecomposeLoopOpPipelineType::operator==");
  }
  bool operator!=(const DecomposeLoopOpType&) const override {
    emulator::missing("popart::DecomposeLoopOpPipelineType::operator!=");
  }
  bool operator==(const DecomposeLoopOpPipelineType&) const {
    emulator::missing("popart::DecomposeLoopOpPipelineType::operator==");
  }
  bool operator!=(const DecomposeLoopOpPipelineType&) const {
    emulator::missing("popart::DecomposeLoopOpPipelineType::operator!=");
  }
  PipelineStage getPipelineStage() const {
    emulator::missing("popart::DecomposeLoopOpPipelineType::getPipelineStage");
  }
  DecomposeLoopOpTypeEnum getType() const {
    emulator::missing("popart::DecomposeLoopOpPipelineType::getType");
  }
  bool isPipelineIpuCopy() const {
    emulator::missing("popart::DecomposeLoopOpPipelineType::isPipelineIpuCopy");
  }
  bool isComputeLike() const {
    emulator::missing("popart::DecomposeLoopOpPipelineType::isComputeLike");
  }
  std::ostream& output(std::ostream&) const override {
    emulator::missing("popart::DecomposeLoopOpPipelineType::output");
  }
  static DecomposeLoopOpPipelineType auxBefore(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::auxBefore");
  }
  static DecomposeLoopOpPipelineType auxBeforeComputeLike(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::auxBeforeComputeLike");
  }
  static DecomposeLoopOpPipelineType ioBefore(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::ioBefore");
  }
  static DecomposeLoopOpPipelineType ioBeforeComputeLike(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::ioBeforeComputeLike");
  }
  static DecomposeLoopOpPipelineType ioToCompute(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::ioToCompute");
  }
  static DecomposeLoopOpPipelineType compute(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::compute");
  }
  static DecomposeLoopOpPipelineType computePipelineIpuCopy(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::computePipelineIpuCopy");
  }
  static DecomposeLoopOpPipelineType computeToIO(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::computeToIO");
  }
  static DecomposeLoopOpPipelineType ioAfter(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::ioAfter");
  }
  static DecomposeLoopOpPipelineType ioAfterComputeLike(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::ioAfterComputeLike");
  }
  static DecomposeLoopOpPipelineType auxAfter(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::auxAfter");
  }
  static DecomposeLoopOpPipelineType auxAfterComputeLike(PipelineStage) {
    emulator::missing("popart::DecomposeLoopOpPipelineType::auxAfterComputeLike");
  }
};

class DecomposeLoopOpTypeWrapper {
 public:
  DecomposeLoopOpTypeWrapper() { emulator::missing("popart::DecomposeLoopOpTypeWrapper"); }
  template <typename T>
  DecomposeLoopOpTypeWrapper(T) {
    emulator::missing("popart::DecomposeLoopOpTypeWrapper::DecomposeLoopOpTypeWrapper");
  }
  DecomposeLoopOpTypeWrapper& operator=(const DecomposeLoopOpTypeWrapper&) {
    emulator::missing("popart::DecomposeLoopOpTypeWrapper::operator=");
  }
  template <typename T>
  const T* getType() const {
    emulator::missing("popart::DecomposeLoopOpTypeWrapper::getType");
  }
  bool operator<(const DecomposeLoopOpTypeWrapper&) const {
    emulator::missing("popart::DecomposeLoopOpTypeWrapper::operator<");
  }
  bool hasValue() { emulator::missing("popart::DecomposeLoopOpTypeWrapper::hasValue"); }
  bool operator==(const DecomposeLoopOpTypeWrapper&) const {
    emulator::missing("popart::DecomposeLoopOpTypeWrapper::operator==");
  }
  bool operator!=(const DecomposeLoopOpTypeWrapper&) const {
    emulator::missing("popart::DecomposeLoopOpTypeWrapper::operator!=");
  }
};

enum class DecomposeTopoConLevel { None, Full, N };

inline std::ostream& operator<<(std::ostream&, const DecomposeLoopOpTypeWrapper&) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const DecomposeLoopOpType&) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const DecomposeLoopOpTypeEnum&) {
  emulator::missing("popart::operator<<");
}

class DecomposeLoopModel {
 public:
  virtual std::string getName() const { return "DecomposeLoopModel"; }
  DecomposeLoopModel() = default;
  DecomposeLoopModel(DecomposeTopoConLevel, DecomposeTopoConLevel, DecomposeTopoConLevel,
                     const std::set<ExchangeStrategy>&) {
    emulator::missing("popart::DecomposeLoopModel");
  }
  virtual ~DecomposeLoopModel() = default;
  virtual int getUnrollFactor() const = 0;
  virtual int typeToPosition(DecomposeLoopOpTypeWrapper, LoopIteration) const = 0;
  virtual int getTypeGroup(DecomposeLoopOpTypeWrapper) const {
    emulator::missing("popart::DecomposeLoopModel::getTypeGroup");
  }
  virtual LoopIteration getApparentIteration(DecomposeLoopOpTypeWrapper, int) const = 0;
  virtual bool isBeforeLoop(DecomposeLoopOpTypeWrapper, int) const = 0;
  bool hasDependencyConflict(LoopIteration, LoopIteration, DecomposeLoopOpTypeWrapper,
                             DecomposeLoopOpTypeWrapper) const {
    emulator::missing("popart::DecomposeLoopModel::hasDependencyConflict");
  }
  DecomposeTopoConLevel getTopoConLevelBefore() const {
    emulator::missing("popart::DecomposeLoopModel::getTopoConLevelBefore");
  }
  DecomposeTopoConLevel getTopoConLevelLoop() const {
    emulator::missing("popart::DecomposeLoopModel::getTopoConLevelLoop");
  }
  DecomposeTopoConLevel getTopoConLevelAfter() const {
    emulator::missing("popart::DecomposeLoopModel::getTopoConLevelAfter");
  }
  std::set<ExchangeStrategy> getComputeLikeExchangeStrategies() const {
    emulator::missing("popart::DecomposeLoopModel::getComputeLikeExchangeStrategies");
  }
  virtual std::map<Op*, DecomposeLoopOpTypeWrapper, POpCmp> classifyOperations(Graph&) const {
    emulator::missing("popart::DecomposeLoopModel::classifyOperations");
  }
  virtual DecomposeLoopOpTypeWrapper getDecomposeLoopOpType(
      const std::map<Op*, DecomposeLoopOpTypeWrapper, POpCmp>&, Op*, bool, bool) const = 0;
  virtual std::set<DecomposeLoopOpTypeWrapper> getDecomposeLoopOpTypesToCheck() const = 0;
  std::string getModelString() { emulator::missing("popart::DecomposeLoopModel::getModelString"); }
};

inline std::ostream& operator<<(std::ostream&, const DecomposeLoopModel&) {
  emulator::missing("popart::operator<<");
}

class DecomposeLoopIOModel : public DecomposeLoopModel {
 public:
  DecomposeLoopIOModel() = default;
  DecomposeLoopIOModel(DecomposeTopoConLevel, DecomposeTopoConLevel, DecomposeTopoConLevel,
                       const std::set<ExchangeStrategy>&) {
    emulator::missing("popart::DecomposeLoopIOModel");
  }
  DecomposeLoopOpTypeEnum unwrap(const DecomposeLoopOpTypeWrapper&) const {
    emulator::missing("popart::DecomposeLoopIOModel::unwrap");
  }
  std::set<DecomposeLoopOpTypeWrapper> getDecomposeLoopOpTypesToCheck() const override {
    emulator::missing("popart::DecomposeLoopIOModel::getDecomposeLoopOpTypesToCheck");
  }
  DecomposeLoopOpTypeWrapper getDecomposeLoopOpType(
      const std::map<Op*, DecomposeLoopOpTypeWrapper, POpCmp>&, Op*, bool, bool) const override {
    emulator::missing("popart::DecomposeLoopIOModel::getDecomposeLoopOpType");
  }
};

class DecomposeLoopUnrollModel : public DecomposeLoopIOModel {
 public:
  DecomposeLoopUnrollModel() { emulator::missing("popart::DecomposeLoopUnrollModel"); }
  DecomposeLoopUnrollModel(int, int, DecomposeTopoConLevel, DecomposeTopoConLevel,
                           DecomposeTopoConLevel, const std::set<ExchangeStrategy>&) {
    emulator::missing("popart::DecomposeLoopUnrollModel");
  }
  int getUnrollFactor() const override {
    emulator::missing("popart::DecomposeLoopUnrollModel::getUnrollFactor");
  }
  int typeToPosition(DecomposeLoopOpTypeWrapper, LoopIteration) const override {
    emulator::missing("popart::DecomposeLoopUnrollModel::typeToPosition");
  }
  LoopIteration getApparentIteration(DecomposeLoopOpTypeWrapper, int) const override {
    emulator::missing("popart::DecomposeLoopUnrollModel::getApparentIteration");
  }
  bool isBeforeLoop(DecomposeLoopOpTypeWrapper, int) const override {
    emulator::missing("popart::DecomposeLoopUnrollModel::isBeforeLoop");
  }
};

class DecomposeLoopOverlapModel : public DecomposeLoopIOModel {
 public:
  DecomposeLoopOverlapModel() { emulator::missing("popart::DecomposeLoopOverlapModel"); }
  DecomposeLoopOverlapModel(DecomposeTopoConLevel, DecomposeTopoConLevel, DecomposeTopoConLevel,
                            const std::set<ExchangeStrategy>&) {
    emulator::missing("popart::DecomposeLoopOverlapModel");
  }
  int getUnrollFactor() const override { return 2; }
  int typeToPosition(DecomposeLoopOpTypeWrapper, LoopIteration) const override {
    emulator::missing("popart::DecomposeLoopOverlapModel::typeToPosition");
  }
  LoopIteration getApparentIteration(DecomposeLoopOpTypeWrapper, int) const override {
    emulator::missing("popart::DecomposeLoopOverlapModel::getApparentIteration");
  }
  bool isBeforeLoop(DecomposeLoopOpTypeWrapper, int) const override {
    emulator::missing("popart::DecomposeLoopOverlapModel::isBeforeLoop");
  }
};

class DecomposeLoopPipelineModel : public DecomposeLoopModel {
 public:
  DecomposeLoopPipelineModel(int, int, int, DecomposeTopoConLevel, DecomposeTopoConLevel,
                             DecomposeTopoConLevel, const std::set<ExchangeStrategy>&) {
    emulator::missing("popart::DecomposeLoopPipelineModel");
  }
  int getUnrollFactor() const override {
    emulator::missing("popart::DecomposeLoopPipelineModel::getUnrollFactor");
  }
  int typeToPosition(DecomposeLoopOpTypeWrapper, LoopIteration) const override {
    emulator::missing("popart::DecomposeLoopPipelineModel::typeToPosition");
  }
  LoopIteration getApparentIteration(DecomposeLoopOpTypeWrapper, int) const override {
    emulator::missing("popart::DecomposeLoopPipelineModel::getApparentIteration");
  }
  bool isBeforeLoop(DecomposeLoopOpTypeWrapper, int) const override {
    emulator::missing("popart::DecomposeLoopPipelineModel::isBeforeLoop");
  }
  DecomposeLoopOpPipelineType unwrap(const DecomposeLoopOpTypeWrapper&) const {
    emulator::missing("popart::DecomposeLoopPipelineModel::unwrap");
  }
  std::set<DecomposeLoopOpTypeWrapper> getDecomposeLoopOpTypesToCheck() const override {
    emulator::missing("popart::DecomposeLoopPipelineModel::getDecomposeLoopOpTypesToCheck");
  }
  DecomposeLoopOpTypeWrapper getDecomposeLoopOpType(
      const std::map<Op*, DecomposeLoopOpTypeWrapper, POpCmp>&, Op*, bool, bool) const override {
    emulator::missing("popart::DecomposeLoopPipelineModel::getDecomposeLoopOpType");
  }
};

class DecomposeLoops : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::DecomposeLoops::id"); }
  DecomposeLoops() = default;
  bool apply(Graph&) const override { emulator::missing("popart::DecomposeLoops::apply"); }
  std::size_t getId() const override { emulator::missing("popart::DecomposeLoops::getId"); }
  std::string getName() const override { return "DecomposeLoops"; }
  void decomposeLoop(Graph&, LoopOp*, const DecomposeLoopModel&) const {
    emulator::missing("popart::DecomposeLoops::decomposeLoop");
  }
  static bool isComputeOp(Op*) { emulator::missing("popart::DecomposeLoops::isComputeOp"); }
  static bool isIOOp(Op*) { emulator::missing("popart::DecomposeLoops::isIOOp"); }
  static bool isComputeLikeIOOp(std::set<ExchangeStrategy>, Op*) {
    emulator::missing("popart::DecomposeLoops::isComputeLikeIOOp");
  }
};

}  // namespace popart

#endif  // popart_transforms_decomposeloops_hpp
