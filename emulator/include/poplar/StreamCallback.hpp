#ifndef poplar_StreamCallback_hpp
#define poplar_StreamCallback_hpp

#include <functional>
#include <memory>
#include <utility>

namespace poplar {

/// The host's side of a stream.
class StreamCallback {
 public:
  enum class Result { Success, NotAvailable };

  virtual ~StreamCallback() {}
  /// Called ahead of need, where prefetching is enabled: may fill the buffer early.
  virtual Result prefetch(void* buffer) = 0;
  /// Called when the data is needed (host to device) or there (device to host).
  virtual void fetch(void* buffer) = 0;
  /// Called when the data of the last fetch or successful prefetch was consumed.
  virtual void complete() = 0;
  /// Called when prefetched data will not be used.
  virtual void invalidatePrefetched() {}
};

/// A StreamCallback that fetches when the data is needed and never before.
class LegacyStreamCallback : public StreamCallback {
 public:
  Result prefetch(void*) final { return Result::NotAvailable; }
  void complete() final {}
};

/// Owns a StreamCallback, or wraps a function that does what `fetch` does.
class StreamCallbackHandle {
 public:
  template <class F, class = decltype(std::declval<F&>()(static_cast<void*>(nullptr)))>
  StreamCallbackHandle(F function)
      : callback_(wrap(std::function<void(void*)>(std::move(function)))) {}
  template <class C>
  StreamCallbackHandle(std::unique_ptr<C> callback) : callback_(std::move(callback)) {}

  StreamCallback* operator->() const { return callback_.get(); }
  StreamCallback& operator*() const { return *callback_; }

 private:
  struct FunctionCallback : LegacyStreamCallback {
    explicit FunctionCallback(std::function<void(void*)> f) : function(std::move(f)) {}
    void fetch(void* buffer) override { function(buffer); }
    std::function<void(void*)> function;
  };
  // Nothing for an empty function, which Engine::connectStreamToCallback refuses.
  static StreamCallback* wrap(std::function<void(void*)> f) {
    return f ? new FunctionCallback(std::move(f)) : nullptr;
  }
  std::shared_ptr<StreamCallback> callback_;
};

}  // namespace poplar

#endif  // poplar_StreamCallback_hpp
