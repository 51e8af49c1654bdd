#ifndef popart_sessionoptions_hpp
#define popart_sessionoptions_hpp

#include <algorithm>  // as in PopART
#include <cassert>    // as in PopART
#include <cmath>      // as in PopART
#include <cstdint>
#include <functional>  // as in PopART
#include <iostream>    // as in PopART
#include <iterator>    // as in PopART
#include <limits>      // as in PopART
#include <map>
#include <memory>     // as in PopART
#include <numeric>    // as in PopART
#include <set>        // as in PopART
#include <sstream>    // as in PopART
#include <stdexcept>  // as in PopART
#include <string>
#include <tuple>          // as in PopART
#include <unordered_set>  // as in PopART
#include <vector>

namespace popart {

/// The options of a session that the emulation acts on.
struct SessionOptions {
  std::map<std::string, std::string> engineOptions;
  /// Files that are added to every graph, and the flags that they are compiled with.
  std::vector<std::string> customCodelets;
  std::string customCodeletCompileFlags;
  /// Refuse an output that is an input in place without saying so in Op::aliases.
  bool opxAliasChecking = false;
  /// By the names of patterns: whether they run. A pattern that is not named runs where its
  /// PatternCreator says so.
  std::map<std::string, bool> patterns;

  /// Of an op's own collectives: there are no replicas.
  std::int64_t getGlobalReplicationFactor() const { return 1; }
};

}  // namespace popart

#endif  // popart_sessionoptions_hpp
