// From sources to a codelet library, with the C++ compiler of the host.
#pragma once
#include <string>

#include "options.hpp"

namespace popc {

// The compiler's command, as words: $POPSNN_CXX, $CXX, or c++, g++, clang++ on PATH. Throws
// std::runtime_error where there is none.
std::vector<std::string> findCompiler();

// Compiles as the options say, with files in `folder`, which holds standard input as "stdin" where
// it is a source. Messages go to standard error. Returns the exit status.
int compile(const Options& options, const std::string& folder);

}  // namespace popc
