public import Foundation

/// Keeps what transfers have come to, beyond the end of the process.
///
/// What `save` has confirmed is there after the process was killed, and after the power was cut if the journal says so. Several processes may use one
/// journal: one of them owns it and runs its transfers, and is told the wishes of the others.
public protocol TransferJournal: Sendable {
    /// Makes the caller the owner of the journal, without waiting for a former one.
    ///
    /// No two ownerships exist at a time, whichever objects and processes asked for them. The system releases one whose process has ended in any way.
    /// - Throws: `TransferError.journalInUse` while there is an owner.
    func acquireOwnership() throws -> TransferOwnership

    /// All transfers, oldest first.
    nonisolated(nonsending) func records() async throws -> [TransferRecord]

    nonisolated(nonsending) func record(of id: TransferID) async throws -> TransferRecord?

    /// Adds a transfer, or replaces what was known of it.
    nonisolated(nonsending) func save(_ record: TransferRecord) async throws

    nonisolated(nonsending) func remove(_ id: TransferID) async throws

    /// Leaves a wish for whoever carries transfers.
    nonisolated(nonsending) func post(_ command: TransferCommand) async throws

    /// Takes the wishes left so far, oldest first: they are gone then.
    nonisolated(nonsending) func consumeCommands() async throws -> [TransferCommand]
}

/// What a process would like the one that carries transfers to do.
public struct TransferCommand: Hashable, Sendable {
    /// What is to be done.
    public enum Kind: String, Hashable, Sendable {
        /// To begin, or to go on with, a transfer whose record is in the journal.
        case resume
        case pause
        case cancel
        /// To replace a file that is at the target.
        case replaceTarget = "replace"
        /// To leave a file that is at the target as it is.
        case preserveTarget = "keep"
    }

    public let kind: Kind
    public let id: TransferID
    /// Where the same file is to be had, or to go, from now on; nil where it was.
    public let url: URL?

    public init(_ kind: Kind, _ id: TransferID, at url: URL? = nil) {
        self.kind = kind
        self.id = id
        self.url = url
    }
}
