#ifndef popart_istepio_hpp
#define popart_istepio_hpp

#include <cstdint>
#include <popart/names.hpp>
#include <popart/voiddata.hpp>

namespace popart {

/// Where a session takes its inputs from, and where its anchors go.
class IStepIO {
 public:
  virtual ~IStepIO() = default;
  /// The next batch of an input, described by itself or by the array that has it. inComplete says
  /// that it was taken.
  virtual ConstVoidData in(TensorId id, std::int64_t numElements, bool prefetch,
                           const bool isBroadcast = false) = 0;
  virtual void inComplete(TensorId id, std::int64_t numElements,
                          const bool isBroadcast = false) = 0;
  /// Where the next of an anchor goes; outComplete says that it is there.
  virtual MutableVoidData out(TensorId id, std::int64_t numElements) = 0;
  virtual void outComplete(TensorId) {}
};

}  // namespace popart

#endif  // popart_istepio_hpp
