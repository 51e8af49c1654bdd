#include "link/undefined.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <regex>
#include <set>

#include "elf_sections.hpp"

namespace popc {
namespace {

bool isCall(const Elf64_Rela& relocation) {
#ifdef __aarch64__
  const auto type = ELF64_R_TYPE(relocation.r_info);
  return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
#else
  return ELF64_R_TYPE(relocation.r_info) == R_X86_64_PLT32;
#endif
}

template <class T>
std::vector<T> recordsOf(const Bytes& bytes) {
  std::vector<T> out(bytes.size / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data, out.size() * sizeof(T));
  return out;
}

// The symbols that an object file uses other than to call them.
std::set<std::string> addressed(const std::string& object) {
  const ElfSections elf(object);
  const auto symbols = recordsOf<Elf64_Sym>(elf.find(".symtab"));
  const Bytes names = elf.find(".strtab");
  std::set<std::string> out;
  for (const Bytes& section : elf.ofType(SHT_RELA)) {
    for (const Elf64_Rela& relocation : recordsOf<Elf64_Rela>(section)) {
      const size_t index = ELF64_R_SYM(relocation.r_info);
      if (isCall(relocation) || index >= symbols.size()) continue;
      const size_t name = symbols[index].st_name;
      if (name < names.size) out.insert(reinterpret_cast<const char*>(names.data) + name);
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> undefinedSymbols(const std::string& messages) {
  static const std::regex kUndefined("undefined (?:reference to|symbol:) [`'\"]?([A-Za-z0-9_$.]+)");
  std::set<std::string> out;
  for (std::sregex_iterator at(messages.begin(), messages.end(), kUndefined), end; at != end; ++at)
    out.insert((*at)[1]);
  return {out.begin(), out.end()};
}

std::vector<std::string> notCalled(const std::vector<std::string>& symbols,
                                   const std::vector<std::string>& objects) {
  std::set<std::string> used;
  for (const std::string& object : objects) used.merge(addressed(object));
  std::vector<std::string> out;
  for (const std::string& symbol : symbols) {
    if (used.count(symbol)) out.push_back(symbol);
  }
  return out;
}

std::string refusals(const std::vector<std::string>& symbols) {
  std::string out;
  for (size_t i = 0; i < symbols.size(); ++i) {
    const std::string name = "popc_refusal_" + std::to_string(i);
    out += "extern \"C\" [[noreturn]] void " + name + "() __asm__(\"" + symbols[i] + "\");\n" +
           "void " + name + "() { throw ::poplar::detail::NotEmulated{\"a call of '" +
           demangled(symbols[i]) + "', which no C++ source defines,\"}; }\n";
  }
  return out;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string out = status == 0 ? text : symbol;
  std::free(text);
  return out;
}

}  // namespace popc
