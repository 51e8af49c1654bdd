#include "context.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#ifndef POPSNN_HOST_UCONTEXT
// Keeps the registers that a call keeps on the stack that `from` is to have.
extern "C" void popsnn_host_swap(void** from, void* to);
asm(R"(
  .text
  .globl popsnn_host_swap
  .hidden popsnn_host_swap
  .type popsnn_host_swap, @function
popsnn_host_swap:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size popsnn_host_swap, .-popsnn_host_swap
)");
#endif

namespace popsnn {
namespace host {

#ifdef POPSNN_HOST_UCONTEXT

void Context::begin(unsigned char* stack, void (*first)()) {
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack;
  context_.uc_stack.ss_size = kStack;
  context_.uc_link = nullptr;
  makecontext(&context_, first, 0);
}

void Context::swap(Context& from, Context& to) { swapcontext(&from.context_, &to.context_); }

#else

void Context::begin(unsigned char* stack, void (*first)()) {
  const auto end = reinterpret_cast<std::uintptr_t>(stack + kStack) & ~std::uintptr_t{15};
  auto** top = reinterpret_cast<void**>(end);
  *--top = nullptr;  // where `first` would return to
  *--top = reinterpret_cast<void*>(first);
  for (int i = 0; i < 6; ++i) *--top = nullptr;
  stack_ = top;
}

void Context::swap(Context& from, Context& to) { popsnn_host_swap(&from.stack_, to.stack_); }

#endif

static std::vector<std::unique_ptr<unsigned char[]>> stacks;

unsigned char* stack_of(std::size_t thread) {
  while (stacks.size() <= thread) stacks.emplace_back(new unsigned char[kStack]);
  return stacks[thread].get();
}

void forget_stacks() { stacks.clear(); }

}  // namespace host
}  // namespace popsnn
