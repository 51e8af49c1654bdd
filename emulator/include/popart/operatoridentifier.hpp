#ifndef popart_operatoridentifier_hpp
#define popart_operatoridentifier_hpp

#include <ostream>
#include <popart/names.hpp>
#include <string>

namespace popart {

namespace Domain {
constexpr const char* ai_onnx = "ai.onnx";
constexpr const char* ai_onnx_ml = "ai.onnx.ml";
constexpr const char* ai_graphcore = "ai.graphcore";
}  // namespace Domain

/// How many inputs an operator takes: any number where both are 0.
struct NumInputs {
  int min;
  int max;
  NumInputs() : min(0), max(0) {}
  NumInputs(int n) : min(n), max(n) {}
  NumInputs(int min_, int max_) : min(min_), max(max_) {}
};

/// An operator's name. Its numbers of inputs and outputs do not take part in comparisons.
struct OperatorIdentifier {
  OperatorIdentifier(const OpDomain& domain_, const OpType& type_, OpVersion version_,
                     NumInputs inputs = {}, int outputs = 0)
      : domain(domain_.empty() ? Domain::ai_onnx : domain_),
        type(type_),
        version(version_),
        numInputs(inputs),
        numOutputs(outputs) {}

  OpDomain domain;
  OpType type;
  OpVersion version;
  NumInputs numInputs;
  int numOutputs;

  bool operator==(const OperatorIdentifier& b) const {
    return domain == b.domain && type == b.type && version == b.version;
  }
  bool operator!=(const OperatorIdentifier& b) const { return !(*this == b); }
  bool operator<(const OperatorIdentifier& b) const {
    return std::tie(domain, type, version) < std::tie(b.domain, b.type, b.version);
  }
};

struct OperatorIdentifierLess {
  bool operator()(const OperatorIdentifier& a, const OperatorIdentifier& b) const { return a < b; }
};

/// Writes domain.type:version.
std::ostream& operator<<(std::ostream& out, const OperatorIdentifier& id);

}  // namespace popart

#endif  // popart_operatoridentifier_hpp
