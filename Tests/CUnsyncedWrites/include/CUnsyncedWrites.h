#ifndef CUNSYNCEDWRITES_H
#define CUNSYNCEDWRITES_H

// A library for LD_PRELOAD that kills a program between two writes, and records which bytes of its databases a power cut could lose, so that a test
// can simulate one.
//
// It watches the files in UNSYNCED_WRITES_OF (a folder, without symbolic links) whose names end in ".sqlite" or ".sqlite-wal", and the drafts directly
// in it, whose names end in ".new". For each it appends a record to the file of the same name in UNSYNCED_WRITES_IN before each write or truncation,
// and empties that file after each sync. After UNSYNCED_WRITES_BEFORE_END writes, truncations and syncs the next one ends the program with SIGKILL;
// without the variable none does.

/// A record, which is followed by `count` bytes. They are what the file contained at `offset`, up to its end.
struct unsynced_write {
    /// The length of the file before.
    long length;
    /// The first byte that was changed, and the number of following ones that were.
    long offset, count;
};

#endif
