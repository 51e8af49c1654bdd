// What the operators' shape inference says of a model's tensors, before there are ops: one line an
// output. Its argument is the operators' library.
#include <dlfcn.h>

#include <iostream>
#include <map>
#include <string>

#include <popart/attributes.hpp>
#include <popart/shapeinference.hpp>
#include <popart/tensorinfo.hpp>

using popart::Attributes;
using popart::DataType;
using popart::TensorInfo;

namespace {

void print(const std::string& type, const std::map<int, TensorInfo>& inputs,
           const std::map<std::string, popart::any>& values, int outputs) {
  const Attributes attributes(values);
  popart::ShapeInferenceContext context(inputs, attributes, outputs);
  popart::ShapeInferenceFunctions::getFunction({"popsnn", type, 1})(context);
  for (const auto& output : context.getOutputInfos()) {
    std::cout << type << " " << output.first << " " << output.second.data_type_lcase();
    for (const auto dim : output.second.shape()) std::cout << " " << dim;
    std::cout << "\n";
  }
}

TensorInfo floats(const popart::Shape& shape) { return TensorInfo(DataType::FLOAT, shape); }
TensorInfo ints(const popart::Shape& shape) { return TensorInfo(DataType::INT32, shape); }

}  // namespace

int main(int, char** arguments) {
  if (dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::cerr << dlerror() << "\n";
    return 1;
  }
  const Attributes::Ints none = {0}, one = {1};
  const std::map<int, TensorInfo> lists = {
      {0, ints({4, 2, 3})}, {1, ints({4, 2, 2})}, {2, floats({4, 2, 3})}};
  print("Lif", {{0, floats({4, 2, 5})}, {1, floats({3, 5})}}, {}, 2);
  print("CompactSpikes", {{0, floats({4, 2, 5})}}, {{"capacity", Attributes::Int(3)}}, 4);
  print("ExpandSpikes", lists, {{"size", Attributes::Int(5)}}, 1);
  std::map<int, TensorInfo> readout = lists;
  readout.insert({{3, ints({2})}, {4, floats({5, 6})}, {5, floats({1, 5})}});
  print("SparseLayer", readout,
        {{"capacity", none},
         {"delay", none},
         {"recurrent", none},
         {"bias", none},
         {"gain", Attributes::Floats{1.0f}},
         {"reset", Attributes::Strings{"none"}},
         {"detach_reset", one},
         {"surrogate", Attributes::Strings{"SuperSpike"}},
         {"surrogate_parameter", Attributes::Floats{1.0f}},
         {"half_weights", none},
         {"learns", none}},
        4);
  return 0;
}
