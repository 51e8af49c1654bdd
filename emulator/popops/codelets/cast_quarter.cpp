#include <poplar/HalfFloat.hpp>
#include <poplar/Vertex.hpp>
#include <poplar/emulator/QuarterBits.hpp>

#include "map_ops.hpp"

namespace popops {

// Numbers of 8 bits are bytes here, with the byte of metadata that tells how they are read. What
// is too large becomes a NaN, as on a model: it has no register that says otherwise.
using poplar::emulator::QuarterFormat;

template <typename T>
class CastFromQuarter : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<unsigned char>> in;  // {n}
  poplar::Input<unsigned char> inMetadata;
  poplar::Output<poplar::Vector<T>> out;  // {n}

  void compute() {
    const QuarterFormat format = QuarterFormat::of(*inMetadata);
    for (unsigned i = 0; i < out.size(); ++i) {
      const float value = static_cast<float>(poplar::emulator::quarterToDouble(format, in[i]));
      out[i] = map_ops::convert<T>(value);
    }
  }
};

template class CastFromQuarter<float>;
template class CastFromQuarter<half>;
template class CastFromQuarter<char>;
template class CastFromQuarter<unsigned char>;
template class CastFromQuarter<signed char>;

template <typename T>
class CastToQuarter : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<T>> in;  // {n}
  poplar::Input<unsigned char> outMetadata;
  poplar::Output<poplar::Vector<unsigned char>> out;  // {n}

  void compute() {
    const QuarterFormat format = QuarterFormat::of(*outMetadata);
    for (unsigned i = 0; i < out.size(); ++i) {
      const float value = static_cast<float>(in[i]);
      out[i] = poplar::emulator::quarterFromDouble(format, static_cast<double>(value), true);
    }
  }
};

template class CastToQuarter<float>;
template class CastToQuarter<half>;
template class CastToQuarter<char>;
template class CastToQuarter<unsigned char>;
template class CastToQuarter<signed char>;

class CastQuarter : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<unsigned char>> in;  // {n}
  poplar::Input<unsigned char> inMetadata, outMetadata;
  poplar::Output<poplar::Vector<unsigned char>> out;  // {n}

  void compute() {
    const QuarterFormat from = QuarterFormat::of(*inMetadata), to = QuarterFormat::of(*outMetadata);
    for (unsigned i = 0; i < out.size(); ++i) {
      const double value = poplar::emulator::quarterToDouble(from, in[i]);
      out[i] = poplar::emulator::quarterFromDouble(to, value, true);
    }
  }
};

}  // namespace popops
