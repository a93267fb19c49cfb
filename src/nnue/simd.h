// SPDX-License-Identifier: GPL-3.0-or-later
// The few vector operations the network needs, once for each instruction set: a Vec of VEC_LANES 16-bit
// integers and a VecSum that gathers products. Plain C is a Vec of one lane, so every kernel is written once
// and the compiler may widen it. Which set is used is decided at build time. Additions wrap, as they do in
// all of these instruction sets: an accumulator may leave its range between two steps so long as the end
// result is in it.
#ifndef TWOFOLD_NNUE_SIMD_H
#define TWOFOLD_NNUE_SIMD_H

#include "base/base.h"

#if defined(__AVX2__)
#include <immintrin.h>
#define VEC_NAME "AVX2"
enum { VEC_LANES = 16 };
typedef __m256i Vec;
typedef __m256i VecSum;
#define VEC_LOAD(p) _mm256_load_si256((const __m256i *)(p))
#define VEC_STORE(p, v) _mm256_store_si256((__m256i *)(p), (v))
#define VEC_ADD(a, b) _mm256_add_epi16((a), (b))
#define VEC_SUB(a, b) _mm256_sub_epi16((a), (b))
#define VEC_MUL(a, b) _mm256_mullo_epi16((a), (b))
#define VEC_CLAMP(v, lo, hi) _mm256_min_epi16(_mm256_max_epi16((v), (lo)), (hi))
#define VEC_SET(x) _mm256_set1_epi16(x)
#define VECSUM_ZERO() _mm256_setzero_si256()
#define VECSUM_MADD(s, a, b) _mm256_add_epi32((s), _mm256_madd_epi16((a), (b)))
static inline i64 vecsum_total(VecSum s)
{
    i32 lane[8];
    _mm256_storeu_si256((__m256i *)lane, s);
    i64 total = 0;
    for (int i = 0; i < 8; i++)
        total += lane[i];
    return total;
}

#elif defined(__SSE4_1__)
#include <smmintrin.h>
#define VEC_NAME "SSE4.1"
enum { VEC_LANES = 8 };
typedef __m128i Vec;
typedef __m128i VecSum;
#define VEC_LOAD(p) _mm_load_si128((const __m128i *)(p))
#define VEC_STORE(p, v) _mm_store_si128((__m128i *)(p), (v))
#define VEC_ADD(a, b) _mm_add_epi16((a), (b))
#define VEC_SUB(a, b) _mm_sub_epi16((a), (b))
#define VEC_MUL(a, b) _mm_mullo_epi16((a), (b))
#define VEC_CLAMP(v, lo, hi) _mm_min_epi16(_mm_max_epi16((v), (lo)), (hi))
#define VEC_SET(x) _mm_set1_epi16(x)
#define VECSUM_ZERO() _mm_setzero_si128()
#define VECSUM_MADD(s, a, b) _mm_add_epi32((s), _mm_madd_epi16((a), (b)))
static inline i64 vecsum_total(VecSum s)
{
    return (i64)_mm_extract_epi32(s, 0) + _mm_extract_epi32(s, 1) + _mm_extract_epi32(s, 2) +
           _mm_extract_epi32(s, 3);
}

#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define VEC_NAME "NEON"
enum { VEC_LANES = 8 };
typedef int16x8_t Vec;
typedef int32x4_t VecSum;
#define VEC_LOAD(p) vld1q_s16(p)
#define VEC_STORE(p, v) vst1q_s16((p), (v))
#define VEC_ADD(a, b) vaddq_s16((a), (b))
#define VEC_SUB(a, b) vsubq_s16((a), (b))
#define VEC_MUL(a, b) vmulq_s16((a), (b))
#define VEC_CLAMP(v, lo, hi) vminq_s16(vmaxq_s16((v), (lo)), (hi))
#define VEC_SET(x) vdupq_n_s16(x)
#define VECSUM_ZERO() vdupq_n_s32(0)
#define VECSUM_MADD(s, a, b) vmlal_high_s16(vmlal_s16((s), vget_low_s16(a), vget_low_s16(b)), (a), (b))
static inline i64 vecsum_total(VecSum s) { return vaddlvq_s32(s); }

#else
#define VEC_NAME "plain C"
enum { VEC_LANES = 1 };
typedef i16 Vec;
typedef i64 VecSum;
#define VEC_LOAD(p) (*(p))
#define VEC_STORE(p, v) (*(p) = (v))
#define VEC_ADD(a, b) ((i16)((a) + (b)))
#define VEC_SUB(a, b) ((i16)((a) - (b)))
#define VEC_MUL(a, b) ((i16)((a) * (b)))
#define VEC_CLAMP(v, lo, hi) ((i16)clamp_int((v), (lo), (hi)))
#define VEC_SET(x) ((i16)(x))
#define VECSUM_ZERO() ((i64)0)
#define VECSUM_MADD(s, a, b) ((s) + (a) * (b))
static inline i64 vecsum_total(VecSum s) { return s; }
#endif

#endif
