// A graph with its programs as bytes: one description of each structure for both directions.
#pragma once
#include <algorithm>
#include <cstdint>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace poplar {
namespace emulator {

class Writer {
 public:
  static constexpr bool kReads = false;
  explicit Writer(std::ostream& out) : out_(out) {}

  void bytes(void* data, size_t n) {
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(n));
  }

  // Gives the number of an object that several places share; true where it was not met before.
  bool share(const void* object, uint64_t* number) {
    const auto found = shared_.emplace(object, shared_.size());
    *number = found.first->second;
    return found.second;
  }

 private:
  std::ostream& out_;
  std::unordered_map<const void*, uint64_t> shared_;
};

class Reader {
 public:
  static constexpr bool kReads = true;
  // `fail` is called where the bytes end early or cannot be right.
  Reader(std::istream& in, void (*fail)()) : in_(in), fail_(fail) {}

  void bytes(void* data, size_t n) {
    in_.read(static_cast<char*>(data), static_cast<std::streamsize>(n));
    if (static_cast<size_t>(in_.gcount()) != n) fail_();
  }
  void fail() const { fail_(); }

  std::vector<std::shared_ptr<void>> shared;
  uint64_t graph = 0;  // the id of the graph that is read

 private:
  std::istream& in_;
  void (*fail_)();
};

template <class A, class T>
typename std::enable_if<std::is_trivially_copyable<T>::value>::type transfer(A& a, T& value) {
  a.bytes(&value, sizeof(value));
}

template <class A>
size_t transferSize(A& a, size_t n) {
  uint64_t size = n;
  a.bytes(&size, sizeof(size));
  return static_cast<size_t>(size);
}

// Grows in steps: a size that cannot be right must meet the end of the bytes, not of the memory.
template <class A, class List>
void transferRaw(A& a, List& list) {
  constexpr size_t kStep = size_t{1} << 24;
  const size_t size = transferSize(a, list.size());
  if (!A::kReads) return a.bytes(list.data(), size * sizeof(list[0]));
  list.clear();
  for (size_t at = 0; at < size;) {
    const size_t n = std::min(kStep, size - at);
    list.resize(at + n);
    a.bytes(&list[at], n * sizeof(list[0]));
    at += n;
  }
}

template <class A>
void transfer(A& a, std::string& text) {
  transferRaw(a, text);
}

template <class A, class T, class Element>
void transferList(A& a, std::vector<T>& list, Element&& element) {
  const size_t size = transferSize(a, list.size());
  if (A::kReads) list.clear();
  for (size_t i = 0; i < size; ++i) {
    if (A::kReads) list.emplace_back();
    element(list[i]);
  }
}

}  // namespace emulator
}  // namespace poplar
