#include <poplar/Vertex.hpp>

namespace popnn {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

namespace {

struct Field {
  unsigned height, width, bins_high, bins_wide, samples;
  float scale;
  bool aligned;
};

// Calls fn(bin, element, weight) for the four elements of each sample of a region; the weights of
// a bin add up to 1 where all samples are within the field.
template <typename T, typename Fn>
void forSamples(const Field& f, const T* roi, const Fn& fn) {
  const float shift = f.aligned ? 0.5f : 0.0f, least = f.aligned ? 0.0f : 1.0f;
  const float left = static_cast<float>(roi[0]) * f.scale - shift,
              top = static_cast<float>(roi[1]) * f.scale - shift,
              right = static_cast<float>(roi[2]) * f.scale - shift,
              bottom = static_cast<float>(roi[3]) * f.scale - shift;
  const float width = right - left > least ? right - left : least,
              height = bottom - top > least ? bottom - top : least;
  const unsigned rows = f.bins_high * f.samples, columns = f.bins_wide * f.samples;
  const float weight = 1 / static_cast<float>(f.samples * f.samples);
  const float last_y = static_cast<float>(f.height - 1), last_x = static_cast<float>(f.width - 1);
  for (unsigned row = 0; row < rows; ++row) {
    float y = top + (static_cast<float>(row) + 0.5f) * height / static_cast<float>(rows);
    if (y > static_cast<float>(f.height)) break;
    y = y < 0 ? 0 : y > last_y ? last_y : y;
    const unsigned up = static_cast<unsigned>(y), down = up + 1 < f.height ? up + 1 : up;
    const float lower = y - static_cast<float>(up);
    for (unsigned column = 0; column < columns; ++column) {
      float x = left + (static_cast<float>(column) + 0.5f) * width / static_cast<float>(columns);
      if (x > static_cast<float>(f.width)) break;
      x = x < 0 ? 0 : x > last_x ? last_x : x;
      const unsigned west = static_cast<unsigned>(x), east = west + 1 < f.width ? west + 1 : west;
      const float further = x - static_cast<float>(west);
      const unsigned bin = row / f.samples * f.bins_wide + column / f.samples;
      fn(bin, up * f.width + west, weight * (1 - lower) * (1 - further));
      fn(bin, up * f.width + east, weight * (1 - lower) * further);
      fn(bin, down * f.width + west, weight * lower * (1 - further));
      fn(bin, down * f.width + east, weight * lower * further);
    }
  }
}

}  // namespace

// Each row of `out` has the bins of a region of a plane, and each of `data` that plane of all
// images in turn.
template <typename T>
class RoiAlign : public poplar::Vertex {
 public:
  Vector<Input<Vector<T>>> data;
  Vector<Input<Vector<T>>> rois;
  Input<Vector<int>> images;
  Vector<Output<Vector<T>>> out;
  const unsigned height, width, bins_high, bins_wide, samples;
  const float scale;
  const bool aligned;

  void compute() {
    const Field field = {height, width, bins_high, bins_wide, samples, scale, aligned};
    const unsigned n = bins_high * bins_wide;
    for (unsigned r = 0; r < out.size(); ++r) {
      const T* const plane = &data[r][static_cast<unsigned>(images[r]) * height * width];
      for (unsigned bin = 0; bin < n; ++bin) {
        float sum = 0;
        forSamples(field, &rois[r][0], [&](unsigned at, unsigned element, float weight) {
          if (at == bin) sum += weight * static_cast<float>(plane[element]);
        });
        out[r][bin] = static_cast<T>(sum);
      }
    }
  }
};

template class RoiAlign<float>;
template class RoiAlign<half>;

// Each row of `out` is the gradient of a plane of the image of `planes`; its row of `gradients` has
// that of the bins of all regions.
template <typename T>
class RoiAlignGradient : public poplar::Vertex {
 public:
  Vector<Input<Vector<T>>> gradients;
  Input<Vector<T>> rois;      // (R, 4)
  Input<Vector<int>> images;  // (R,)
  Vector<int> planes;
  Vector<Output<Vector<T>>> out;
  const unsigned height, width, bins_high, bins_wide, samples;
  const float scale;
  const bool aligned;

  void compute() {
    const Field field = {height, width, bins_high, bins_wide, samples, scale, aligned};
    const unsigned n = bins_high * bins_wide;
    for (unsigned r = 0; r < out.size(); ++r) {
      for (unsigned i = 0; i < height * width; ++i) {
        float sum = 0;
        for (unsigned roi = 0; roi < images.size(); ++roi) {
          if (images[roi] != planes[r]) continue;
          const T* const bins = &gradients[r][roi * n];
          forSamples(field, &rois[4 * roi], [&](unsigned bin, unsigned element, float weight) {
            if (element == i) sum += weight * static_cast<float>(bins[bin]);
          });
        }
        out[r][i] = static_cast<T>(sum);
      }
    }
  }
};

template class RoiAlignGradient<float>;
template class RoiAlignGradient<half>;

}  // namespace popnn
