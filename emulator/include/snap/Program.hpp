#ifndef snap_Program_hpp
#define snap_Program_hpp

#include <poplar/Program.hpp>
#include <snap/Graph.hpp>
#include <snap/Tensor.hpp>

namespace snap {
namespace program {

/// A Poplar sequence: its own, or one that belongs to others.
class Sequence {
 public:
  Sequence() : sequence_(&own_) {}
  explicit Sequence(poplar::program::Sequence& sequence) : sequence_(&sequence) {}
  Sequence(const poplar::DebugContext& debugContext, const Graph&)
      : own_(debugContext), sequence_(&own_) {}
  Sequence(const Sequence& other)
      : own_(other.own_), sequence_(other.sequence_ == &other.own_ ? &own_ : other.sequence_) {}
  Sequence& operator=(const Sequence&) = delete;

  void add(const poplar::program::Program& program) { sequence_->add(program); }
  void add(const Sequence& other) { sequence_->add(*other.sequence_); }
  poplar::program::Sequence& getPoplarSequence() { return *sequence_; }
  const poplar::program::Sequence& getPoplarSequence() const { return *sequence_; }

 private:
  poplar::program::Sequence own_;
  poplar::program::Sequence* sequence_;
};

using poplar::program::Copy;
using poplar::program::Program;

}  // namespace program
}  // namespace snap

#endif  // snap_Program_hpp
