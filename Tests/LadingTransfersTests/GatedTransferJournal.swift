import LadingTesting
import LadingTransfers

/// A journal in memory without `performCommands`, whose consumer of commands waits at a gate after they were removed.
final class GatedTransferJournal: TransferJournal {
    let base = MemoryTransferJournal()
    /// The gate of `consumeCommands`.
    let gate = Gate()
    /// The gate of `save`; nil for none.
    let saveGate: Gate?
    /// The gate that is opened when the journal is released.
    let released = Gate()

    init(saveGate: Gate? = nil) {
        self.saveGate = saveGate
    }

    func acquireOwnership() throws -> TransferOwnership {
        let ownership = try base.acquireOwnership()
        return TransferOwnership { [released] in
            ownership.release()
            released.open()
        }
    }

    func records() async throws -> [TransferRecord] { try await base.records() }
    func record(of id: TransferID) async throws -> TransferRecord? { try await base.record(of: id) }

    func save(_ record: TransferRecord) async throws {
        try await saveGate?.wait()
        try await base.save(record)
    }

    func remove(_ id: TransferID) async throws { try await base.remove(id) }
    func post(_ command: TransferCommand) async throws { try await base.post(command) }

    func consumeCommands() async throws -> [TransferCommand] {
        let commands = try await base.consumeCommands()
        try await gate.wait()
        return commands
    }
}
