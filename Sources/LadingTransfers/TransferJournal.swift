public import Foundation

/// A persistent store of transfers.
///
/// A confirmed `save` survives the end of the process, and a power failure if the journal guarantees it. Several processes may share a journal: one of
/// them owns it and runs its transfers, and the others send it commands. Each function throws the errors of its storage.
public protocol TransferJournal: Sendable {
    /// Makes the caller the owner of the journal, without waiting for another owner.
    ///
    /// At most one ownership exists at a time, across objects and processes. The system releases it when its process ends in any way.
    /// - Throws: `TransferError.journalInUse` while there is an owner.
    func acquireOwnership() throws -> TransferOwnership

    /// Returns all transfers, oldest first.
    nonisolated(nonsending) func records() async throws -> [TransferRecord]

    /// Returns the record of a transfer; nil when it is unknown.
    nonisolated(nonsending) func record(of id: TransferID) async throws -> TransferRecord?

    /// Adds a transfer or replaces its record.
    nonisolated(nonsending) func save(_ record: TransferRecord) async throws

    /// Removes the record of a transfer; does nothing when it is unknown.
    nonisolated(nonsending) func remove(_ id: TransferID) async throws

    /// Adds a command for the owner of the journal.
    nonisolated(nonsending) func post(_ command: TransferCommand) async throws

    /// Removes and returns all commands, oldest first.
    nonisolated(nonsending) func consumeCommands() async throws -> [TransferCommand]

    /// Calls a closure with each command, oldest first, and removes the command afterwards. A command for which it throws remains, with the later
    /// ones, and the error is thrown.
    ///
    /// The default implementation consumes all commands first: those that were not performed at the end of the process are lost.
    nonisolated(nonsending) func performCommands(
        _ perform: nonisolated(nonsending) (TransferCommand) async throws -> Void
    ) async throws
}

extension TransferJournal {
    public nonisolated(nonsending) func performCommands(
        _ perform: nonisolated(nonsending) (TransferCommand) async throws -> Void
    ) async throws {
        var commands = try await consumeCommands()[...]
        while let command = commands.first {
            do { try await perform(command) } catch {
                for command in commands { try await post(command) }
                throw error
            }
            commands.removeFirst()
        }
    }
}

/// A command to the process that runs the transfers of a journal.
public struct TransferCommand: Hashable, Sendable {
    /// The kind of a command.
    public enum Kind: String, Hashable, Sendable {
        /// Starts or resumes a transfer whose record is in the journal.
        case resume
        case pause
        case cancel
        /// Permits replacing a file at the target.
        case replaceTarget = "replace"
        /// Prohibits replacing a file at the target.
        case retainTarget = "keep"
    }

    public let kind: Kind
    public let id: TransferID
    /// The new URL of the file; nil for the current one.
    public let url: URL?

    public init(_ kind: Kind, _ id: TransferID, at url: URL? = nil) {
        self.kind = kind
        self.id = id
        self.url = url
    }
}
