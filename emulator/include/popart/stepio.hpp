#ifndef popart_stepio_hpp
#define popart_stepio_hpp

#include <cassert>  // as in PopART
#include <cmath>    // as in PopART
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>  // as in PopART
#include <map>
#include <popart/iarray.hpp>
#include <popart/istepio.hpp>
#include <popart/names.hpp>
#include <typeindex>      // as in PopART
#include <unordered_set>  // as in PopART

namespace popart {

/// Arrays that hold all batches of a step, one after another.
class StepIO : public IStepIO {
 public:
  StepIO(std::map<TensorId, IArray&> inputs, std::map<TensorId, IArray&> outputs);

  /// Throw `error` where there is no such array, its type is another, or it ends before the step.
  ConstVoidData in(TensorId id, std::int64_t numElements, bool prefetch,
                   const bool isBroadcast = false) final;
  void inComplete(TensorId id, std::int64_t numElements, const bool isBroadcast = false) final;
  MutableVoidData out(TensorId id, std::int64_t numElements) final;

 private:
  struct Cursor {
    IArray* array;
    std::size_t next;  // element
  };
  static MutableVoidData at(std::map<TensorId, Cursor>& cursors, const TensorId& id,
                            std::int64_t numElements, const char* what);
  std::map<TensorId, Cursor> inputs_, outputs_;
};

/// Functions that give the memory of each batch.
class StepIOCallback : public IStepIO {
 public:
  using InputCallback = std::function<ConstVoidData(TensorId, bool)>;
  using InputCompleteCallback = std::function<void(TensorId)>;
  using OutputCallback = std::function<MutableVoidData(TensorId)>;
  using OutputCompleteCallback = std::function<void(TensorId)>;

  StepIOCallback(InputCallback in, InputCompleteCallback inComplete, OutputCallback out,
                 OutputCompleteCallback outComplete)
      : in_(in), inComplete_(inComplete), out_(out), outComplete_(outComplete) {}

  ConstVoidData in(TensorId id, std::int64_t, bool prefetch, const bool = false) final {
    return in_(id, prefetch);
  }
  void inComplete(TensorId id, std::int64_t, const bool = false) final { inComplete_(id); }
  MutableVoidData out(TensorId id, std::int64_t) final { return out_(id); }
  void outComplete(TensorId id) final { outComplete_(id); }

 private:
  InputCallback in_;
  InputCompleteCallback inComplete_;
  OutputCallback out_;
  OutputCompleteCallback outComplete_;
};

/// Where the weights of a session go.
class IWeightsIO {
 public:
  virtual ~IWeightsIO() = default;
  virtual bool contains(TensorId id) const = 0;
  virtual MutableVoidData weight(TensorId id) const = 0;
};

class WeightsIO : public IWeightsIO {
 public:
  bool contains(TensorId id) const final { return weights_.count(id) > 0; }
  MutableVoidData weight(TensorId id) const final { return weights_.at(id); }
  void insert(TensorId id, MutableVoidData data) { weights_[id] = data; }

 private:
  std::map<TensorId, MutableVoidData> weights_;
};

}  // namespace popart

#endif  // popart_stepio_hpp
