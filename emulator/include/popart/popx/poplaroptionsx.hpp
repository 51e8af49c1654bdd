#ifndef popart_popx_poplaroptionsx_hpp
#define popart_popx_poplaroptionsx_hpp

#include <map>
#include <popart/emulator/absent.hpp>
#include <poplar/OptionFlags.hpp>
#include <string>
#include <utility>

namespace popart {
namespace popx {

struct PoplarOptions {
  std::map<std::string, std::string> options;
  poplar::OptionFlags toOptionFlags() const {
    emulator::missing("popart::popx::PoplarOptions::toOptionFlags");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_poplaroptionsx_hpp
