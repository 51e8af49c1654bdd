#ifndef poplar_CodeletFileType_hpp
#define poplar_CodeletFileType_hpp

#include <poplar/StringRef.hpp>

namespace poplar {

enum class CodeletFileType {
  PreprocessedAsmSource,
  AsmSource,
  CSource,
  CppSource,
  IrSource,
  Object,
  Auto
};

/// The type that the extension of a path tells; throws `file_load_error` for an unknown one.
CodeletFileType getCodeletFileType(StringRef path);

}  // namespace poplar

#endif  // poplar_CodeletFileType_hpp
