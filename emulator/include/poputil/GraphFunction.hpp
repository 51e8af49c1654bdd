#ifndef poputil_GraphFunction_hpp
#define poputil_GraphFunction_hpp

#include <functional>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <string>
#include <utility>
#include <vector>

namespace poputil {
namespace graphfn {

enum ArgType { InputArg, OutputArg, InOutArg, CreatedArg };

/// One argument of a function: how it is used, and a tensor that those passed are like.
struct ArgSig {
  ArgSig(ArgType type_, poplar::Tensor tensor, std::string debugName_)
      : type(type_), similarTensor(std::move(tensor)), debugName(std::move(debugName_)) {}
  ArgType type;
  poplar::Tensor similarTensor;
  std::string debugName;
};

inline ArgSig input(poplar::Tensor similar, std::string debugName = "") {
  return ArgSig(InputArg, std::move(similar), std::move(debugName));
}
inline ArgSig inout(poplar::Tensor similar, std::string debugName = "") {
  return ArgSig(InOutArg, std::move(similar), std::move(debugName));
}
inline ArgSig output(poplar::Tensor similar, std::string debugName = "") {
  return ArgSig(OutputArg, std::move(similar), std::move(debugName));
}
/// Made by the function: what it sets, and at each call a new tensor.
inline ArgSig created(std::string debugName = "") {
  return ArgSig(CreatedArg, poplar::Tensor(), std::move(debugName));
}

typedef std::vector<ArgSig> Signature;

// Graph code that is built once, on tensors of its own, and called many times: arguments are copied
// in and out. `inlined` repeats the program at each call instead.

class VoidFunction {
 public:
  VoidFunction(poplar::Graph& graph, Signature sig,
               std::function<void(std::vector<poplar::Tensor>&, poplar::program::Sequence&)> f,
               bool inlined = false, const poplar::DebugContext& debugContext = {});
  VoidFunction(poplar::Graph& graph, Signature sig,
               std::function<void(std::vector<poplar::Tensor>&, poplar::program::Sequence&,
                                  const poplar::DebugNameAndId&)>
                   f,
               bool inlined = false, const poplar::DebugContext& debugContext = {});
  VoidFunction(VoidFunction&& fn) = default;

  void operator()(std::vector<poplar::Tensor>& args, poplar::program::Sequence& seq,
                  const poplar::DebugContext& debugContext = {});

 private:
  poplar::Graph& graph_;
  Signature sig_;
  bool inlined_;
  poplar::program::Sequence prog_;
  poplar::Function function_;
  std::vector<poplar::Tensor> params_;
};

class ProgramFunction {
 public:
  ProgramFunction(poplar::Graph& graph, Signature sig,
                  std::function<poplar::program::Program(std::vector<poplar::Tensor>&)> f,
                  bool inlined = false, const poplar::DebugContext& debugContext = {});
  ProgramFunction(poplar::Graph& graph, Signature sig,
                  std::function<poplar::program::Program(std::vector<poplar::Tensor>&,
                                                         const poplar::DebugNameAndId&)>
                      f,
                  bool inlined = false, const poplar::DebugContext& debugContext = {});

  poplar::program::Program operator()(std::vector<poplar::Tensor>& args,
                                      const poplar::DebugContext& debugContext = {});

 private:
  VoidFunction function_;
};

class TensorFunction {
 public:
  TensorFunction(
      poplar::Graph& graph, Signature sig,
      std::function<poplar::Tensor(std::vector<poplar::Tensor>&, poplar::program::Sequence&)> f,
      bool inlined = false, const poplar::DebugContext& debugContext = {});
  TensorFunction(
      poplar::Graph& graph, Signature sig,
      std::function<poplar::Tensor(std::vector<poplar::Tensor>&, poplar::program::Sequence&,
                                   const poplar::DebugNameAndId&)>
          f,
      bool inlined = false, const poplar::DebugContext& debugContext = {});

  /// The result is a new tensor at each call.
  poplar::Tensor operator()(std::vector<poplar::Tensor>& args, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {});

 private:
  VoidFunction function_;
};

}  // namespace graphfn
}  // namespace poputil

#endif  // poputil_GraphFunction_hpp
