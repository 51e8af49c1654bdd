// The program of a Map vertex: what the library writes and the codelet reads.
//
// A stack machine. Each instruction is one word, operation | detail << 8 | kind << 16 | other <<
// 24, where kind is the type that is computed in; CONSTANT is followed by the two halves of its
// value.
#pragma once

namespace popops {
namespace map_code {

enum class Do : unsigned {
  LOAD,      // detail: bytes of an element; other: index among the inputs of that size
  CONSTANT,  // pushes a value: bits of a float, or of an integer
  UNARY,     // detail: UnaryOpType; other: 1 where the result is a BOOL
  BINARY,    // detail: BinaryOpType; other: as of UNARY
  CLAMP,
  SELECT,
  CAST,  // other: the kind that is cast from
};

enum class Kind : unsigned {
  BOOL,
  SIGNED_CHAR,
  UNSIGNED_CHAR,
  SHORT,
  UNSIGNED_SHORT,
  INT,
  UNSIGNED_INT,
  LONGLONG,
  UNSIGNED_LONGLONG,
  HALF,
  FLOAT,
};

constexpr unsigned kMaxDepth = 32;  // of the stack

constexpr unsigned word(Do op, unsigned detail, Kind kind, unsigned other) {
  return static_cast<unsigned>(op) | detail << 8 | static_cast<unsigned>(kind) << 16 | other << 24;
}

}  // namespace map_code
}  // namespace popops
