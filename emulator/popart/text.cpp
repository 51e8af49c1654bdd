// How PopART's values are written.
#include <popart/graphid.hpp>
#include <popart/op.hpp>
#include <popart/scope.hpp>
#include <popart/tensor.hpp>

namespace popart {

std::ostream& operator<<(std::ostream& out, const OperatorIdentifier& id) {
  return out << id.domain << '.' << id.type << ':' << id.version;
}

std::ostream& operator<<(std::ostream& out, const RecomputeType& type) {
  constexpr const char* kNames[] = {"Undefined", "Checkpoint", "Recompute", "Recomputed"};
  return out << kNames[static_cast<int>(type)];
}

std::ostream& operator<<(std::ostream& out, const ExecutionContext& context) {
  constexpr const char* kNames[] = {"Normal",
                                    "AccumulateOuterFragment",
                                    "WeightsFromHostFragment",
                                    "WeightsToHostFragment",
                                    "OptimizerFromHostFragment",
                                    "Subgraph"};
  return out << kNames[static_cast<int>(context)];
}

std::ostream& operator<<(std::ostream& out, const ReductionType& type) {
  constexpr const char* kNames[] = {"Sum", "Mean", "NoReduction", "Undefined"};
  return out << kNames[static_cast<int>(type)];
}

std::ostream& operator<<(std::ostream& out, const GradOpInType& type) {
  constexpr const char* kNames[] = {"In", "Out", "GradOut"};
  return out << kNames[static_cast<int>(type)];
}

std::ostream& operator<<(std::ostream& out, const GradInOutMapper& mapper) {
  return out << mapper.iGrad << " <- " << mapper.type << ' ' << mapper.iNonGrad;
}

std::ostream& operator<<(std::ostream& out, const TensorType& type) {
  constexpr const char* kNames[] = {"ActGrad", "Const", "Stream", "Unknown", "Variable", "N"};
  return out << kNames[static_cast<int>(type)];
}

const GraphId& GraphId::root() {
  static const GraphId id("");
  return id;
}

std::ostream& operator<<(std::ostream& out, const GraphId& id) { return out << id.str(); }

std::string Scope::str() const {
  return logging::join(names_.begin(), names_.end(), sNameDelimiter);
}

Scope Scope::operator/(const std::string& name) const {
  Scope out = *this;
  out.names_.push_back(name);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Scope& scope) { return out << scope.str(); }

}  // namespace popart
