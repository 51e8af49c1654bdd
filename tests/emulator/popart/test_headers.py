"""PopART's headers as programs include them: all together, and with what they bring along."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.emulator.library_tool import CXX, prefix

# The public headers of PopART at d2f20d7, willow/include/popart.
NAMES = Path(__file__).with_name("headers.txt").read_text().split()

# What public operators take from PopART's headers without including it themselves.
USES = """
#include <popart/op.hpp>
#include <popart/opidentifier.hpp>
#include <popart/popx/opx.hpp>
int standardNames(std::vector<int> v) {
  std::copy_n(v.begin(), 1, v.begin());
  std::cout << std::accumulate(v.begin(), v.end(), 0);
  return static_cast<int>(popart::Onnx::Operators::Add_7.version);
}
class Doubling : public popart::popx::PopOpx {
 public:
  using PopOpx::PopOpx;
  void grow(snap::program::Sequence& program) const final {
    snap::Graph& graph_ = graph();
    snap::Tensor in(getInTensor(0).getPoplarTensor(), graph_);
    if (in.rank() == 0) throw popart::error("{}", in.shape());
    poplar::Tensor& same = in.getPoplarTensor();
    program.getPoplarSequence().add(poplar::program::Copy(same, same));
    in = in.reshape({2, 3}).slice({0, 0}, {1, 2}).flatten().expand({0}).dimShuffle({1, 0});
    in = in.squeeze({1}).slice(0, 1).slice({0, 1}, 0).transpose().broadcast(2, 0).reverse(0)[0];
    setOutTensor(0, in.subSample(2, 0).reinterpret(poplar::INT));
  }
};
"""


def compiled(text: str) -> str:
    """Return the messages of a compiler that checks `text`."""
    command = [CXX, "-std=c++14", "-fsyntax-only", f"-I{prefix()}/include", "-x", "c++", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True).stderr


def test_every_public_header_is_there() -> None:
    root = prefix() / "include" / "popart"
    assert len(NAMES) == 670
    assert [name for name in NAMES if not (root / name).is_file()] == []


@pytest.mark.parametrize("backwards", [False, True])
def test_all_headers_together(backwards: bool) -> None:
    root = prefix() / "include"
    headers = sorted([*root.glob("popart/**/*.hpp"), *root.glob("snap/*.hpp")], reverse=backwards)
    names = [header.relative_to(root) for header in headers]
    assert compiled("".join(f"#include <{name}>\n" for name in names)) == ""


def test_what_programs_take_from_them() -> None:
    assert compiled(USES) == ""
