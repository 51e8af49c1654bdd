#ifndef popops_SortOrder_hpp
#define popops_SortOrder_hpp

#include <ostream>

namespace popops {

enum class SortOrder { NONE, ASCENDING, DESCENDING };

std::ostream& operator<<(std::ostream& out, const SortOrder& order);

}  // namespace popops

#endif  // popops_SortOrder_hpp
