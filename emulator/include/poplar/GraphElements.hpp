#ifndef poplar_GraphElements_hpp
#define poplar_GraphElements_hpp

#include <cstddef>
#include <cstdint>
#include <poplar/StringRef.hpp>

namespace poplar {

namespace emulator {
struct GraphData;
struct Access;
}  // namespace emulator

/// A set of vertices that run in one superstep.
class ComputeSet {
 public:
  ComputeSet() : id_(0) {}
  explicit ComputeSet(unsigned id) : id_(id) {}
  unsigned getId() const { return id_; }

 private:
  unsigned id_;
};

/// A field of a vertex, or one element of a field with several edges or values.
class FieldRef {
 public:
  FieldRef() : graph_(nullptr), vertex_(0), field_(0), index_(whole) {}
  FieldRef operator[](std::size_t i) const;

 private:
  friend class VertexRef;
  friend struct emulator::Access;
  static constexpr std::uint32_t whole = 0xFFFFFFFFu;
  FieldRef(emulator::GraphData* graph, std::uint32_t vertex, std::uint32_t field)
      : graph_(graph), vertex_(vertex), field_(field), index_(whole) {}
  emulator::GraphData* graph_;
  std::uint32_t vertex_, field_, index_;
};

class VertexRef {
 public:
  VertexRef() : graph_(nullptr), id_(0) {}
  /// Throws `unknown_field` for a name that the vertex lacks.
  FieldRef operator[](StringRef field) const;
  unsigned getId() const { return id_; }

 private:
  friend struct emulator::Access;
  VertexRef(emulator::GraphData* graph, std::uint32_t id) : graph_(graph), id_(id) {}
  emulator::GraphData* graph_;
  std::uint32_t id_;
};

/// A program that may be called from several places.
class Function {
 public:
  Function() : id_(0) {}
  explicit Function(unsigned id) : id_(id) {}
  unsigned getId() const { return id_; }

 private:
  unsigned id_;
};

/// Memory outside the device that holds the code of a function.
class FunctionBuffer {
 public:
  explicit FunctionBuffer(Function function) : function_(function) {}
  Function getFunction() const { return function_; }

 private:
  Function function_;
};

/// A function of the host that a program may call.
class HostFunction {
 public:
  HostFunction() : id_(0) {}
  explicit HostFunction(unsigned id) : id_(id) {}
  unsigned getId() const { return id_; }

 private:
  unsigned id_;
};

}  // namespace poplar

#endif  // poplar_GraphElements_hpp
