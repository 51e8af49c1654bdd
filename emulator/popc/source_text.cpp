#include "source_text.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace popc {
namespace {

bool isMarker(const std::string& line) {
  return line.size() > 2 && line[0] == '#' && line[1] == ' ' &&
         std::isdigit(static_cast<unsigned char>(line[2]));
}

// Of a line marker: the flag 3 follows the file's name where that is a system header.
bool startsSystemHeader(const std::string& marker) {
  const size_t quote = marker.rfind('"');
  if (quote == std::string::npos) return false;
  if (marker.find("popc_abi.h\"") != std::string::npos) return true;
  return marker.find('3', quote) != std::string::npos;
}

bool startsWord(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continuesWord(char c) { return startsWord(c) || std::isdigit(static_cast<unsigned char>(c)); }

// Goes through a text token by token.
class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  // Moves to the next token; false at the end. A token is a word, a literal or one character.
  bool next() {
    begin_ = end_;
    while (begin_ < text_.size()) {
      const char c = text_[begin_];
      if (c == '#' && (begin_ == 0 || text_[begin_ - 1] == '\n')) {
        size_t line_end = text_.find('\n', begin_);
        if (line_end == std::string::npos) line_end = text_.size();
        const std::string line = text_.substr(begin_, line_end - begin_);
        if (isMarker(line)) system_ = startsSystemHeader(line);
        begin_ = line_end;
      } else if (std::isspace(static_cast<unsigned char>(c))) {
        ++begin_;
      } else {
        break;
      }
    }
    if (begin_ == text_.size()) return false;
    end_ = begin_ + 1;
    const char c = text_[begin_];
    if (c == '"' || c == '\'') {
      skipQuoted();
    } else if (continuesWord(c)) {
      while (end_ < text_.size() && continuesWord(text_[end_])) ++end_;
      if (end_ < text_.size() && text_[end_] == '"' && text_[end_ - 1] == 'R') skipRaw();
    }
    return true;
  }

  bool is(const char* token) const { return text_.compare(begin_, end_ - begin_, token) == 0; }
  bool isAny(std::initializer_list<const char*> tokens) const {
    for (const char* token : tokens) {
      if (is(token)) return true;
    }
    return false;
  }
  bool inSystemHeader() const { return system_; }
  size_t begin() const { return begin_; }
  size_t end() const { return end_; }

 private:
  void skipQuoted() {
    const char quote = text_[begin_];
    while (end_ < text_.size() && text_[end_] != quote) end_ += text_[end_] == '\\' ? 2 : 1;
    end_ = std::min(end_ + 1, text_.size());
  }

  void skipRaw() {
    const size_t open = text_.find('(', end_);
    if (open == std::string::npos) return;
    const std::string close = ')' + text_.substr(end_ + 1, open - end_ - 1) + '"';
    const size_t at = text_.find(close, open);
    end_ = at == std::string::npos ? text_.size() : at + close.size();
  }

  const std::string& text_;
  size_t begin_ = 0, end_ = 0;
  bool system_ = false;
};

// Which braces are open: of functions and their blocks, or of namespaces and classes.
class Braces {
 public:
  void take(const Scanner& token) {
    if (token.is("{")) {
      inside_function_.push_back(inFunction() || !scope_);
    } else if (token.is("}")) {
      if (!inside_function_.empty()) inside_function_.pop_back();
    }
    if (token.isAny({"{", "}", ";"})) {
      first_ = true;
      scope_ = false;
    } else if (first_) {
      if (token.isAny({"template", "<", ">", "inline"})) return;
      first_ = false;
      scope_ = token.isAny({"namespace", "class", "struct", "union", "enum", "extern"});
    }
  }
  bool inFunction() const { return !inside_function_.empty() && inside_function_.back(); }

 private:
  std::vector<bool> inside_function_;
  bool first_ = true, scope_ = false;
};

}  // namespace

std::string ownText(const std::string& text) {
  std::string out;
  bool system = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (isMarker(line)) {
      system = startsSystemHeader(line);
    } else if (!system && line.find_first_not_of(" \t\r") != std::string::npos) {
      out += line + '\n';
    }
  }
  return out;
}

std::set<std::string> vertexDeclarations(const std::string& own_text) {
  std::set<std::string> out;
  Scanner scanner(own_text);
  std::string declaration;
  bool of_class = false, instantiates = false, vertex = false;
  while (scanner.next()) {
    const std::string token = own_text.substr(scanner.begin(), scanner.end() - scanner.begin());
    if (token == "{" || token == ";" || token == "}") {
      const bool ends = token == "{" ? vertex : instantiates;
      if (of_class && ends) out.insert(declaration);
      declaration.clear();
      of_class = instantiates = vertex = false;
      continue;
    }
    instantiates = instantiates || (declaration.empty() && token == "template");
    if (declaration == "template " && token == "<") instantiates = false;
    of_class = of_class || token == "class" || token == "struct";
    vertex = vertex || token.find("Vertex") != std::string::npos;
    declaration += token + ' ';
  }
  return out;
}

bool replaceAssembly(std::string& text) {
  std::string out;
  size_t copied = 0;
  Scanner scanner(text);
  Braces braces;
  bool found = false, declarator = false;  // after a name: asm("label") names a symbol
  while (scanner.next()) {
    if (scanner.inSystemHeader()) continue;
    braces.take(scanner);
    if (!scanner.isAny({"asm", "__asm", "__asm__"})) {
      declarator = !scanner.isAny({";", "{", "}", ":", "else", "do"}) &&
                   !(scanner.is(")") && braces.inFunction());
      continue;
    }
    if (declarator) continue;
    const size_t from = scanner.begin();
    int depth = 0;
    while (scanner.next()) {
      depth += scanner.is("(") ? 1 : scanner.is(")") ? -1 : 0;
      if (depth == 0 && scanner.is(")")) break;
    }
    out.append(text, copied, from - copied);
    if (braces.inFunction()) out += "poplar::detail::refuse(\"inline assembly\")";
    for (size_t i = from; i < scanner.end(); ++i) {
      if (text[i] == '\n') out += '\n';
    }
    copied = scanner.end();
    found = true;
  }
  if (!found) return false;
  out.append(text, copied, std::string::npos);
  text = std::move(out);
  return true;
}

std::string linkErrors(const std::string& messages) {
  static const std::regex kUndefined("undefined (?:reference to|symbol:) `?([^\n]*)");
  static const std::regex kCompute("^(.*)::compute\\(.*\\)'?$");
  std::set<std::string> vertices;
  for (std::sregex_iterator at(messages.begin(), messages.end(), kUndefined), end; at != end;
       ++at) {
    const std::string symbol = (*at)[1];
    std::smatch of;
    if (!std::regex_match(symbol, of, kCompute)) return messages;
    vertices.insert(of[1]);
  }
  if (vertices.empty()) return messages;
  std::string out;
  for (const std::string& vertex : vertices) {
    out += "popc: vertex '" + vertex +
           "': expected a compute() in C++, got none: assembly is not emulated\n";
  }
  return out;
}

}  // namespace popc
