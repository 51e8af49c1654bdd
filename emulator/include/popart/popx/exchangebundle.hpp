#ifndef popart_popx_exchangebundle_hpp
#define popart_popx_exchangebundle_hpp

#include <popart/emulator/absent.hpp>
#include <popart/ir.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

namespace popart {
namespace popx {

class ExchangeBundle {
 public:
  ExchangeBundle(const Ir&) { emulator::missing("popart::popx::ExchangeBundle"); }
  bool hasRemoteBuffer(RemoteBufferId) const {
    emulator::missing("popart::popx::ExchangeBundle::hasRemoteBuffer");
  }
  const std::pair<poplar::RemoteBuffer, std::vector<poplar::Tensor>>& getRemoteBuffer(
      RemoteBufferId) const {
    emulator::missing("popart::popx::ExchangeBundle::getRemoteBuffer");
  }
  static const std::string getRemoteBufferName(RemoteBufferId) {
    emulator::missing("popart::popx::ExchangeBundle::getRemoteBufferName");
  }
  bool getRemoteBufferSeparateLoadStorePadsRequired(RemoteBufferId) const {
    emulator::missing("popart::popx::ExchangeBundle::getRemoteBufferSeparateLoadStorePadsRequired");
  }
  void createRemoteBuffer(poplar::Graph&, RemoteBufferId, const std::vector<poplar::Tensor>&) {
    emulator::missing("popart::popx::ExchangeBundle::createRemoteBuffer");
  }
  bool hasStreamTensor(TensorId) const {
    emulator::missing("popart::popx::ExchangeBundle::hasStreamTensor");
  }
  poplar::Tensor getStreamTensor(TensorId) const {
    emulator::missing("popart::popx::ExchangeBundle::getStreamTensor");
  }
  void setStreamTensor(TensorId, poplar::Tensor) {
    emulator::missing("popart::popx::ExchangeBundle::setStreamTensor");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_exchangebundle_hpp
