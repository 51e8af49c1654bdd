# Source this file to compile, link and run Poplar programs with the emulated IPU, as an SDK's
# enable.sh does: `g++ program.cpp -lpoplar` and `find_package(poplar)` then find it, and
# `import poptorch` finds the emulated PopTorch, before any other.
_popsnn_here=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")" && pwd)
export PATH="$_popsnn_here/bin:$PATH"
export CPATH="$_popsnn_here/include${CPATH:+:$CPATH}"
export LIBRARY_PATH="$_popsnn_here/lib${LIBRARY_PATH:+:$LIBRARY_PATH}"
export LD_LIBRARY_PATH="$_popsnn_here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export CMAKE_PREFIX_PATH="$_popsnn_here${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}"
export PYTHONPATH="$_popsnn_here/python${PYTHONPATH:+:$PYTHONPATH}"
unset _popsnn_here
