#ifndef popart_opsets_hpp
#define popart_opsets_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/operatoridentifier.hpp>
#include <vector>

namespace popart {

using OpsetVersion = unsigned;

inline OperatorIdentifier getOpid(const OpDomain&, OpsetVersion, const OpType&) {
  emulator::missing("popart::getOpid");
}

inline std::vector<OperatorIdentifier> getOpset(int) { emulator::missing("popart::getOpset"); }

}  // namespace popart

#endif  // popart_opsets_hpp
