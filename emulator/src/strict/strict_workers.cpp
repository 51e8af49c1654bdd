#include "strict/strict_workers.hpp"

namespace poplar {
namespace emulator {

WorkerTurns::WorkerTurns(std::chrono::milliseconds patience) : patience_(patience) {}

WorkerTurns::~WorkerTurns() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_one();
  if (watch_.joinable()) watch_.join();
}

void WorkerTurns::run(std::vector<unsigned> order, const std::function<void(unsigned)>& fn) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    order_ = std::move(order);
    fn_ = &fn;
    next_ = 0;
    overlapped_ = false;
  }
  if (!watch_.joinable()) watch_ = std::thread([this] { watch(); });
  takeTurns();
  // No turn is left, so the watch starts no thread any more.
  for (std::thread& t : beside_) t.join();
  beside_.clear();
}

bool WorkerTurns::overlapped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return overlapped_;
}

void WorkerTurns::takeTurns() {
  for (;;) {
    unsigned worker;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (next_ == order_.size()) return;
      worker = order_[next_++];
      ++taken_;
    }
    (*fn_)(worker);
  }
}

void WorkerTurns::watch() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (size_t seen = 0; !stop_; seen = taken_) {
    stopped_.wait_for(lock, patience_, [&] { return stop_; });
    if (stop_ || taken_ != seen || next_ == order_.size()) continue;
    overlapped_ = true;
    beside_.emplace_back([this] { takeTurns(); });
  }
}

}  // namespace emulator
}  // namespace poplar
