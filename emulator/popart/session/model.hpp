// A model between a Builder and a session: what ONNX is in PopART.
#ifndef popsnn_emulator_popart_model_hpp
#define popsnn_emulator_popart_model_hpp

#include <map>
#include <popart/names.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/vendored/any.hpp>
#include <string>
#include <vector>

namespace popart {
namespace emulator {

struct ModelTensor {
  TensorId id;
  TensorInfo info;
  std::string data;           // of a weight or a constant; empty for an input
  std::int32_t constant = 0;  // 1 where it is never updated
};

struct ModelNode {
  OperatorIdentifier opid;  // its version is that of the opset
  std::string name;
  std::map<std::string, any> attributes;  // of the types that Attributes has
  std::vector<TensorId> inputs, outputs;  // empty ids of inputs: left out
};

struct Model {
  std::vector<ModelTensor> tensors;
  std::vector<ModelNode> nodes;
  std::vector<TensorId> outputs;
};

std::string serialize(const Model& model);
/// Of bytes as serialize() gives them, or of the name of a file with such bytes. Throws `error`
/// for others.
Model deserialize(const std::string& bytesOrFile);

}  // namespace emulator
}  // namespace popart

#endif  // popsnn_emulator_popart_model_hpp
