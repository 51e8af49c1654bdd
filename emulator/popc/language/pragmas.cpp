#include "pragmas.hpp"

#include <cctype>
#include <map>
#include <sstream>
#include <vector>

namespace popc {

namespace {

using Macros = std::map<std::string, std::string>;  // without arguments, by name

constexpr int kMaxDepth = 32;  // of macros in macros: one may name itself

bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continuesName(char c) { return startsName(c) || std::isdigit(static_cast<unsigned char>(c)); }

// Where the argument of a pragma that unrolls begins; npos for another line.
size_t argument(const std::string& line) {
  if (line.rfind("#pragma ", 0) != 0) return std::string::npos;
  const size_t at = line.find("unroll");
  return at == std::string::npos ? at : line.find_first_of(" (\t", at);
}

std::string expanded(const std::string& text, const Macros& macros, int depth) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && continuesName(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string word = text.substr(at, end - at);
    const auto macro = macros.find(word);
    const bool known = startsName(word[0]) && macro != macros.end() && depth < kMaxDepth;
    out += known ? expanded(macro->second, macros, depth + 1) : word;
    at = end;
  }
  return out;
}

// The pragmas of the text in order, expanded by the macros that are defined where they stand.
std::vector<std::string> expandedPragmas(const std::string& with_macros) {
  std::vector<std::string> out;
  Macros macros;
  std::istringstream lines(with_macros);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string directive, name;
    if (line.rfind("#define ", 0) == 0) {
      words >> directive >> name;
      const size_t body = line.find(name) + name.size();
      if (name.find('(') == std::string::npos) macros[name] = line.substr(body);
    } else if (line.rfind("#undef ", 0) == 0) {
      words >> directive >> name;
      macros.erase(name);
    } else if (argument(line) != std::string::npos) {
      const size_t at = argument(line);
      out.push_back(line.substr(0, at) + expanded(line.substr(at), macros, 0));
    }
  }
  return out;
}

}  // namespace

bool unrollsByName(const std::string& text) {
  for (size_t at = text.find("#pragma "); at != std::string::npos;
       at = text.find("#pragma ", at + 1)) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    for (size_t i = argument(line); i < line.size(); ++i) {
      if (startsName(line[i])) return true;
    }
  }
  return false;
}

void expandUnrollPragmas(std::string& text, const std::string& with_macros) {
  const std::vector<std::string> pragmas = expandedPragmas(with_macros);
  std::string out;
  size_t next = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool unrolls = argument(line) != std::string::npos && next < pragmas.size();
    out += (unrolls ? pragmas[next++] : line) + '\n';
  }
  text = std::move(out);
}

}  // namespace popc
