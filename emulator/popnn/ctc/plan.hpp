#pragma once
#include <popnn/CTCPlan.hpp>
#include <vector>

namespace popnn {
namespace ctc {

// The sizes that a plan was made for.
class Plan::Impl {
 public:
  bool loss;  // else inference
  std::vector<unsigned> sizes;
};

// Throw poplibs_error where the plan is not of the kind.
void checkLossPlan(const Plan& plan);
void checkInferencePlan(const Plan& plan);

}  // namespace ctc
}  // namespace popnn
