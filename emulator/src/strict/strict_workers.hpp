// Workers of a MultiVertex in sequence, in a given order, as the strict mode runs them.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace poplar {
namespace emulator {

// A worker may wait for another: on hardware they run at once. A worker that does not end within
// the timeout is assumed to wait for a later worker, and those then run concurrently.
class WorkerTurns {
 public:
  explicit WorkerTurns(std::chrono::milliseconds timeout = std::chrono::milliseconds(250));
  ~WorkerTurns();

  // Calls fn(worker) for all of `order`. Returns when all have ended.
  void run(std::vector<unsigned> order, const std::function<void(unsigned)>& fn);
  // Whether workers of the current or last run() ran at the same time.
  bool overlapped() const;

 private:
  void takeTurns();
  void monitor();

  const std::chrono::milliseconds timeout_;
  mutable std::mutex mutex_;
  std::condition_variable stopped_;
  std::vector<unsigned> order_;
  const std::function<void(unsigned)>* fn_ = nullptr;
  size_t next_ = 0;   // of order_
  size_t taken_ = 0;  // turns of all runs
  bool overlapped_ = false, stop_ = false;
  std::vector<std::thread> concurrent_;
  std::thread monitor_;
};

}  // namespace emulator
}  // namespace poplar
