#include "run/thread_pool.hpp"

#include <unistd.h>

#include <chrono>

namespace poplar {
namespace emulator {

namespace {

// Long enough to bridge the gap between two supersteps, short enough to leave the core to others.
constexpr auto kSpin = std::chrono::microseconds(50);
constexpr unsigned kPausesPerPoll = 64;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

uint32_t jobOf(uint64_t ticket) { return static_cast<uint32_t>(ticket >> 32); }

}  // namespace

ThreadPool::ThreadPool(unsigned threads) : owner_(getpid()) {
  for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  if (getpid() != owner_) {
    // Joining would wait for ever, and detaching fails where a thread of this process has the same
    // id since; destroying the condition that they sleep on would wait too.
    new std::vector<std::thread>(std::move(workers_));
    wake_.release();
    return;
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_->notify_all();
  for (std::thread& w : workers_) w.join();
}

bool ThreadPool::runItem(uint32_t job) {
  uint64_t ticket = ticket_.load(std::memory_order_acquire);
  for (;;) {
    if (jobOf(ticket) != job) return false;
    const uint32_t item = static_cast<uint32_t>(ticket);
    const Task task = task_.load(std::memory_order_relaxed);
    void* context = context_.load(std::memory_order_relaxed);
    if (item >= size_.load(std::memory_order_relaxed)) return false;
    if (ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) {
      task(context, item);
      done_.fetch_add(1, std::memory_order_release);
      return true;
    }
  }
}

void ThreadPool::run(Task task, void (*idle)(void* context), void* context, uint32_t n) {
  if (n == 0) return;
  const uint32_t job = jobOf(ticket_.load(std::memory_order_relaxed)) + 1;
  // No item is left of the last job, so nobody uses what is set here before the ticket changes.
  ticket_.store((uint64_t{job} << 32) - 1, std::memory_order_relaxed);
  task_.store(task, std::memory_order_release);
  context_.store(context, std::memory_order_release);
  size_.store(n, std::memory_order_release);
  done_.store(0, std::memory_order_relaxed);
  ticket_.store(uint64_t{job} << 32, std::memory_order_seq_cst);
  // A fork has no thread to wake, and the lock may be held by a thread that its parent has.
  if (sleeping_.load(std::memory_order_seq_cst) != 0 && getpid() == owner_) {
    std::lock_guard<std::mutex> lock(mutex_);
    wake_->notify_all();
  }
  while (runItem(job)) {
  }
  for (unsigned spins = 0; done_.load(std::memory_order_acquire) != n; ++spins) {
    // The thread that is awaited may need this core.
    if (spins % 1024 == 1023) {
      std::this_thread::yield();
      idle(context);
    } else {
      pause();
    }
  }
}

void ThreadPool::work() {
  uint32_t seen = 0;
  for (;;) {
    uint32_t job = jobOf(ticket_.load(std::memory_order_acquire));
    if (job == seen) {
      const auto until = std::chrono::steady_clock::now() + kSpin;
      do {
        for (unsigned i = 0; i < kPausesPerPoll && job == seen; ++i) {
          pause();
          job = jobOf(ticket_.load(std::memory_order_acquire));
        }
      } while (job == seen && std::chrono::steady_clock::now() < until);
    }
    if (job == seen) {
      std::unique_lock<std::mutex> lock(mutex_);
      sleeping_.fetch_add(1, std::memory_order_seq_cst);
      wake_->wait(lock, [&] {
        job = jobOf(ticket_.load(std::memory_order_seq_cst));
        return stop_ || job != seen;
      });
      sleeping_.fetch_sub(1, std::memory_order_relaxed);
    }
    if (stop_) return;
    seen = job;
    while (runItem(job)) {
    }
  }
}

}  // namespace emulator
}  // namespace poplar
