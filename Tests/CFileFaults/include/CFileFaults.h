#ifndef CFILEFAULTS_H
#define CFILEFAULTS_H

/// Makes system calls fail that concern files in a directory: opening, reading, writing, syncing, truncating, renaming, removing.
///
/// The functions of this library replace those of the C library in the program that links it, and on Linux also in the libraries that it loads.
/// A failing write has written the first half of its bytes. Only calls that can return the error are counted, from 1.
///
/// - `directory`: The absolute path of the directory, without symbolic links.
/// - `error`: `EIO`, `ENOSPC` or `EMFILE`.
/// - `first`, `last`: The numbers of the calls that fail; 0 and 0 for none.
void file_faults_begin(const char *directory, int error, long first, long last);

/// Ends the faults and returns the number of counted calls.
long file_faults_end(void);

#endif
