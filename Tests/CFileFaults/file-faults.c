#define _GNU_SOURCE
#include "CFileFaults.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kind of a call, which determines the errors that it can return.
enum call { OPENING, CREATING, READING, WRITING, SYNCING, NAMING, OTHER };

enum { DESCRIPTOR_LIMIT = 65536 };

static char watched_directory[PATH_MAX];
static size_t watched_length;
static int fault_error;
static long first_fault, last_fault;
static atomic_bool is_armed;
static atomic_long call_count;
// Whether each open file is in the directory.
static atomic_bool is_watched[DESCRIPTOR_LIMIT];

void file_faults_begin(const char *directory, int error, long first, long last) {
    watched_length = strlen(directory);
    if (watched_length >= sizeof watched_directory) return;
    memcpy(watched_directory, directory, watched_length + 1);
    fault_error = error;
    first_fault = first;
    last_fault = last;
    atomic_store(&call_count, 0);
    atomic_store(&is_armed, true);
}

long file_faults_end(void) {
    atomic_store(&is_armed, false);
    return atomic_load(&call_count);
}

static bool is_watched_path(const char *path) {
    return watched_length > 0 && strncmp(path, watched_directory, watched_length) == 0;
}

static bool is_watched_file(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTOR_LIMIT && atomic_load(&is_watched[descriptor]);
}

static bool can_fail(enum call call) {
    switch (fault_error) {
    case ENOSPC: return call == CREATING || call == WRITING || call == SYNCING || call == NAMING;
    case EMFILE: return call == OPENING || call == CREATING;
    default: return true;
    }
}

// Counts a call and returns whether it fails, with the error in errno.
static bool fails(enum call call, bool is_watched_call) {
    if (!is_watched_call || !atomic_load(&is_armed) || !can_fail(call)) return false;
    long number = atomic_fetch_add(&call_count, 1) + 1;
    if (number < first_fault || number > last_fault) return false;
    errno = fault_error;
    return true;
}

// The loaded libraries must resolve to these functions.
#pragma GCC visibility push(default)

// Opening and closing

static int open_file(int directory, const char *path, int flags, mode_t mode) {
    bool watched = is_watched_path(path);
    if (fails(flags & O_CREAT ? CREATING : OPENING, watched)) return -1;
    int descriptor = (int)syscall(SYS_openat, directory, path, flags, mode);
    if (descriptor >= 0 && descriptor < DESCRIPTOR_LIMIT) atomic_store(&is_watched[descriptor], watched);
    return descriptor;
}

#include "COpeningCalls.h"

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < DESCRIPTOR_LIMIT) atomic_store(&is_watched[descriptor], false);
    return (int)syscall(SYS_close, descriptor);
}

// Reading and writing

ssize_t read(int descriptor, void *bytes, size_t count) {
    if (fails(READING, is_watched_file(descriptor))) return -1;
    return syscall(SYS_read, descriptor, bytes, count);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
    if (fails(READING, is_watched_file(descriptor))) return -1;
    return syscall(SYS_pread64, descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) { return pread64(descriptor, bytes, count, offset); }

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (fails(WRITING, is_watched_file(descriptor))) {
        syscall(SYS_write, descriptor, bytes, count / 2);
        errno = fault_error;
        return -1;
    }
    return syscall(SYS_write, descriptor, bytes, count);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    if (fails(WRITING, is_watched_file(descriptor))) {
        syscall(SYS_pwrite64, descriptor, bytes, count / 2, offset);
        errno = fault_error;
        return -1;
    }
    return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) { return pwrite64(descriptor, bytes, count, offset); }

int fsync(int descriptor) { return fails(SYNCING, is_watched_file(descriptor)) ? -1 : (int)syscall(SYS_fsync, descriptor); }

int fdatasync(int descriptor) { return fails(SYNCING, is_watched_file(descriptor)) ? -1 : (int)syscall(SYS_fdatasync, descriptor); }

int ftruncate64(int descriptor, off64_t length) {
    return fails(OTHER, is_watched_file(descriptor)) ? -1 : (int)syscall(SYS_ftruncate, descriptor, length);
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

// File names

int rename(const char *from, const char *to) {
    if (fails(NAMING, is_watched_path(to))) return -1;
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int link(const char *from, const char *to) {
    if (fails(NAMING, is_watched_path(to))) return -1;
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
    return fails(OTHER, is_watched_path(path)) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int mkdir(const char *path, mode_t mode) {
    return fails(NAMING, is_watched_path(path)) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

#pragma GCC visibility pop

#else

void file_faults_begin(const char *directory, int error, long first, long last) {
    (void)directory, (void)error, (void)first, (void)last;
}

long file_faults_end(void) { return 0; }

#endif
