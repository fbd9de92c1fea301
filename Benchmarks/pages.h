// Declarations missing from Glibc, for pages.swift.
#include <sys/epoll.h>
