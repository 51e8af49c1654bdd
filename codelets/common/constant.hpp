// A number as a type: a call of its object is a constant, in a generic lambda too.
#pragma once

namespace popsnn {

template <unsigned number>
struct Constant {
  constexpr unsigned operator()() const { return number; }
};

}  // namespace popsnn
