#ifndef COPENINGCALLS_H
#define COPENINGCALLS_H

// The functions of the C library that open files, for libraries that replace them; all call `open_file`, which the source that includes this file
// defines before. It is included where symbols are visible to the loaded libraries.

static bool takes_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

#define READ_MODE(flags, mode)              \
    mode_t mode = 0;                        \
    if (takes_mode(flags)) {                \
        va_list arguments;                  \
        va_start(arguments, flags);         \
        mode = va_arg(arguments, mode_t);   \
        va_end(arguments);                  \
    }

int open(const char *path, int flags, ...) {
    READ_MODE(flags, mode)
    return open_file(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    READ_MODE(flags, mode)
    return open_file(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
    READ_MODE(flags, mode)
    return open_file(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
    READ_MODE(flags, mode)
    return open_file(directory, path, flags, mode);
}

#endif
