/* A script that tries what a sandbox forbids, with raw system calls, and says in its summary what has worked.
   usage: hostile SOCKET      the path of a UNIX socket outside */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char done[1000];

static void worked(const char *what) {
    if (*done)
        strcat(done, ", ");
    strcat(done, what);
}

static int connects(int handle, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return handle >= 0 && connect(handle, (struct sockaddr *)&address, sizeof address) == 0;
}

static int starts(long child) {
    if (child == 0)
        _exit(0);
    return child > 0 && waitpid((pid_t)child, NULL, 0) == child;
}

int main(int count, char **words) {
    static char line[1 << 20];
    const char *path = count > 1 ? words[1] : "";
    int pair[2], memory;
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\":\"hello\"")) {
            puts("{\"type\":\"ready\",\"protocol\":1}");
        } else if (strstr(line, "\"type\":\"decide\"")) {
            int action = 0;
            sscanf(strstr(line, "\"legal\":[{\"action\":"), "\"legal\":[{\"action\":%d", &action);
            *done = 0;
            if (connects(socket(AF_UNIX, SOCK_STREAM, 0), path))
                worked("socket");
            if (connects((int)syscall(SYS_socket, (1L << 32) | AF_UNIX, SOCK_STREAM, 0), path))
                worked("socket with high bits");
#ifdef __x86_64__
            if (connects((int)syscall(0x40000000 + SYS_socket, AF_UNIX, SOCK_STREAM, 0), path))
                worked("socket by another table of calls");
#endif
            if (socket(AF_VSOCK, SOCK_STREAM, 0) >= 0)
                worked("virtual machine socket");
            memset(line, 0, 200);
            if (syscall(425, 4, line) >= 0)
                worked("io_uring");
            if ((memory = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600)) >= 0) {
                worked("System V memory");
                shmctl(memory, IPC_RMID, 0);
            }
            if (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && mount("x", "/tmp", "tmpfs", 0, 0) == 0)
                worked("a file system of its own");
            if (starts(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)))
                worked("a namespace of its own");
            unsigned long long clone3[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
            if (starts(syscall(435, clone3, sizeof clone3)))
                worked("a namespace by another call");
            if (!starts(fork()))
                worked("no child"); /* this should work */
            if (open("/dev/made", O_CREAT | O_WRONLY, 0600) >= 0)
                worked("a file in /dev");
            if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
                worked("no pair of sockets"); /* this should work: programs speak to their children so */
            printf("{\"type\":\"action\",\"action\":%d,\"summary\":\"%s\"}\n", action, done);
        }
        fflush(stdout);
    }
    return 0;
}
