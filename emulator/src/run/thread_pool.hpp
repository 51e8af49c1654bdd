// The host threads that run vertices. One thread is the caller; the others spin for a moment after
// their last work, then sleep.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace poplar {
namespace emulator {

class ThreadPool {
 public:
  using Task = void (*)(void* context, uint32_t item);

  explicit ThreadPool(unsigned threads);
  ~ThreadPool();

  unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }
  // Calls task(context, i) for i in [0, n), each once, and returns when all are done. Calls
  // idle(context) now and then while it waits for other threads. Neither may throw.
  void run(Task task, void (*idle)(void* context), void* context, uint32_t n);

 private:
  void work();
  bool runItem(uint32_t job);

  // The job's number in the upper half, the next item in the lower: a worker that comes late finds
  // another number and takes nothing.
  alignas(64) std::atomic<uint64_t> ticket_{0};
  alignas(64) std::atomic<uint32_t> done_{0};
  std::atomic<Task> task_{nullptr};
  std::atomic<void*> context_{nullptr};
  std::atomic<uint32_t> size_{0};
  std::atomic<uint32_t> sleeping_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::unique_ptr<std::condition_variable> wake_{new std::condition_variable};
  std::vector<std::thread> workers_;
  const int owner_;  // process: a fork has this object without its threads
};

}  // namespace emulator
}  // namespace poplar
