// SPDX-License-Identifier: GPL-3.0-or-later
// What is the same on every system once a file can be replaced: os_out_open and os_out_close.
#include <stdio.h>

#include "base/base.h"

bool os_write_file(const char *path, const void *bytes, size_t size, Message *error)
{
    return os_write_parts(path, &bytes, &size, 1, error);
}

bool os_write_parts(const char *path, const void *const parts[], const size_t sizes[], int part_nb,
                    Message *error)
{
    OutFile out;
    if (!os_out_open(&out, path, error))
        return false;
    bool ok = true;
    for (int i = 0; i < part_nb; i++)
        ok = ok && fwrite(parts[i], 1, sizes[i], out.stream) == sizes[i];
    return os_out_close(&out, ok, error);
}
