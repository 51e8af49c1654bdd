#ifndef poplar_TypeConversion_hpp
#define poplar_TypeConversion_hpp

#include <cstddef>
#include <cstdint>
#include <poplar/ArrayRef.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/Target.hpp>  // copyFloatToDeviceHalf, copyDeviceHalfToFloat
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <type_traits>
#include <vector>

namespace poplar {

namespace emulator {

void convertElements(const Type& from, const void* source, const Type& to, void* destination,
                     std::size_t n);
std::uint8_t toQuarter(const QuarterMetadata& metadata, double value, bool nanoo);
double fromQuarter(const QuarterMetadata& metadata, std::uint8_t bits);
QuarterMetadata bestScale(const double* values, std::size_t n, QuarterMetadata::Format format);

}  // namespace emulator

// Between numbers of the host and elements as a device stores them. Throw `type_error` for QUARTER
// without metadata.

template <class T>
void convertToDeviceType(const Type& type, ArrayRef<T> source, void* destination) {
  emulator::convertElements(Type(emulator::HostType<typename std::remove_const<T>::type>::code),
                            source.data(), type, destination, source.size());
}
/// A number of QUARTER stands for itself times two to the power of the metadata's scale. What is
/// too large becomes a NaN, or the largest number where not `nanoo`; infinities become NaNs.
template <class T>
void convertToDeviceType(const Type& type, const QuarterMetadata& metadata, ArrayRef<T> source,
                         void* destination, bool nanoo = true) {
  if (type != QUARTER) return convertToDeviceType(type, source, destination);
  for (std::size_t i = 0; i < source.size(); ++i) {
    static_cast<std::uint8_t*>(destination)[i] =
        emulator::toQuarter(metadata, static_cast<double>(source[i]), nanoo);
  }
}

template <class T>
void convertToDeviceType(const Type& type, const std::vector<T>& source, void* destination) {
  convertToDeviceType(type, ArrayRef<T>(source), destination);
}
template <class T>
void convertToDeviceType(const Type& type, const QuarterMetadata& metadata,
                         const std::vector<T>& source, void* destination, bool nanoo = true) {
  convertToDeviceType(type, metadata, ArrayRef<T>(source), destination, nanoo);
}

template <class T>
void convertFromDeviceType(const Type& type, const void* source, ArrayRef<T> destination) {
  emulator::convertElements(type, source,
                            Type(emulator::HostType<typename std::remove_const<T>::type>::code),
                            const_cast<T*>(destination.data()), destination.size());
}
template <class T>
void convertFromDeviceType(const Type& type, const QuarterMetadata& metadata, const void* source,
                           ArrayRef<T> destination) {
  if (type != QUARTER) return convertFromDeviceType(type, source, destination);
  for (std::size_t i = 0; i < destination.size(); ++i) {
    const_cast<T*>(destination.data())[i] = static_cast<T>(
        emulator::fromQuarter(metadata, static_cast<const std::uint8_t*>(source)[i]));
  }
}

/// What calculateMetadataForConversion makes as small as it can be.
enum class CostMetric { MEAN_SQUARE_ERROR };

/// The metadata of a format that numbers are best stored with.
template <class T>
QuarterMetadata calculateMetadataForConversion(const Type&, ArrayRef<T> source,
                                               QuarterMetadata::Format format,
                                               CostMetric = CostMetric::MEAN_SQUARE_ERROR) {
  const std::vector<double> values(source.begin(), source.end());
  return emulator::bestScale(values.data(), values.size(), format);
}

}  // namespace poplar

#endif  // poplar_TypeConversion_hpp
