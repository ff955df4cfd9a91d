#pragma once
// The precompiled header of the files that use torch: types and operators, not the 13-second <torch/torch.h>.
#include <torch/types.h>

#include <ATen/Functions.h>
#include <torch/csrc/autograd/custom_function.h>
