// Downloads one file through a journal and prints its progress; tests run it twice at once, and kill it.
//
//     TransferProgram JOURNAL URL FILE
//
// Prints "in use by PID" when another process owns the journal, otherwise "owner", "moved N" as bytes arrive, and last "finished N" or "failed: …".
// A download of the file that is already in the journal is continued, also if it has failed.

import CAllocationFaults
import Foundation
import LadingHTTP
import LadingJournals
import LadingNIO
import LadingOperations
import LadingTransfers

@main
enum TransferProgram {
    static func main() async throws {
        guard allocation_fault_begin() == 0 else { exit(70) }
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let url = URL(string: arguments[2]) else { exit(64) }
        let file = URL(filePath: arguments[3], directoryHint: .notDirectory)
        let executor = AsyncHTTPClientExecutor()
        let journal = try SQLiteTransferJournal(at: URL(filePath: arguments[1], directoryHint: .notDirectory))
        let transfers = FileTransfers(client: BackendClient(executor: executor), queue: BackendQueue(), journal: journal)
        do {
            try await run(transfers, journal, url, file)
        } catch TransferError.journalInUse(let owner) {
            printLine("in use by \(owner.map(String.init) ?? "?")")
        } catch {
            printLine("failed: \(error)")
        }
        await transfers.shutDown()
        try await executor.shutdown()
    }

    private static func run(_ transfers: FileTransfers, _ journal: SQLiteTransferJournal, _ url: URL, _ file: URL) async throws {
        try await transfers.restore()
        printLine("owner")
        let known = try await journal.records().first { $0.file == file && !$0.status.isFinal }
        let id = if let known { known.id } else { try await transfers.download(url, to: file) }
        if known?.status == .failed { try await transfers.resume(id) }
        for await transfer in transfers.updates(of: id) {
            if transfer.status == .failed { break }
            printLine("moved \(transfer.completed)")
        }
        printLine("finished \(try await transfers.completion(of: id).completed)")
    }

    private static func printLine(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
