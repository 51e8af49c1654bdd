// popsnn._popart.session: PopART's models and sessions, as its Python module has them.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <popart/builder.hpp>
#include <popart/devicemanager.hpp>
#include <popart/ndarraywrapper.hpp>
#include <popart/session.hpp>
#include <popart/sgd.hpp>
#include <popart/stepio.hpp>
#include <popart/tensornames.hpp>

#include "popart_attributes.hpp"

namespace py = pybind11;

using namespace popart;

namespace {

using Arrays = std::map<TensorId, py::array>;
using Text = std::map<std::string, py::object>;

TensorInfo infoOf(const py::array& array) {
  const std::string type = py::str(array.dtype());
  return TensorInfo(type, Shape(array.shape(), array.shape() + array.ndim()));
}

// A contiguous array of NumPy, kept alive; its TensorInfo has type and shape.
class NumpyArray final : public NDArrayWrapper<char> {
 public:
  explicit NumpyArray(py::array array)
      : NDArrayWrapper(static_cast<char*>(const_cast<void*>(array.data())), infoOf(array)),
        array_(std::move(array)) {}

 private:
  py::array array_;
};

// Takes inputs from NumPy's arrays and puts anchors into others, batch by batch.
class PyStepIO : public IStepIO {
 public:
  PyStepIO(const Arrays& inputs, const Arrays& outputs) {
    std::map<TensorId, IArray&> in, out;
    for (const auto& input : inputs)
      in.insert({input.first, keep(py::array::ensure(input.second, py::array::c_style))});
    for (const auto& output : outputs) {
      if (!(output.second.flags() & py::array::c_style) || !output.second.writeable())
        throw error("PyStepIO: anchor '{}': expected a contiguous array to write to, got another",
                    output.first);
      out.insert({output.first, keep(output.second)});
    }
    io_.reset(new StepIO(in, out));
  }

  ConstVoidData in(TensorId id, std::int64_t n, bool prefetch, const bool broadcast) final {
    return io_->in(id, n, prefetch, broadcast);
  }
  void inComplete(TensorId id, std::int64_t n, const bool broadcast) final {
    io_->inComplete(id, n, broadcast);
  }
  MutableVoidData out(TensorId id, std::int64_t n) final { return io_->out(id, n); }

 private:
  IArray& keep(py::array array) {
    arrays_.emplace_back(new NumpyArray(std::move(array)));
    return *arrays_.back();
  }
  std::vector<std::unique_ptr<NumpyArray>> arrays_;
  std::unique_ptr<StepIO> io_;
};

std::map<std::string, std::string> texts(const Text& values) {
  std::map<std::string, std::string> out;
  for (const auto& value : values) out[value.first] = py::str(value.second);
  return out;
}

// An array for each anchor, with a dimension of fetches where there are several.
py::dict initAnchorArrays(const Session& session) {
  py::dict out;
  for (const TensorId& id : session.getDataFlow().anchors()) {
    const TensorInfo info = session.getInfo(id);
    Shape shape = info.shape();
    const int fetches = session.getDataFlow().numOutFetches(id);
    if (fetches > 1) shape.insert(shape.begin(), fetches);
    out[py::str(id)] = py::array(py::dtype(info.data_type_lcase()), shape);
  }
  return out;
}

py::dict weights(Session& session) {
  py::dict out;
  WeightsIO io;
  for (Tensor* t : session.getIr().getMainGraph().getTensors().getOfType(TensorType::Variable)) {
    py::array array(py::dtype(t->info.data_type_lcase()), t->info.shape());
    io.insert(t->id, MutableVoidData(array.mutable_data(), t->info));
    out[py::str(t->id)] = array;
  }
  session.readWeights(io);
  return out;
}

void registerEnums(py::module_& m) {
  py::enum_<DeviceType>(m, "DeviceType")
      .value("IpuModel", DeviceType::IpuModel)
      .value("Cpu", DeviceType::Cpu)
      .value("Ipu", DeviceType::Ipu)
      .value("OfflineIpu", DeviceType::OfflineIpu)
      .value("Sim", DeviceType::Sim);
  py::enum_<SyncPattern>(m, "SyncPattern")
      .value("Full", SyncPattern::Full)
      .value("SinglePipeline", SyncPattern::SinglePipeline)
      .value("ReplicaAndLadder", SyncPattern::ReplicaAndLadder);
  py::enum_<DeviceConnectionType>(m, "DeviceConnectionType")
      .value("Always", DeviceConnectionType::Always)
      .value("OnDemand", DeviceConnectionType::OnDemand)
      .value("Never", DeviceConnectionType::Never);
  py::enum_<DeviceSelectionCriterion>(m, "DeviceSelectionCriterion")
      .value("First", DeviceSelectionCriterion::First)
      .value("Random", DeviceSelectionCriterion::Random);
  py::enum_<ReductionType>(m, "ReductionType")
      .value("Sum", ReductionType::Sum)
      .value("Mean", ReductionType::Mean)
      .value("NoReduction", ReductionType::NoReduction);
}

void registerDevices(py::module_& m) {
  py::class_<DeviceInfo, std::shared_ptr<DeviceInfo>>(m, "DeviceInfo")
      .def_property_readonly("type", &DeviceInfo::getType)
      .def_property_readonly("id", &DeviceInfo::getId)
      .def_property_readonly("numIpus", &DeviceInfo::getNumIpus)
      .def_property_readonly("tilesPerIPU", &DeviceInfo::getTilesPerIPU)
      .def_property_readonly("tilesPerIpu", &DeviceInfo::getTilesPerIPU)
      .def_property_readonly("ipuVersion", &DeviceInfo::getIpuVersion)
      .def("attach", &DeviceInfo::attach)
      .def("detach", &DeviceInfo::detach)
      .def_property_readonly("isAttached", &DeviceInfo::isAttached)
      .def("__enter__", [](std::shared_ptr<DeviceInfo> device) { return device; })
      .def("__exit__", [](DeviceInfo& device, const py::args&) { device.detach(); })
      .def("__repr__", &DeviceInfo::toString);
  py::class_<DeviceManager, std::unique_ptr<DeviceManager, py::nodelete>>(m, "DeviceManager")
      .def(py::init([] { return &DeviceManager::createDeviceManager(); }))
      .def("createCpuDevice", &DeviceManager::createCpuDevice)
      .def("createIpuModelDevice",
           [](DeviceManager& manager, const Text& options) {
             return manager.createIpuModelDevice(texts(options));
           })
      .def("enumerateDevices", &DeviceManager::enumerateDevices,
           py::arg("pattern") = SyncPattern::Full, py::arg("numIpus") = 1,
           py::arg("deviceType") = DeviceType::Ipu,
           py::arg("connectionType") = DeviceConnectionType::Always, py::arg("tilesPerIPU") = 0)
      .def("tryAcquireAvailableDevice", &DeviceManager::tryAcquireAvailableDevice,
           py::arg("numIpus") = 1, py::arg("tilesPerIpu") = 0,
           py::arg("pattern") = SyncPattern::Full,
           py::arg("connectionType") = DeviceConnectionType::Always,
           py::arg("selectionCriterion") = DeviceSelectionCriterion::First)
      .def("acquireAvailableDevice", &DeviceManager::acquireAvailableDevice, py::arg("numIpus") = 1,
           py::arg("tilesPerIpu") = 0, py::arg("pattern") = SyncPattern::Full,
           py::arg("connectionType") = DeviceConnectionType::Always,
           py::arg("selectionCriterion") = DeviceSelectionCriterion::First)
      .def("setOnDemandAttachTimeout", &DeviceManager::setOnDemandAttachTimeout);
}

void registerBuilder(py::module_& m) {
  py::class_<TensorInfo>(m, "TensorInfo", "The type and shape of a tensor.")
      .def(py::init<std::string, const Shape&>(), py::arg("dataType"), py::arg("shape"))
      .def("shape", &TensorInfo::shape)
      .def("data_type_lcase", &TensorInfo::data_type_lcase)
      .def("__repr__", [](const TensorInfo& info) { return logging::format("{}", info); });
  py::class_<AiGraphcoreOpset1>(m, "AiGraphcoreOpset1")
      .def(
          "l1loss",
          [](AiGraphcoreOpset1& opset, const std::vector<TensorId>& args, float lambda,
             ReductionType reduction,
             const std::string& name) { return opset.l1loss(args, lambda, reduction, name); },
          py::arg("args"), py::arg("lambda"), py::arg("reduction") = ReductionType::Mean,
          py::arg("debugContext") = "");
  py::class_<AiOnnxOpset11>(m, "AiOnnxOpset11")
      .def(
          "identity",
          [](AiOnnxOpset11& opset, const std::vector<TensorId>& args, const std::string& name) {
            return opset.identity(args, name);
          },
          py::arg("args"), py::arg("debugContext") = "")
      .def(
          "sum",
          [](AiOnnxOpset11& opset, const std::vector<TensorId>& args, const std::string& name) {
            return opset.sum(args, name);
          },
          py::arg("args"), py::arg("debugContext") = "");
  py::class_<Builder>(m, "Builder", "Writes a model.")
      .def(py::init(&Builder::create))
      .def(
          "addInputTensor",
          [](Builder& builder, const TensorInfo& info, const std::string& name) {
            return builder.addInputTensor(info, name);
          },
          py::arg("tensorInfo"), py::arg("debugContext") = "")
      .def(
          "addInputTensor",
          [](Builder& builder, const std::string& type, const Shape& shape,
             const std::string& name) { return builder.addInputTensor(type, shape, name); },
          py::arg("dataType"), py::arg("shape"), py::arg("debugContext") = "")
      .def(
          "addInitializedInputTensor",
          [](Builder& builder, const py::array& values, const std::string& name) {
            const py::array array = py::array::ensure(values, py::array::c_style);
            return builder.addInitializedInputTensor(ConstVoidData(array.data(), infoOf(array)),
                                                     name);
          },
          py::arg("initVal"), py::arg("debugContext") = "")
      .def("addOutputTensor", &Builder::addOutputTensor)
      .def(
          "customOp",
          [](Builder& builder, const std::string& name, int version, const std::string& domain,
             const std::vector<TensorId>& inputs, const py::dict& attributes, unsigned outputs,
             const std::string& debug) {
            return builder.customOp(
                OperatorIdentifier(domain, name, static_cast<OpVersion>(version)), version, inputs,
                outputs, to_attributes(attributes), debug);
          },
          py::arg("opName"), py::arg("opVersion"), py::arg("domain"), py::arg("inputs"),
          py::arg("attributes") = py::dict(), py::arg("numOutputs") = 1,
          py::arg("debugContext") = "")
      .def_property_readonly("aiGraphcore",
                             py::cpp_function(&Builder::aiGraphcoreOpset1, py::keep_alive<0, 1>()))
      .def_property_readonly("aiGraphcoreOpset1",
                             py::cpp_function(&Builder::aiGraphcoreOpset1, py::keep_alive<0, 1>()))
      .def_property_readonly("aiOnnx",
                             py::cpp_function(&Builder::aiOnnxOpset11, py::keep_alive<0, 1>()))
      .def("getTensorShape", &Builder::getTensorShape)
      .def("getTensorDtypeString", &Builder::getTensorDtypeString)
      .def("getInputTensorIds", &Builder::getInputTensorIds)
      .def("getOutputTensorIds", &Builder::getOutputTensorIds)
      .def("getModelProto",
           [](const Builder& builder) { return py::bytes(builder.getModelProto()); });
}

void registerFlow(py::module_& m) {
  py::class_<AnchorReturnType>(m, "AnchorReturnType")
      .def(py::init<std::string, int>(), py::arg("anchorReturnTypeString"),
           py::arg("returnPeriod") = 0)
      .def("id", &AnchorReturnType::str)
      .def("rp", &AnchorReturnType::rp);
  py::class_<DataFlow>(m, "DataFlow")
      .def(py::init<int>(), py::arg("batchesPerStep"))
      .def(py::init<int, const AnchorReturnTypeMap&>(), py::arg("batchesPerStep"),
           py::arg("anchorTensors"))
      .def(py::init<int, const std::vector<TensorId>, const AnchorReturnType&>(),
           py::arg("batchesPerStep"), py::arg("anchorIds"),
           py::arg("anchorReturnType") = AnchorReturnType("All"))
      .def("anchors", &DataFlow::anchors)
      .def("batchesPerStep", &DataFlow::batchesPerStep);
  py::class_<IStepIO>(m, "IStepIO");
  py::class_<PyStepIO, IStepIO>(m, "PyStepIO")
      .def(py::init<const Arrays&, const Arrays&>(), py::arg("inputs"), py::arg("outputs"));
  py::class_<Optimizer>(m, "Optimizer");
  py::class_<SGD, Optimizer>(m, "SGD").def(
      py::init<const std::map<std::string, std::pair<float, bool>>&>(), py::arg("values"));
  py::class_<ConstSGD, SGD>(m, "ConstSGD")
      .def(py::init<float, float, float>(), py::arg("learningRate"), py::arg("weightDecay") = 0.0f,
           py::arg("lossScaling") = 1.0f);
  py::class_<SessionOptions>(m, "SessionOptions")
      .def(py::init<>())
      .def_readwrite("engineOptions", &SessionOptions::engineOptions)
      .def_readwrite("customCodelets", &SessionOptions::customCodelets)
      .def_readwrite("customCodeletCompileFlags", &SessionOptions::customCodeletCompileFlags)
      .def_readwrite("opxAliasChecking", &SessionOptions::opxAliasChecking);
}

template <class S>
py::class_<S> registerSession(py::module_& m, const char* name) {
  return py::class_<S>(m, name)
      .def("prepareDevice", [](S& s) { s.prepareDevice(); })
      .def("initAnchorArrays", [](const S& s) { return initAnchorArrays(s); })
      .def(
          "run", [](S& s, IStepIO& io, const std::string& name) { s.run(io, name); },
          py::arg("stepio"), py::arg("debugName") = "")
      .def("weightsFromHost", [](S& s) { s.weightsFromHost(); })
      .def("weightsToHost", [](S& s) { s.weightsToHost(); })
      .def(
          "weights", [](S& s) { return weights(s); }, "Those that weightsToHost brought.")
      .def("getInfo", [](const S& s, const TensorId& id) { return s.getInfo(id); })
      .def("setRandomSeed", [](S& s, std::uint64_t seed) { s.setRandomSeed(seed); })
      .def(
          "getCycleCount", [](S& s, const std::string& id) { return s.getCycleCount(id); },
          py::arg("id") = "", "Modelled, of the last batch.");
}

void registerSessions(py::module_& m) {
  registerSession<InferenceSession>(m, "InferenceSession")
      .def(py::init([](const py::bytes& model, const DataFlow& flow,
                       std::shared_ptr<DeviceInfo> device, const SessionOptions& options) {
             return InferenceSession::createFromOnnxModel(model, flow, device, InputShapeInfo(),
                                                          options);
           }),
           py::arg("fnModel"), py::arg("dataFlow"), py::arg("deviceInfo"),
           py::arg("userOptions") = SessionOptions());
  registerSession<TrainingSession>(m, "TrainingSession")
      .def(py::init([](const py::bytes& model, const DataFlow& flow, const TensorId& loss,
                       const Optimizer& optimizer, std::shared_ptr<DeviceInfo> device,
                       const SessionOptions& options) {
             return TrainingSession::createFromOnnxModel(model, flow, loss, optimizer, device,
                                                         InputShapeInfo(), options);
           }),
           py::arg("fnModel"), py::arg("dataFlow"), py::arg("loss"), py::arg("optimizer"),
           py::arg("deviceInfo"), py::arg("userOptions") = SessionOptions())
      .def("updateOptimizerFromHost", [](TrainingSession& s, const Optimizer& optimizer) {
        s.updateOptimizerFromHost(&optimizer);
      });
}

}  // namespace

void register_popart_session(py::module_& module) {
  py::module_ m = module.def_submodule("session", "PopART's models and sessions.");
  registerEnums(m);
  registerDevices(m);
  registerBuilder(m);
  registerFlow(m);
  registerSessions(m);
  m.def("reservedGradientPrefix", [] { return std::string(reservedGradientPrefix()); });
}
