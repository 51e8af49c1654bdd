// Takes TensorFlow's place for a custom operation: loads its library and codelets, allocates its
// inputs as its metadata asks, builds it and its gradient, and runs both.
//
//   custom_operation LIBRARY CODELETS DEVICE IPUS TILES ATTRIBUTES < tensors
//
// DEVICE is "model", of TILES tiles an IPU, or "ipu". The tensors are the operation's inputs, then
// the gradients of its outputs, each list after its length; without gradients the operation alone
// is built. A tensor is its rank, its shape and its values. All are floats. Prints each output as a
// line of JSON, "output" and "gradient" with their numbers.
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <popops/codelets.hpp>
#include <poprand/codelets.hpp>
#include <poputil/TileMapping.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using namespace poplar;
using program::Copy;
using program::Program;
using program::Sequence;

namespace {

// Functions that a library exports, by the documented signatures. That of the metadata is the one
// of API level 4: level 5 has one more list, after the first, which old libraries do not declare.
using Metadata = void(std::vector<std::int64_t>& allocatingIndices,
                      std::map<std::int64_t, std::int64_t>& inputToOutputAliases,
                      bool& isElementwise, bool& isStateless, bool& isHashable,
                      std::uint32_t numInputs);
using Allocator = Tensor(Graph& graph, std::uint32_t operand, const std::vector<std::size_t>& shape,
                         Type type, const std::string& attributes, const std::string& name);
using Build = Program(Graph& graph, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs,
                      const std::string& attributes, const std::string& name);
using BuildGradient = Program(Graph& graph, int input, const std::vector<Tensor>& gradients,
                              const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs,
                              std::vector<Tensor>& results, const std::string& attributes,
                              const std::string& name);

struct Array {
  std::vector<std::size_t> shape;
  std::vector<float> values;  // product of shape
};

std::vector<Array> readArrays() {
  std::size_t n = 0;
  std::cin >> n;
  std::vector<Array> arrays(n);
  for (Array& a : arrays) {
    std::size_t rank = 0, size = 1;
    std::cin >> rank;
    a.shape.resize(rank);
    for (std::size_t& dim : a.shape) {
      std::cin >> dim;
      size *= dim;
    }
    a.values.resize(size);
    for (float& x : a.values) std::cin >> x;
  }
  if (!std::cin) throw std::runtime_error("expected lists of tensors, got the end of the input");
  return arrays;
}

template <class Function>
Function* symbol(void* library, const char* name) {
  void* const at = dlsym(library, name);
  if (at == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<Function*>(at);
}

Device makeDevice(const std::string& kind, unsigned ipus, unsigned tiles) {
  if (kind == "model") {
    IPUModel model;
    model.numIPUs = ipus;
    model.tilesPerIPU = tiles;
    return model.createDevice();
  }
  for (Device& device : DeviceManager::createDeviceManager().getDevices(TargetType::IPU, ipus)) {
    if (device.attach()) return std::move(device);
  }
  throw std::runtime_error("expected an IPU, got none: set POPSNN_EMULATE_IPU=1");
}

// One stream of each tensor, in or out, and the buffer that it is connected to.
class Streams {
 public:
  void in(Graph& graph, Sequence& prog, const Tensor& t, const std::vector<float>& values) {
    const std::string name = "in" + std::to_string(buffers_.size());
    prog.add(Copy(graph.addHostToDeviceFIFO(name, t.elementType(), t.numElements()), t));
    buffers_.push_back({name, "", t.shape(), values});
  }

  void out(Graph& graph, Sequence& prog, const Tensor& t, const std::string& label) {
    const std::string name = "out" + std::to_string(buffers_.size());
    prog.add(Copy(t, graph.addDeviceToHostFIFO(name, t.elementType(), t.numElements())));
    buffers_.push_back({name, label, t.shape(), std::vector<float>(t.numElements())});
  }

  void connect(Engine& engine) {
    for (Buffer& b : buffers_) {
      engine.connectStream(b.name, b.values.data(), b.values.data() + b.values.size());
    }
  }

  void print() const {
    for (const Buffer& b : buffers_) {
      if (b.label.empty()) continue;
      std::cout << "{\"case\":\"operation\",\"name\":\"" << b.label
                << "\",\"type\":\"float\",\"shape\":[";
      for (std::size_t i = 0; i < b.shape.size(); ++i) std::cout << (i ? "," : "") << b.shape[i];
      std::cout << "],\"values\":[";
      for (std::size_t i = 0; i < b.values.size(); ++i) {
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", static_cast<double>(b.values[i]));
        std::cout << (i ? "," : "") << (b.values[i] == b.values[i] ? text : "NaN");
      }
      std::cout << "]}\n";
    }
  }

 private:
  struct Buffer {
    std::string name, label;
    std::vector<std::size_t> shape;
    std::vector<float> values;  // product of shape
  };
  std::vector<Buffer> buffers_;
};

Tensor linear(Graph& graph, const std::vector<std::size_t>& shape, const std::string& name) {
  const Tensor t = graph.addVariable(FLOAT, shape, name);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

std::vector<Tensor> makeInputs(Graph& graph, void* library, const std::vector<Array>& arrays,
                               const std::string& attributes) {
  std::vector<std::int64_t> allocating;
  std::map<std::int64_t, std::int64_t> aliases;
  bool elementwise = false, stateless = false, hashable = false;
  (*symbol<Metadata>(library, "Build_metadata"))(allocating, aliases, elementwise, stateless,
                                                 hashable,
                                                 static_cast<std::uint32_t>(arrays.size()));
  Allocator* const allocate = symbol<Allocator>(library, "Build_allocator");
  std::vector<Tensor> inputs;
  for (std::uint32_t i = 0; i < arrays.size(); ++i) {
    const std::string name = "input:" + std::to_string(i);
    const bool own = std::find(allocating.begin(), allocating.end(), i) != allocating.end();
    inputs.push_back(own ? (*allocate)(graph, i, arrays[i].shape, FLOAT, attributes, name)
                         : linear(graph, arrays[i].shape, name));
    if (inputs.back().shape() != arrays[i].shape) {
      throw std::runtime_error("expected " + name + " to have the shape asked for");
    }
  }
  return inputs;
}

void run(const std::vector<std::string>& args) {
  const std::string& attributes = args[5];
  void* const library = dlopen(args[0].c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const std::vector<Array> arrays = readArrays(), gradientArrays = readArrays();
  const Device device = makeDevice(args[2], static_cast<unsigned>(std::stoul(args[3])),
                                   static_cast<unsigned>(std::stoul(args[4])));
  Graph graph(device);
  popops::addCodelets(graph);
  poprand::addCodelets(graph);
  graph.addCodelets(args[1]);
  const std::vector<Tensor> inputs = makeInputs(graph, library, arrays, attributes);
  Streams streams;
  Sequence prog;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    streams.in(graph, prog, inputs[i], arrays[i].values);
  }
  std::vector<Tensor> outputs, gradients, results;
  prog.add((*symbol<Build>(library, "Build"))(graph, inputs, outputs, attributes, "operation"));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    streams.out(graph, prog, outputs[i], "output" + std::to_string(i));
  }
  for (std::size_t i = 0; i < gradientArrays.size(); ++i) {
    const Array& a = gradientArrays[i];
    gradients.push_back(linear(graph, a.shape, "gradient:" + std::to_string(i)));
    streams.in(graph, prog, gradients[i], a.values);
  }
  if (!gradients.empty()) {
    prog.add((*symbol<BuildGradient>(library, "Build_grad"))(
        graph, 0, gradients, inputs, outputs, results, attributes, "operation_grad"));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    streams.out(graph, prog, results[i], "gradient" + std::to_string(i));
  }
  Engine engine(graph, prog);
  engine.load(device);
  streams.connect(engine);
  engine.run(0);
  std::cout << '\n';  // the library prints too
  streams.print();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::cerr << "custom_operation LIBRARY CODELETS DEVICE IPUS TILES ATTRIBUTES < tensors\n";
    return 2;
  }
  try {
    run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
