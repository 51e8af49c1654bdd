// The record in a library of the sources that it was made of, so that popc can link libraries: it
// compiles their sources again, as one library.
#pragma once
#include <string>
#include <vector>

namespace popc {

struct SourceRecord {
  std::string path;
  std::vector<std::string> preprocess_flags, compile_flags;
};

// What stands in the library at `output`: paths are relative to its folder. Empty where a source
// is standard input.
std::string recordText(const std::vector<SourceRecord>& sources, const std::string& output);

// The sources of the library at `path`. Throws std::runtime_error where it has no record.
std::vector<SourceRecord> readRecord(const std::string& path);

}  // namespace popc
