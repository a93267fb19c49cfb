// SPDX-License-Identifier: GPL-3.0-or-later
// For the linker: what the module imports from the script around it. These bodies are used by the build with threads;
// the other is loaded by worker.js, which has its own. Lines are told in the thread that loaded the module, whichever
// thread has made them, and are freed there (see wasm.c). With threads nobody needs to be polled.
mergeInto(LibraryManager.library, {
  twofold_tell__proxy: 'async',
  twofold_tell__sig: 'vii',
  twofold_tell: function(at, size) {
    Module['twofoldTell'](UTF8ToString(at, size));
    _twofold_free(at);
  },
  twofold_poll: function() { return 0; },
  twofold_pause: function() {},
  twofold_sleep: function(ms) {},
});
