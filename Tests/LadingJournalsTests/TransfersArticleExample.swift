import Foundation
import LadingHTTP
import LadingJournals
import LadingOperations
import LadingTransfers
import ScriptedServers
import StoreFixtures
import Testing

// The code between the lines of dashes is a verbatim part of the article of LadingJournals.
// ---- ARTICLE
func fetch(_ url: URL, to file: URL, journal journalFile: URL) async throws -> FileTransfer {
    let journal = try SQLiteTransferJournal(at: journalFile)
    let transfers = FileTransfers(client: BackendClient(), queue: BackendQueue(), journal: journal)
    do {
        try await transfers.restore()
        let id = try await transfers.download(url, to: file)
        let transfer = try await transfers.completion(of: id)
        await transfers.shutDown()
        return transfer
    } catch {
        await transfers.shutDown()
        throw error
    }
}
// ---- ARTICLE

@Suite(.timeLimit(.minutes(10))) struct TransfersArticleExample {
    @Test func `A failed download leaves the journal to the next one`() async throws {
        let folder = try StoreFolder("transfers")
        let file = folder.url.appending(path: "map.pdf")
        let server = try ScriptedServer { request in
            let (status, body) = request.target == "/map" ? (200, "map") : (404, "")
            return [.send("HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
        }
        defer { server.stop() }

        await #expect {
            try await fetch(server.url("/missing"), to: file, journal: folder.file)
        } throws: { error in
            if case BackendError.status(404, _, _) = error { true } else { false }
        }
        let transfer = try await fetch(server.url("/map"), to: file, journal: folder.file)

        #expect(transfer.status == .finished)
        #expect(try Data(contentsOf: file) == Data("map".utf8))
    }

    @Test func `The article shows the code above`() throws {
        let file = URL(filePath: #filePath)
        let package = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let path = "Sources/LadingJournals/LadingJournals.docc/GettingStarted.md"

        let code = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "// ---- ARTICLE\n")[1]

        #expect(try String(contentsOf: package.appending(path: path), encoding: .utf8).contains("\n\(code)```\n"))
    }
}
