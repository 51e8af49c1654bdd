#ifndef poplar_HostFunctionCallback_hpp
#define poplar_HostFunctionCallback_hpp

#include <functional>
#include <memory>
#include <poplar/ArrayRef.hpp>
#include <utility>

namespace poplar {

/// The callback of a host function: a buffer for each argument, as long as it was declared.
class HostCallback {
 public:
  virtual ~HostCallback() {}
  virtual void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) = 0;
};

/// Owns a HostCallback, or wraps a function of the same arguments.
class HostCallbackHandle {
 public:
  template <class F, class = decltype(std::declval<F&>()(std::declval<ArrayRef<const void*>>(),
                                                         std::declval<ArrayRef<void*>>()))>
  HostCallbackHandle(F function) : callback_(wrap(Function(std::move(function)))) {}
  template <class C>
  HostCallbackHandle(std::unique_ptr<C> callback) : callback_(std::move(callback)) {}

  void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) const {
    (*callback_)(inputs, outputs);
  }

 private:
  friend class Engine;
  typedef std::function<void(ArrayRef<const void*>, ArrayRef<void*>)> Function;
  struct Wrapper : HostCallback {
    explicit Wrapper(Function f) : function(std::move(f)) {}
    void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) override {
      function(inputs, outputs);
    }
    Function function;
  };
  // Nothing for an empty function, which Engine::connectHostFunction refuses.
  static HostCallback* wrap(Function f) { return f ? new Wrapper(std::move(f)) : nullptr; }
  std::shared_ptr<HostCallback> callback_;
};

}  // namespace poplar

#endif  // poplar_HostFunctionCallback_hpp
