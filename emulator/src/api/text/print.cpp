// The text of PrintTensor.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <poplar/IeeeHalf.hpp>

#include "api/types.hpp"
#include "run/executor.hpp"

namespace poplar {
namespace emulator {

namespace {

using FloatFormat = PrintTensorFmt::FloatFormat;

template <class T>
T load(const char* p) {
  T out;
  std::memcpy(&out, p, sizeof(T));
  return out;
}

class Formatter {
 public:
  Formatter(Type type, const std::vector<size_t>& shape, const char* data,
            const PrintTensorFmt& format)
      : type_(type), bytes_(sizeOf(type)), shape_(shape), data_(data), format_(format) {
    strides_.resize(shape.size());
    size_t n = 1;
    for (size_t d = shape.size(); d-- != 0;) {
      strides_[d] = n;
      n *= shape[d];
    }
    summarise_ = format.summariseThreshold() != 0 && n > format.summariseThreshold();
    floating_ = type == FLOAT || type == HALF;
    if (format.digits() != 0) measure();
  }

  std::string text() {
    dimension(0, 0);
    return std::move(out_);
  }

 private:
  double number(size_t i) const {
    const char* p = data_ + i * bytes_;
    return type_ == HALF ? static_cast<float>(load<IeeeHalf>(p)) : load<float>(p);
  }

  // The positions along a dimension that show; a gap stands for those between.
  template <class Fn, class Gap>
  void forEachShown(size_t d, Fn&& fn, Gap&& gap) const {
    const size_t n = shape_[d], edge = format_.edgeItems();
    const bool cut = summarise_ && n > 2 * edge;
    for (size_t i = 0; i < n; ++i) {
      if (cut && i == edge) {
        gap();
        i = n - edge;
        if (edge == 0) return;
      }
      fn(i);
    }
  }

  template <class Fn>
  void forEachElement(size_t d, size_t at, const Fn& fn) const {
    if (d == shape_.size()) return fn(at);
    forEachShown(d, [&](size_t i) { forEachElement(d + 1, at + i * strides_[d], fn); }, [] {});
  }

  // Finds one notation and one width for all elements.
  void measure() {
    if (floating_) {
      double largest = 0, smallest = INFINITY;
      forEachElement(0, 0, [&](size_t i) {
        const double v = std::fabs(number(i));
        if (!std::isfinite(v)) return;
        largest = std::max(largest, v);
        if (v != 0) smallest = std::min(smallest, v);
      });
      const int whole = largest < 10 ? 1 : static_cast<int>(std::floor(std::log10(largest))) + 1;
      const int digits = static_cast<int>(format_.digits());
      const bool wide = whole > digits || smallest < 1e-4;
      scientific_ = format_.floatFormat() == FloatFormat::Scientific ||
                    (format_.floatFormat() == FloatFormat::Auto && wide);
      decimals_ = std::max(0, digits - (scientific_ ? 1 : whole));
    }
    forEachElement(0, 0, [&](size_t i) { width_ = std::max(width_, element(i).size()); });
  }

  std::string element(size_t i) const {
    const char* p = data_ + i * bytes_;
    if (floating_) {
      char text[64];
      const bool plain = format_.digits() == 0 || format_.floatFormat() == FloatFormat::None;
      if (plain) {
        std::snprintf(text, sizeof(text), "%g", number(i));
      } else {
        std::snprintf(text, sizeof(text), scientific_ ? "%.*e" : "%.*f", decimals_, number(i));
      }
      return text;
    }
    if (type_ == UNSIGNED_LONG || type_ == UNSIGNED_LONGLONG) {
      return std::to_string(load<unsigned long long>(p));
    }
    if (type_.code() == Type::Code::QUARTER) return std::to_string(load<unsigned char>(p));
    long long value = 0;
    convert(type_, p, LONGLONG, &value, 1);
    return std::to_string(value);
  }

  // Adds what belongs to a row, on a new line where this one is full. That is indented by one more
  // than the first, and a separator other than a blank ends the line before (PopTorch's
  // `ipu_print_tensor_test.py` has the text of Poplar's own).
  void add(const std::string& item, size_t indent, bool separated) {
    const size_t column = out_.size() - line_;
    if (separated && format_.maxLineWidth() != 0 &&
        column + 1 + item.size() + 1 > format_.maxLineWidth()) {
      if (format_.separator() != ' ') out_ += format_.separator();
      newLine(indent + 1);
    } else if (separated) {
      out_ += format_.separator();
    }
    out_ += item;
  }

  void newLine(size_t indent) {
    out_ += '\n';
    line_ = out_.size();
    out_.append(indent, ' ');
  }

  // One dimension's brackets.
  void dimension(size_t d, size_t at) {
    if (d == shape_.size()) {
      out_ += element(at);
      return;
    }
    const bool inner = d + 1 == shape_.size();
    out_ += format_.openBracket();
    bool separated = false;
    forEachShown(
        d,
        [&](size_t i) {
          if (inner) {
            const std::string text = element(at + i);
            const size_t pad = width_ > text.size() ? width_ - text.size() : 0;
            add(std::string(pad, ' ') + text, d + 1, separated);
          } else {
            newLine(d + 1);
            dimension(d + 1, at + i * strides_[d]);
          }
          separated = true;
        },
        [&] {
          if (!inner) newLine(d + 1);
          add("...", d + 1, inner && separated);
          separated = true;
        });
    if (!inner) newLine(d);
    out_ += format_.closeBracket();
  }

  const Type type_;
  const size_t bytes_;
  const std::vector<size_t>& shape_;
  const char* const data_;
  const PrintTensorFmt& format_;
  std::vector<size_t> strides_;
  bool summarise_, floating_, scientific_ = false;
  int decimals_ = 0;
  size_t width_ = 0;
  std::string out_;
  size_t line_ = 0;  // where the last line begins
};

}  // namespace

std::string formatTensor(Type type, const std::vector<size_t>& shape, const char* data,
                         const PrintTensorFmt& format) {
  return Formatter(type, shape, data, format).text();
}

}  // namespace emulator
}  // namespace poplar
