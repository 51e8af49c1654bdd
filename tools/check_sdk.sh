#!/usr/bin/env bash
# Builds popsnn on a Poplar SDK, tries it on the IPUs of this machine, and writes one file to send
# back: https://github.com/popsnn/popsnn/issues.
#
#   tools/check_sdk.sh SDK [REPORT]
#
# SDK is the folder of the unpacked archive, with poplar-* and popart-* in it; REPORT the file to
# write (default check_sdk.txt). Needs python3 with venv, a C++17 compiler and network access for
# pip; source the SDK's enable.sh before. It makes two environments in build/check_sdk: one with
# popsnn on the SDK, and one with the emulated IPU, whose modelled cycles are printed beside the
# measured ones. POPSNN_CHECK_IPUS is the number of IPUs (default 1).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -d "$1" ]; then
  echo "check_sdk: expected the folder of an unpacked Poplar SDK, got '${*:-}'" >&2
  exit 2
fi
sdk=$(cd "$1" && pwd)
report=${2:-check_sdk.txt}
work=build/check_sdk
device=hardware:ipus=${POPSNN_CHECK_IPUS:-1}
mkdir -p "$work"
exec > >(tee "$report") 2>&1

environment() {  # NAME [pip's options of the build]
  local name=$1
  shift
  if [ ! -x "$work/$name/bin/python" ]; then
    ${PYTHON:-python3} -m venv ${POPSNN_CHECK_VENV:-} "$work/$name"
  fi
  "$work/$name/bin/pip" install --quiet ${POPSNN_CHECK_PIP:-} "$@" . pytest
}

echo "== machine"
uname -srm
c++ --version | head -1
git describe --always --dirty 2> /dev/null || true
if command -v gc-info > /dev/null; then gc-info -l; else echo "no gc-info"; fi

echo "== build on $sdk"
environment sdk -Ccmake.define.POPSNN_SDK="$sdk" -Cbuild-dir="$work/build-sdk"
"$work/sdk/bin/popsnn" info

echo "== results on $device against the torch engine"
POPSNN_CHECK_DEVICE=$device "$work/sdk/bin/python" -m pytest -q -rA \
  --noconftest -c /dev/null --rootdir . tests/poplib/test_hardware.py

echo "== build on the emulated IPU"
environment emulated -Cbuild-dir="$work/build-emulated"
echo "== modelled cycles of a Bow, by the emulated IPU"
"$work/emulated/bin/python" tools/cycles.py --device bow --write "$work/modelled.json"
echo "== cycles that $device counts, beside modelled ones"
"$work/sdk/bin/python" tools/cycles.py --device "$device" --beside "$work/modelled.json"
echo "== done: send $report"
