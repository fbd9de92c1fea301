public import SQLiteFiles

/// An error that prevents the use of a journal; its description advises the user.
public typealias SQLiteJournalError = SQLiteFileError
