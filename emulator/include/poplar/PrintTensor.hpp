#ifndef poplar_PrintTensor_hpp
#define poplar_PrintTensor_hpp

namespace poplar {

/// How PrintTensor lays out the elements.
class PrintTensorFmt {
 public:
  enum class FloatFormat { Auto, Fixed, Scientific, None };

  /// Tensors of more than `summariseThreshold` elements show `edgeItems` at each end of a
  /// dimension (0: never). Rows break before `maxLineWidth` characters (0: never). Elements are
  /// aligned and floating point ones have `digits` digits (0: neither).
  PrintTensorFmt(unsigned summariseThreshold = 1000, unsigned edgeItems = 3,
                 unsigned maxLineWidth = 75, unsigned digits = 8,
                 FloatFormat floatFormat = FloatFormat::Auto, char separator = ' ',
                 char openBracket = '[', char closeBracket = ']')
      : summariseThreshold_(summariseThreshold),
        edgeItems_(edgeItems),
        maxLineWidth_(maxLineWidth),
        digits_(digits),
        floatFormat_(floatFormat),
        separator_(separator),
        openBracket_(openBracket),
        closeBracket_(closeBracket) {}

  unsigned summariseThreshold() const { return summariseThreshold_; }
  unsigned edgeItems() const { return edgeItems_; }
  unsigned maxLineWidth() const { return maxLineWidth_; }
  unsigned digits() const { return digits_; }
  FloatFormat floatFormat() const { return floatFormat_; }
  char separator() const { return separator_; }
  char openBracket() const { return openBracket_; }
  char closeBracket() const { return closeBracket_; }

 private:
  unsigned summariseThreshold_, edgeItems_, maxLineWidth_, digits_;
  FloatFormat floatFormat_;
  char separator_, openBracket_, closeBracket_;
};

}  // namespace poplar

#endif  // poplar_PrintTensor_hpp
