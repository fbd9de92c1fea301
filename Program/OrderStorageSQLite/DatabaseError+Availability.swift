import GRDB
import OrderStorage

extension DatabaseError: UnavailableStoreError {
    /// Whether another connection has written for longer than a write waits, such as a long restore.
    package var isUnavailable: Bool { resultCode == .SQLITE_BUSY }

    package var isDiskFull: Bool { resultCode == .SQLITE_FULL }
}
