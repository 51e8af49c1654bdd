#ifndef popart_op_custom_parameterizedop_hpp
#define popart_op_custom_parameterizedop_hpp

#include <map>
#include <memory>
#include <popart/graph.hpp>
#include <popart/op.hpp>
#include <popart/opmanager.hpp>

namespace popart {

/// A custom op whose attributes are a struct PARAMS with `appendAttributes` and
/// `makeFromAttributes`. OP has a static `defaultOperatorId`.
template <class OP, class PARAMS>
class ParameterizedOp : public Op {
 public:
  using ParamsType = PARAMS;
  using Inputs = std::map<InIndex, TensorId>;
  using Outputs = std::map<OutIndex, TensorId>;

  ParameterizedOp(const OperatorIdentifier& opid_, const PARAMS& params,
                  const Op::Settings& settings_)
      : Op(opid_, settings_), m_params(params) {}
  ParameterizedOp(const PARAMS& params, const Op::Settings& settings_)
      : Op(OP::defaultOperatorId(), settings_), m_params(params) {}
  /// With the parameters of another op: a gradient op of its forward op.
  template <class T>
  ParameterizedOp(const OperatorIdentifier& opid_, const ParameterizedOp<T, PARAMS>& other)
      : Op(opid_, other.settings), m_params(other.params()) {}
  template <class T>
  ParameterizedOp(const ParameterizedOp<T, PARAMS>& other)
      : Op(OP::defaultOperatorId(), other.settings), m_params(other.params()) {}

  std::unique_ptr<Op> clone() const override {
    return std::unique_ptr<Op>(new OP(dynamic_cast<const OP&>(*this)));
  }

  static std::unique_ptr<OP> createOpFromCreatorInfo(const OpCreatorInfo& info) {
    return std::unique_ptr<OP>(
        new OP(info.opid, PARAMS::makeFromAttributes(info.attributes), info.settings));
  }
  static OP* createOpInGraph(Graph& graph, const Inputs& in, const Outputs& out,
                             const OperatorIdentifier& opid, const PARAMS& params,
                             const Op::Settings& settings) {
    return graph.createConnectedOp<OP>(in, out, opid, params, settings);
  }
  static OP* createOpInGraph(Graph& graph, const Inputs& in, const Outputs& out,
                             const PARAMS& params, const Op::Settings& settings) {
    return graph.createConnectedOp<OP>(in, out, OP::defaultOperatorId(), params, settings);
  }

  void appendAttributes(OpSerialiserBase& os) const override {
    Op::appendAttributes(os);
    m_params.appendAttributes(os);
  }
  void appendOutlineAttributes(OpSerialiserBase& os) const override {
    Op::appendOutlineAttributes(os);
    m_params.appendAttributes(os);
  }
  float getSubgraphValue() const override { return getHighSubgraphValue(); }
  bool requiresRandomSeed() const override { return false; }
  const PARAMS& params() const { return m_params; }

 protected:
  PARAMS m_params;
};

}  // namespace popart

#endif  // popart_op_custom_parameterizedop_hpp
