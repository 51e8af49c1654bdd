// The generated end of a codelet's source: run thunks and tables.
#pragma once
#include <string>
#include <vector>

#include "vertex_types.hpp"

namespace popc {

// Included before the source: the ABI's declarations, and for a device its compiler's builtins.
std::string prelude(bool for_ipu);

// Says which compiler it is, and defines __builtin_assume, which is clang's alone: codelets are
// written for clang. For C and C++.
std::string compilerMarks();

// Whether the compiler that preprocessed `text`, after prelude(), is clang.
bool madeByClang(const std::string& text);

// Whether preprocessed source has clang's vector types where the compiler is another, which would
// ignore the attribute and take scalars for them.
bool wantsClang(const std::string& text);

// Blanks target("supervisor") out of preprocessed source: compilers for the host do not know it.
// Lines and columns stay.
void stripSupervisorTarget(std::string& text);

// Whether a source asks its worker for something, whose declarations are in its `text`.
bool usesWorker(const std::string& text, const std::string& own_text);

// Thunks and table of the vertex types of source number `unit`.
std::string unitTail(size_t unit, const std::vector<VertexType>& types, bool uses_worker);

// The library's entry point. types_per_unit: how many vertex types each source has.
std::string libraryTail(const std::vector<size_t>& types_per_unit);

}  // namespace popc
