// SPDX-License-Identifier: GPL-3.0-or-later
// Files that replace others: whole or not at all, whoever is killed meanwhile, and nothing is left beside
// them.
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// How many files the folder has.
static int count_files(const char *folder)
{
    int nb = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        nb += entry->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return nb;
}

static void check_holds(const char *path, const char *expected)
{
    Text text = {0};
    Message message;
    CHECK(text_read_file(&text, path, 1 << 20, &message));
    CHECK_TEXT(text.ptr ? text.ptr : "", expected);
    text_free(&text);
}

// Begins to write the file in another process, which then waits to be ended.
static pid_t begin_to_write(const char *path)
{
    int ready[2];
    char byte = 0;
    CHECK(pipe(ready) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        OutFile out;
        Message message;
        bool ok =
            os_out_open(&out, path, &message) && fputs("half", out.stream) >= 0 && fflush(out.stream) == 0;
        byte = ok ? 'y' : 'n';
        if (write(ready[1], &byte, 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    CHECK(read(ready[0], &byte, 1) == 1 && byte == 'y');
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static void test_replacing(const char *folder, const char *path)
{
    Message message = {{0}};
    OutFile out;
    CASE("files: written whole, replaced whole, and given up");
    CHECK(os_write_file(path, "one", 3, &message));
    check_holds(path, "one");
    CHECK(os_out_open(&out, path, &message) && fputs("tw", out.stream) >= 0);
    check_holds(path, "one");
    CHECK(os_out_close(&out, true, &message));
    check_holds(path, "tw");
    CHECK(os_out_open(&out, path, &message) && fputs("three", out.stream) >= 0);
    errno = 0;
    CHECK(!os_out_close(&out, false, &message));
    check_holds(path, "tw");
    CHECK(os_can_write(path, &message));
    check_holds(path, "tw");
    CHECK_INT(count_files(folder), 1);
}

static void test_killed(const char *folder, const char *path)
{
    Message message = {{0}};
    CASE("files: what a killed program left is cleaned up by the next that writes the file");
    for (int i = 0; i < 3; i++) {
        pid_t pid = begin_to_write(path);
        kill(pid, SIGKILL);
        CHECK(waitpid(pid, NULL, 0) == pid);
        check_holds(path, "tw");
    }
    CHECK_INT(count_files(folder), 2);
    CHECK(os_write_file(path, "new", 3, &message));
    check_holds(path, "new");
    CHECK_INT(count_files(folder), 1);
    CASE("files: two programs don't write the same file at the same time");
    pid_t pid = begin_to_write(path);
    CHECK(!os_write_file(path, "other", 5, &message));
    CHECK_THAT(strstr(message.text, "another program is writing it") != NULL, "%s", message.text);
    CHECK(!os_can_write(path, &message));
    check_holds(path, "new");
    kill(pid, SIGKILL);
    CHECK(waitpid(pid, NULL, 0) == pid);
    CHECK(os_write_file(path, "last", 4, &message));
    check_holds(path, "last");
    CHECK_INT(count_files(folder), 1);
}

// Several processes replace the same file again and again: it is always whole.
static void test_crowd(const char *folder, const char *path)
{
    CASE("files: a crowd of writers");
    pid_t pid[4];
    for (int i = 0; i < 4; i++)
        if ((pid[i] = fork()) == 0) {
            char text[5000];
            int written = 0;
            memset(text, 'a' + i, sizeof text);
            for (int k = 0; k < 20; k++)
                written += os_write_file(path, text, sizeof text, NULL);
            _exit(written == 0);
        }
    bool is_whole = true;
    for (int k = 0; k < 200; k++) {
        Text text = {0};
        if (text_read_file(&text, path, 1 << 20, NULL) && text.len != 4)
            for (size_t i = 0; i < 5000; i++)
                is_whole &= text.len == 5000 && text.ptr[i] == text.ptr[0];
        text_free(&text);
    }
    CHECK(is_whole);
    for (int i = 0; i < 4; i++) {
        int status = -1;
        CHECK(waitpid(pid[i], &status, 0) == pid[i]);
        CHECK_INT(status, 0);
    }
    CHECK_INT(count_files(folder), 1);
}

void test_out_files(void)
{
    char folder[512], path[600];
    Message message;
    snprintf(folder, sizeof folder, "%s", test_scratch("files"));
    snprintf(path, sizeof path, "%s/file", folder);
    CHECK(os_make_folder(folder, &message));
    test_replacing(folder, path);
    test_killed(folder, path);
    test_crowd(folder, path);
    unlink(path);
    CHECK_INT(rmdir(folder), 0);
}
