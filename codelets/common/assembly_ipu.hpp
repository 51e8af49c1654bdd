// Common prologues and epilogues of loops in the IPU's assembly, and the sum of rows that three
// loops have; rows_ipu.hpp tells how to read this text.
//
// They are macros because an asm statement accepts string literals only. Other loops stay in their
// functions.
#pragma once

// Prologue: loads four sums to $a0:3 and clears the accumulators.
#define POPSNN_LOAD_SUMS4                           \
  "\n      {"                                       \
  "\n        ld64        $a0:1, $mzero, %[from], 0" \
  "\n        setzi       $a4, %[clear]"             \
  "\n      }"                                       \
  "\n      {"                                       \
  "\n        ld64        $a2:3, $mzero, %[from], 1" \
  "\n        uput        $FP_CLR, $a4"              \
  "\n      }"

// Epilogue: stores four sums, two from $a0:1 and two from the first accumulators.
#define POPSNN_STORE_SUMS4                         \
  "\n      {"                                      \
  "\n        st64        $a0:1, $mzero, %[sum], 0" \
  "\n        f32v2gina   $a2:3, $azeros, 0"        \
  "\n      }"                                      \
  "\n      st64          $a2:3, $mzero, %[sum], 1" \
  "\n      "

// Prologue: loads six sums and pushes four into the accumulators; the last two are in $a4:5.
#define POPSNN_LOAD_SUMS6                           \
  "\n      {"                                       \
  "\n        ld64        $a0:1, $mzero, %[from], 0" \
  "\n        fnop"                                  \
  "\n      }"                                       \
  "\n      {"                                       \
  "\n        ld64        $a2:3, $mzero, %[from], 1" \
  "\n        f32v2gina   $azeros, $a0:1, 0"         \
  "\n      }"                                       \
  "\n      {"                                       \
  "\n        ld64        $a4:5, $mzero, %[from], 2" \
  "\n        f32v2gina   $azeros, $a2:3, 0"         \
  "\n      }"

// After POPSNN_LOAD_SUMS6: loads the seventh and eighth, pushes the last four and zeroes $a0:1.
#define POPSNN_LOAD_SUMS8                           \
  "\n      {"                                       \
  "\n        ld64        $a6:7, $mzero, %[from], 3" \
  "\n        f32v2gina   $azeros, $a4:5, 0"         \
  "\n      }"                                       \
  "\n      {"                                       \
  "\n        nop"                                   \
  "\n        f32v2gina   $azeros, $a6:7, 0"         \
  "\n      }"                                       \
  "\n      {"                                       \
  "\n        nop"                                   \
  "\n        mov         $a0:1, $azeros"            \
  "\n      }"

// Epilogue: adds the last row of halves and stores four of six sums; the last two are in $a0:1.
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

// After POPSNN_STORE_HALF_SUMS6: stores the last four of eight sums.
#define POPSNN_STORE_HALF_SUMS8                    \
  "\n      {"                                      \
  "\n        st64        $a0:1, $mzero, %[sum], 2" \
  "\n        f32v2gina   $a2:3, $azeros, 0"        \
  "\n      }"                                      \
  "\n      st64          $a2:3, $mzero, %[sum], 3" \
  "\n      "

// Prologue: loads two sums to $a0:1; zeroes $a2:3 and $a4, the rows that are added first.
#define POPSNN_LOAD_SUMS2                           \
  "\n      {"                                       \
  "\n        ld64        $a0:1, $mzero, %[from], 0" \
  "\n        mov         $a2:3, $azeros"            \
  "\n      }"                                       \
  "\n      mov           $a4, $azero"

// Epilogue: adds the last two rows of halves and stores two sums.
#define POPSNN_STORE_HALF_SUMS2                    \
  "\n      f32v2add      $a0:1, $a0:1, $a2:3"      \
  "\n      f16v2tof32    $a2:3, $a4"               \
  "\n      f32v2add      $a0:1, $a0:1, $a2:3"      \
  "\n      st64          $a0:1, $mzero, %[sum], 0" \
  "\n      "

// Prologue: the first row's offset to $m0, the vector's address to $m1; clears the accumulators.
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

// Epilogue: stores the last product from the accumulators.
#define POPSNN_STORE_DOT                            \
  "\n      f32v2gina     $a4:5, $azeros, 0"         \
  "\n      f32add        $a4, $a4, $a5"             \
  "\n      st32step      $a4, $mzero, %[dots]+=, 1" \
  "\n      "

// Part of a loop's body: adds the row at $m1 to that at $m0, where it is stored: `middle` + 3 pairs
// of floats. scatter_row in scatter_ipu.hpp says why sums are stored three pairs behind.
#define POPSNN_ADD_PAIRS                                             \
  "\n        {"                                                      \
  "\n          ld2x64pace $a0:1, $a2:3, $m0:1+=, $mzero, 0b0000"     \
  "\n          fnop"                                                 \
  "\n        }"                                                      \
  "\n        {"                                                      \
  "\n          ld2x64pace $a0:1, $a2:3, $m0:1+=, $mzero, 0b0000"     \
  "\n          f32v2axpy $azeros, $a2:3, $a0:1"                      \
  "\n        }"                                                      \
  "\n        {"                                                      \
  "\n          ld2x64pace $a0:1, $a2:3, $m0:1+=, $mzero, 0b0000"     \
  "\n          f32v2axpy $a4:5, $a2:3, $a0:1"                        \
  "\n        }"                                                      \
  "\n        .rept %[middle]"                                        \
  "\n        {"                                                      \
  "\n          ld2xst64pace $a0:3, $a4:5, $m0:1+=, $mzero, 0b000000" \
  "\n          f32v2axpy $a4:5, $a2:3, $a0:1"                        \
  "\n        }"                                                      \
  "\n        .endr"                                                  \
  "\n        {"                                                      \
  "\n          st64pace  $a4:5, $m0:1+=, $mzero, 0b00"               \
  "\n          f32v2axpy $a4:5, $a2:3, $a0:1"                        \
  "\n        }"                                                      \
  "\n        {"                                                      \
  "\n          st64pace  $a4:5, $m0:1+=, $mzero, 0b00"               \
  "\n          f32v2axpy $a4:5, $azeros, $azeros"                    \
  "\n        }"                                                      \
  "\n        {"                                                      \
  "\n          st64pace  $a4:5, $m0:1+=, $mzero, 0b00"               \
  "\n          fnop"                                                 \
  "\n        }"
