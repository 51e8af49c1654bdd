// The name of a library in the cache: a hash of everything that it was made of.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace popc {

class CacheKey {
 public:
  void add(const std::string& text);
  // Preprocessed source. Line markers do not count, so that the same text at another path is the
  // same library.
  void addSource(const std::string& text);
  void addCompiler(const std::vector<std::string>& command);  // its file, size and time
  void addMachine();  // the instructions of this CPU: -march=native depends on them

  std::string text() const;  // 32 hexadecimal digits

 private:
  void addBytes(const char* data, size_t size);

  uint64_t high_ = 0xcbf29ce484222325u, low_ = 0x9ae16a3b2f90404fu;
};

}  // namespace popc
