#ifndef popart_iarray_hpp
#define popart_iarray_hpp

#include <cstddef>
#include <cstdint>
#include <popart/datatype.hpp>
#include <popart/names.hpp>

namespace popart {

/// An array of the host.
class IArray {
 public:
  virtual ~IArray() {}
  virtual void* data() = 0;
  virtual DataType dataType() const = 0;
  virtual std::size_t rank() const = 0;
  virtual std::int64_t dim(std::size_t index) const = 0;
  virtual std::size_t nelms() const = 0;
  virtual const Shape shape() const = 0;
};

}  // namespace popart

#endif  // popart_iarray_hpp
