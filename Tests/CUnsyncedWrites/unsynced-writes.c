#define _GNU_SOURCE
#include "CUnsyncedWrites.h"

#ifdef __linux__

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DESCRIPTOR_LIMIT = 65536, FILE_LIMIT = 64 };

struct watched_file {
    char name[NAME_MAX + 1];
    int log;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct watched_file files[FILE_LIMIT];
static int file_count;
// The calls that remain until the end of the program; none before the first call.
static long remaining_calls = -1;
// The number of the watched file of each descriptor, from 1; 0 for other files.
static int file_numbers[DESCRIPTOR_LIMIT];

static bool has_suffix(const char *text, const char *suffix) {
    size_t length = strlen(text), suffix_length = strlen(suffix);
    return length >= suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

// Returns the name of a watched file; NULL for another.
static const char *watched_name(const char *path) {
    const char *folder = getenv("UNSYNCED_WRITES_OF");
    size_t length = folder ? strlen(folder) : 0;
    if (length == 0 || strncmp(path, folder, length) != 0 || path[length] != '/') return NULL;
    const char *name = path + length + 1;
    // Drafts in the folders below are not watched.
    bool is_draft = has_suffix(name, ".new") && !strchr(name, '/');
    return has_suffix(name, ".sqlite") || has_suffix(name, ".sqlite-wal") || is_draft ? name : NULL;
}

// Returns the number of a file, whose log is created at the first time; 0 if it is not watched. The lock is held.
static int file_number(const char *path) {
    const char *name = watched_name(path), *logs = getenv("UNSYNCED_WRITES_IN");
    if (!name || !logs) return 0;
    for (int number = 1; number <= file_count; number++) {
        if (strcmp(files[number - 1].name, name) == 0) return number;
    }
    char log[PATH_MAX];
    if (file_count == FILE_LIMIT || strlen(name) > NAME_MAX) abort();
    if (snprintf(log, sizeof log, "%s/%s", logs, name) >= (int)sizeof log) abort();
    struct watched_file *file = &files[file_count];
    strcpy(file->name, name);
    file->log = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (file->log < 0) abort();
    return ++file_count;
}

static int number_of_descriptor(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTOR_LIMIT ? __atomic_load_n(&file_numbers[descriptor], __ATOMIC_ACQUIRE) : 0;
}

static void set_number(int descriptor, int number) {
    if (descriptor >= 0 && descriptor < DESCRIPTOR_LIMIT) __atomic_store_n(&file_numbers[descriptor], number, __ATOMIC_RELEASE);
}

// Appends a record with the bytes that are about to change. The lock is held.
static void record(int descriptor, int number, off64_t offset, size_t count) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) abort();
    size_t available = offset < status.st_size ? (size_t)(status.st_size - offset) : 0;
    struct unsynced_write write = {status.st_size, offset, (long)(count < available ? count : available)};
    char *bytes = malloc(sizeof write + (size_t)write.count);
    if (!bytes) abort();
    memcpy(bytes, &write, sizeof write);
    if (syscall(SYS_pread64, descriptor, bytes + sizeof write, write.count, offset) != write.count) abort();
    // One call, so that a killed program leaves no record whose write has happened in part.
    if (syscall(SYS_write, files[number - 1].log, bytes, sizeof write + (size_t)write.count) < 0) abort();
    free(bytes);
}

// Kills the program if this is its last call. The lock is held.
static void count_call(void) {
    const char *limit = getenv("UNSYNCED_WRITES_BEFORE_END");
    if (remaining_calls < 0) remaining_calls = limit ? atol(limit) : LONG_MAX;
    if (remaining_calls-- > 0) return;
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void forget_records(int number) {
    if (syscall(SYS_ftruncate, files[number - 1].log, 0) != 0) abort();
}

// The loaded libraries must resolve to these functions.
#pragma GCC visibility push(default)

// Opening and closing

static int open_file(int directory, const char *path, int flags, mode_t mode) {
    int descriptor = (int)syscall(SYS_openat, directory, path, flags, mode);
    if (descriptor < 0) return descriptor;
    pthread_mutex_lock(&lock);
    set_number(descriptor, file_number(path));
    pthread_mutex_unlock(&lock);
    return descriptor;
}

#include "COpeningCalls.h"

int close(int descriptor) {
    set_number(descriptor, 0);
    return (int)syscall(SYS_close, descriptor);
}

// Writing and syncing

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    int number = number_of_descriptor(descriptor);
    if (number == 0) return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    pthread_mutex_lock(&lock);
    count_call();
    record(descriptor, number, offset, count);
    ssize_t written = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) { return pwrite64(descriptor, bytes, count, offset); }

ssize_t write(int descriptor, const void *bytes, size_t count) {
    int number = number_of_descriptor(descriptor);
    if (number == 0) return syscall(SYS_write, descriptor, bytes, count);
    pthread_mutex_lock(&lock);
    count_call();
    record(descriptor, number, lseek64(descriptor, 0, SEEK_CUR), count);
    ssize_t written = syscall(SYS_write, descriptor, bytes, count);
    pthread_mutex_unlock(&lock);
    return written;
}

int ftruncate64(int descriptor, off64_t length) {
    int number = number_of_descriptor(descriptor);
    if (number == 0) return (int)syscall(SYS_ftruncate, descriptor, length);
    pthread_mutex_lock(&lock);
    count_call();
    record(descriptor, number, length, SIZE_MAX);
    int outcome = (int)syscall(SYS_ftruncate, descriptor, length);
    pthread_mutex_unlock(&lock);
    return outcome;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

static int sync_file(long call, int descriptor) {
    int number = number_of_descriptor(descriptor);
    if (number == 0) return (int)syscall(call, descriptor);
    pthread_mutex_lock(&lock);
    count_call();
    int outcome = (int)syscall(call, descriptor);
    if (outcome == 0) forget_records(number);
    pthread_mutex_unlock(&lock);
    return outcome;
}

int fsync(int descriptor) { return sync_file(SYS_fsync, descriptor); }

int fdatasync(int descriptor) { return sync_file(SYS_fdatasync, descriptor); }

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    int outcome = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    int number = outcome == 0 ? file_number(path) : 0;
    if (number > 0) forget_records(number);
    pthread_mutex_unlock(&lock);
    return outcome;
}

#pragma GCC visibility pop

#endif
