#ifndef popart_popx_enigma_hpp
#define popart_popx_enigma_hpp

namespace popart {
namespace popx {
namespace enigma {

enum class DeviceType { Cpu, IpuModel, Sim, Hw };

}
}  // namespace popx
}  // namespace popart

#endif  // popart_popx_enigma_hpp
