// Questions to preprocessed source: what of it is the user's, and what that uses.
#pragma once
#include <set>
#include <string>

namespace popc {

// Without the lines of system headers, the emulator's among them, and without line markers.
std::string ownText(const std::string& text);

// Declarations and explicit instantiations of vertex classes, as written but for blanks.
std::set<std::string> vertexDeclarations(const std::string& own_text);

// Replaces inline assembly by a call that refuses it, or removes it outside of functions. Lines
// stay. Returns whether there was any.
bool replaceAssembly(std::string& text);

// What a linker says; instead, a sentence for each vertex without a compute(), as where it is
// written in assembly.
std::string linkErrors(const std::string& messages);

}  // namespace popc
