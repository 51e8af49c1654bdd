#ifndef popart_erroruid_hpp
#define popart_erroruid_hpp

namespace popart {

enum class ErrorUid : int {
  E0 = 10000,
};

}  // namespace popart

#endif  // popart_erroruid_hpp
