// Names of operations.
#include <popops/Operation.hpp>
#include <popops/OperationDefUtil.hpp>

namespace popops {

namespace {

struct Name {
  const char *name, *text;
};

// In the order of Operation.
const Name kNames[] = {
    {"ADD", "Add"},
    {"MUL", "Mul"},
    {"MIN", "Min"},
    {"MAX", "Max"},
    {"LOGICAL_AND", "Logical And"},
    {"LOGICAL_OR", "Logical Or"},
    {"SQUARE_ADD", "Square Add"},
    {"LOG_ADD", "Log Add"},
};

const Name& nameOf(Operation op) { return kNames[static_cast<unsigned>(op)]; }

}  // namespace

std::ostream& operator<<(std::ostream& out, const Operation& op) { return out << nameOf(op).name; }

std::istream& operator>>(std::istream& in, Operation& op) {
  std::string text;
  in >> text;
  for (const Name& n : kNames) {
    if (text == n.name) {
      op = static_cast<Operation>(&n - kNames);
      return in;
    }
  }
  throw poputil::poplibs_error("Operation: expected the name of an operation, got '" + text + "'");
}

}  // namespace popops

namespace poputil {

const char* asString(const popops::Operation& op) { return popops::nameOf(op).text; }

std::string VertexTemplateToString<popops::Operation>::to_string(const popops::Operation& op) {
  return std::string("popops::Operation::") + popops::nameOf(op).name;
}

template <>
poplar::ProfileValue toProfileValue(const popops::Operation& op) {
  return poplar::ProfileValue(popops::nameOf(op).name);
}

}  // namespace poputil
