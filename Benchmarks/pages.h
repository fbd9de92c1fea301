// What Glibc leaves out, for pages.swift.
#include <sys/epoll.h>
