#ifndef popart_patterns_pattern_hpp
#define popart_patterns_pattern_hpp

#include <functional>
#include <map>
#include <memory>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/tensor.hpp>
#include <popart/tensorindex.hpp>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <vector>

namespace popart {

/// A rewriting of the graph.
class Pattern {
 public:
  virtual ~Pattern() = default;
  const std::string& getPatternName() const;

 protected:
  std::string getReplacementOpName(Op* op, const std::string name) const;
  void transferBaseProperties(const Op* from, Op* to) const;
};

/// A pattern that runs before any op is made in place.
class PreAliasPattern : public Pattern {
 public:
  virtual bool matches(Op* op) const = 0;
  /// The tensors that it takes away or changes.
  virtual std::vector<const Tensor*> touches(Op* op) const = 0;
  /// Whether it changed anything.
  virtual bool apply(Op* op) const = 0;
  bool touchesAnchored(Op* op) const;
  /// A new op of the graph with the settings of another. Throws `error` where there is no such
  /// operator.
  Op* makeReplacementOpInIr(const OperatorIdentifier& opid, Op* oldOp,
                            const std::string name = "") const;
};

/// The patterns that there are.
class PreAliasPatternManager {
 public:
  using Factory = std::function<std::unique_ptr<PreAliasPattern>()>;
  static void registerPattern(std::type_index type, const std::string& name, bool enabled,
                              Factory factory);
  static const std::string& getPatternName(std::type_index type);
  /// Those that an Ir runs, where `settings` by name go before how they were registered.
  static std::vector<std::unique_ptr<PreAliasPattern>> enabled(
      const std::map<std::string, bool>& settings);
};

/// A static object of this class registers a pattern as the library that has it is loaded.
template <class PATTERN>
class PatternCreator {
 public:
  explicit PatternCreator(const std::string& name, bool enabled = true,
                          bool /*mandatory*/ = false) {
    PreAliasPatternManager::registerPattern(std::type_index(typeid(PATTERN)), name, enabled, [] {
      return std::unique_ptr<PreAliasPattern>(new PATTERN());
    });
  }
};

}  // namespace popart

#endif  // popart_patterns_pattern_hpp
