// Names of enumerators, as Python's records and PopART's attributes have them.
#pragma once
#include <cstddef>
#include <string>

#include "neurons/options.hpp"

namespace popsnn {

// Specialised for each enumeration that has names: `all`, in the order of its values from 0.
template <class Enum>
struct Names;

template <>
struct Names<Reset> {
  static constexpr const char* all[] = {"zero", "subtract", "none"};
};

template <>
struct Names<Surrogate> {
  static constexpr const char* all[] = {"SuperSpike", "Sigmoid", "ATan", "Triangle", "Rectangle"};
};

// Returns the value of a name; of an unknown one calls `fail(sentence)`, which throws.
template <class Enum, class Fail>
Enum named(const std::string& field, const std::string& name, Fail fail) {
  std::string known;
  std::size_t value = 0;
  for (const char* each : Names<Enum>::all) {
    if (name == each) return Enum(value);
    known += (value++ == 0 ? "" : ", ") + std::string(each);
  }
  fail(field + ": expected one of " + known + ", got '" + name + "'");
  return Enum(0);
}

}  // namespace popsnn
