// All neurons of the package.
#pragma once

#include <popsnn/neurons/adaptive_lif.cuh>
#include <popsnn/neurons/functions.cuh>
#include <popsnn/neurons/li.cuh>
#include <popsnn/neurons/lif.cuh>
#include <popsnn/neurons/synaptic_lif.cuh>
