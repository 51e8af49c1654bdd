#ifndef popart_stepio_generic_hpp
#define popart_stepio_generic_hpp

#include <cstddef>
#include <cstdint>
#include <map>
#include <popart/error.hpp>
#include <popart/istepio.hpp>
#include <popart/names.hpp>
#include <popart/stepio_size_assertion.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/voiddata.hpp>
#include <string>
#include <vector>

namespace popart {

/// Arrays of any class, which hold all batches of a step one after another. Functions of `Accessor`
/// give their sizes and their memory; a subclass fills the maps.
template <typename Array, typename Accessor, typename Held>
class StepIOGeneric : public IStepIO {
  struct ArrayInfo {
    Held array;
    std::int64_t offset;  // bytes
  };

 public:
  TensorInfo getTensorInfo(Array& array) const {
    std::vector<std::int64_t> shape;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Accessor::getArrayRank(array)); ++i)
      shape.push_back(Accessor::getArrayDim(array, i));
    return TensorInfo(Accessor::getArrayDataType(array), shape);
  }

  /// The next elements. Throws `runtime_error` where there is no such array.
  template <typename T>
  T get(TensorId id, std::map<TensorId, ArrayInfo>& arrays, std::int64_t numElements, bool advances,
        std::string what) {
    ArrayInfo& held = found(id, arrays, what);
    T out;
    out.info = getTensorInfo(held.array);
    out.data = static_cast<std::uint8_t*>(Accessor::getDataPointer(held.array)) + held.offset;
    if (advances) advance<T>(id, arrays, numElements, what);
    return out;
  }
  /// Goes on to the elements after these, or at the end to the first.
  template <typename T>
  void advance(TensorId id, std::map<TensorId, ArrayInfo>& arrays, std::int64_t numElements,
               std::string what) {
    ArrayInfo& held = found(id, arrays, what);
    const TensorInfo info = getTensorInfo(held.array);
    const std::int64_t size = static_cast<std::int64_t>(info.nbytes());
    held.offset += size / static_cast<std::int64_t>(info.nelms()) * numElements;
    if (held.offset == size) held.offset = 0;
  }

  ConstVoidData in(TensorId id, std::int64_t numElements, bool, const bool = false) final {
    return get<ConstVoidData>(id, inputsInfo, numElements, true, "inputs");
  }
  void inComplete(TensorId, std::int64_t, const bool = false) final {}
  MutableVoidData out(TensorId id, std::int64_t numElements) final {
    return get<MutableVoidData>(id, outputsInfo, numElements, true, "outputs");
  }

 protected:
  StepIOGeneric() = default;
  std::map<TensorId, ArrayInfo> outputsInfo;
  std::map<TensorId, ArrayInfo> inputsInfo;

 private:
  ArrayInfo& found(const TensorId& id, std::map<TensorId, ArrayInfo>& arrays,
                   const std::string& what) {
    const auto entry = arrays.find(id);
    if (entry == arrays.end())
      throw runtime_error("StepIOGeneric: expected an array of '{}' in the {}, got none", id, what);
    return entry->second;
  }
};

}  // namespace popart

#endif  // popart_stepio_generic_hpp
