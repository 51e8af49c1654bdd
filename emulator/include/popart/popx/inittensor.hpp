#ifndef popart_popx_inittensor_hpp
#define popart_popx_inittensor_hpp

#include <iosfwd>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/preparedtensor.hpp>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace popart {
namespace popx {

enum class InitMethod {
  None = 0,
  Aliasing,
  PostIrAliasing,
  Cloning,
  Creator,
  Linear,
  ReplicatedTensorSharding
};

inline std::ostream& operator<<(std::ostream&, const InitMethod&) {
  emulator::missing("popart::popx::operator<<");
}

class IrLowering;
class ICreatorCandidate;
using ICreatorCandidatePtr = std::shared_ptr<ICreatorCandidate>;

class InitTensorBase {
 public:
  virtual ~InitTensorBase() = default;
  InitTensorBase(InitMethod, TensorId, RequireParallelWritable, double) {
    emulator::missing("popart::popx::InitTensorBase");
  }
  virtual bool initTensor(IrLowering&) const = 0;
  bool operator<(const InitTensorBase&) const {
    emulator::missing("popart::popx::InitTensorBase::operator<");
  }
  double getPriority() const { emulator::missing("popart::popx::InitTensorBase::getPriority"); }
  TensorId getDstId() const { emulator::missing("popart::popx::InitTensorBase::getDstId"); }
  virtual bool hasSrcId() const { return false; }
  virtual TensorId getSrcId() const { return ""; }
  virtual std::set<TensorId> getDependsOnIds() const {
    emulator::missing("popart::popx::InitTensorBase::getDependsOnIds");
  }
  std::string str() const { emulator::missing("popart::popx::InitTensorBase::str"); }

 protected:
  virtual std::string extraStr() const { return ""; }
  InitMethod method;
  TensorId dstId;
  RequireParallelWritable requireParallelWritable;
  double priority;
};

using InitTensorPtr = std::shared_ptr<InitTensorBase>;

struct PInitTensorCmp {
  bool operator()(const InitTensorPtr&, const InitTensorPtr&) const {
    emulator::missing("popart::popx::PInitTensorCmp::operator()");
  }
};

using InitTensorPtrs = std::set<InitTensorPtr, PInitTensorCmp>;

class InitTensorAliasing : public InitTensorBase {
 public:
  InitTensorAliasing(TensorId, TensorId, RequireParallelWritable, double)
      : InitTensorBase(
            emulator::absent<InitMethod>("popart::popx::InitTensorAliasing"),
            emulator::absent<TensorId>("popart::popx::InitTensorAliasing"),
            emulator::absent<RequireParallelWritable>("popart::popx::InitTensorAliasing"),
            emulator::absent<double>("popart::popx::InitTensorAliasing")) {}
  bool initTensor(IrLowering&) const override {
    emulator::missing("popart::popx::InitTensorAliasing::initTensor");
  }
};

class InitTensorPostIrAliasing : public InitTensorBase {
 public:
  InitTensorPostIrAliasing(TensorId, TensorId, RequireParallelWritable, double)
      : InitTensorBase(
            emulator::absent<InitMethod>("popart::popx::InitTensorPostIrAliasing"),
            emulator::absent<TensorId>("popart::popx::InitTensorPostIrAliasing"),
            emulator::absent<RequireParallelWritable>("popart::popx::InitTensorPostIrAliasing"),
            emulator::absent<double>("popart::popx::InitTensorPostIrAliasing")) {}
  bool initTensor(IrLowering&) const override {
    emulator::missing("popart::popx::InitTensorPostIrAliasing::initTensor");
  }

 protected:
  TensorId srcId;
};

class InitTensorCloning : public InitTensorBase {
 public:
  InitTensorCloning(TensorId, TensorId, RequireParallelWritable, double)
      : InitTensorBase(emulator::absent<InitMethod>("popart::popx::InitTensorCloning"),
                       emulator::absent<TensorId>("popart::popx::InitTensorCloning"),
                       emulator::absent<RequireParallelWritable>("popart::popx::InitTensorCloning"),
                       emulator::absent<double>("popart::popx::InitTensorCloning")) {}
  bool initTensor(IrLowering&) const override {
    emulator::missing("popart::popx::InitTensorCloning::initTensor");
  }

 protected:
  TensorId srcId;
};

class InitTensorCreator : public InitTensorBase {
 public:
  InitTensorCreator(ICreatorCandidatePtr, std::set<TensorId>, TensorId, RequireParallelWritable,
                    double)
      : InitTensorBase(emulator::absent<InitMethod>("popart::popx::InitTensorCreator"),
                       emulator::absent<TensorId>("popart::popx::InitTensorCreator"),
                       emulator::absent<RequireParallelWritable>("popart::popx::InitTensorCreator"),
                       emulator::absent<double>("popart::popx::InitTensorCreator")) {}
  bool initTensor(IrLowering&) const override {
    emulator::missing("popart::popx::InitTensorCreator::initTensor");
  }
};

class InitTensorLinear : public InitTensorBase {
 public:
  InitTensorLinear(TensorId, RequireParallelWritable, double)
      : InitTensorBase(emulator::absent<InitMethod>("popart::popx::InitTensorLinear"),
                       emulator::absent<TensorId>("popart::popx::InitTensorLinear"),
                       emulator::absent<RequireParallelWritable>("popart::popx::InitTensorLinear"),
                       emulator::absent<double>("popart::popx::InitTensorLinear")) {}
  bool initTensor(IrLowering&) const override {
    emulator::missing("popart::popx::InitTensorLinear::initTensor");
  }
};

class InitTensorRTS : public InitTensorBase {
 public:
  InitTensorRTS(TensorId, TensorId, RequireParallelWritable, double)
      : InitTensorBase(emulator::absent<InitMethod>("popart::popx::InitTensorRTS"),
                       emulator::absent<TensorId>("popart::popx::InitTensorRTS"),
                       emulator::absent<RequireParallelWritable>("popart::popx::InitTensorRTS"),
                       emulator::absent<double>("popart::popx::InitTensorRTS")) {}
  bool initTensor(IrLowering&) const override {
    emulator::missing("popart::popx::InitTensorRTS::initTensor");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_inittensor_hpp
