#include <poplar/Vertex.hpp>

namespace poplin {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

// A block of a convolution with any number of field dimensions, of one group. Workers take turns
// of output planes.
template <typename T>
class ConvBlock : public poplar::MultiVertex {
 public:
  Input<Vector<T>> in;        // [samples, inChannels, input field]
  Input<Vector<T>> weights;   // [outChannels, inChannels, kernel]
  Output<Vector<float>> out;  // [samples, outChannels, output field]
  const unsigned samples;
  const unsigned inChannels;
  const unsigned outChannels;
  // For each dimension, and each element of the kernel in it: first output, step between outputs,
  // number of outputs, first input, step between inputs.
  Vector<int> runs;
  // For each dimension: input, kernel, output.
  Vector<unsigned> sizes;

  void compute(unsigned workerId) {
    unsigned input = 1, kernel = 1, output = 1;
    for (unsigned i = 0; i < sizes.size(); i += 3) {
      input *= sizes[i];
      kernel *= sizes[i + 1];
      output *= sizes[i + 2];
    }
    for (unsigned i = workerId; i < samples * outChannels; i += numWorkers()) {
      const unsigned n = i / outChannels, c = i % outChannels;
      float* const to = &out[0] + static_cast<unsigned long>(i) * output;
      for (unsigned j = 0; j < output; ++j) to[j] = 0;
      if (input == 0 || kernel == 0) continue;
      for (unsigned k = 0; k < inChannels; ++k) {
        add(0, &runs[0], &in[0] + static_cast<unsigned long>(n * inChannels + k) * input,
            &weights[0] + static_cast<unsigned long>(c * inChannels + k) * kernel, to, input,
            kernel, output);
      }
    }
  }

 private:
  // Adds the products of dimension `at / 3` and those after it, which have so many elements.
  void add(unsigned at, const int* run, const T* from, const T* by, float* to, unsigned input,
           unsigned kernel, unsigned output) {
    const unsigned elements = sizes[at + 1];
    input /= sizes[at];
    kernel /= elements;
    output /= sizes[at + 2];
    const bool last = at + 3 == sizes.size();
    for (unsigned k = 0; k < elements; ++k, run += 5) {
      const int first_out = run[0], out_step = run[1], n = run[2], first_in = run[3],
                in_step = run[4];
      if (last) {
        row(from + first_in, in_step, static_cast<float>(by[k]), to + first_out, out_step, n);
        continue;
      }
      for (int i = 0; i < n; ++i) {
        add(at + 3, run + 5 * (elements - k),
            from + static_cast<long>(first_in + i * in_step) * input,
            by + static_cast<unsigned long>(k) * kernel,
            to + static_cast<long>(first_out + i * out_step) * output, input, kernel, output);
      }
    }
  }

  static void row(const T* from, int in_step, float by, float* to, int out_step, int n) {
    if (in_step == 1 && out_step == 1) {
      for (int i = 0; i < n; ++i) to[i] += by * static_cast<float>(from[i]);
    } else {
      for (int i = 0; i < n; ++i) {
        to[static_cast<long>(i) * out_step] +=
            by * static_cast<float>(from[static_cast<long>(i) * in_step]);
      }
    }
  }
};

template class ConvBlock<float>;
template class ConvBlock<half>;

}  // namespace poplin
