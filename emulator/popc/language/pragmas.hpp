#pragma once
#include <string>

namespace popc {

// Whether preprocessed text has pragmas that unroll a loop by a name. Compilers expand macros in
// them when they compile; preprocessed text has none.
bool unrollsByName(const std::string& text);

// Replaces macros in such pragmas of `text`. `with_macros` is the same source, preprocessed by a
// compiler that keeps its #define lines (-dD).
void expandUnrollPragmas(std::string& text, const std::string& with_macros);

}  // namespace popc
