import DiskSpace
import LadingJournals
import LadingSQLite
import SQLiteFiles
import ServerStartup

extension FullDisk {
    /// Returns the store or journal that a closure opens; nil if its disk is full.
    static func opening<Store>(_ open: () throws -> Store) throws -> Store? {
        do {
            return try open()
        } catch SQLiteStoreError.diskFull, SQLiteJournalError.diskFull {
            return nil
        } catch let error as DirectoryLock.Failure where error.isDiskFull {
            return nil
        }
    }
}
