#include <poplar/Vertex.hpp>

namespace popops {

// Workers take turns of whole words, so that none writes a part of another's.
template <typename T>
class Fill : public poplar::MultiVertex {
 public:
  poplar::Output<poplar::Vector<T, poplar::VectorLayout::SPAN>> out;  // (N,)
  const T value;

  void compute(unsigned workerId) {
    constexpr unsigned kPerWord = 8 / sizeof(T);
    const unsigned lead = reinterpret_cast<unsigned long>(&out[0]) % 8 / sizeof(T);
    const unsigned stop = lead + out.size(), words = (stop + kPerWord - 1) / kPerWord;
    const unsigned each = (words + numWorkers() - 1) / numWorkers() * kPerWord;
    const unsigned begin = workerId * each, end = begin + each < stop ? begin + each : stop;
    for (unsigned i = begin < lead ? lead : begin; i < end; ++i) out[i - lead] = value;
  }
};

template class Fill<float>;
template class Fill<half>;
template class Fill<int>;
template class Fill<unsigned int>;
template class Fill<short>;
template class Fill<unsigned short>;
template class Fill<bool>;
template class Fill<char>;
template class Fill<unsigned char>;
template class Fill<signed char>;
template class Fill<long long>;
template class Fill<unsigned long long>;

}  // namespace popops
