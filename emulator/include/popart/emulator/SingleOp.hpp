// The emulator's own: one operator, compiled and run by itself. A front end that computes the rest
// of a model elsewhere dispatches custom operators through it. PopART has no such header.
#ifndef popart_emulator_SingleOp_hpp
#define popart_emulator_SingleOp_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <popart/attributes.hpp>
#include <popart/ir.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/tensorinfo.hpp>
#include <string>
#include <vector>

namespace popart {
namespace emulator {

/// A modelled device, and how graphs are compiled for it.
struct DeviceOptions {
  std::string model = "ipu2";
  unsigned ipus = 1;
  unsigned tilesPerIpu = 0;  // 0: all that the model has
  SessionOptions session;

  std::string key() const;
};

/// The source of an input of a gradient op; empty where it is omitted or the random seed.
struct GradientInput {
  bool connected = false;
  GradOpInType type = GradOpInType::In;
  int index = 0;  // of the op's input or output
};

/// An operator with types and shapes of inputs. Threads may share it.
class SingleOp {
 public:
  /// Inputs that are not set are left out. The same arguments give the same op. Throws `error`
  /// where there is no such operator, attributes or inputs are not what it takes, or setup() does.
  static std::shared_ptr<SingleOp> make(const OperatorIdentifier& opid,
                                        const Attributes& attributes,
                                        const std::vector<TensorInfo>& inputs, int numOutputs);
  /// Forgets what make() made; who has an op keeps it.
  static void clear();

  const OperatorIdentifier& opid() const { return op_->opid; }
  /// By index; not set where left out or the random seed.
  const std::vector<TensorInfo>& inputs() const { return inputs_; }
  const std::vector<TensorInfo>& outputs() const { return outputs_; }
  bool takesSeed() const { return !seedId_.empty(); }
  std::vector<InIndex> optionalInputs() const;
  /// Inputs that it writes in place.
  const std::vector<InIndex>& modified() const { return modified_; }
  std::vector<std::pair<InIndex, OutIndex>> aliases() const;
  std::string attributes() const;

  /// Its gradient ops; of each, what the inputs are, and for outputs by index the input whose
  /// gradient it is.
  const std::vector<std::shared_ptr<SingleOp>>& gradients();
  const std::vector<GradientInput>& gradientInputs() const { return gradientInputs_; }
  const std::map<int, InIndex>& gradientOutputs() const { return gradientOutputs_; }

  /// Buffers are whole tensors, by index: null where an input is not set. `modified` are buffers
  /// for inputs that it writes in place, as they are afterwards. Compiled once for each device.
  void run(const DeviceOptions& device, const std::vector<const void*>& in,
           const std::vector<void*>& out, const std::map<InIndex, void*>& modified,
           std::uint64_t seed);
  /// Modelled, of the last run, without the host's exchanges. Throws `error` before the first run,
  /// and poplar's missing_perf_estimate where a vertex has no estimate.
  std::uint64_t cycles();

  ~SingleOp();

 private:
  struct Compiled;
  SingleOp();
  void connect(std::unique_ptr<Op> op, const std::map<InIndex, TensorInfo>& in, InIndex seed,
               const std::vector<OutIndex>& out);
  std::unique_ptr<SingleOp> gradient(std::unique_ptr<Op> op) const;
  Compiled& compiled(const DeviceOptions& device);

  std::shared_ptr<Ir> ir_;
  Op* op_ = nullptr;
  // Of a gradient: the op, whose Opx adds codelets that both use.
  std::shared_ptr<Ir> forwardIr_;
  Op* forward_ = nullptr;
  std::vector<TensorInfo> inputs_, outputs_;
  std::vector<TensorId> outputIds_;
  TensorId seedId_;
  InIndex seedIndex_ = -1;
  std::vector<InIndex> modified_;
  std::vector<GradientInput> gradientInputs_;
  std::map<int, InIndex> gradientOutputs_;

  std::mutex mutex_;
  bool hasGradients_ = false;
  std::vector<std::shared_ptr<SingleOp>> gradients_;
  std::map<std::string, std::unique_ptr<Compiled>> compiled_;  // by the device's key
  Compiled* last_ = nullptr;
};

}  // namespace emulator
}  // namespace popart

#endif  // popart_emulator_SingleOp_hpp
