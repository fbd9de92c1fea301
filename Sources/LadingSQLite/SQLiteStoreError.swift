public import SQLiteFiles

/// An error that prevents the use of a store; its description advises the user.
public typealias SQLiteStoreError = SQLiteFileError
