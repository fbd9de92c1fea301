import Foundation
public import LadingTransfers
import ScriptedServers

/// A journal of transfers in memory. Passing it to another `FileTransfers` simulates a restart after a kill.
public final class MemoryTransferJournal: TransferJournal {
    private struct State: Sendable {
        var records: [TransferRecord] = []
        var commands: [TransferCommand] = []
        var failure: (any Error)?
        var isOwned = false
    }

    private let state: ObservableValue<State>

    public init(_ records: [TransferRecord] = []) {
        state = ObservableValue(State(records: records))
    }

    /// Makes all further writes throw an error; nil ends that.
    public func fail(with error: (any Error)?) {
        state.change { $0.failure = error }
    }

    public func acquireOwnership() throws -> TransferOwnership {
        var wasOwned = false
        state.change { state in (wasOwned, state.isOwned) = (state.isOwned, true) }
        if wasOwned { throw TransferError.journalInUse(by: getpid()) }
        return TransferOwnership { [state] in state.change { $0.isOwned = false } }
    }

    public nonisolated(nonsending) func records() async throws -> [TransferRecord] { state.value.records }

    public nonisolated(nonsending) func record(of id: TransferID) async throws -> TransferRecord? {
        state.value.records.first { $0.id == id }
    }

    public nonisolated(nonsending) func save(_ record: TransferRecord) async throws {
        try write { state in
            if let index = state.records.firstIndex(where: { $0.id == record.id }) {
                state.records[index] = record
            } else {
                state.records.append(record)
            }
        }
    }

    public nonisolated(nonsending) func remove(_ id: TransferID) async throws {
        try write { $0.records.removeAll { $0.id == id } }
    }

    public nonisolated(nonsending) func post(_ command: TransferCommand) async throws {
        try write { $0.commands.append(command) }
    }

    public nonisolated(nonsending) func consumeCommands() async throws -> [TransferCommand] {
        var commands: [TransferCommand] = []
        try write { state in
            commands = state.commands
            state.commands = []
        }
        return commands
    }

    public nonisolated(nonsending) func performCommands(
        _ perform: nonisolated(nonsending) (TransferCommand) async throws -> Void
    ) async throws {
        while let command = state.value.commands.first {
            try await perform(command)
            try write { state in
                if let index = state.commands.firstIndex(of: command) { state.commands.remove(at: index) }
            }
        }
    }

    /// Waits until the record of a transfer satisfies a condition.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    public nonisolated(nonsending) func wait(for id: TransferID, until isSatisfied: @escaping @Sendable (TransferRecord) -> Bool)
        async throws
    {
        try await state.wait { state in state.records.contains { $0.id == id && isSatisfied($0) } }
    }

    private func write(_ body: (inout State) -> Void) throws {
        if let failure = state.value.failure { throw failure }
        state.change(body)
    }
}
