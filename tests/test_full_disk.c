// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play on a disk without room: the message names the file and tells the system's reason.
#include "helpers.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "train/datagen.h"

static DatagenJob small_job(const char *path)
{
    DatagenJob job = {.path = path,
                      .seed = 1,
                      .games = 50,
                      .threads = 1,
                      .settings = play_settings_default(),
                      .quiet = true};
    job.settings.nodes = job.settings.even_nodes = 20;
    job.settings.hard_nodes = 200;
    job.settings.hash_mb = 1;
    return job;
}

// Room for a few games, in a process of its own. The exit code is 0 when all is as it should be.
static int run_without_room(const DatagenJob *job)
{
    const struct rlimit room = {300, 300};
    Message message = {""};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &room) != 0)
        return 1;
    if (datagen_run(job, &message))
        return 2;
    return strstr(message.text, strerror(EFBIG)) && strstr(message.text, job->path) ? 0 : 3;
}

void test_full_disk(void)
{
    char path[PATH_BYTES];
    int status = -1;
    Message message = {""};
    scratch_path("full.tfg", path);
    CASE("datagen: what can't be written is told with the system's reason");
    DatagenJob job = small_job(path);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        _exit(run_without_room(&job));
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK_INT(status, 0);
    unlink(path);
    job.path = "/no/such/folder/file.tfg";
    CHECK(!datagen_run(&job, &message));
    CHECK_THAT(strstr(message.text, strerror(ENOENT)) != NULL, "%s", message.text);
}
