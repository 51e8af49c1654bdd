// Threads of kernels as stacks that take turns on one thread of the CPU.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POPSNN_HOST_UCONTEXT
#endif
#endif
// AddressSanitizer knows of swapcontext, which takes two system calls.
#if !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__)
#define POPSNN_HOST_UCONTEXT
#endif

#ifdef POPSNN_HOST_UCONTEXT
#include <ucontext.h>
#endif

namespace popsnn {
namespace host {

constexpr std::size_t kStack = 1 << 18;  // bytes, of which few pages are touched

// Where a stack goes on. What begins one never returns.
class Context {
 public:
  void begin(unsigned char* stack, void (*first)());
  static void swap(Context& from, Context& to);

 private:
#ifdef POPSNN_HOST_UCONTEXT
  ucontext_t context_;
#else
  void* stack_ = nullptr;
#endif
};

// A stack that no other thread of the launch has. They stay for later launches.
unsigned char* stack_of(std::size_t thread);
void forget_stacks();

}  // namespace host
}  // namespace popsnn
