"""The public Poplar programs that the emulator must run unchanged, and what each must do.

Nothing of them is kept here: the runner takes them from checkouts that it is given.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Sequence

EXAMPLES = ("graphcore/examples", "3cc8f81")
COOKBOOK = ("UoB-HPC/ipu-hpc-cookbook", "96a37c2")
TESSELLATE = ("graphcore-research/tessellate-ipu", "3ab241f")
POPLIBS = ("graphcore/poplibs", "7eac0f2")
POPART = ("graphcore/popart", "d2f20d7")
ADDONS = ("graphcore-research/poptorch-experimental-addons", "beb1267")
POPTORCH = ("graphcore/poptorch", "c2a8b17")
ORIGINAL = ("jrfinkbeiner/graphcore_snn", "0d81a25")

TUTORIALS = "tutorials/tutorials/poplar"
FEATURES = "tutorials/feature_examples/poplar"
CUSTOM_OPS = "tutorials/feature_examples/pytorch/custom_op"
ATTRIBUTES = "tests/integration/customop_attr_pylist_tests"
PYTEST = "{python} -m pytest -q -p no:cacheprovider"
CUBED = [r"Output Data: \{0\.027, 19\.683, 1\.728, 125\}"]
CUBED += [r"Input Grad:  \{0\.00081, 0\.59049, 0\.05184, 3\.75\}"]
# The recipes' common header needs an older g++ for its [&] outside functions and its `auto`
# parameters: the first is mended, the second is -fconcepts.
CMAKE = (
    "sed -i 's/= \\[&\\](Tensor /= [](Tensor /' {utilities} && "
    "CXXFLAGS=-fconcepts cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && "
    "cmake --build build --target {target} -j2"
)


@dataclass(frozen=True)
class Program:
    """One program: how a user builds and runs it, in shell, and what it prints.

    `number` is its row in the table of docs/reference/conformance.md. `build` runs in `folder` of
    the checkout, `run` in `folder/run_in`. `expect` are regular expressions that the output, both
    streams together, must match; `fails` says that the exit status must not be 0.
    """

    number: str
    name: str
    source: Sequence[str]  # repository, commit
    paths: Sequence[str]
    folder: str
    build: str
    run: str
    run_in: str = "."
    expect: Sequence[str] = ()
    fails: bool = False
    headers: Sequence[str] = ()  # of Debian packages that it includes
    heavy: str = ""  # what it takes, where that is much
    seconds: int = 300
    environment: Sequence[str] = field(default_factory=tuple)

    @property
    def id(self) -> str:
        return f"{self.number}-{self.name}"


def tutorial(
    number: str, name: str, folder: str, build: str, run: str, expect: Sequence[str], **more: object
) -> Program:
    path = f"{TUTORIALS}/{folder.split('/')[0]}"
    return Program(
        number, name, EXAMPLES, [path], f"{TUTORIALS}/{folder}", build, run, expect=expect, **more
    )


# The sources count on an older fmt than Debian's, which formats what has operator<< by itself.
POPLIBS_FLAGS = (
    "-O1 -std=c++17 -DFMT_DEPRECATED_OSTREAM -include spdlog/fmt/ostr.h -include fmt/ranges.h "
    "-DBOOST_TEST_DYN_LINK -I{here}/shim"
)
POPLIBS_LIBRARIES = "-lpoplar -lboost_unit_test_framework -lboost_program_options -lspdlog -lfmt"


def poplibs(
    number: str, test: str, own_poputil: bool = False, arguments: Sequence[str] = ()
) -> Program:
    """A test of poplibs, on the emulator's libraries or on poplibs' own poputil.

    It is one of Boost, or a program that is run with each of the `arguments`.
    """
    name = test.split("/")[-1]
    includes = "-Iinclude -Ilib/poputil" if own_poputil else "-idirafter include"
    support = "lib/poplibs_support/logging.cpp"
    sources = (
        f"lib/poputil/*.cpp {support}"
        if own_poputil
        else (f"lib/poplibs_support/TestDevice.cpp {support}")
    )
    libraries = "-ltbb" if own_poputil else "-lpopnn -lpoplin -lpopops -lpoputil"
    device = "--device-type IpuModel2"
    runs = [f"./{name} {device} {words} || exit 1" for words in arguments]
    return Program(
        number,
        name,
        POPLIBS,
        ["include", "lib/poputil", "lib/poplibs_support", test.rsplit("/", 1)[0]],
        ".",
        f"g++ {POPLIBS_FLAGS} {includes} {test}.cpp {sources} {libraries} {POPLIBS_LIBRARIES} "
        f"-o {name}",
        "; ".join(runs) or f"./{name} -- {device}",
        expect=[] if runs else ["No errors detected"],
        headers=["boost/test/unit_test.hpp", "spdlog/spdlog.h", "tbb/parallel_for.h"],
    )


def poplibs_checked(number: str, test: str, arguments: Sequence[str] = ()) -> Program:
    """A test or tool of poplibs that needs poplibs' own test support, which is public but for one
    header."""
    name = test.split("/")[-1]
    support = ("poplibs_support/TestDevice", "poplibs_support/logging", "poplibs_test/Util")
    sources = " ".join(f"lib/{file}.cpp" for file in support)
    # Tests of Boost are told their device on the command line where this is defined.
    target = "" if arguments else "-DTEST_WITH_TARGET "
    flags = POPLIBS_FLAGS.replace("{here}/shim", "{here}/closed")
    device = "--device-type IpuModel2"
    runs = [f"./{name} {device} {words} || exit 1" for words in arguments]
    return Program(
        number,
        name,
        POPLIBS,
        ["include", "lib/poplibs_support", "lib/poplibs_test/Util.cpp", test.rsplit("/", 1)[0]],
        ".",
        f"g++ {flags} {target}-idirafter include -c {test}.cpp -o {name}.o && "
        f"g++ {flags} -idirafter include {name}.o {sources} -lpopfloat -lpopnn -lpoplin "
        f"-lpopops -lpoputil {POPLIBS_LIBRARIES} -lboost_filesystem -lboost_system -o {name}",
        "; ".join(runs) or f"./{name} -- {device}",
        expect=[] if runs else ["No errors detected"],
        headers=["boost/test/unit_test.hpp", "spdlog/spdlog.h", "boost/filesystem.hpp"],
    )


def recipe(
    number: str,
    name: str,
    folder: str,
    target: str,
    run: str,
    run_in: str = "build/src",
    **more: object,
) -> Program:
    return Program(
        number,
        name,
        COOKBOOK,
        [f"{folder}/CMakeLists.txt", f"{folder}/src", "common"],
        folder,
        CMAKE.format(target=target, utilities="../common/CommonIpuUtils.hpp"),
        run,
        run_in,
        **more,
    )


PROGRAMS = [
    tutorial(
        "1",
        "tut1_model",
        "tut1_variables/tests",
        "make tut1_ipu_model_complete",
        "./tut1_ipu_model_complete",
        [
            "Program complete",
            "h3 data:",
            "0 1 1.5 2",
            r"v4-0: \[0 1 2 3 4 5 6 7 8 9\]",
            r"v4-1: \[10 11 12 13 14 15 16 17 18 19\]",
        ],
    ),
    tutorial(
        "1",
        "tut1_hardware",
        "tut1_variables/tests",
        "make tut1_ipu_hardware_complete",
        "./tut1_ipu_hardware_complete",
        ["Attached to IPU", "Program complete", "0 1 1.5 2", r"v4-1: \[10 11 12 13 14 15"],
    ),
    tutorial(
        "2",
        "tut2",
        "tut2_operations/tests",
        "make",
        "./tut2_complete",
        [
            "Program complete",
            r"v3: \[\W+\[5.0000000 4.5000000\]\W+\[4.0000000 3.5000000\]\W+\]",
            r"v4: \[\W+\[9.0000000 7.5000000\]\W+\[6.0000000 4.5000000\]\W+\]",
            r"v5: \[\W+\[5.0000000 3.5000000\]\W+\[5.0000000 3.5000000\]\W+\]",
        ],
    ),
    tutorial(
        "3",
        "tut3",
        "tut3_vertices/tests",
        "make",
        "./tut3_complete",
        ["Program complete", r"v2: \[7.0000000 6.0000000 4.5000000 2.5000000\]"],
        run_in="../complete",
    ),
    tutorial(
        "4",
        "tut4_model",
        "tut4_profiling/tests",
        "make tut4_ipu_model",
        "./tut4_ipu_model",
        ["Program complete", "Memory Usage:"],
    ),
    tutorial(
        "4",
        "tut4_hardware",
        "tut4_profiling/tests",
        "make tut4_ipu_hardware",
        "./tut4_ipu_hardware",
        ["Program complete", "Memory Usage:"],
    ),
    tutorial(
        "5",
        "tut5_model",
        "tut5_matrix_vector/complete",
        "make tut5",
        "./tut5 40 50",
        ["Multiplying matrix of size 40x50 by vector of size 50", "Multiplication result OK"],
    ),
    tutorial(
        "5",
        "tut5_hardware",
        "tut5_matrix_vector/complete",
        "make tut5_ipu",
        "./tut5_ipu 40 50",
        ["Multiplying matrix of size 40x50 by vector of size 50", "Multiplication result OK"],
    ),
    tutorial(
        "-",
        "tut6_hardware",
        "tut6_matrix_vector_opt",
        "make",
        "./tut6 10000 1000 --device ipu",
        ["Worst cost seen: 53807", "Multiplication result OK"],
        headers=["boost/program_options.hpp"],
    ),
    tutorial(
        "-",
        "tut6_model_ipu1",
        "tut6_matrix_vector_opt",
        "make",
        "./tut6 10000 1000 --device model-ipu1",
        ["Worst cost seen: 64373", "Multiplication result OK"],
        headers=["boost/program_options.hpp"],
    ),
    Program(
        "6",
        "advanced_example_model",
        EXAMPLES,
        [f"{FEATURES}/advanced_example"],
        f"{FEATURES}/advanced_example",
        "make",
        "./example --model && ./example --model --profile && cat profile.txt",
        expect=["Using IPU model", "Results match.", "Memory Usage:"],
        headers=["boost/program_options.hpp"],
    ),
    Program(
        "6",
        "advanced_example_save_model",
        EXAMPLES,
        [f"{FEATURES}/advanced_example"],
        f"{FEATURES}/advanced_example",
        "make",
        "./example --model --save-exe --exe-name test",
        expect=["Exception: "],
        fails=True,
        headers=["boost/program_options.hpp"],
    ),
    Program(
        "6",
        "advanced_example_save_load",
        EXAMPLES,
        [f"{FEATURES}/advanced_example"],
        f"{FEATURES}/advanced_example",
        "make",
        "./example --save-exe --exe-name test && rm codelets.gp && "
        "./example --load-exe --exe-name test",
        expect=["Using HW device ID", "Results match.(?s:.)*Results match."],
        headers=["boost/program_options.hpp"],
    ),
    Program(
        "7",
        "mnist",
        EXAMPLES,
        ["tutorials/simple_applications/poplar/mnist"],
        "tutorials/simple_applications/poplar/mnist",
        "make && {python} {here}/digits.py .",
        "./regression-demo 1 1.0 && ./regression-demo 6 3.0",
        expect=["Using the IPU Model", r"Epoch 1 \(100%\)", r"Epoch 6 \(\d+%\), accuracy 9\d%"],
    ),
    recipe("8", "skeleton", "skeleton-program", "skeleton", "./skeleton", expect=["STEP 9"]),
    recipe(
        "9",
        "unstructured",
        "unstructured-neighbour-lists",
        "unstructured",
        "./unstructured",
        expect=["attached"],
    ),
    recipe(
        "10",
        "remote_buffers",
        "using-remote-buffers",
        "remote-buffers",
        "./remote-buffers",
        expect=["Copy final data from remote buffer and check"],
        heavy="about 9 GB of memory and minutes of two cores",
        seconds=1500,
    ),
    recipe(
        "-",
        "append_to_global_array",
        "appending-vals-to-a-global-array",
        "appending_to_global_arr",
        "./appending_to_global_arr",
    ),
    recipe(
        "-",
        "particles",
        "data-dependent-communication",
        "particles",
        "../build/src/particles",
        run_in="src",  # its codelets include a header that the build does not copy
        expect=["Running iteration 100:"],
    ),
    recipe(
        "-",
        "halo_approaches",
        "structured-halo-exchange",
        "halox_approaches",
        "for way in implicit explicitManyTensors explicitOneTensor explicitOneTensor2Wave "
        "explicitOneTensorGroupedDirs; do ./halox_approaches -n 2 -b 10 -h $way || exit 1; done",
        expect=["Running halo exchange iterations"],
    ),
    Program(
        "-",
        "prefetch",
        EXAMPLES,
        [f"{FEATURES}/prefetch"],
        f"{FEATURES}/prefetch",
        "make",
        "./prefetch",
        expect=["Set input callback", "Running", "complete", "prefetch"],
        headers=["boost/optional.hpp"],
    ),
    *(
        poplibs("12", f"tests/poputil/{test}", own_poputil=True)
        for test in (
            "UtilTest",
            "LargeSplitRegionsTest",
            "OptionParsingTest",
            "BroadcastToMatchTest",
        )
    ),
    *(
        poplibs("13", f"tests/{test}")
        for test in (
            "popops/LoopTest",
            "popops/CircBufTests",
            "popops/AllTrueTest",
            "poputil/GraphFunctionTest",
            "poplin/CholeskyTest",
            "poplin/MeshGridTest",
            "poplin/MultiConvolutionTest",
            "poplin/RangeTest",
            "popnn/NormStatisticsTest",
            "popnn/SpatialSoftmaxTest",
            "popnn/GraphProgLocationTest",
            "popnn/CTCLossPlanTest",
        )
    ),
    *(
        poplibs_checked("13", f"tests/popops/{test}")
        for test in ("RegroupTest", "HostSliceTensorTest", "SeqSliceTest", "ReduceEdgeCases")
    ),
    poplibs_checked("13", "tests/popops/ScatterUpdateTest"),
    poplibs_checked(
        "13",
        "tools/cast_to_gfloat",
        arguments=[
            "--input-size=40001 --tiles-per-ipu=16",
            "--input-size=40001 --tiles-per-ipu=32 --exp=4 --man=11 --bias=13 --round-mode=RN "
            "--enable-denorms=0",
            "--input-size=40001 --tiles-per-ipu=16 --exp=3 --man=4 --bias=3 --round-mode=RD "
            "--enable-infs-and-nans=0 --calc-type=FP32",
            "--input-size=40001 --tiles-per-ipu=100 --exp=5 --man=2 --bias=29 --round-mode=RD",
        ],
    ),
    poplibs(
        "13",
        "tests/poplin/LuFactorizationTest",
        arguments=[
            f"--height={m} --width={n} --data-type={t}"
            for m in (2, 8, 16)
            for n in (2, 8, 16)
            for t in ("float", "half")
        ],
    ),
    poplibs(
        "13",
        "tests/poplin/QRFactorizationTest",
        arguments=[f"--m={m} --n={n}" for m, n in ((8, 4), (8, 8), (16, 4), (16, 8), (128, 128))],
    ),
    poplibs(
        "13",
        "tests/poplin/TriangularSolveTest",
        arguments=[
            f"--type={t} --left-side={left} --lower={lower} --unit-diagonal={unit} "
            f"--block-solver={block} --k={k} --n={n}"
            for t in ("half", "float")
            for left in ("false", "true")
            for lower in ("false", "true")
            for unit in ("false", "true")
            for block in ("false", "true")
            for k in (1, 2, 3, 8)
            for n in (5, 8)
        ],
    ),
    Program(
        "16",
        "cube_op",
        EXAMPLES,
        [f"{CUSTOM_OPS}/cube_op_example"],
        f"{CUSTOM_OPS}/cube_op_example",
        "make",
        "./build/cube_fn_custom_op 0.3 2.7 1.2 5",
        expect=["Running the example on CPU", *CUBED],
    ),
    Program(
        "16",
        "cube_op_hardware",
        EXAMPLES,
        [f"{CUSTOM_OPS}/cube_op_example"],
        f"{CUSTOM_OPS}/cube_op_example",
        "make",
        "./build/cube_fn_custom_op --ipu 0.3 2.7 1.2 5",
        expect=["Running the example on IPU", *CUBED],
    ),
    Program(
        "16",
        "leaky_relu",
        EXAMPLES,
        [f"{CUSTOM_OPS}/leaky_relu_example"],
        f"{CUSTOM_OPS}/leaky_relu_example",
        "make",
        "{python} run_leaky_relu.py --alpha 0.25 -- -0.5 0.5 && {python} run_leaky_relu.py --ipu 1",
        expect=[
            r"\{'LeakyRelu:0': array\(\[-0\.125,  0\.5  \], dtype=float32\)\}",
            r"hardware device acquired[^}]*\{'LeakyRelu:0': array\(\[1\.\], dtype=float32\)\}",
        ],
    ),
    *(
        Program(
            "17",
            f"attributes_{target}",
            POPART,
            [ATTRIBUTES, "tests/integration/test_util.py"],
            ATTRIBUTES,
            "g++ -std=c++17 -fPIC -shared -DONNX_NAMESPACE=onnx attr_pylist_float_customOp.cpp "
            "-lpopart -o libattr_pylist_float_customOp.so",
            f"TEST_TARGET={target} {PYTEST} customop_attr_pylist_float_test.py",
            expect=["5 passed"],
        )
        for target in ("Cpu", "IpuModel2")
    ),
]
