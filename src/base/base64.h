// SPDX-License-Identifier: GPL-3.0-or-later
// Base64 (RFC 4648), for bytes that must travel as text.
#ifndef TWOFOLD_BASE64_H
#define TWOFOLD_BASE64_H

#include "base/base.h"

// Adds the bytes as base64, with padding and without ends of lines.
void base64_add(Text *out, Span bytes);
// Adds the bytes that the text stands for; false when it is no base64 with its padding.
bool base64_read(Span text, Text *out);

#endif
