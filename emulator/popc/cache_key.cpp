#include "cache_key.hpp"

#include <sys/stat.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace popc {

// Two FNV-1a hashes of different bases and byte order of mixing, 128 bits together: this guards
// against accidents, and the cache folder is the user's own.
void CacheKey::addBytes(const char* data, size_t size) {
  constexpr uint64_t kPrime = 0x100000001b3u;
  for (size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(data[i]);
    high_ = (high_ ^ byte) * kPrime;
    low_ = (low_ * kPrime) ^ byte;
  }
}

void CacheKey::add(const std::string& text) { addBytes(text.c_str(), text.size() + 1); }

void CacheKey::addSource(const std::string& text) {
  for (size_t from = 0; from < text.size();) {
    size_t to = text.find('\n', from);
    to = to == std::string::npos ? text.size() : to + 1;
    const bool marker = to - from > 2 && text[from] == '#' && text[from + 1] == ' ' &&
                        std::isdigit(static_cast<unsigned char>(text[from + 2]));
    if (!marker) addBytes(text.data() + from, to - from);
    from = to;
  }
  add("");
}

void CacheKey::addCompiler(const std::vector<std::string>& command) {
  for (const std::string& word : command) {
    add(word);
    std::string file = word;
    const char* path = std::getenv("PATH");
    std::istringstream folders(file.find('/') == std::string::npos && path ? path : "");
    struct stat status{};
    bool exists = stat(file.c_str(), &status) == 0;
    for (std::string folder; !exists && std::getline(folders, folder, ':');) {
      exists = stat((folder + '/' + word).c_str(), &status) == 0;
    }
    if (!exists) continue;
    add(std::to_string(status.st_size));
    add(std::to_string(status.st_mtime));
  }
}

void CacheKey::addMachine() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const bool features = line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0;
    if (features || line.rfind("model name", 0) == 0) add(line);
    if (features) return;
  }
}

std::string CacheKey::text() const {
  char out[33];
  std::snprintf(out, sizeof out, "%016llx%016llx", static_cast<unsigned long long>(high_),
                static_cast<unsigned long long>(low_));
  return out;
}

}  // namespace popc
