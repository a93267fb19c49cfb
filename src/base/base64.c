// SPDX-License-Identifier: GPL-3.0-or-later
// See base64.h.
#include "base/base64.h"

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_add(Text *out, Span bytes)
{
    for (size_t i = 0; i < bytes.len; i += 3) {
        const size_t nb = bytes.len - i < 3 ? bytes.len - i : 3;
        u32 group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (k < nb ? (u8)bytes.ptr[i + k] : 0u);
        char four[4];
        for (int k = 0; k < 4; k++)
            four[k] = k <= (int)nb ? DIGITS[group >> (18 - 6 * k) & 63] : '=';
        text_add_bytes(out, four, 4);
    }
}

static int digit_of(char c)
{
    const char *at = c ? strchr(DIGITS, c) : NULL;
    return at ? (int)(at - DIGITS) : -1;
}

bool base64_read(Span text, Text *out)
{
    if (text.len % 4 != 0)
        return false;
    for (size_t i = 0; i < text.len; i += 4) {
        const bool is_last = i + 4 == text.len;
        int pad = !is_last || text.ptr[i + 3] != '=' ? 0 : text.ptr[i + 2] == '=' ? 2 : 1;
        u32 group = 0;
        for (int k = 0; k < 4; k++) {
            int digit = k >= 4 - pad ? 0 : digit_of(text.ptr[i + k]);
            if (digit < 0)
                return false;
            group = group << 6 | (u32)digit;
        }
        // Bits that no byte has must be zero: each text of bytes has one spelling.
        if (pad && (group & ((1u << 8 * pad) - 1)))
            return false;
        const u8 bytes[3] = {(u8)(group >> 16), (u8)(group >> 8), (u8)group};
        text_add_bytes(out, bytes, (size_t)(3 - pad));
    }
    return !out->failed;
}
