#include <poputil/GraphFunction.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {
namespace graphfn {

using namespace poplar;
using namespace poplar::program;
using Tensors = std::vector<Tensor>;

namespace {

Signature withResult(Signature sig) {
  sig.push_back(created());
  return sig;
}

}  // namespace

VoidFunction::VoidFunction(Graph& graph, Signature sig, std::function<void(Tensors&, Sequence&)> f,
                           bool inlined, const DebugContext& debugContext)
    : VoidFunction(
          graph, std::move(sig),
          [&](Tensors& args, Sequence& seq, const DebugNameAndId&) { f(args, seq); }, inlined,
          debugContext) {}

VoidFunction::VoidFunction(Graph& graph, Signature sig,
                           std::function<void(Tensors&, Sequence&, const DebugNameAndId&)> f,
                           bool inlined, const DebugContext& debugContext)
    : graph_(graph), sig_(std::move(sig)), inlined_(inlined), prog_(debugContext) {
  for (const ArgSig& s : sig_) {
    params_.push_back(s.type == CreatedArg
                          ? Tensor()
                          : graph.clone(s.similarTensor, {debugContext, s.debugName}));
  }
  f(params_, prog_, debugContext.getNameAndId());
  for (const Tensor& t : params_) {
    if (!t.valid()) throw poplibs_error("VoidFunction: expected a tensor for a created argument");
  }
  if (!inlined) function_ = graph.addFunction(prog_);
}

void VoidFunction::operator()(Tensors& args, Sequence& seq, const DebugContext& debugContext) {
  if (args.size() != sig_.size()) {
    throw poplibs_error("VoidFunction: expected " + std::to_string(sig_.size()) +
                        " arguments, got " + std::to_string(args.size()));
  }
  for (std::size_t i = 0; i < sig_.size(); ++i) {
    if (sig_[i].type == InputArg || sig_[i].type == InOutArg) {
      seq.add(Copy(args[i], params_[i], false, debugContext));
    }
  }
  if (inlined_) {
    seq.add(prog_);
  } else {
    seq.add(Call(function_, debugContext));
  }
  for (std::size_t i = 0; i < sig_.size(); ++i) {
    if (sig_[i].type == CreatedArg) {
      args[i] = graph_.clone(params_[i], {debugContext, sig_[i].debugName});
    }
    if (sig_[i].type != InputArg) seq.add(Copy(params_[i], args[i], false, debugContext));
  }
}

ProgramFunction::ProgramFunction(Graph& graph, Signature sig, std::function<Program(Tensors&)> f,
                                 bool inlined, const DebugContext& debugContext)
    : function_(
          graph, std::move(sig), [&](Tensors& args, Sequence& seq) { seq.add(f(args)); }, inlined,
          debugContext) {}

ProgramFunction::ProgramFunction(Graph& graph, Signature sig,
                                 std::function<Program(Tensors&, const DebugNameAndId&)> f,
                                 bool inlined, const DebugContext& debugContext)
    : function_(
          graph, std::move(sig),
          [&](Tensors& args, Sequence& seq, const DebugNameAndId& id) { seq.add(f(args, id)); },
          inlined, debugContext) {}

Program ProgramFunction::operator()(Tensors& args, const DebugContext& debugContext) {
  Sequence seq(debugContext);
  function_(args, seq, debugContext);
  return seq;
}

TensorFunction::TensorFunction(Graph& graph, Signature sig,
                               std::function<Tensor(Tensors&, Sequence&)> f, bool inlined,
                               const DebugContext& debugContext)
    : function_(
          graph, withResult(std::move(sig)),
          [&](Tensors& args, Sequence& seq) { args.back() = f(args, seq); }, inlined,
          debugContext) {}

TensorFunction::TensorFunction(Graph& graph, Signature sig,
                               std::function<Tensor(Tensors&, Sequence&, const DebugNameAndId&)> f,
                               bool inlined, const DebugContext& debugContext)
    : function_(
          graph, withResult(std::move(sig)),
          [&](Tensors& args, Sequence& seq, const DebugNameAndId& id) {
            args.back() = f(args, seq, id);
          },
          inlined, debugContext) {}

Tensor TensorFunction::operator()(Tensors& args, Sequence& prog, const DebugContext& debugContext) {
  args.push_back(Tensor());
  function_(args, prog, debugContext);
  const Tensor out = args.back();
  args.pop_back();
  return out;
}

}  // namespace graphfn
}  // namespace poputil
