import LadingHTTP
import LadingTesting
import Testing

@testable import Window

/// The number of bodies that a person may send at a time.
@Suite struct UploadCountsTests {
    private let counts = UploadCounts()
    private let stream = RequestBody.stream { AsyncStream<[UInt8]> { $0.finish() } }

    @Test func `A person has a limited number of streams at a time, and any number of bodies in memory`() async throws {
        let gate = Gate()
        let uploads = (0..<UploadCounts.limit).map { _ in
            Task { [counts, stream] in try await counts.counting(stream, of: "mina") { try await gate.wait() } }
        }
        await gate.waitForWaiters(count: UploadCounts.limit)

        await #expect(throws: PageError.tooManyUploads) { try await counts.counting(stream, of: "mina") { 1 } }
        #expect(try await counts.counting(.bytes([1]), of: "mina") { 1 } == 1)
        #expect(try await counts.counting(stream, of: "jonas") { 1 } == 1)
        gate.open()
        for upload in uploads { try await upload.value }
        #expect(try await counts.counting(stream, of: "mina") { 1 } == 1)
    }

    private struct SenderGone: Error {}

    @Test func `An upload that fails is not counted any more`() async {
        for _ in 0...UploadCounts.limit {
            await #expect(throws: SenderGone.self) { try await counts.counting(stream, of: "mina") { throw SenderGone() } }
        }
    }
}
