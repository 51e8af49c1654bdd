#include "run/interrupt.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <poplar/emulator/Interrupt.hpp>

namespace poplar {
namespace emulator {

namespace {

constexpr int64_t kSecond = 1000000000;

std::atomic<void (*)()> check{nullptr};
std::atomic<const char*> executing{nullptr};
// When the first SIGINT came that no check has seen, in nanoseconds; 0: none came.
std::atomic<int64_t> asked{0};
struct sigaction before;  // the program's own

int64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * kSecond + t.tv_nsec;
}

// Only what is safe in a signal's handler.
void say(const char* text) {
  // A standard error that takes nothing is no reason to go on.
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void onInterrupt(int number, siginfo_t* info, void* context) {
  const int error = errno;
  const char* const text = executing.load();
  const int64_t first = asked.load();
  if (text != nullptr && first != 0 && now() - first > kSecond) {
    say("Engine::run: expected ");
    say(text);
    say(" to end within a second of an interrupt, got no end: the second one ends the process\n");
    signal(number, SIG_DFL);
    raise(number);
  } else {
    if (text != nullptr && first == 0) asked.store(now());
    if ((before.sa_flags & SA_SIGINFO) != 0) {
      before.sa_sigaction(number, info, context);
    } else {
      before.sa_handler(number);
    }
  }
  errno = error;
}

}  // namespace

void setInterruptCheck(void (*function)()) { check.store(function); }

bool handleInterrupts() {
  if (check.load() == nullptr) return false;
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  asked.store(0);
  struct sigaction current{};
  if (sigaction(SIGINT, nullptr, &current) != 0) return true;
  const bool with_info = (current.sa_flags & SA_SIGINFO) != 0;
  if (with_info && current.sa_sigaction == onInterrupt) return true;
  if (!with_info && (current.sa_handler == SIG_DFL || current.sa_handler == SIG_IGN)) return true;
  before = current;
  current.sa_flags |= SA_SIGINFO;
  current.sa_sigaction = onInterrupt;
  sigaction(SIGINT, &current, nullptr);
  return true;
}

void checkInterrupt() {
  asked.store(0);
  if (void (*const function)() = check.load()) function();
}

Executing::Executing(const char* text) { executing.store(text, std::memory_order_relaxed); }
Executing::~Executing() { executing.store(nullptr, std::memory_order_relaxed); }

}  // namespace emulator
}  // namespace poplar
