// What a Program holds.
#pragma once
#include <cstdint>
#include <memory>
#include <poplar/DataStream.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <vector>

namespace poplar {
namespace emulator {

enum class ProgramKind {
  SEQUENCE,
  EXECUTE,
  COPY,
  STREAM_TO_TENSOR,
  TENSOR_TO_STREAM,
  REPEAT,
  WHILE_TRUE,
  WHILE_FALSE,
  IF,
  SWITCH,
  CALL,
  PRINT,
  WRITE_UNDEF,
  SYNC,
  ABORT,
  ABORT_IF,
  ERROR,
};

struct ProgramData {
  ProgramKind kind = ProgramKind::SEQUENCE;
  // REPEAT: body; WHILE: condition, body; IF: true, false; SWITCH: one for each of `cases`, and
  // the default.
  std::vector<std::shared_ptr<const ProgramData>> children;
  Tensor first, second;  // operands; a predicate is `first`
  uint64_t number = 0;   // compute set, function, repeat count
  std::string text;      // title, message
  std::vector<int32_t> cases;
  DataStream stream;
};

}  // namespace emulator
}  // namespace poplar
