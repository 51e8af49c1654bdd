// What stands before and after the loops in the IPU's assembly, where several have the same; loops
// stand in their functions. rows_ipu.hpp tells how to read this text.
//
// An asm statement takes string literals alone, which preprocessor names stand for here.
#pragma once

// Before: four sums come to $a0:3, and the accumulators are cleared.
#define POPSNN_LOAD_SUMS4                          \
  "\n      {"                                      \
  "\n        ld64        $a0:1, $mzero, %[sum], 0" \
  "\n        setzi       $a4, %[clear]"            \
  "\n      }"                                      \
  "\n      {"                                      \
  "\n        ld64        $a2:3, $mzero, %[sum], 1" \
  "\n        uput        $FP_CLR, $a4"             \
  "\n      }"

// After: four sums leave, the first two from $a0:1, the others from the first accumulators.
#define POPSNN_STORE_SUMS4                         \
  "\n      {"                                      \
  "\n        st64        $a0:1, $mzero, %[sum], 0" \
  "\n        f32v2gina   $a2:3, $azeros, 0"        \
  "\n      }"                                      \
  "\n      st64          $a2:3, $mzero, %[sum], 1" \
  "\n      "

// Before: six sums are on their way into the accumulators; the last two are still in $a4:5.
#define POPSNN_LOAD_SUMS6                          \
  "\n      {"                                      \
  "\n        ld64        $a0:1, $mzero, %[sum], 0" \
  "\n        fnop"                                 \
  "\n      }"                                      \
  "\n      {"                                      \
  "\n        ld64        $a2:3, $mzero, %[sum], 1" \
  "\n        f32v2gina   $azeros, $a0:1, 0"        \
  "\n      }"                                      \
  "\n      {"                                      \
  "\n        ld64        $a4:5, $mzero, %[sum], 2" \
  "\n        f32v2gina   $azeros, $a2:3, 0"        \
  "\n      }"

// Before, after POPSNN_LOAD_SUMS6: eight are in, and $a0:1 is zero.
#define POPSNN_LOAD_SUMS8                          \
  "\n      {"                                      \
  "\n        ld64        $a6:7, $mzero, %[sum], 3" \
  "\n        f32v2gina   $azeros, $a4:5, 0"        \
  "\n      }"                                      \
  "\n      {"                                      \
  "\n        nop"                                  \
  "\n        f32v2gina   $azeros, $a6:7, 0"        \
  "\n      }"                                      \
  "\n      {"                                      \
  "\n        nop"                                  \
  "\n        mov         $a0:1, $azeros"           \
  "\n      }"

// After: the last row of halves is added, and six sums leave but for the last two, in $a0:1.
#define POPSNN_STORE_HALF_SUMS6                    \
  "\n      f16v8acc      $a0:3"                    \
  "\n      f32v2gina     $a0:1, $azeros, 0"        \
  "\n      {"                                      \
  "\n        st64        $a0:1, $mzero, %[sum], 0" \
  "\n        f32v2gina   $a2:3, $azeros, 0"        \
  "\n      }"                                      \
  "\n      {"                                      \
  "\n        st64        $a2:3, $mzero, %[sum], 1" \
  "\n        f32v2gina   $a0:1, $azeros, 0"        \
  "\n      }"

// After, after POPSNN_STORE_HALF_SUMS6: the last four of eight leave.
#define POPSNN_STORE_HALF_SUMS8                    \
  "\n      {"                                      \
  "\n        st64        $a0:1, $mzero, %[sum], 2" \
  "\n        f32v2gina   $a2:3, $azeros, 0"        \
  "\n      }"                                      \
  "\n      st64          $a2:3, $mzero, %[sum], 3" \
  "\n      "

// Before: two sums come to $a0:1; nothing is to be added yet, in $a2:3 and $a4.
#define POPSNN_LOAD_SUMS2                          \
  "\n      {"                                      \
  "\n        ld64        $a0:1, $mzero, %[sum], 0" \
  "\n        mov         $a2:3, $azeros"           \
  "\n      }"                                      \
  "\n      mov           $a4, $azero"

// After: the last two rows of halves are added, and two sums leave.
#define POPSNN_STORE_HALF_SUMS2                    \
  "\n      f32v2add      $a0:1, $a0:1, $a2:3"      \
  "\n      f16v2tof32    $a2:3, $a4"               \
  "\n      f32v2add      $a0:1, $a0:1, $a2:3"      \
  "\n      st64          $a0:1, $mzero, %[sum], 0" \
  "\n      "

// Before: the first row's offset is in $m0, the vector's address in $m1, and the accumulators are
// cleared.
#define POPSNN_BEGIN_DOTS                          \
  "\n      {"                                      \
  "\n        ldz16step   $m0, $mzero, %[ids]+=, 1" \
  "\n        setzi       $a4, %[clear]"            \
  "\n      }"                                      \
  "\n      {"                                      \
  "\n        mul         $m0, $m0, %[stride]"      \
  "\n        uput        $FP_CLR, $a4"             \
  "\n      }"                                      \
  "\n      mov           $m1, %[vector]"

// After: the last product leaves the accumulators.
#define POPSNN_STORE_DOT                            \
  "\n      f32v2gina     $a4:5, $azeros, 0"         \
  "\n      f32add        $a4, $a4, $a5"             \
  "\n      st32step      $a4, $mzero, %[dots]+=, 1" \
  "\n      "
