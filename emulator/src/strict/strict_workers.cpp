#include "strict/strict_workers.hpp"

namespace poplar {
namespace emulator {

WorkerTurns::WorkerTurns(std::chrono::milliseconds timeout) : timeout_(timeout) {}

WorkerTurns::~WorkerTurns() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_one();
  if (monitor_.joinable()) monitor_.join();
}

void WorkerTurns::run(std::vector<unsigned> order, const std::function<void(unsigned)>& fn) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    order_ = std::move(order);
    fn_ = &fn;
    next_ = 0;
    overlapped_ = false;
  }
  if (!monitor_.joinable()) monitor_ = std::thread([this] { monitor(); });
  takeTurns();
  // No turn is left, so the monitor starts no thread any more.
  for (std::thread& t : concurrent_) t.join();
  concurrent_.clear();
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

void WorkerTurns::monitor() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (size_t seen = 0; !stop_; seen = taken_) {
    stopped_.wait_for(lock, timeout_, [&] { return stop_; });
    if (stop_ || taken_ != seen || next_ == order_.size()) continue;
    overlapped_ = true;
    concurrent_.emplace_back([this] { takeTurns(); });
  }
}

}  // namespace emulator
}  // namespace poplar
