#ifndef popart_util_expressionchecking_hpp
#define popart_util_expressionchecking_hpp

#include <popart/emulator/absent.hpp>
#include <popart/logging.hpp>
#include <sstream>
#include <string>

namespace popart {
namespace internal {

template <typename T, typename U>
class BinaryComparisonData {
 public:
  BinaryComparisonData(const T&, const U&, bool) {
    emulator::missing("popart::internal::BinaryComparisonData");
  }
  const T& getLhs() const { emulator::missing("popart::internal::BinaryComparisonData::getLhs"); }
  const U& getRhs() const { emulator::missing("popart::internal::BinaryComparisonData::getRhs"); }
  operator bool() const {
    emulator::missing("popart::internal::BinaryComparisonData::operator bool");
  }
};

template <typename ErrorType>
class FailedCheckThrower {
 public:
  FailedCheckThrower(const std::string, const std::string) {
    emulator::missing("popart::internal::FailedCheckThrower");
  }
  FailedCheckThrower(const char*, const char*) {
    emulator::missing("popart::internal::FailedCheckThrower");
  }
  template <typename V>
  FailedCheckThrower<ErrorType>& operator<<(const V&) {
    emulator::missing("popart::internal::FailedCheckThrower::operator<<");
  }
};

}  // namespace internal
}  // namespace popart

template <typename T, typename U>
::popart::internal::BinaryComparisonData<T, U> evaluateCheckEq(T&&, U&&) {
  popart::emulator::missing("evaluateCheckEq");
}

template <typename T, typename U>
::popart::internal::BinaryComparisonData<T, U> evaluateCheckGe(T&&, U&&) {
  popart::emulator::missing("evaluateCheckGe");
}

template <typename T, typename U>
::popart::internal::BinaryComparisonData<T, U> evaluateCheckGt(T&&, U&&) {
  popart::emulator::missing("evaluateCheckGt");
}

template <typename T, typename U>
::popart::internal::BinaryComparisonData<T, U> evaluateCheckLe(T&&, U&&) {
  popart::emulator::missing("evaluateCheckLe");
}

template <typename T, typename U>
::popart::internal::BinaryComparisonData<T, U> evaluateCheckLt(T&&, U&&) {
  popart::emulator::missing("evaluateCheckLt");
}

template <typename T, typename U>
::popart::internal::BinaryComparisonData<T, U> evaluateCheckNe(T&&, U&&) {
  popart::emulator::missing("evaluateCheckNe");
}

#endif  // popart_util_expressionchecking_hpp
