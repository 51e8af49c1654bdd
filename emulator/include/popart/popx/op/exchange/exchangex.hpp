#ifndef popart_popx_op_exchange_exchangex_hpp
#define popart_popx_op_exchange_exchangex_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/op/exchange/exchange.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <popart/tensorlocation.hpp>
#include <poplar/Tensor.hpp>
#include <set>
#include <utility>
#include <vector>

namespace poplar {

enum class FunctionBufferMappingType;

}  // namespace poplar

namespace popart {

class Op;
class TensorInfo;

namespace popx {

class Devicex;
class ExchangeDescriptorx {
 public:
  ExchangeDescriptorx(Devicex*, ExchangeDescriptor descriptor_) : descriptor(descriptor_) {
    emulator::missing("popart::popx::ExchangeDescriptorx");
  }
  virtual ~ExchangeDescriptorx() = default;
  void setInTensors(std::vector<std::pair<TensorId, poplar::Tensor>>) {
    emulator::missing("popart::popx::ExchangeDescriptorx::setInTensors");
  }
  virtual void pre(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) = 0;
  virtual void exchange(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) = 0;
  virtual void post(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) = 0;
  virtual poplar::Tensor unwind(poplar::Graph&, poplar::Tensor) const {
    emulator::missing("popart::popx::ExchangeDescriptorx::unwind");
  }
  virtual poplar::Tensor create(poplar::Graph&, const TensorInfo&) const {
    emulator::missing("popart::popx::ExchangeDescriptorx::create");
  }
  virtual std::vector<poplar::Tensor> getOutTensors() const {
    emulator::missing("popart::popx::ExchangeDescriptorx::getOutTensors");
  }
  virtual bool rearrangeOnHost() const { return true; }

 protected:
  Devicex* dv_p;
  std::vector<std::pair<TensorId, poplar::Tensor>> inTensors;
  std::vector<poplar::Tensor> outTensors;
  ExchangeDescriptor descriptor;
};

class HostLoadDescriptorx : public ExchangeDescriptorx {
 public:
  HostLoadDescriptorx(Devicex*, ExchangeDescriptor)
      : ExchangeDescriptorx(
            emulator::absent<Devicex*>("popart::popx::HostLoadDescriptorx"),
            emulator::absent<ExchangeDescriptor>("popart::popx::HostLoadDescriptorx")) {}
  void pre(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::HostLoadDescriptorx::pre");
  }
  void exchange(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::HostLoadDescriptorx::exchange");
  }
  void post(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::HostLoadDescriptorx::post");
  }
};

class HostStoreDescriptorx : public ExchangeDescriptorx {
 public:
  HostStoreDescriptorx(Devicex*, ExchangeDescriptor)
      : ExchangeDescriptorx(
            emulator::absent<Devicex*>("popart::popx::HostStoreDescriptorx"),
            emulator::absent<ExchangeDescriptor>("popart::popx::HostStoreDescriptorx")) {}
  void pre(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::HostStoreDescriptorx::pre");
  }
  void exchange(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::HostStoreDescriptorx::exchange");
  }
  void post(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::HostStoreDescriptorx::post");
  }
};

class RemoteLoadDescriptorx : public ExchangeDescriptorx {
 public:
  RemoteLoadDescriptorx(Devicex*, ExchangeDescriptor)
      : ExchangeDescriptorx(
            emulator::absent<Devicex*>("popart::popx::RemoteLoadDescriptorx"),
            emulator::absent<ExchangeDescriptor>("popart::popx::RemoteLoadDescriptorx")) {}
  void pre(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::RemoteLoadDescriptorx::pre");
  }
  void exchange(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::RemoteLoadDescriptorx::exchange");
  }
  void post(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::RemoteLoadDescriptorx::post");
  }
};

class RemoteStoreDescriptorx : public ExchangeDescriptorx {
 public:
  RemoteStoreDescriptorx(Devicex*, ExchangeDescriptor)
      : ExchangeDescriptorx(
            emulator::absent<Devicex*>("popart::popx::RemoteStoreDescriptorx"),
            emulator::absent<ExchangeDescriptor>("popart::popx::RemoteStoreDescriptorx")) {}
  void pre(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::RemoteStoreDescriptorx::pre");
  }
  void exchange(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::RemoteStoreDescriptorx::exchange");
  }
  void post(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::RemoteStoreDescriptorx::post");
  }
};

class RemoteCodeLoadOpDescriptorx : public ExchangeDescriptorx {
 public:
  RemoteCodeLoadOpDescriptorx(Devicex*, ExchangeDescriptor)
      : ExchangeDescriptorx(
            emulator::absent<Devicex*>("popart::popx::RemoteCodeLoadOpDescriptorx"),
            emulator::absent<ExchangeDescriptor>("popart::popx::RemoteCodeLoadOpDescriptorx")) {}
  void pre(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::RemoteCodeLoadOpDescriptorx::pre");
  }
  void exchange(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::RemoteCodeLoadOpDescriptorx::exchange");
  }
  void post(poplar::Graph&, poplar::program::Sequence&, poplar::DebugContext) override {
    emulator::missing("popart::popx::RemoteCodeLoadOpDescriptorx::post");
  }
  poplar::FunctionBufferMappingType getFunctionBufferMappingType(CodeMemoryType) {
    emulator::missing("popart::popx::RemoteCodeLoadOpDescriptorx::getFunctionBufferMappingType");
  }
};

inline std::unique_ptr<ExchangeDescriptorx> getExchangeDescriptorx(Devicex*, ExchangeDescriptor) {
  emulator::missing("popart::popx::getExchangeDescriptorx");
}

class ExchangeBaseOpx : public Opx {
 public:
  ExchangeBaseOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ExchangeBaseOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_exchange_exchangex_hpp
