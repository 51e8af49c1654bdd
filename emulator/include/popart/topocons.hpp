#ifndef popart_topocons_hpp
#define popart_topocons_hpp

#include <iosfwd>
#include <map>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/pointercomparators.hpp>
#include <set>
#include <vector>

namespace popart {

class Tensor;

/// The other op of a constraint. Tied ops run one right after the other.
class TopoOp {
 public:
  TopoOp(Op* op_, bool tied_ = false) : op(op_), tied(tied_) {}
  TopoOp() = delete;
  bool operator<(const TopoOp& other) const { return op->id < other.op->id; }

  Op* op;
  bool tied;
};

/// The order of ops of a graph beyond that of their tensors. Graph::getOpSchedule keeps it; where
/// ops are tied, it keeps their order.
class TopoCons {
 public:
  /// Throw `error` for an op before itself, and where the opposite is there already.
  void insert(Op* before, Op* after, bool tied = false);
  void insert(const OpsBeforeKey& ops, bool tied = false);
  void remove(Op* op);
  void remove(Op* before, Op* after);

  /// Gives what holds for one op to others.
  void transfer(Op* from, Op* to, bool removeOld = true);
  void transferToMultiple(Op* from, const std::vector<Op*>& to, bool removeOld = true);
  static void transferToSubgraph(Op* replacement, std::map<Op*, std::vector<Op*>, POpCmp> remaps,
                                 bool removeOld = true);

  bool hasConstraint(Op* op);
  bool contains(Op* before, Op* after) const;
  std::vector<Op*> getAfters(Op* before) const;
  std::vector<Op*> getBefores(Op* after) const;
  std::vector<Op*> getTiedAfters(Op* before) const;
  std::vector<Op*> getTiedBefores(Op* after) const;
  /// The constraints that make `last` the last consumer of a tensor. Throws `error` where it is
  /// none.
  OpsBeforeKey finalConsumerCons(const Tensor* consumed, Op* last) const;

  const std::map<Op*, std::set<TopoOp>, POpCmp>& getValsAfter() const { return after_; }
  const std::map<Op*, std::set<TopoOp>, POpCmp>& getValsBefore() const { return before_; }

 private:
  std::map<Op*, std::set<TopoOp>, POpCmp> after_, before_;
};

std::ostream& operator<<(std::ostream& stream, const TopoCons& constraints);

}  // namespace popart

#endif  // popart_topocons_hpp
