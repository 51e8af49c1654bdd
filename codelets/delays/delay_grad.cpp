// delay_grad: backward pass of the delayed input of a layer's neurons on one tile at time step t.
//
//   ring[t] = dL/d(current[t])
//   dL/d(product[s]) = sum over the taps k of source s of taps[k] * ring[t + k]
//   dL/d(taps[k]) += sum over samples of product[s] * ring[t + k], where the source's taps learn
//   dL/d(bias) += sum over samples of dL/d(current[t]), where source 0 has delays
//
// Workers take samples in turn, then taps, then neurons. What another worker writes here, the slot
// of step t, the taps read from dL/d(current).
#include <poplar/Vertex.hpp>

#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class DelayGrad : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> current_grad;  // [batch, neurons] at this time step
  Input<int> row;                                 // of the interval's states before this step
  Input<int> first_step;                          // of the interval
  // A field of what the layer has not is one row of one element, which is not touched.
  Vector<Input<Vector<float, ONE_PTR, 8>>> taps;           // [1][sum of tap_rows, neurons]
  Vector<unsigned> tap_rows;                               // [sources]
  InOut<Vector<float, ONE_PTR, 8>> ring;                   // [slots, batch, neurons]
  Vector<Output<Vector<float, ONE_PTR, 8>>> product_grad;  // [delayed sources][batch, neurons]
  Vector<Input<Vector<float, ONE_PTR, 8>>> products;       // [learnt sources][rows, batch, neurons]
  Vector<InOut<Vector<float, ONE_PTR, 8>>> tap_grad;       // [1][sum of tap_rows, neurons]
  Vector<InOut<Vector<float, ONE_PTR, 8>>> bias_grad;      // [1][neurons]
  const unsigned batch;
  const unsigned neurons;
  const unsigned slots;
  const unsigned learnt;  // bit s: the taps of source s learn
  const unsigned biased;  // 0 or 1: bias_grad is summed

  bool compute(unsigned worker) {
    const unsigned now = ring_slot(unsigned(*first_step + *row), slots);
    for (unsigned b = worker; b < batch; b += numWorkers()) sample_back(now, b);
    if (learnt != 0) taps_back(now, worker);
    if (biased != 0)
      for (unsigned i = worker; i < neurons; i += numWorkers()) {
        float sum = bias_grad[0][i];
        for (unsigned b = 0; b < batch; ++b) sum += current_grad[b * neurons + i];
        bias_grad[0][i] = sum;
      }
    return true;
  }

 private:
  float* slot_of(unsigned slot, unsigned b) { return &ring[(slot * batch + b) * neurons]; }

  void sample_back(unsigned now, unsigned b) {
    const float* const grad = &current_grad[b * neurons];
    float* const slot = slot_of(now, b);
    for (unsigned i = 0; i < neurons; ++i) slot[i] = grad[i];
    const float* of_source = &taps[0][0];
    unsigned delayed = 0;
    for (unsigned source = 0; source < tap_rows.size(); ++source) {
      const unsigned rows = tap_rows[source];
      if (rows == kUndelayed) continue;
      float* __restrict__ const out = &product_grad[delayed++][b * neurons];
      if (rows == kWhole) {
        for (unsigned i = 0; i < neurons; ++i)
          out[i] = slot_of(later_slot(now, unsigned(of_source[i]), slots), b)[i];
      } else {
        for (unsigned i = 0; i < neurons; ++i) out[i] = 0.0f;
        for (unsigned k = 0; k < rows; ++k) {
          const float* const later = slot_of(later_slot(now, k, slots), b);
          for (unsigned i = 0; i < neurons; ++i) out[i] += of_source[k * neurons + i] * later[i];
        }
      }
      of_source += rows * neurons;
    }
  }

  void taps_back(unsigned now, unsigned worker) {
    unsigned saved = 0, first = 0;  // row of the source's taps
    for (unsigned source = 0; source < tap_rows.size(); first += tap_rows[source++]) {
      if ((learnt >> source & 1) == 0) continue;
      const float* const product = &products[saved++][unsigned(*row) * batch * neurons];
      for (unsigned k = worker; k < tap_rows[source]; k += numWorkers()) {
        float* __restrict__ const sum = &tap_grad[0][(first + k) * neurons];
        const float* const later =
            k == 0 ? &current_grad[0] : slot_of(later_slot(now, k, slots), 0);
        for (unsigned b = 0; b < batch; ++b)
          for (unsigned i = 0; i < neurons; ++i)
            sum[i] += product[b * neurons + i] * later[b * neurons + i];
      }
    }
  }
};

}  // namespace popsnn
