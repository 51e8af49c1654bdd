#include <popart/shapeinference.hpp>

namespace popart {

namespace {

std::map<OperatorIdentifier, ShapeInferenceFunction>& functions() {
  static std::map<OperatorIdentifier, ShapeInferenceFunction> all;
  return all;
}

const TensorInfo& at(const std::map<int, TensorInfo>& infos, int index, const char* what) {
  const auto entry = infos.find(index);
  if (entry == infos.end())
    throw error("ShapeInferenceContext: expected an {} {}, got none", what, index);
  return entry->second;
}

}  // namespace

const TensorInfo& ShapeInferenceContext::inInfo(int index) const {
  return at(inputs_, index, "input");
}
const Shape& ShapeInferenceContext::outShape(int index) const {
  return at(outputs_, index, "output").shape();
}

void ShapeInferenceFunctions::registerFunction(const OperatorIdentifier& opid,
                                               ShapeInferenceFunction function) {
  functions()[opid] = std::move(function);
}

bool ShapeInferenceFunctions::hasFunction(const OperatorIdentifier& opid) {
  return functions().count(opid) > 0;
}

ShapeInferenceFunction ShapeInferenceFunctions::getFunction(const OperatorIdentifier& opid) {
  if (!hasFunction(opid))
    throw error("ShapeInferenceFunctions::getFunction: expected a function for {}, got none", opid);
  return functions()[opid];
}

}  // namespace popart
