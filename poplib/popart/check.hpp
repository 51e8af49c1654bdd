// Errors of the operators: PopART's kind, of one sentence.
#pragma once
#include <string>

#include <popart/datatype.hpp>
#include <popart/error.hpp>
#include <popart/names.hpp>
#include <popart/tensorinfo.hpp>

namespace popsnn {
namespace ops {

// "SparseNetwork: ids: expected ..., got ..."
[[noreturn]] inline void fail(const std::string& operation, const std::string& sentence) {
  throw ::popart::error("{}", operation + ": " + sentence);
}

inline std::string text(const ::popart::Shape& shape) {
  std::string list;
  for (const int64_t dim : shape) list += (list.empty() ? "" : ", ") + std::to_string(dim);
  return "[" + list + "]";
}

inline std::string text(const ::popart::TensorInfo& info) {
  return info.data_type_lcase() + " of shape " + text(info.shape());
}

// Throws unless the input `name` is of this type and shape.
inline void check_input(const std::string& operation, const std::string& name,
                        const ::popart::TensorInfo& got, ::popart::DataType type,
                        const ::popart::Shape& shape) {
  const ::popart::TensorInfo wanted(type, shape);
  if (got != wanted) fail(operation, name + ": expected " + text(wanted) + ", got " + text(got));
}

// Of this type and rank, described as `shape`.
inline void check_rank(const std::string& operation, const std::string& name,
                       const ::popart::TensorInfo& got, ::popart::DataType type, int rank,
                       const std::string& shape) {
  const ::popart::TensorInfo wanted(type, {});
  if (got.dataType() != type || got.rank() != rank)
    fail(operation, name + ": expected " + wanted.data_type_lcase() + " of shape " + shape +
                        ", got " + text(got));
}

}  // namespace ops
}  // namespace popsnn
