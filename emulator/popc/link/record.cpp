#include "link/record.hpp"

#include <filesystem>
#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "compile/codelet_checksum.hpp"
#include "process.hpp"

namespace popc {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

constexpr char kBegin[] = "\npopc sources\n";
constexpr char kEnd[] = "\npopc sources end\n";

// The flags with each path in them changed by `change`.
Words withPaths(const Words& flags, const std::function<std::string(const std::string&)>& change) {
  static const std::set<std::string> kBeforePath = {"-I", "-isystem", "-include"};
  Words out;
  bool is_path = false;
  for (const std::string& flag : flags) {
    const bool joined = flag.size() > 2 && flag.compare(0, 2, "-I") == 0;
    out.push_back(is_path ? change(flag) : joined ? "-I" + change(flag.substr(2)) : flag);
    is_path = kBeforePath.count(flag) != 0;
  }
  return out;
}

}  // namespace

std::string recordText(const std::vector<SourceRecord>& sources, const std::string& output) {
  const fs::path folder = fs::absolute(output).parent_path();
  // A header that -include finds in another folder has no path of its own.
  const auto relative = [&](const std::string& path) {
    return fs::exists(path) ? fs::absolute(path).lexically_relative(folder).string() : path;
  };
  std::string out = kBegin;
  for (const SourceRecord& source : sources) {
    if (source.path == "-") return "";
    out += "source " + relative(source.path) + '\n';
    for (const std::string& flag : withPaths(source.preprocess_flags, relative))
      out += "preprocess " + flag + '\n';
    for (const std::string& flag : source.compile_flags) out += "compile " + flag + '\n';
  }
  return out + kEnd;
}

std::vector<SourceRecord> readRecord(const std::string& path) {
  const std::string file = readFile(path);
  const size_t end = file.rfind(kEnd);
  const size_t begin = end == std::string::npos ? end : file.rfind(kBegin, end);
  if (!poplar::emulator::isWhole(file) || begin == std::string::npos) {
    throw std::runtime_error("popc: cannot link '" + path +
                             "': expected a library that popc -o made of source files");
  }
  const fs::path folder = fs::absolute(path).parent_path();
  const auto absolute = [&](const std::string& relative) {
    const fs::path at = (folder / relative).lexically_normal();
    return fs::exists(at) ? at.string() : relative;
  };
  const size_t first = begin + sizeof(kBegin) - 1;
  std::istringstream lines(file.substr(first, end - first));
  std::vector<SourceRecord> out;
  for (std::string kind, value; lines >> kind && std::getline(lines.ignore(1), value);) {
    if (kind == "source") {
      out.emplace_back();
      out.back().path = absolute(value);
    } else if (!out.empty()) {
      (kind == "compile" ? out.back().compile_flags : out.back().preprocess_flags).push_back(value);
    }
  }
  for (SourceRecord& source : out)
    source.preprocess_flags = withPaths(source.preprocess_flags, absolute);
  return out;
}

}  // namespace popc
