// SPDX-License-Identifier: GPL-3.0-or-later
// The few vector operations the network needs, one back-end per instruction set; every back-end gives the same integers.
//   Shorts: kShorts int16 values.  Sum: int32 partial sums.
//   square_dot(sum, x, w): adds clamp(x)^2 * w for pairs of neighbours, where clamp(x) * w fits in 16 bits.
#pragma once

#include <cstdint>

#if defined(__AVX512BW__)
#include <immintrin.h>
#if defined(__AVX512VNNI__)
#define ROKADA_SIMD avx512_vnni
#else
#define ROKADA_SIMD avx512
#endif
#elif defined(__AVX2__)
#include <immintrin.h>
#define ROKADA_SIMD avx2
#elif defined(__SSE2__)
#include <emmintrin.h>
#define ROKADA_SIMD sse2
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#define ROKADA_SIMD neon
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define ROKADA_SIMD wasm
#else
#define ROKADA_SIMD plain
#endif

// Each back-end has a namespace of its own, so that tests can hold several of them in one program.
namespace rokada::engine::simd::inline ROKADA_SIMD {

#if defined(__AVX512BW__)

using Shorts = __m512i;
using Sum = __m512i;
inline constexpr int kShorts = 32;
inline Shorts load(const std::int16_t* p) { return _mm512_load_si512(p); }
inline void store(std::int16_t* p, Shorts x) { _mm512_store_si512(p, x); }
inline Shorts add(Shorts a, Shorts b) { return _mm512_add_epi16(a, b); }
inline Shorts subtract(Shorts a, Shorts b) { return _mm512_sub_epi16(a, b); }
inline Shorts clamp(Shorts x) {
    return _mm512_min_epi16(_mm512_max_epi16(x, _mm512_setzero_si512()), _mm512_set1_epi16(255));
}
inline Sum zero() { return _mm512_setzero_si512(); }
inline Sum square_dot(Sum sum, Shorts x, Shorts w) {
    const Shorts v = clamp(x);
    const Shorts product = _mm512_mullo_epi16(v, w);
#if defined(__AVX512VNNI__)
    return _mm512_dpwssd_epi32(sum, product, v);
#else
    return _mm512_add_epi32(sum, _mm512_madd_epi16(product, v));
#endif
}
inline constexpr int kSums = 16;
inline void store_sum(std::int32_t* p, Sum sum) { _mm512_storeu_si512(p, sum); }

#elif defined(__AVX2__)

using Shorts = __m256i;
using Sum = __m256i;
inline constexpr int kShorts = 16;
inline Shorts load(const std::int16_t* p) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
}
inline void store(std::int16_t* p, Shorts x) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(p), x);
}
inline Shorts add(Shorts a, Shorts b) { return _mm256_add_epi16(a, b); }
inline Shorts subtract(Shorts a, Shorts b) { return _mm256_sub_epi16(a, b); }
inline Shorts clamp(Shorts x) {
    return _mm256_min_epi16(_mm256_max_epi16(x, _mm256_setzero_si256()), _mm256_set1_epi16(255));
}
inline Sum zero() { return _mm256_setzero_si256(); }
inline Sum square_dot(Sum sum, Shorts x, Shorts w) {
    const Shorts v = clamp(x);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_mullo_epi16(v, w), v));
}
inline constexpr int kSums = 8;
inline void store_sum(std::int32_t* p, Sum sum) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), sum);
}

#elif defined(__SSE2__)

using Shorts = __m128i;
using Sum = __m128i;
inline constexpr int kShorts = 8;
inline Shorts load(const std::int16_t* p) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(p));
}
inline void store(std::int16_t* p, Shorts x) { _mm_store_si128(reinterpret_cast<__m128i*>(p), x); }
inline Shorts add(Shorts a, Shorts b) { return _mm_add_epi16(a, b); }
inline Shorts subtract(Shorts a, Shorts b) { return _mm_sub_epi16(a, b); }
inline Shorts clamp(Shorts x) {
    return _mm_min_epi16(_mm_max_epi16(x, _mm_setzero_si128()), _mm_set1_epi16(255));
}
inline Sum zero() { return _mm_setzero_si128(); }
inline Sum square_dot(Sum sum, Shorts x, Shorts w) {
    const Shorts v = clamp(x);
    return _mm_add_epi32(sum, _mm_madd_epi16(_mm_mullo_epi16(v, w), v));
}
inline constexpr int kSums = 4;
inline void store_sum(std::int32_t* p, Sum sum) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), sum);
}

#elif defined(__ARM_NEON)

using Shorts = int16x8_t;
using Sum = int32x4_t;
inline constexpr int kShorts = 8;
inline Shorts load(const std::int16_t* p) { return vld1q_s16(p); }
inline void store(std::int16_t* p, Shorts x) { vst1q_s16(p, x); }
inline Shorts add(Shorts a, Shorts b) { return vaddq_s16(a, b); }
inline Shorts subtract(Shorts a, Shorts b) { return vsubq_s16(a, b); }
inline Shorts clamp(Shorts x) { return vminq_s16(vmaxq_s16(x, vdupq_n_s16(0)), vdupq_n_s16(255)); }
inline Sum zero() { return vdupq_n_s32(0); }
inline Sum square_dot(Sum sum, Shorts x, Shorts w) {
    const Shorts v = clamp(x);
    const Shorts product = vmulq_s16(v, w);
    sum = vmlal_s16(sum, vget_low_s16(product), vget_low_s16(v));
    return vmlal_s16(sum, vget_high_s16(product), vget_high_s16(v));
}
inline constexpr int kSums = 4;
inline void store_sum(std::int32_t* p, Sum sum) { vst1q_s32(p, sum); }

#elif defined(__wasm_simd128__)

using Shorts = v128_t;
using Sum = v128_t;
inline constexpr int kShorts = 8;
inline Shorts load(const std::int16_t* p) { return wasm_v128_load(p); }
inline void store(std::int16_t* p, Shorts x) { wasm_v128_store(p, x); }
inline Shorts add(Shorts a, Shorts b) { return wasm_i16x8_add(a, b); }
inline Shorts subtract(Shorts a, Shorts b) { return wasm_i16x8_sub(a, b); }
inline Shorts clamp(Shorts x) {
    return wasm_i16x8_min(wasm_i16x8_max(x, wasm_i16x8_splat(0)), wasm_i16x8_splat(255));
}
inline Sum zero() { return wasm_i32x4_splat(0); }
inline Sum square_dot(Sum sum, Shorts x, Shorts w) {
    const Shorts v = clamp(x);
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(wasm_i16x8_mul(v, w), v));
}
inline constexpr int kSums = 4;
inline void store_sum(std::int32_t* p, Sum sum) { wasm_v128_store(p, sum); }

#else

// Plain C++: four values at a time, so that partial sums stay in range as elsewhere.
struct Shorts {
    std::int16_t v[4];
};
struct Sum {
    std::int32_t v[4];
};
inline constexpr int kShorts = 4;
inline Shorts load(const std::int16_t* p) { return {{p[0], p[1], p[2], p[3]}}; }
inline void store(std::int16_t* p, Shorts x) {
    for (int i = 0; i < 4; ++i) p[i] = x.v[i];
}
inline Shorts add(Shorts a, Shorts b) {
    for (int i = 0; i < 4; ++i) a.v[i] = static_cast<std::int16_t>(a.v[i] + b.v[i]);
    return a;
}
inline Shorts subtract(Shorts a, Shorts b) {
    for (int i = 0; i < 4; ++i) a.v[i] = static_cast<std::int16_t>(a.v[i] - b.v[i]);
    return a;
}
inline Shorts clamp(Shorts x) {
    for (std::int16_t& v : x.v) v = v < 0 ? std::int16_t{0} : v > 255 ? std::int16_t{255} : v;
    return x;
}
inline Sum zero() { return {}; }
inline Sum square_dot(Sum sum, Shorts x, Shorts w) {
    x = clamp(x);
    for (int i = 0; i < 4; ++i) sum.v[i] += x.v[i] * x.v[i] * w.v[i];
    return sum;
}
inline constexpr int kSums = 4;
inline void store_sum(std::int32_t* p, Sum sum) {
    for (int i = 0; i < 4; ++i) p[i] = sum.v[i];
}

#endif

// Partial sums fit in 32 bits, their total may not.
inline std::int64_t total(Sum sum) {
    std::int32_t parts[kSums];
    store_sum(parts, sum);
    std::int64_t all = 0;
    for (const std::int32_t part : parts) all += part;
    return all;
}

}  // namespace rokada::engine::simd::inline ROKADA_SIMD
