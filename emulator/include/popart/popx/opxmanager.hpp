#ifndef popart_popx_opxmanager_hpp
#define popart_popx_opxmanager_hpp

#include <functional>
#include <memory>
#include <popart/error.hpp>
#include <popart/names.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/popx/opx.hpp>
#include <string>
#include <vector>

namespace popart {
namespace popx {

class Devicex;

/// The Opx of each operator.
class OpxManager {
 public:
  using OpxFactoryFunc = std::function<std::unique_ptr<Opx>(Op* op, Devicex* devicex)>;
  /// The first of two registrations of an operator stays, as of the operator itself.
  static void registerOpx(const OperatorIdentifier& opid, OpxFactoryFunc factory);
  /// Null where the operator has none.
  static std::unique_ptr<Opx> createOpx(Op* op, Devicex* devicex);
};

/// A static object of this class registers an Opx as the library that has it is loaded.
template <class OPX>
class OpxCreator {
 public:
  OpxCreator(const OperatorIdentifier& opid) { registerAll({opid}, make); }
  OpxCreator(const std::vector<OperatorIdentifier>& opids) { registerAll(opids, make); }
  /// For operators that have none: why not.
  OpxCreator(const OperatorIdentifier& opid, std::string message) {
    registerAll({opid}, refuse(message));
  }
  OpxCreator(const std::vector<OperatorIdentifier>& opids, std::string message) {
    registerAll(opids, refuse(message));
  }
  OpxCreator(const OperatorIdentifier& opid, OpxManager::OpxFactoryFunc factory) {
    registerAll({opid}, factory);
  }
  OpxCreator(const std::vector<OperatorIdentifier>& opids, OpxManager::OpxFactoryFunc factory) {
    registerAll(opids, factory);
  }

 private:
  static std::unique_ptr<Opx> make(Op* op, Devicex* devicex) {
    return std::unique_ptr<Opx>(new OPX(op, devicex));
  }
  static OpxManager::OpxFactoryFunc refuse(const std::string& message) {
    return [message](Op*, Devicex*) -> std::unique_ptr<Opx> { throw error(message); };
  }
  static void registerAll(const std::vector<OperatorIdentifier>& opids,
                          const OpxManager::OpxFactoryFunc& factory) {
    for (const OperatorIdentifier& opid : opids) OpxManager::registerOpx(opid, factory);
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_opxmanager_hpp
