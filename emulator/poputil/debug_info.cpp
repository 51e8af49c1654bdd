// Arguments and results of library functions as values.
#include <poputil/DebugInfo.hpp>

namespace poputil {

using poplar::ProfileValue;

#define POPUTIL_NUMBER(T)                   \
  template <>                               \
  ProfileValue toProfileValue(const T& v) { \
    return ProfileValue(v);                 \
  }
POPUTIL_NUMBER(int)
POPUTIL_NUMBER(unsigned int)
POPUTIL_NUMBER(unsigned long)
POPUTIL_NUMBER(unsigned char)
POPUTIL_NUMBER(bool)
POPUTIL_NUMBER(float)
POPUTIL_NUMBER(double)
POPUTIL_NUMBER(long long)
POPUTIL_NUMBER(unsigned long long)
POPUTIL_NUMBER(std::string)
#undef POPUTIL_NUMBER

template <>
ProfileValue toProfileValue(const poplar::ComputeSet& t) {
  return ProfileValue(t.getId());
}
template <>
ProfileValue toProfileValue(const poplar::OptionFlags& t) {
  return poplar::getAsProfileValue(t);
}
template <>
ProfileValue toProfileValue(const poplar::program::Copy&) {
  return ProfileValue("<poplar::program::Copy>");
}
template <>
ProfileValue toProfileValue(const poplar::program::Sequence&) {
  return ProfileValue("<poplar::program::Sequence>");
}
template <>
ProfileValue toProfileValue(const poplar::Type& t) {
  return ProfileValue(t.toString());
}

template <>
ProfileValue toProfileValue(const poplar::Tensor& t) {
  if (!t.valid()) return ProfileValue("<poplar::Tensor> - uninitialized");
  std::string shape;
  for (std::size_t d : t.shape()) shape += (shape.empty() ? "" : ", ") + std::to_string(d);
  return ProfileValue::Map{{"shape", ProfileValue("[" + shape + "]")},
                           {"type", toProfileValue(t.elementType())}};
}

template <>
ProfileValue toProfileValue(const poplar::TensorCloneMethod& t) {
  switch (t) {
    case poplar::TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES:
      return ProfileValue("PRESERVE_ORDER_AND_ALIASES");
    case poplar::TensorCloneMethod::CREATE_NEW_ORDER:
      return ProfileValue("CREATE_NEW_ORDER");
    case poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES:
      return ProfileValue("PRESERVE_ORDER_UNLESS_ALIASES");
    default:
      return ProfileValue("GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES");
  }
}

template <>
ProfileValue toProfileValue(const std::vector<bool>& list) {
  ProfileValue::Map out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    out.insert({std::to_string(i), ProfileValue(static_cast<bool>(list[i]))});
  }
  return out;
}

OpDebugInfo::OpDebugInfo(const poplar::DebugContext& debugContext, std::string api)
    : poplar::DebugInfo(debugContext, "poplibs") {
  setValue("api", ProfileValue(api));
}

void OpDebugInfo::add(std::string name, const std::vector<ArgType>& args) {
  if (args.empty()) return;
  ProfileValue::Map values;
  for (const ArgType& a : args) values.insert({a.n, a.pv});
  setValue(std::move(name), values);
}

void OpDebugInfo::add(std::string name, ProfileValue pv) { setValue(std::move(name), pv); }

PoplibsOpDebugInfo::PoplibsOpDebugInfo(const poplar::DebugContext& debugContext,
                                       const std::vector<ArgType>& args, const std::string& api)
    : OpDebugInfo(debugContext, api) {
  add("args", args);
}

void PoplibsOpDebugInfo::addOutputs(const std::vector<ArgType>& outputs) {
  add("outputs", outputs);
}

void PoplibsOpDebugInfo::addOutput(const poplar::Tensor& output) {
  addOutputs({{"output", toProfileValue(output)}});
}

}  // namespace poputil
