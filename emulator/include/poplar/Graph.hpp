#ifndef poplar_Graph_hpp
#define poplar_Graph_hpp

#include <cstdint>
#include <memory>
#include <poplar/CodeletFileType.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Device.hpp>
#include <poplar/FunctionBufferMappingType.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/Program.hpp>
#include <poplar/SerializationFormat.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/VariableMappingMethod.hpp>
#include <poplar/Version.hpp>
#include <poplar/emulator/Sizes.hpp>
#include <poplar/exceptions.hpp>
#include <poplar/replication_factor.hpp>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace poplar {

/// Builds a computation: variables mapped to tiles, and vertices connected to them.
class Graph {
 public:
  typedef std::vector<std::vector<Interval>> TileToTensorMapping;  // [tile]

 private:
  template <class T>
  using IfSimple = typename std::enable_if<emulator::HostType<T>::isSimple, int>::type;

  // Host values to be written to a field or a constant.
  struct HostValues {
    template <class T>
    HostValues(const T* values, std::size_t n)
        : data(values), size(n), type(emulator::HostType<T>::code) {}
    HostValues(const void* values, std::size_t n, Type t) : data(values), size(n), type(t) {}
    const void* data;
    std::size_t size;
    Type type;
  };

 public:
  /// A field's name with the tensor, the tensors or the value to connect to it.
  class ConnectionDesc {
   public:
    ConnectionDesc(StringRef field, Tensor t) : field_(field), tensor_(t), kind_(Kind::TENSOR) {}
    ConnectionDesc(StringRef field, ArrayRef<Tensor> ts)
        : field_(field), tensors_(ts.begin(), ts.end()), kind_(Kind::TENSORS) {}
    ConnectionDesc(StringRef field, const std::vector<Tensor>& ts)
        : field_(field), tensors_(ts), kind_(Kind::TENSORS) {}
    template <class T, IfSimple<T> = 0>
    ConnectionDesc(StringRef field, T value)
        : field_(field), value_(0), type_(emulator::HostType<T>::code), kind_(Kind::VALUE) {
      static_assert(sizeof(T) <= sizeof(value_), "a scalar");
      *static_cast<T*>(static_cast<void*>(&value_)) = value;
    }

   private:
    friend class Graph;
    enum class Kind { TENSOR, TENSORS, VALUE };
    StringRef field_;
    Tensor tensor_;
    std::vector<Tensor> tensors_;
    std::uint64_t value_ = 0;
    Type type_;
    Kind kind_;
  };

  Graph();
  explicit Graph(const Target& target, replication_factor replicas = replication_factor(1));
  explicit Graph(const Device& device, replication_factor replicas = replication_factor(1));
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;
  ~Graph();

  const Target& getTarget() const;
  unsigned getReplicationFactor() const { return 1; }

  // Virtual graphs: this graph seen through some of its tiles.
  Graph createVirtualGraph(unsigned lowerTile, unsigned upperTile);
  Graph createVirtualGraph(ArrayRef<unsigned> perIPUTiles);
  Graph createVirtualGraph(unsigned tilesPerIPU);
  /// The graph that this one is, or is a part of, with all tiles.
  Graph getTopLevelGraph();
  /// The tile of the whole graph that a tile of this one is.
  unsigned convertVirtualTileToPhysicalTile(unsigned virtualTile) const {
    return physicalTile(virtualTile, "Graph::convertVirtualTileToPhysicalTile");
  }

  // Codelets.
  bool addCodelets(StringRef path, CodeletFileType type = CodeletFileType::Auto,
                   StringRef compileFlags = "", StringRef targetName = "");
  bool addCodelets(ArrayRef<std::string> paths, StringRef compileFlags = "",
                   StringRef targetName = "");
  bool addCodelets(std::initializer_list<const char*> paths, StringRef compileFlags = "",
                   StringRef targetName = "");
  void addCodelets(std::stringstream& stream, StringRef compileFlags = "",
                   CodeletFileType type = CodeletFileType::CppSource, StringRef targetName = "");
  bool hasCodelet(StringRef vertexType) const;

  // Variables and constants.
  Tensor addVariable(const Type& type, ArrayRef<std::size_t> shape,
                     const DebugContext& debugContext = {});
  Tensor addVariable(const Type& type, ArrayRef<std::size_t> shape, VariableMappingMethod method,
                     const DebugContext& debugContext = {});
  /// QUARTER is given one element of QUARTER_METADATA; other types, an empty tensor. Without, a
  /// tensor of QUARTER has metadata of its own.
  Tensor addVariable(const Type& type, const Tensor& metadata, ArrayRef<std::size_t> shape,
                     const DebugContext& debugContext = {}) {
    checkMetadata("Graph::addVariable", type, metadata);
    return withMetadata(addVariable(type, shape, debugContext), metadata);
  }
  template <class T>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, ArrayRef<T> values,
                     const DebugContext& debugContext = {}) {
    return addConstant(type, shape, HostValues(values.data(), values.size()), false, debugContext);
  }
  // The allocator keeps a braced list from matching here as well as above.
  template <class T, class A>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const std::vector<T, A>& values,
                     const DebugContext& debugContext = {}) {
    return addConstant(type, shape, ArrayRef<T>(values), debugContext);
  }
  template <class T>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const T* values,
                     const DebugContext& debugContext = {}) {
    const std::size_t n = emulator::checkedElements("Graph::addConstant", shape);
    return addConstant(type, shape, HostValues(values, n), false, debugContext);
  }
  /// Every element has the one value.
  template <class T, IfSimple<T> = 0>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, T value,
                     const DebugContext& debugContext = {}) {
    return addConstant(type, shape, HostValues(&value, 1), true, debugContext);
  }

  /// `traits` tell which type the values have; `broadcast`: every element has the one value.
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const void* values,
                     const TypeTraits& traits, bool broadcast,
                     const DebugContext& debugContext = {});
  /// As addVariable with metadata; constants of QUARTER throw `type_error`.
  template <class T>
  Tensor addConstant(const Type& type, const Tensor& metadata, ArrayRef<std::size_t> shape,
                     const T& values, const DebugContext& debugContext = {}) {
    checkNoQuarter(type, metadata);
    return addConstant(type, shape, values, debugContext);
  }

  // Halves by their bits. Throw `type_error` for another type.
  Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape,
                         ArrayRef<std::uint16_t> values, const DebugContext& debugContext = {}) {
    return addHalves(type, shape, values.data(), values.size(), false, debugContext);
  }
  Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, const std::uint16_t* values,
                         const DebugContext& debugContext = {}) {
    const std::size_t n = emulator::checkedElements("Graph::addConstantHalf", shape);
    return addHalves(type, shape, values, n, false, debugContext);
  }
  Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, std::uint16_t value,
                         const DebugContext& debugContext = {}) {
    return addHalves(type, shape, &value, 1, true, debugContext);
  }

  /// Each replica's number: 0, as there is one.
  Tensor addReplicationIndexConstant(const DebugContext& debugContext = {}) {
    return addConstant(UNSIGNED_INT, {}, 0u, debugContext);
  }

  Tensor clone(const Type& type, const Tensor& t, const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  Tensor clone(const Tensor& t, const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  /// As addVariable with metadata.
  Tensor clone(const Type& type, const Tensor& metadata, const Tensor& t,
               const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    checkMetadata("Graph::clone", type, metadata);
    return withMetadata(clone(type, t, debugContext, method), metadata);
  }
  Tensor clone(const Tensor& metadata, const Tensor& t, const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    return clone(t.elementType(), metadata, t, debugContext, method);
  }
  /// N clones as one tensor with a first dimension of N.
  Tensor cloneN(const Type& type, const Tensor& t, std::size_t N,
                const DebugContext& debugContext = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod duplicationMethod =
                    TensorCloneDuplicationMethod::DUPLICATE_BY_OUTER_DIMENSION);
  Tensor cloneN(const Tensor& t, std::size_t N, const DebugContext& debugContext = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod duplicationMethod =
                    TensorCloneDuplicationMethod::DUPLICATE_BY_OUTER_DIMENSION);

  /// Whether the ranges of a view that have this variable are constant.
  bool isConstant(VariableRef v) const;
  /// All of a variable, in its own order: one dimension.
  Tensor getVariable(VariableRef v) const;

  // Tile mapping. A later call wins over an earlier one.
  void setTileMapping(const Tensor& t, unsigned tile);
  void setTileMapping(const Tensor& t, const TileToTensorMapping& mapping);
  void setTileMapping(VertexRef v, unsigned tile);
  /// For each tile, intervals of the flattened view.
  TileToTensorMapping getTileMapping(const Tensor& t, bool requireComplete = true) const;
  TileToTensorMapping getTileMapping(const Tensor& t, bool* isComplete) const;

  /// The elements of `regions` of the flattened `t`, as lists of intervals that each are one
  /// contiguous range of a variable, in the variables' order.
  std::vector<std::vector<Interval>> getSortedContiguousRegions(
      const Tensor& t, ArrayRef<Interval> regions, bool removeAliasedIntervals = false,
      std::vector<std::size_t>* aliases = nullptr) const;
  /// Orders the elements of `t`, and those of `ts` in the same way, so that `t` has as few
  /// contiguous regions as it can. Every tensor becomes 1-D.
  void reorderToSimplify(Tensor* t, ArrayRef<Tensor*> ts, bool requireSimplestOrder = true) const;
  /// `t` without the dimensions that broadcast it: those have size 1 then.
  Tensor findUnbroadcastTensor(const Tensor& t) const;

  // Vertices.
  ComputeSet addComputeSet(const DebugContext& debugContext = {});
  VertexRef addVertex(ComputeSet cs, StringRef vertexType);
  VertexRef addVertex(ComputeSet cs, StringRef vertexType, ArrayRef<ConnectionDesc> connections);

  void connect(FieldRef field, const Tensor& t);
  void connect(FieldRef field, ArrayRef<Tensor> ts);
  template <class T, IfSimple<T> = 0>
  void connect(FieldRef field, T value) {
    connectValues(field, HostValues(&value, 1), true);
  }
  template <class T, IfSimple<T> = 0>
  void connect(FieldRef field, ArrayRef<T> values) {
    connectValues(field, HostValues(values.data(), values.size()), false);
  }

  template <class T, IfSimple<T> = 0>
  void setInitialValue(FieldRef field, T value) {
    setInitialValues(field, HostValues(&value, 1), true);
  }
  template <class T, IfSimple<T> = 0>
  void setInitialValue(FieldRef field, ArrayRef<T> values) {
    setInitialValues(field, HostValues(values.data(), values.size()), false);
  }
  template <class T, class A, IfSimple<T> = 0>
  void setInitialValue(FieldRef field, const std::vector<T, A>& values) {
    setInitialValue(field, ArrayRef<T>(values));
  }
  /// The values of the elements when an Engine is loaded.
  template <class T, IfSimple<T> = 0>
  void setInitialValue(const Tensor& t, T value) {
    setInitialValues(t, HostValues(&value, 1), true);
  }
  template <class T, IfSimple<T> = 0>
  void setInitialValue(const Tensor& t, ArrayRef<T> values) {
    setInitialValues(t, HostValues(values.data(), values.size()), false);
  }
  template <class T, class A, IfSimple<T> = 0>
  void setInitialValue(const Tensor& t, const std::vector<T, A>& values) {
    setInitialValue(t, ArrayRef<T>(values));
  }
  // Halves by their bits. Throw `type_error` for a field or a tensor of another type.
  void setInitialValueHalf(FieldRef field, std::uint16_t value) {
    setInitialValues(field, HostValues(&value, 1, HALF), true);
  }
  void setInitialValueHalf(FieldRef field, ArrayRef<std::uint16_t> values) {
    setInitialValues(field, HostValues(values.data(), values.size(), HALF), false);
  }
  void setInitialValueHalf(const Tensor& t, std::uint16_t value) {
    setInitialValues(t, HostValues(&value, 1, HALF), true);
  }
  void setInitialValueHalf(const Tensor& t, ArrayRef<std::uint16_t> values) {
    setInitialValues(t, HostValues(values.data(), values.size(), HALF), false);
  }
  void setFieldSize(FieldRef field, std::size_t size);
  /// The most elements that dimension `dimension` of a field can have: 0 is the outermost one.
  std::size_t getMaxFieldDim(StringRef vertexType, StringRef field, unsigned dimension) const;
  /// The largest value of a field of an integral type.
  std::uint64_t getMaxVertexFieldValue(StringRef vertexType, StringRef field) const;
  void setPerfEstimate(const VertexRef& v, std::uint64_t cycles, std::uint64_t flops = 0);
  /// Its name in early versions of the SDK.
  void setCycleEstimate(const VertexRef& v, std::uint64_t cycles) { setPerfEstimate(v, cycles); }
  /// Estimates the vertices of a type for which setPerfEstimate was not called.
  void registerPerfEstimator(StringRef vertexType, PerfEstimateFunc estimator);

  // Streams and host access.
  DataStream addHostToDeviceFIFO(StringRef handle, const Type& elementType, std::size_t numElements,
                                 ReplicatedStreamMode mode = ReplicatedStreamMode::REPLICATE,
                                 const OptionFlags& options = {});
  DataStream addDeviceToHostFIFO(StringRef handle, const Type& elementType, std::size_t numElements,
                                 const OptionFlags& options = {});
  void createHostWrite(StringRef handle, const Tensor& t, bool rearrangeOnHost = false);
  void createHostRead(StringRef handle, const Tensor& t, bool rearrangeOnHost = false);

  /// `repeats` rows that Copy moves to and from tensors.
  RemoteBuffer addRemoteBuffer(StringRef handle, const Type& elementType, std::size_t numElements,
                               std::size_t repeats = 1, bool rearrangeOnHost = false,
                               bool optimiseMemory = false);

  /// The type and size of an argument of a host function.
  struct HostFunctionArgument {
    HostFunctionArgument(Type elementType_, std::size_t numElements_)
        : elementType(elementType_), numElements(numElements_) {}
    Type elementType;
    std::size_t numElements;
  };
  HostFunction addHostFunction(StringRef handle, ArrayRef<HostFunctionArgument> inputs,
                               ArrayRef<HostFunctionArgument> outputs);

  Function addFunction(const program::Program& program);
  FunctionBuffer addFunctionBuffer(Function function, FunctionBufferMappingType mapping);

  /// Writes the graph: in a format of the emulator's own, or the variables, compute sets and
  /// vertices as JSON.
  void serialize(std::ostream& out, SerializationFormat format) const;
  /// Writes types, shapes and tile mappings of tensors, and which elements they share; reading
  /// makes new variables that are alike. The format is Binary, one of the emulator's own.
  void serializeTensors(std::ostream& out, ArrayRef<Tensor> tensors,
                        SerializationFormat format) const;
  std::vector<Tensor> deserializeTensors(std::istream& in, SerializationFormat format);
  /// Write the compute sets and the variables that they read and write, or the vertices and the
  /// variables that they are connected to, in the language of Graphviz.
  void outputComputeGraph(std::ostream& out, ArrayRef<program::Program> programs = {}) const;
  void outputVertexGraph(std::ostream& out, ArrayRef<program::Program> programs = {}) const;

 private:
  friend struct emulator::Access;
  Graph(std::shared_ptr<emulator::GraphData> data, const Target& target,
        std::shared_ptr<const std::vector<unsigned>> tiles);
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const HostValues& values,
                     bool fill, const DebugContext& debugContext);
  void connectValues(FieldRef field, const HostValues& values, bool scalar);
  void setInitialValues(FieldRef field, const HostValues& values, bool scalar);
  void setInitialValues(const Tensor& t, const HostValues& values, bool fill);
  unsigned physicalTile(unsigned tile, const char* operation) const;
  friend class Tensor;
  static void checkMetadata(const char* operation, const Type& type, const Tensor& metadata);
  static void checkNoQuarter(const Type& type, const Tensor& metadata);
  static Tensor withMetadata(Tensor t, const Tensor& metadata) {
    if (t.hasMetadata()) t.associateMetadata(metadata);
    return t;
  }
  Tensor addHalves(const Type& type, ArrayRef<std::size_t> shape, const std::uint16_t* bits,
                   std::size_t n, bool fill, const DebugContext& debugContext);

  std::shared_ptr<emulator::GraphData> data_;
  Target target_;
  std::shared_ptr<const std::vector<unsigned>> tiles_;  // of a virtual graph: its tiles
};

}  // namespace poplar

#endif  // poplar_Graph_hpp
