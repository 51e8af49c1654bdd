#ifndef poputil_DebugInfo_hpp
#define poputil_DebugInfo_hpp

#include <array>
#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <string>
#include <utility>
#include <vector>

namespace poputil {

/// An argument or a result as a value for tools. A library specialises it for its own types.
template <typename T>
poplar::ProfileValue toProfileValue(const T& t);

template <>
poplar::ProfileValue toProfileValue(const int& v);
template <>
poplar::ProfileValue toProfileValue(const unsigned int& v);
template <>
poplar::ProfileValue toProfileValue(const unsigned long& v);
template <>
poplar::ProfileValue toProfileValue(const unsigned char& v);
template <>
poplar::ProfileValue toProfileValue(const bool& v);
template <>
poplar::ProfileValue toProfileValue(const float& v);
template <>
poplar::ProfileValue toProfileValue(const double& v);
template <>
poplar::ProfileValue toProfileValue(const long long& v);
template <>
poplar::ProfileValue toProfileValue(const unsigned long long& v);
template <>
poplar::ProfileValue toProfileValue(const std::string& v);

template <>
poplar::ProfileValue toProfileValue(const poplar::ComputeSet& t);
template <>
poplar::ProfileValue toProfileValue(const poplar::OptionFlags& t);
template <>
poplar::ProfileValue toProfileValue(const poplar::program::Copy& t);
template <>
poplar::ProfileValue toProfileValue(const poplar::program::Sequence& t);
template <>
poplar::ProfileValue toProfileValue(const poplar::Tensor& t);
template <>
poplar::ProfileValue toProfileValue(const poplar::Type& t);
template <>
poplar::ProfileValue toProfileValue(const poplar::TensorCloneMethod& t);

template <typename T>
poplar::ProfileValue toProfileValue(const T* t) {
  return t == nullptr ? poplar::ProfileValue("<nullptr>") : toProfileValue(*t);
}
template <typename T>
poplar::ProfileValue toProfileValue(T* const& t) {
  return t == nullptr ? poplar::ProfileValue("<nullptr>") : toProfileValue(*t);
}

/// A map from "0", "1", ... to the elements.
template <typename T>
poplar::ProfileValue toProfileValue(const std::vector<T>& list) {
  poplar::ProfileValue::Map out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const T& element = list[i];
    out.insert({std::to_string(i), toProfileValue(element)});
  }
  return out;
}
template <>
poplar::ProfileValue toProfileValue(const std::vector<bool>& list);

template <typename T>
poplar::ProfileValue toProfileValue(const poplar::ArrayRef<T>& list) {
  poplar::ProfileValue::Vector out;
  for (const T& element : list) out.push_back(toProfileValue(element));
  return out;
}

template <typename T1, typename T2>
poplar::ProfileValue toProfileValue(const std::pair<T1, T2>& pair) {
  poplar::ProfileValue::Map out;
  out.insert({"first", toProfileValue(pair.first)});
  out.insert({"second", toProfileValue(pair.second)});
  return out;
}

template <typename T, std::size_t N>
poplar::ProfileValue toProfileValue(const std::array<T, N>& list) {
  poplar::ProfileValue::Map out;
  for (std::size_t i = 0; i < N; ++i) out.insert({std::to_string(i), toProfileValue(list[i])});
  return out;
}

/// An argument's name and value.
class ArgType {
 public:
  std::string n;
  poplar::ProfileValue pv;

  ArgType(const std::string& name, const poplar::ProfileValue& value) : n(name), pv(value) {}
  ArgType(const std::pair<std::string, const poplar::ProfileValue>& p) : n(p.first), pv(p.second) {}
};

/// The record of a call of a library's function.
class OpDebugInfo : public poplar::DebugInfo {
 public:
  OpDebugInfo(const poplar::DebugContext& debugContext, std::string api);
  OpDebugInfo& operator=(const OpDebugInfo&) = delete;
  OpDebugInfo(const OpDebugInfo&) = delete;
  virtual ~OpDebugInfo() {}

  void add(std::string name, const std::vector<ArgType>& args);
  void add(std::string name, poplar::ProfileValue pv);
};

class PoplibsOpDebugInfo : public OpDebugInfo {
 public:
  PoplibsOpDebugInfo(const poplar::DebugContext& debugContext,
                     const std::vector<ArgType>& args = std::vector<ArgType>(),
                     const std::string& api = __builtin_FUNCTION());
  PoplibsOpDebugInfo& operator=(const PoplibsOpDebugInfo&) = delete;
  PoplibsOpDebugInfo(const PoplibsOpDebugInfo&) = delete;
  virtual ~PoplibsOpDebugInfo() {}

  void addOutputs(const std::vector<ArgType>& outputs);
  void addOutput(const poplar::Tensor& output);
};

}  // namespace poputil

// DI_ARGS(a, b) is {{"a", value of a}, {"b", value of b}}, for at most 16 arguments.
#define DI_ARG_1(A) {#A, poputil::toProfileValue(A)}
#define DI_ARG_2(A, ...) DI_ARG_1(A), DI_ARG_1(__VA_ARGS__)
#define DI_ARG_3(A, ...) DI_ARG_1(A), DI_ARG_2(__VA_ARGS__)
#define DI_ARG_4(A, ...) DI_ARG_1(A), DI_ARG_3(__VA_ARGS__)
#define DI_ARG_5(A, ...) DI_ARG_1(A), DI_ARG_4(__VA_ARGS__)
#define DI_ARG_6(A, ...) DI_ARG_1(A), DI_ARG_5(__VA_ARGS__)
#define DI_ARG_7(A, ...) DI_ARG_1(A), DI_ARG_6(__VA_ARGS__)
#define DI_ARG_8(A, ...) DI_ARG_1(A), DI_ARG_7(__VA_ARGS__)
#define DI_ARG_9(A, ...) DI_ARG_1(A), DI_ARG_8(__VA_ARGS__)
#define DI_ARG_10(A, ...) DI_ARG_1(A), DI_ARG_9(__VA_ARGS__)
#define DI_ARG_11(A, ...) DI_ARG_1(A), DI_ARG_10(__VA_ARGS__)
#define DI_ARG_12(A, ...) DI_ARG_1(A), DI_ARG_11(__VA_ARGS__)
#define DI_ARG_13(A, ...) DI_ARG_1(A), DI_ARG_12(__VA_ARGS__)
#define DI_ARG_14(A, ...) DI_ARG_1(A), DI_ARG_13(__VA_ARGS__)
#define DI_ARG_15(A, ...) DI_ARG_1(A), DI_ARG_14(__VA_ARGS__)
#define DI_ARG_16(A, ...) DI_ARG_1(A), DI_ARG_15(__VA_ARGS__)
#define DI_SELECT(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, NAME, \
                  ...)                                                                         \
  NAME
#define DI_ARGS(...)                                                                          \
  {DI_SELECT(__VA_ARGS__, DI_ARG_16, DI_ARG_15, DI_ARG_14, DI_ARG_13, DI_ARG_12, DI_ARG_11,   \
             DI_ARG_10, DI_ARG_9, DI_ARG_8, DI_ARG_7, DI_ARG_6, DI_ARG_5, DI_ARG_4, DI_ARG_3, \
             DI_ARG_2, DI_ARG_1, )(__VA_ARGS__)}

#endif  // poputil_DebugInfo_hpp
