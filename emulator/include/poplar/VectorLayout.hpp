// How the vectors of a vertex are laid out on the device. On the host the layout decides only
// whether a vector knows its size (SPAN and SHORT_SPAN do).
#ifndef POPLAR_VECTOR_LAYOUT_HPP
#define POPLAR_VECTOR_LAYOUT_HPP

namespace poplar {

enum class VectorLayout {
  NOT_A_VECTOR,
  SPAN,
  SHORT_SPAN,
  ONE_PTR,
  SCALED_PTR32,
  SCALED_PTR64,
  SCALED_PTR128,
  COMPACT_PTR
};

enum class VectorListLayout {
  ONE_PTR,
  SCALED_PTR32,
  SCALED_PTR64,
  SCALED_PTR128,
  DELTAN,
  DELTANELEMENTS,
  COMPACT_DELTAN
};

/// Layouts of vectors as estimators name them.
namespace layout {
enum class Vector { NotAVector, Span, ShortSpan, OnePtr, ScaledPtr32, ScaledPtr64, ScaledPtr128 };
enum class VectorList {
  NotAVector,
  OnePtr,
  ScaledPtr32,
  ScaledPtr64,
  ScaledPtr128,
  DeltaN,
  DeltaNElements
};
}  // namespace layout

}  // namespace poplar

#endif  // POPLAR_VECTOR_LAYOUT_HPP
