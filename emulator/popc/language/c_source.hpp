// C sources: they have no vertices, but the functions that vertices call by `extern "C"`.
#pragma once
#include <string>
#include <vector>

namespace popc {

bool isC(const std::string& path);

// Included before a C source; the same marks of the compiler as before C++.
std::string preludeOfC();

// Turns refusals of C++ in preprocessed source into calls of a C function.
void refuseInC(std::string& text);

// A C++ source with what C sources call, which holds the library's tables behind them.
std::string supportOfC(bool for_ipu);

// The flags that are not of C++ alone.
std::vector<std::string> flagsOfC(const std::vector<std::string>& flags);

// The flags that are not of C alone.
std::vector<std::string> flagsOfCxx(const std::vector<std::string>& flags);

}  // namespace popc
