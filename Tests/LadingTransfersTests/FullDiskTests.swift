import Foundation
import LadingTesting
import LadingTransfers
import Testing

/// Downloads to full disks, real ones where the tests may mount them.
@Suite(.timeLimit(.minutes(10))) struct FullDiskTests {
    private let bytes = TransferFixture.sample

    @Test(.enabled(if: RAMDisk.isSupported, "only root may mount a disk"))
    func `A download that fills the disk retains its partial file and resumes when there is room`() async throws {
        let disk = try RAMDisk(mebibytes: 2)
        defer { disk.unmount() }
        let server = try FileServer(FileServer.Settings(bytes: bytes, pauses: [1_000_000]))
        defer { server.stop() }
        let fixture = try TransferFixture(folder: disk.folder)

        let id = try await fixture.transfers.download(server.url, to: fixture.target)
        _ = await fixture.firstUpdate(of: id) { $0.completed == 1_000_000 }
        server.proceed()
        let failed = await fixture.firstUpdate(of: id) { $0.status == .failed }
        let (names, part) = (fixture.fileNames, fixture.bytes(fixture.folder.appending(path: ".big.bin.\(id).part")))
        try disk.grow(toMebibytes: 8)
        try await fixture.transfers.resume(id)
        _ = try await fixture.transfers.completion(of: id)

        #expect(failed?.reason == "the disk of \(fixture.target.path) is full: free up space")
        #expect(names == [".big.bin.\(id).part"] && part == Array(bytes.prefix(part?.count ?? 0)) && part?.count ?? 0 >= 1_000_000)
        #expect(fixture.bytes() == bytes && fixture.fileNames == ["big.bin"])
        #expect(server.ranges == ["-", "bytes=\(part?.count ?? 0)-"])
    }

    @Test func `A partial download is retained when the rest of it does not fit on the disk`() async throws {
        let server = try FileServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000]))
        defer { server.stop() }
        let fixture = try TransferFixture()
        let id = try await fixture.transfers.download(server.url, to: fixture.target)
        _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
        let left = MemoryTransferJournal(try await fixture.journal.records())

        let crowded = try TransferFixture(journal: left, folder: fixture.folder, availableCapacity: 1_000)
        await fixture.transfers.shutDown()
        try await crowded.transfers.restore()
        await #expect { try await crowded.transfers.completion(of: id) } throws: { error in
            if case TransferError.diskFull(_, needed: bytes.count - 2_000_000) = error { true } else { false }
        }
        let names = crowded.fileNames
        let roomy = try TransferFixture(journal: MemoryTransferJournal(try await left.records()), folder: fixture.folder)
        await crowded.transfers.shutDown()
        try await roomy.transfers.restore()
        try await roomy.transfers.resume(id)
        _ = try await roomy.transfers.completion(of: id)

        #expect(names == [".big.bin.\(id).part"])
        #expect(roomy.bytes() == bytes && server.ranges.last == "bytes=2000000-")
    }
}
