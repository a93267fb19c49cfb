// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the operating system gives: clock, big memory, threads, files, child processes. The only place
// where platform calls are declared; os_*.c, process_*.c and disk_file_*.c are the only places where they are
// made, one file for each platform. What a platform lacks answers false with a message, and os_can tells it
// before: commands ask that, and nobody asks for the platform.
#ifndef TWOFOLD_OS_H
#define TWOFOLD_OS_H

#include <pthread.h>

#include "base/base.h"

typedef struct Message Message;

// The first call of main: the words of the command line become UTF-8, the standard streams bytes without
// changes, the console one that shows both.
void os_start(int *argc, char ***argv);
// Was the program started from a desktop, at a console of its own that nobody typed at? False where none
// knows.
bool os_is_double_clicked(void);

typedef enum OsAbility {
    OS_THREADS,   // more than the calling one
    OS_PROCESSES, // programs can be started
    OS_RANKS,     // and be told that they are ranks of one run
    OS_SOCKETS,   // others can connect to us
    OS_TERMINAL,  // a person may sit at standard input
} OsAbility;
bool os_can(OsAbility what);

// Monotonic time.
i64 os_now_us(void);
static inline i64 os_now_ms(void) { return os_now_us() / 1000; }
void os_sleep_ms(i64 ms);
int os_core_count(void);
// The numbers of the cores this program may use; how many. A thread can be bound to one of them.
int os_cores(int *list, int max);
// What other programs do with the cores.
typedef struct OtherLoad {
    double cores;  // kept busy by work that would not yield to ours
    int pid;       // who does most of it; 0: nobody seen
    char name[32]; // of that process, in plain ASCII
} OtherLoad;
// Looks on for so many milliseconds, in which the caller should do nothing; false when the system does not
// tell.
bool os_other_load(i64 ms, OtherLoad *load);
// Would that process leave the cores to ours at once? False when the system does not tell.
bool os_process_yields(int pid);
// Memory that could be had now; 0 when the system does not say.
i64 os_memory_available_mb(void);

// Zeroed memory aligned to 64 bytes, in huge pages where the system gives them; NULL when it can't be had.
void *os_alloc_big(size_t bytes);
void os_free_big(void *memory, size_t bytes);

typedef pthread_t Thread;
typedef pthread_mutex_t Mutex;
typedef pthread_cond_t Cond;
enum { OS_STACK_BYTES = 8 << 20 };
// A joinable thread with a stack large enough for a search; false when the system refuses.
bool os_thread_start(Thread *thread, void *(*run)(void *), void *argument);
void os_thread_join(Thread thread);
// Binds the calling thread to a core.
void os_thread_pin(int core);
// Waits for the condition until a monotonic time (as os_now_us tells it); false on time-out. The Cond must
// come from os_cond_init.
void os_cond_init(Cond *cond);
bool os_cond_wait_until(Cond *cond, Mutex *mutex, i64 until_us);

// As fopen and remove, for a name in UTF-8; the stream is a FILE. Nothing else opens files by name.
void *os_fopen(const char *path, const char *mode);
bool os_remove(const char *path);
// A file mapped for reading. Zero-initialised is none.
typedef struct FileMap {
    const u8 *data;
    size_t size;
} FileMap;
bool os_map_file(FileMap *map, const char *path, Message *error);
void os_unmap_file(FileMap *map);
// Writes a whole file through a temporary one and a rename, so that a reader or a crash never sees half of
// it.
bool os_write_file(const char *path, const void *bytes, size_t size, Message *error);
// The same from several pieces of memory, one after the other.
bool os_write_parts(const char *path, const void *const parts[], const size_t sizes[], int part_nb,
                    Message *error);
// The same for whoever writes to a stream: between open and close, `stream` is a FILE. With `ok` false at the
// end, or when the disk is full, the file stays what it was.
typedef struct OutFile {
    void *stream;
    const char *name; // as it was given to open
    bool is_replaced;
    char path[4096], temporary[4096 + 16];
} OutFile;
bool os_out_open(OutFile *out, const char *path, Message *error);
bool os_out_close(OutFile *out, bool ok, Message *error);
// Whether a file can be written, as far as one can know before: better told now than after a night's work.
// Changes nothing.
bool os_can_write(const char *path, Message *error);
// Would writing to the one change the other? Two names of one regular file, or of one that is not there yet.
bool os_same_file(const char *a, const char *b);
// Forces what was written to a stream to the disk.
bool os_sync(void *stream);
// Cuts the file at `size` bytes.
bool os_truncate(const char *path, i64 size, Message *error);
// Makes a folder in an existing one; one that is there already is as good.
bool os_make_folder(const char *path, Message *error);
// Is there an ordinary file of that name, which writing would replace?
bool os_has_file(const char *path);
// Is there anything of that name, readable or not?
bool os_exists(const char *path);
// What stands between the folders of a list: no name has it.
char os_list_separator(void);
// Does it part the folders of a path? The backslash does on some systems, where it is no escape then.
bool os_parts_folders(char c);
bool os_is_terminal(int fd);
// Does it show more than ASCII?
bool os_terminal_is_utf8(void);
// Does the one at standard output know escape sequences, for colours and the cursor?
bool os_terminal_draws(void);
// Standard input as a stream (a FILE) of UTF-8.
void *os_input(void);
// To be called before a line is read from that stream. A terminal that needs to know shows first what was
// printed.
void os_input_wanted(void);
// Waits for bytes on standard input: how many were read, 0 at its end, -1 when nobody reads our standard
// output any more.
int os_read_input(char *buffer, size_t size);
// Writes all of it to standard output, with no buffer between; false when nobody reads it.
bool os_write_output(const char *bytes, size_t size);
// Writing to a pipe that nobody reads becomes an error instead of a signal that ends the program.
void os_ignore_broken_pipes(void);
// By errno: did the write that failed just now find nobody who reads?
bool os_is_reader_gone(void);
int os_terminal_width(void);
// From now on the keys of the terminal at standard input come one at a time and are not shown, until
// os_keys_end (harmless without a beginning). False where there is no terminal, or one that can't do that.
bool os_keys_begin(void);
void os_keys_end(void);
enum { KEY_NONE = -1, KEY_END = -2 };
// The next byte of what is typed. KEY_NONE: none came within timeout_ms (negative: for ever), or a signal
// did. KEY_END: nothing more will come.
int os_key_read(int timeout_ms);
// Where programs keep what belongs to this user; false when the system does not say, or it does not fit.
bool os_data_folder(char *out, size_t size);

// A child process with pipes to its standard input and output. Zero-initialised is none. One thread uses it
// at a time, and it dies with the thread that started it: start it from one that outlives it.
typedef struct Process {
    int pid;                      // 0: none
    int to, from;                 // our ends of the pipes
    struct ProcessSystem *system; // what a system without such numbers has in their place
} Process;
typedef enum ProcessErrors {
    ERRORS_SHOWN,
    ERRORS_HIDDEN,
    ERRORS_JOINED
} ProcessErrors; // its standard error: ours; nowhere; its output
// Starts argv[0] (searched in PATH) in folder `dir` (NULL: here), in a process group of its own.
bool os_process_start(Process *process, char *const argv[], const char *dir, ProcessErrors errors,
                      Message *error);
// Writes all of it, within timeout_ms; false when the child does not take it (gone, or not reading).
bool os_process_write(Process *process, const char *bytes, size_t size, int timeout_ms);
// Waits up to timeout_ms for output: bytes read, 0 on time-out, -1 at end of output.
int os_process_read(Process *process, char *buffer, size_t size, int timeout_ms);
// True while it runs. When it has ended, *status (may be NULL) gets its exit code, or 128 + signal.
// os_process_end is still due.
bool os_process_alive(Process *process, int *status);
// Ends it and its group at once; from any thread. os_process_end is still due.
void os_process_kill(Process *process);
// Ends it and its group: closes its input, waits grace_ms, then kills. Never leaves it behind; harmless on
// none.
void os_process_end(Process *process, int grace_ms);
// For a program that another one has started so: who that is, in the place of a child. Our standard input and
// output, the pipes to it, are its alone from now on: nothing can be read from them any more, and what is
// printed goes nowhere. It is never waited for nor ended. False with a message where that can't be.
bool os_process_parent(Process *parent, Message *error);

// Shows an address in the browser of whoever sits here, which goes on when we end; false with a message when
// there is no program that does it. *opener gets its name.
bool os_open_address(const char *address, const char **opener, Message *error);

// A stream of bytes between programs of this machine. Zero-initialised is none. Nothing here waits but
// os_sockets_wait.
typedef struct Socket {
    i64 handle; // 0: none
} Socket;
// Listens on 127.0.0.1 alone; port 0: any that is free. False with a message when the port is taken.
bool os_listen_loopback(Socket *server, int port, Message *error);
// The port on this machine that a socket is bound to; 0 when it is bound to none.
int os_socket_port(const Socket *socket);
// The next one who calls; false when there is none, or none can be taken now.
bool os_accept(const Socket *server, Socket *client);
// Calls a program that listens on 127.0.0.1.
bool os_connect_loopback(Socket *socket, int port, Message *error);
// Bytes read; 0 when none are there now, -1 at the end or when the other side is gone.
int os_socket_read(const Socket *socket, void *buffer, size_t size);
// Bytes taken; 0 when none are taken now, -1 when the other side is gone.
int os_socket_write(const Socket *socket, const void *bytes, size_t size);
// Tells the other side that nothing more comes; it can still be read.
void os_socket_finish(const Socket *socket);
// Harmless on none.
void os_socket_close(Socket *socket);
// Two ends that any thread may wake a waiting one with: written to one, seen at the other.
bool os_socket_pair(Socket *reader, Socket *writer, Message *error);
typedef struct SocketWatch {
    Socket socket;
    bool wants_read, wants_write; // to be told when it can be read (or is gone), when it takes bytes
    bool is_ready;
} SocketWatch;
// Waits until one is ready, a signal came or the time is over; how many are ready.
int os_sockets_wait(SocketWatch *watch, int nb, i64 timeout_ms);
// Bytes nobody can guess, at most 256; false with a message when the system has none.
bool os_random(void *bytes, size_t size, Message *error);

// From now on the first SIGINT, SIGTERM or SIGHUP does not end the program but is told by os_interrupted; a
// second one ends it.
void os_catch_interrupts(void);
// The signal that came, 0 when none did.
int os_interrupted(void);
// Forgets it: the next signal is the first again.
void os_forget_interrupt(void);

#endif
