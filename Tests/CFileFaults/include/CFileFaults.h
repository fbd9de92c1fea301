#ifndef CFILEFAULTS_H
#define CFILEFAULTS_H

/// Lets calls of the system fail that concern files in a directory: opening, reading, writing, syncing, truncating, renaming, removing.
///
/// The program that links this library calls its functions in the place of those of the C library, and on Linux so do the libraries that it
/// loads. A write that fails has written the first half of its bytes. Only calls that can end with the error are counted, from 1.
///
/// - `directory`: The absolute path of the directory, without links in it.
/// - `error`: `EIO`, `ENOSPC` or `EMFILE`.
/// - `first`, `last`: The numbers of the calls that fail; 0 and 0 for none.
void file_faults_begin(const char *directory, int error, long first, long last);

/// Lets no more calls fail; returns how many were counted.
long file_faults_end(void);

#endif
