#ifndef popart_scope_hpp
#define popart_scope_hpp

#include <ostream>
#include <popart/names.hpp>
#include <string>
#include <vector>

namespace popart {

/// Names that nest: those of the subgraphs around an Op.
class Scope {
 public:
  bool empty() const { return names_.empty(); }
  std::size_t depth() const { return names_.size(); }
  std::string str() const;
  Scope operator/(const std::string& name) const;
  const std::vector<std::string> getScopeNames() const { return names_; }
  bool operator==(const Scope& other) const { return names_ == other.names_; }
  bool operator!=(const Scope& other) const { return names_ != other.names_; }

 private:
  std::vector<std::string> names_;
};

std::ostream& operator<<(std::ostream& out, const Scope& scope);

}  // namespace popart

#endif  // popart_scope_hpp
