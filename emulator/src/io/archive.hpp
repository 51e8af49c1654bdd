// A graph with its programs as bytes: one description of each structure for both directions.
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
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

  void bytes(const void* data, size_t n) {
    if (n != 0) written.append(static_cast<const char*>(data), n);
  }

  // Returns in `number` the number of an object that has several owners; true for a new object.
  bool intern(const void* object, uint64_t* number) {
    const auto entry = shared_.emplace(object, shared_.size());
    *number = entry.first->second;
    return entry.second;
  }

  std::string written;

 private:
  std::unordered_map<const void*, uint64_t> shared_;
};

class Reader {
 public:
  static constexpr bool kReads = true;
  // `fail` is called where the bytes end early or cannot be right.
  Reader(const std::string& bytes, void (*fail)()) : bytes_(bytes), fail_(fail) {}

  void bytes(void* data, size_t n) {
    if (n > bytes_.size() - at_) fail_();
    if (n != 0) std::memcpy(data, bytes_.data() + at_, n);
    at_ += n;
  }
  // Whether a list of `n` elements may follow, of `bytes` each at least.
  void checkList(uint64_t n, size_t bytes) const {
    if (n > (bytes_.size() - at_) / bytes) fail_();
  }
  void fail() const { fail_(); }

  std::vector<std::shared_ptr<void>> shared;
  uint64_t graph = 0;  // the id of the graph that is read

 private:
  const std::string& bytes_;
  size_t at_ = 0;
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

template <class A, class List>
void transferRaw(A& a, List& list) {
  const size_t size = transferSize(a, list.size());
  if constexpr (A::kReads) {
    a.checkList(size, sizeof(list[0]));
    list.resize(size);
  }
  a.bytes(size == 0 ? nullptr : &list[0], size * sizeof(list[0]));
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
