// Functions that codelets call and that no source defines: those of assembly, which is not
// emulated, and those of a library that is to be linked later.
#pragma once
#include <string>
#include <vector>

namespace popc {

// The symbols that a linker, told --no-demangle, misses.
std::vector<std::string> undefinedSymbols(const std::string& messages);

// Those of them that the object files use other than to call them.
std::vector<std::string> notCalled(const std::vector<std::string>& symbols,
                                   const std::vector<std::string>& objects);

// C++ that defines the symbols as functions that refuse to run. It needs NotEmulated.hpp.
std::string refusals(const std::vector<std::string>& symbols);

// As a user writes it: "f(int)" for "_Z1fi".
std::string demangled(const std::string& symbol);

}  // namespace popc
