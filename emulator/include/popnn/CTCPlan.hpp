#ifndef popnn_CTCPlan_hpp
#define popnn_CTCPlan_hpp

#include <memory>
#include <ostream>
#include <poputil/DebugInfo.hpp>

namespace popnn {
namespace ctc {

/// What plan() of the loss or of inference was called with: neither takes that of the other.
class Plan {
 public:
  Plan();
  ~Plan();
  Plan(const Plan& other);
  Plan(Plan&& other);
  Plan& operator=(const Plan& other);
  Plan& operator=(Plan&& other);

  friend bool operator<(const Plan& a, const Plan& b);
  friend bool operator==(const Plan& a, const Plan& b);
  friend std::ostream& operator<<(std::ostream& o, const Plan& p);

  class Impl;
  Impl& getImpl() const { return *impl; }
  Plan(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl;
};

bool operator<(const Plan& a, const Plan& b);
bool operator==(const Plan& a, const Plan& b);
bool operator!=(const Plan& a, const Plan& b);

}  // namespace ctc
}  // namespace popnn

#endif  // popnn_CTCPlan_hpp
