#ifndef popart_sessionoptions_hpp
#define popart_sessionoptions_hpp

#include <cstdint>
#include <map>
#include <string>
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
