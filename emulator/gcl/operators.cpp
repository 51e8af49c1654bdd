#include "operators.hpp"

#include <istream>
#include <ostream>
#include <poputil/exceptions.hpp>
#include <string>

namespace gcl {

namespace {

// In the order of CollectiveOperator.
const char* const kNames[] = {"ADD",         "MEAN",       "MUL",        "MIN",  "MAX",
                              "LOGICAL_AND", "LOGICAL_OR", "SQUARE_ADD", "LOCAL"};

}  // namespace

std::ostream& operator<<(std::ostream& os, const CollectiveOperator& op) {
  return os << kNames[static_cast<unsigned>(op)];
}

std::istream& operator>>(std::istream& is, CollectiveOperator& op) {
  std::string text;
  is >> text;
  for (const char* const& name : kNames) {
    if (text == name) {
      op = static_cast<CollectiveOperator>(&name - kNames);
      return is;
    }
  }
  throw poputil::poplibs_error("CollectiveOperator: expected the name of an operator, got '" +
                               text + "'");
}

popops::Operation operationOf(CollectiveOperator op, const char* function) {
  switch (op) {
    case CollectiveOperator::ADD:
    case CollectiveOperator::MEAN:
      return popops::Operation::ADD;
    case CollectiveOperator::MUL:
      return popops::Operation::MUL;
    case CollectiveOperator::MIN:
      return popops::Operation::MIN;
    case CollectiveOperator::MAX:
      return popops::Operation::MAX;
    case CollectiveOperator::LOGICAL_AND:
      return popops::Operation::LOGICAL_AND;
    case CollectiveOperator::LOGICAL_OR:
      return popops::Operation::LOGICAL_OR;
    case CollectiveOperator::SQUARE_ADD:
      return popops::Operation::SQUARE_ADD;
    default:
      throw poputil::poplibs_error(std::string(function) +
                                   ": expected an operator that reduces, got LOCAL");
  }
}

}  // namespace gcl
