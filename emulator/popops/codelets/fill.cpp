#include <poplar/Vertex.hpp>

namespace popops {

// Workers take turns of a row's whole words, so that no two write to the same word: rows of a
// type smaller than a word must not meet in one.
template <typename T>
class Fill : public poplar::MultiVertex {
 public:
  poplar::Vector<poplar::Output<poplar::Vector<T>>> rows;  // each of any length
  const T value;

  void compute(unsigned workerId) {
    for (unsigned r = 0; r < rows.size(); ++r) fill(rows[r].data(), rows[r].size(), workerId);
  }

 private:
  void fill(T* row, unsigned size, unsigned workerId) {
    constexpr unsigned kPerWord = 8 / sizeof(T);
    const unsigned lead = reinterpret_cast<unsigned long>(row) % 8 / sizeof(T);
    const unsigned stop = lead + size, words = (stop + kPerWord - 1) / kPerWord;
    const unsigned each = (words + numWorkers() - 1) / numWorkers() * kPerWord;
    const unsigned begin = workerId * each, end = begin + each < stop ? begin + each : stop;
    for (unsigned i = begin < lead ? lead : begin; i < end; ++i) row[i - lead] = value;
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
