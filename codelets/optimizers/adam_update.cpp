// adam_update: Adam (Kingma and Ba 2015) and AdamW (Loshchilov and Hutter 2019) on the tile that
// has parameter, gradient and moments.
//
//   g = gradient + weight_decay * p
//   m = beta1 * m + (1 - beta1) * g
//   v = beta2 * v + (1 - beta2) * g^2
//   p = shrink * p - step_size * m / (sqrt(v) * root_correction + epsilon)
//
// as torch.optim.Adam, with step_size = learning_rate / (1 - beta1^n) and root_correction =
// 1 / sqrt(1 - beta2^n) computed once on the host for update n, and shrink 1. torch.optim.AdamW
// decouples the decay from the gradient: weight_decay 0, and shrink = 1 - learning_rate * decay.
// Each worker updates a range of pairs; the last one also takes an odd element.
#include <poplar/Vertex.hpp>

#include <cmath>

#include "masters.hpp"

#ifdef __IPU__
#include "adam_ipu.hpp"
#include "common/repeats_ipu.hpp"
#endif

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Weight>
class AdamUpdate : public MultiVertex {
 public:
  // [7] step size, beta1, beta2, epsilon, root correction, weight decay, shrink
  Input<Vector<float, ONE_PTR, 8>> settings;
  Input<Vector<float, ONE_PTR, 8>> gradient;       // [size]
  InOut<Vector<float, ONE_PTR, 8>> first_moment;   // [size]
  InOut<Vector<float, ONE_PTR, 8>> second_moment;  // [size]
  InOut<Vector<Weight, ONE_PTR, 8>> parameter;     // [size]
  Vector<InOut<Vector<half, ONE_PTR, 8>>> rest;  // [1][size] of halves; of floats [1][1], not read
  const unsigned size;

  bool compute(unsigned worker) {
    const float step_size = settings[0], beta1 = settings[1], beta2 = settings[2];
    const float epsilon = settings[3], root_correction = settings[4], decay = settings[5];
    const float shrink = settings[6];
    const float* const grad = &gradient[0];
    float* const m = &first_moment[0];
    float* const v = &second_moment[0];
#ifdef __IPU__
    alignas(8) const float pairs_settings[9][2] = {{decay, decay},
                                                   {1.0f - beta1, 1.0f - beta1},
                                                   {beta1, beta1},
                                                   {1.0f - beta2, 1.0f - beta2},
                                                   {beta2, beta2},
                                                   {step_size, step_size},
                                                   {root_correction, root_correction},
                                                   {epsilon, epsilon},
                                                   {shrink, shrink}};
#endif
    const auto update = [&](unsigned begin, unsigned end, float* p) {  // p: of `begin`
      unsigned i = begin;
#ifdef __IPU__
      ipu::for_repeats((end - begin) / 2, [&](unsigned first, unsigned pairs) {
        const unsigned at = begin + 2 * first;
        ipu::adam_pairs(pairs_settings[0], grad + at, pairs, m + at, v + at, p + 2 * first);
      });
      i = begin + (end - begin) / 2 * 2;
#endif
      for (; i < end; ++i) {
        float& weight = p[i - begin];
        const float g = grad[i] + decay * weight;
        m[i] = beta1 * m[i] + (1.0f - beta1) * g;
        v[i] = beta2 * v[i] + (1.0f - beta2) * g * g;
        weight = shrink * weight - step_size * m[i] / (std::sqrt(v[i]) * root_correction + epsilon);
      }
    };
    for_masters(&parameter[0], rest, size, worker, numWorkers(), update);
    return true;
  }
};

template class AdamUpdate<float>;
template class AdamUpdate<half>;

}  // namespace popsnn
