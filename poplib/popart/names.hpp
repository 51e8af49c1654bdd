// Names that attributes have for a reset and a surrogate: those of the Python layers.
#pragma once
#include <string>

#include "check.hpp"
#include "neurons/options.hpp"

namespace popsnn {
namespace ops {

template <class Enum, std::size_t size>
Enum named(const std::string& operation, const std::string& attribute, const std::string& name,
           const char* const (&names)[size]) {
  std::string known;
  for (std::size_t i = 0; i < size; ++i) {
    if (name == names[i]) return Enum(i);
    known += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  fail(operation, attribute + ": expected one of " + known + ", got '" + name + "'");
}

inline Reset reset_of(const std::string& operation, const std::string& name) {
  return named<Reset>(operation, "reset", name, {"zero", "subtract", "none"});
}

inline Surrogate surrogate_of(const std::string& operation, const std::string& name) {
  return named<Surrogate>(operation, "surrogate", name,
                          {"SuperSpike", "Sigmoid", "ATan", "Triangle", "Rectangle"});
}

}  // namespace ops
}  // namespace popsnn
