#ifndef popart_patterns_updateinplaceprioritiesforipu_hpp
#define popart_patterns_updateinplaceprioritiesforipu_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/pattern.hpp>

namespace popart {

class Op;
class UpdateInplacePrioritiesForIpu : public Pattern {
 public:
  void apply(Op*) const { emulator::missing("popart::UpdateInplacePrioritiesForIpu::apply"); }
};

}  // namespace popart

#endif  // popart_patterns_updateinplaceprioritiesforipu_hpp
