#!/usr/bin/env bash
# Builds popsnn on a Poplar SDK, tries it on the IPUs of this machine, and writes one file to send
# back: https://github.com/popsnn/popsnn/issues.
#
#   tools/check_sdk.sh SDK [REPORT]
#
# SDK is the folder of the unpacked archive, with poplar-* and popart-* in it; REPORT the file to
# write (default check_sdk.txt). Source the SDK's enable.sh before. PYTHON (default python3) has
# torch, NumPy and pytest; pip fetches the tools of the build. POPSNN_CHECK_IPUS is the number of IPUs
# (default 1). Nothing is installed: both builds, on the SDK and on the emulated IPU, whose modelled
# cycles are printed next to measured cycles, go to build/check_sdk. A PYTHON that has popsnn with
# the emulated IPU spares the second.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -d "$1" ]; then
  echo "check_sdk: expected the folder of an unpacked Poplar SDK, got '${*:-}'" >&2
  exit 2
fi
sdk=$(cd "$1" && pwd)
report=${2:-check_sdk.txt}
python=${PYTHON:-python3}
work=build/check_sdk
device=hardware:ipus=${POPSNN_CHECK_IPUS:-1}
mkdir -p "$work"
exec > >(tee "$report") 2>&1

build() {  # NAME [options of pip]: popsnn in $work/NAME
  local name=$1
  shift
  rm -rf "${work:?}/$name"
  "$python" -m pip install --quiet --no-deps --target "$work/$name" \
    -Cbuild-dir="$work/build-$name" "$@" .
}

on_sdk() { PYTHONPATH="$work/sdk" "$python" "$@"; }

echo "== machine"
uname -srm
c++ --version | head -1
git describe --always --dirty 2> /dev/null || true
if command -v gc-info > /dev/null; then gc-info -l; else echo "no gc-info"; fi

echo "== build on $sdk"
build sdk -Ccmake.define.POPSNN_SDK="$sdk"
on_sdk -m popsnn info
on_sdk -c 'import sys, popsnn; from popsnn._internal.paths import has_sdk
print(*popsnn.__path__)
sys.exit(0 if has_sdk() else f"check_sdk: expected popsnn as built on the SDK, got {popsnn.__path__}")'

echo "== results on $device against the torch engine"
POPSNN_CHECK_DEVICE=$device on_sdk -m pytest -q -rA --noconftest -c /dev/null --rootdir . \
  tests/poplib/test_hardware.py

echo "== modelled cycles of a Bow, by the emulated IPU"
emulated=
if ! "$python" -c "import popsnn._emulator" 2> /dev/null; then
  build emulated
  emulated=$work/emulated
fi
PYTHONPATH=$emulated "$python" tools/cycles.py --device bow --write "$work/modelled.json"

echo "== cycles that $device counts, next to modelled cycles"
on_sdk tools/cycles.py --device "$device" --compare "$work/modelled.json"
echo "== done: send $report"
