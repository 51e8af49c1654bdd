#ifndef popart_alias_aliasmodel_hpp
#define popart_alias_aliasmodel_hpp

#include <popart/names.hpp>

namespace popart {

/// The aliases that ops declare, for in-place variants. The emulation keeps
/// every op as it was written: it asks Op::aliases and Op::modifies, and this holds nothing.
class AliasModel {
 public:
  void insertUnaryModifier0(const Op&) {}
  void insertUnaryModifier(const Op&, InIndex) {}
  void insertBinaryModifier(const Op&) {}
  void insertNG2aryModifier(const Op&, unsigned) {}
};

}  // namespace popart

#endif  // popart_alias_aliasmodel_hpp
