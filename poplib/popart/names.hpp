// Names that attributes have for a choice: those of Python's records.
#pragma once
#include <string>

#include "check.hpp"
#include "popsnn/names.hpp"

namespace popsnn {
namespace ops {

template <class Enum>
Enum named(const std::string& operation, const std::string& attribute, const std::string& name) {
  return popsnn::named<Enum>(attribute, name, [&](const auto& what) { fail(operation, what); });
}

}  // namespace ops
}  // namespace popsnn
