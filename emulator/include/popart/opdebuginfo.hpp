#ifndef popart_opdebuginfo_hpp
#define popart_opdebuginfo_hpp

#include <popart/debugcontext.hpp>
#include <popart/emulator/absent.hpp>

namespace popart {

class Op;
class OpDebugInfo : public DebugInfo {
 public:
  OpDebugInfo(const DebugContext&, const Op&)
      : DebugInfo(emulator::absent<const DebugContext>("popart::OpDebugInfo"),
                  emulator::absent<const std::string>("popart::OpDebugInfo")) {}
  void finalize() { emulator::missing("popart::OpDebugInfo::finalize"); }
};

}  // namespace popart

#endif  // popart_opdebuginfo_hpp
