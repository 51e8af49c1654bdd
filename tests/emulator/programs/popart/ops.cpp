// Custom operators for the tests of the emulated PopART, written as for the SDK.
#include <popart/op.hpp>
#include <popart/opmanager.hpp>
#include <popart/opserialiser.hpp>
#include <popart/patterns/pattern.hpp>
#include <popart/popx/devicex.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popart/region.hpp>
#include <popart/shapeinference.hpp>
#include <poplar/Graph.hpp>
#include <popops/ElementWise.hpp>
#include <popops/ScaledAdd.hpp>
#include <poprand/RandomGen.hpp>
#include <sstream>

using namespace popart;
namespace pe = popops::expr;
using poplar::program::Sequence;

namespace {

OperatorIdentifier named(const std::string& type, NumInputs inputs = {}) {
  return OperatorIdentifier("test.popsnn", type, 1, inputs);
}

// What the ops below share. `Self` is the op.
template <class Self>
struct Base : Op {
  Base(const OperatorIdentifier& opid, const Op::Settings& settings) : Op(opid, settings) {}
  std::unique_ptr<Op> clone() const override {
    return std::unique_ptr<Op>(new Self(static_cast<const Self&>(*this)));
  }
  float getSubgraphValue() const final { return getLowSubgraphValue(); }
};

template <class T>
std::vector<std::unique_ptr<Op>> only(T* op) {
  std::vector<std::unique_ptr<Op>> out;
  out.emplace_back(op);
  return out;
}

// y = power(x) + bias: outputs y and power(x). The bias may be left out.
struct PowerGrad;
struct Power : Base<Power> {
  Power(const OperatorIdentifier& opid, const Op::Settings& settings, std::int64_t exponent_)
      : Base(opid, settings), exponent(exponent_) {}
  void setup() final {
    outInfo(0) = inInfo(0);
    if (hasOutput(1)) outInfo(1) = inInfo(0);
  }
  std::set<InIndex> optionalInputs() const final { return {1}; }
  std::vector<std::unique_ptr<Op>> getGradOps() final;
  void appendOutlineAttributes(OpSerialiserBase& os) const override {
    Op::appendOutlineAttributes(os);
    os.appendAttribute("exponent", exponent);
  }
  void appendAttributes(OpSerialiserBase& os) const override {
    Op::appendAttributes(os);
    os.appendAttribute("exponent", exponent);
  }
  std::int64_t exponent;
};

struct PowerGrad : Base<PowerGrad> {
  explicit PowerGrad(const Power& forward)
      : Base(named("PowerGrad"), forward.getSettings()), exponent(forward.exponent) {}
  void setup() final {
    outInfo(0) = inInfo(2);
    if (hasOutput(1)) outInfo(1) = inInfo(0);
  }
  std::set<InIndex> optionalInputs() const final { return {1}; }  // where the loss uses y alone
  const std::vector<GradInOutMapper>& gradInputInfo() const final {
    static const std::vector<GradInOutMapper> info = {{0, 0, GradOpInType::GradOut},
                                                      {1, 1, GradOpInType::GradOut},
                                                      {2, 0, GradOpInType::In},
                                                      {3, 1, GradOpInType::Out}};
    return info;
  }
  const std::map<int, int>& gradOutToNonGradIn() const final {
    static const std::map<int, int> info = {{0, 0}, {1, 1}};
    return info;
  }
  std::int64_t exponent;
};

std::vector<std::unique_ptr<Op>> Power::getGradOps() { return only(new PowerGrad(*this)); }

struct PowerOpx : popx::Opx {
  PowerOpx(Op* op, popx::Devicex* devicex) : Opx(op, devicex) {
    verifyOp<Power>(op, named("Power"));
  }
  void grow(Sequence& prog) const final {
    const float exponent = static_cast<float>(getOp<Power>().exponent);
    const poplar::Tensor y = popops::map(graph(), pe::Pow(pe::_1, pe::Const(exponent)),
                                         {getInTensor(0)}, prog, debugContext("power"));
    if (hasOutput(1)) setOutTensor(1, y);
    setOutTensor(0,
                 hasInput(1) ? popops::add(graph(), y, getInTensor(1), prog) : cloneNcopy(prog, y));
  }
};

// The gradient of power(x) alone, by its second output: n * power(x) / x.
struct PowerGradOpx : popx::Opx {
  PowerGradOpx(Op* op, popx::Devicex* devicex) : Opx(op, devicex) { verifyOp<PowerGrad>(op); }
  void grow(Sequence& prog) const final {
    const float exponent = static_cast<float>(getOp<PowerGrad>().exponent);
    const auto derivative = pe::Divide(pe::Mul(pe::Const(exponent), pe::_3), pe::_2);
    const poplar::Tensor grad =
        hasInput(1) ? popops::add(graph(), getInTensor(0), getInTensor(1), prog) : getInTensor(0);
    setOutTensor(0, popops::map(graph(), pe::Mul(pe::_1, derivative),
                                {grad, getInTensor(2), getInTensor(3)}, prog, debugContext()));
    if (hasOutput(1)) setOutTensor(1, cloneNcopy(prog, getInTensor(0)));
  }
};

OpCreator<Power> power(
    OpDefinitions({{named("Power", {1, 2}), OpDefinition()}}),
    [](const OpCreatorInfo& info) {
      const auto exponent = info.attributes.getAttribute<Attributes::Int>("exponent");
      return std::unique_ptr<Op>(new Power(info.opid, info.settings, exponent));
    },
    true);
RegisterShapeInferenceFunction powerShape(named("Power"), [](ShapeInferenceContext& context) {
  context.outInfo(0) = context.inInfo(0);
});
popx::OpxCreator<PowerOpx> powerX(named("Power"));
popx::OpxCreator<PowerGradOpx> powerGradX(named("PowerGrad"));

// state += x in place; the output is the state.
struct Accumulate : Base<Accumulate> {
  using Base::Base;
  void setup() final { outInfo(0) = inInfo(0); }
  view::Regions modifies(InIndex i) const final { return i == 0 ? uses(i) : Op::modifies(i); }
  view::Regions aliases(InIndex i, OutIndex) const final {
    return i == 0 ? uses(i) : Op::aliases(i, 0);
  }
};

struct AccumulateOpx : popx::Opx {
  using Opx::Opx;
  void grow(Sequence& prog) const final {
    popops::addInPlace(graph(), getInTensor(0), getInTensor(1), prog, debugContext());
    setOutTensor(0, getInTensor(0));
  }
};

OpCreator<Accumulate> accumulate(OpDefinitions({{named("Accumulate", 2), OpDefinition()}}));
popx::OpxCreator<AccumulateOpx> accumulateX(named("Accumulate"));

// x * mask of a random half of the elements; the gradient draws the same mask again.
struct Drop : Base<Drop> {
  using Base::Base;
  void setup() final { outInfo(0) = inInfo(0); }
  bool requiresRandomSeed() const final { return true; }
  InIndex getSeedInIndex() const final { return 1; }
  std::vector<std::unique_ptr<Op>> getGradOps() final { return only(new Drop(*this)); }
  const std::vector<GradInOutMapper>& gradInputInfo() const final {
    static const std::vector<GradInOutMapper> info = {{0, 0, GradOpInType::GradOut},
                                                      {1, 1, GradOpInType::In}};
    return info;
  }
  const std::map<int, int>& gradOutToNonGradIn() const final {
    static const std::map<int, int> info = {{0, 0}};
    return info;
  }
};

struct DropOpx : popx::Opx {
  using Opx::Opx;
  void grow(Sequence& prog) const final {
    const poplar::Tensor& x = getInTensor(0);
    const poplar::Tensor seed = getInTensor(1);
    const poplar::Tensor mask =
        poprand::bernoulli(graph(), &seed, 0, x, x.elementType(), 0.5, prog, debugContext("mask"));
    setOutTensor(0, popops::mul(graph(), x, mask, prog, debugContext()));
  }
};

OpCreator<Drop> drop(OpDefinitions({{named("Drop", 1), OpDefinition()}}));
popx::OpxCreator<DropOpx> dropX(named("Drop"));

// Lays its input out on one tile, and refuses another layout.
struct OnOneTile : Base<OnOneTile> {
  using Base::Base;
  void setup() final { outInfo(0) = inInfo(0); }
};

struct OnOneTileOpx : popx::Opx {
  using Opx::Opx;
  popx::InputCreatorType getInputCreatorType(InIndex) const final {
    return popx::InputCreatorType::CanCreate;
  }
  poplar::Tensor createInputTensor(InIndex i, const poplar::DebugNameAndId& name) const final {
    const poplar::Tensor x = graph().addVariable(popx::popType(inInfo(i)), inShapeSzt(i), name);
    graph().setTileMapping(x, 2);
    return x;
  }
  void grow(Sequence& prog) const final {
    const auto mapping = graph().getTileMapping(getInTensor(0));
    if (mapping[2].empty()) throw error("OnOneTile: expected its own layout, got another");
    setOutTensor(0, cloneNcopy(prog, getInTensor(0)));
  }
};

OpCreator<OnOneTile> onOneTile(OpDefinitions({{named("OnOneTile", 1), OpDefinition()}}));
popx::OpxCreator<OnOneTileOpx> onOneTileX(named("OnOneTile"));

// Reads an attribute of each kind, and computes nothing: the output is the input in place, which
// it does not say.
struct Attributed : Base<Attributed> {
  using Base::Base;
  void setup() final {
    if (inRank(0) != 1) throw error("Attributed: expected a vector, got rank {}", inRank(0));
    outInfo(0) = inInfo(0);
  }
};

struct AttributedOpx : popx::Opx {
  using Opx::Opx;
  void grow(Sequence&) const final { setOutTensor(0, getInTensor(0)); }
};

OpCreator<Attributed> attributed(
    OpDefinitions({{named("Attributed"), OpDefinition()}}),
    [](const OpCreatorInfo& info) {
      const Attributes& a = info.attributes;
      const bool right =
          a.getAttribute<Attributes::Float>("float") == 0.5f &&
          a.getAttribute<Attributes::Int>("int") == -3 &&
          a.getAttribute<Attributes::String>("text") == "a 'b' \"c\"" &&
          a.getAttribute<Attributes::Floats>("floats") == Attributes::Floats({1.0f, 2.5f}) &&
          a.getAttribute<Attributes::Ints>("ints") == Attributes::Ints({1, 2}) &&
          a.getAttribute<Attributes::Strings>("texts") == Attributes::Strings({"x", "y"}) &&
          a.getAttribute<Attributes::Int>("absent", 7) == 7;
      if (!right) throw error("Attributed: expected the attributes of the test, got others");
      return std::unique_ptr<Op>(new Attributed(info.opid, info.settings));
    },
    true);
popx::OpxCreator<AttributedOpx> attributedX(named("Attributed"));

// -x, by a codelet that the forward Opx alone adds.
struct NegateGrad;
struct Negate : Base<Negate> {
  using Base::Base;
  void setup() final { outInfo(0) = inInfo(0); }
  std::vector<std::unique_ptr<Op>> getGradOps() final;
};

struct NegateGrad : Base<NegateGrad> {
  explicit NegateGrad(const Negate& forward) : Base(named("NegateGrad"), forward.settings) {}
  void setup() final { outInfo(0) = inInfo(0); }
  const std::vector<GradInOutMapper>& gradInputInfo() const final {
    static const std::vector<GradInOutMapper> info = {{0, 0, GradOpInType::GradOut}};
    return info;
  }
  const std::map<int, int>& gradOutToNonGradIn() const final {
    static const std::map<int, int> info = {{0, 0}};
    return info;
  }
};

std::vector<std::unique_ptr<Op>> Negate::getGradOps() { return only(new NegateGrad(*this)); }

struct NegateGradOpx : popx::Opx {
  using Opx::Opx;
  void grow(Sequence& prog) const final {
    const poplar::Tensor x = getInTensor(0), y = graph().clone(x);
    const poplar::ComputeSet cs = graph().addComputeSet(debugContext());
    const auto mapping = graph().getTileMapping(x);
    for (unsigned tile = 0; tile < mapping.size(); ++tile) {
      for (const poplar::Interval& part : mapping[tile]) {
        const auto v = graph().addVertex(
            cs, "Negate", {{"x", x.flatten().slice(part)}, {"y", y.flatten().slice(part)}});
        graph().setTileMapping(v, tile);
        graph().setPerfEstimate(v, 10 * part.size());
      }
    }
    prog.add(poplar::program::Execute(cs));
    setOutTensor(0, y);
  }
};

struct NegateOpx : NegateGradOpx {
  NegateOpx(Op* op, popx::Devicex* devicex) : NegateGradOpx(op, devicex) {
    std::stringstream codelet(
        "#include <poplar/Vertex.hpp>\n"
        "class Negate : public poplar::Vertex {\n"
        " public:\n"
        "  poplar::Input<poplar::Vector<float>> x;\n"
        "  poplar::Output<poplar::Vector<float>> y;\n"
        "  void compute() { for (unsigned i = 0; i < x.size(); ++i) y[i] = -x[i]; }\n"
        "};\n");
    graph().addCodelets(codelet);
  }
};

OpCreator<Negate> negate(OpDefinitions({{named("Negate", 1), OpDefinition()}}));
popx::OpxCreator<NegateOpx> negateX(named("Negate"));
popx::OpxCreator<NegateGradOpx> negateGradX(named("NegateGrad"));

// Has no Opx: a pattern puts Power in its place.
struct Square : Base<Square> {
  using Base::Base;
  void setup() final { outInfo(0) = inInfo(0); }
};

struct SquareToPower : PreAliasPattern {
  bool matches(Op* op) const final { return op->isConvertibleTo<Square>(); }
  std::vector<const Tensor*> touches(Op*) const final { return {}; }
  bool apply(Op* op) const final {
    Graph& graph = op->getGraph();
    const TensorId in = op->inId(0);
    Tensor* out = op->outTensor(0);
    op->disconnectAllInputs();
    op->disconnectAllOutputs();
    Op* replacement = graph.createOp<Power>(named("Power"), Op::Settings(graph, "square"), 2);
    transferBaseProperties(op, replacement);
    replacement->connectInTensor(0, in);
    replacement->connectOutTensor(0, out->id);
    replacement->setup();
    graph.eraseOp(op->id);
    return true;
  }
};

OpCreator<Square> square(OpDefinitions({{named("Square", 1), OpDefinition()}}));
PatternCreator<SquareToPower> squareToPower("SquareToPower", true);

}  // namespace
