// The data of a Program.
#pragma once
#include <cstdint>
#include <memory>
#include <poplar/DataStream.hpp>
#include <poplar/PrintTensor.hpp>
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
  REMOTE_TO_TENSOR,
  TENSOR_TO_REMOTE,
  REPEAT,
  WHILE_TRUE,
  WHILE_FALSE,
  IF,
  SWITCH,
  CALL,
  HOST_CALL,
  PRINT,
  WRITE_UNDEF,
  CYCLE_STAMP,       // the cycles so far, to `first`
  CYCLE_DIFFERENCE,  // to those that `first` holds
  SYNC,
  ABORT,
  ABORT_IF,
  ERROR,
};

constexpr uint64_t kBlock = 1;  // `number` of a sequence that is a program::Block

struct ProgramData {
  ProgramKind kind = ProgramKind::SEQUENCE;
  // REPEAT: body; WHILE: condition, body; IF: true, false; SWITCH: one for each of `cases`, and
  // the default.
  std::vector<std::shared_ptr<const ProgramData>> children;
  Tensor first, second;  // operands; a predicate is `first`, the rows of a remote copy `second`
  std::vector<Tensor> inputs, outputs;  // HOST_CALL
  uint64_t number = 0;                  // compute set, function, repeat count, kBlock
  std::string text;                     // title, message, name
  PrintTensorFmt format;
  std::vector<int32_t> cases;
  DataStream stream;
  RemoteBuffer remote;
};

}  // namespace emulator
}  // namespace poplar
