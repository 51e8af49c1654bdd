// Constants of a tile that codelets for any target use: its workers, and the numbers of control
// registers of a worker with their fields.
#ifndef POPLAR_TILE_CONSTANTS_HPP
#define POPLAR_TILE_CONSTANTS_HPP

#define CTXT_WORKERS 6

#define CSR_W_WSR__INDEX 0x1
#define CSR_W_WSR__CTXTID_M1__SHIFT 0
#define CSR_W_WSR__CTXTID_M1__MASK 0x7
#define CSR_W_VERTEX_BASE__INDEX 0x2
#define CSR_W_WORKER_BASE__INDEX 0x3
#define CSR_W_REPEAT_COUNT__INDEX 0x4
#define CSR_W_REPEAT_COUNT__VALUE__SHIFT 0
#define CSR_W_REPEAT_COUNT__VALUE__MASK 0xfff
#define CSR_W_REPEAT_FIRST__INDEX 0x5
#define CSR_W_REPEAT_END__INDEX 0x6
#define CSR_W_COUNT_L__INDEX 0x60
#define CSR_W_COUNT_U__INDEX 0x61

// Those of the floating-point unit, which uget and uput number from here on.
#define CSR_W_FP_STS__INDEX 0x100
#define CSR_W_FP_CLR__INDEX 0x101
#define CSR_W_FP_CLR__INV__SHIFT 0
#define CSR_W_FP_CLR__INV__MASK 0x1
#define CSR_W_FP_CLR__DIV0__SHIFT 1
#define CSR_W_FP_CLR__DIV0__MASK 0x1
#define CSR_W_FP_CLR__OFLO__SHIFT 2
#define CSR_W_FP_CLR__OFLO__MASK 0x1
#define CSR_W_FP_CLR__ZAACC__SHIFT 3
#define CSR_W_FP_CLR__ZAACC__MASK 0x1
#define CSR_W_FP_CTL__INDEX 0x102
#define CSR_W_FP_CTL__INV__SHIFT 0
#define CSR_W_FP_CTL__DIV0__SHIFT 1
#define CSR_W_FP_CTL__OFLO__SHIFT 2
#define CSR_W_FP_CTL__RND__SHIFT 16
#define CSR_W_FP_CTL__ESR__SHIFT 19
#define CSR_W_FP_CTL__ESR__MASK 0x1
#define CSR_W_FP_CTL__NANOO__SHIFT 20
#define CSR_W_FP_CTL__NANOO__MASK 0x1
#define CSR_W_PRNG_0_0__INDEX 0x103
#define CSR_W_PRNG_0_1__INDEX 0x104
#define CSR_W_PRNG_1_0__INDEX 0x105
#define CSR_W_PRNG_1_1__INDEX 0x106
#define CSR_W_PRNG_SEED__INDEX 0x107
#define CSR_W_TAS__INDEX 0x108

#endif  // POPLAR_TILE_CONSTANTS_HPP
