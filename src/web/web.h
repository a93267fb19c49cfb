// SPDX-License-Identifier: GPL-3.0-or-later
// The engine for other programs and for pages: one JSON protocol (json_lines.h) behind every door.
#ifndef TWOFOLD_WEB_H
#define TWOFOLD_WEB_H

// `json`: requests as lines of JSON on standard input, answers on standard output. argv[0] is its name;
// returns the exit code.
int web_json_main(int argc, char **argv);

// `serve`: the page and its engine over HTTP, for browsers of this machine alone. Returns the exit code.
int web_serve_main(int argc, char **argv);

#endif
