import Foundation
import Testing

@testable import CacheTraces

@Suite struct CacheTraceTests {
    /// The text "1\n2\n1\n", compressed with gzip.
    private static let gzipped =
        Data(
            base64Encoded: "H4sIAAAAAAAC/zPkMuIy5AIAWjZpRQYAAAA=") ?? Data()

    @Test func `Keys are the non-empty lines of a file, with any line ending`() throws {
        let keys = try keys(of: Data("one\ntwo words\r\n\n\r\nthree".utf8))

        #expect(keys == ["one", "two words", "three"])
    }

    @Test func `Lines that span several chunks are read`() throws {
        let lines = (0..<200_000).map { "key-\($0)" }

        #expect(try keys(of: Data(lines.joined(separator: "\n").utf8)) == lines)
    }

    @Test func `Compressed files with one or several members are inflated`() throws {
        #expect(try keys(of: Self.gzipped) == ["1", "2", "1"])
        #expect(try keys(of: Self.gzipped + Self.gzipped) == ["1", "2", "1", "1", "2", "1"])
    }

    @Test func `A compressed file whose output fills the buffer exactly is complete`() throws {
        // 65,536 times "abc\n": 262,144 bytes.
        let text = "H4sIAAAAAAAC/+3DMQ0AAAgDsB+XY/498CKiTZrtRF" + String(repeating: "V", count: 336) + "X1PbDa2l0AAAQA"
        let full = try #require(Data(base64Encoded: text))

        #expect(try keys(of: full).count == 65_536)
        #expect(try keys(of: full + Self.gzipped).count == 65_539)
        #expect(try message(for: full.dropLast(1)).contains("is truncated"))
    }

    @Test func `Zero padding after a compressed file is ignored, and other trailing bytes are an error`() throws {
        #expect(try keys(of: Self.gzipped + Data(repeating: 0, count: 300_000)) == ["1", "2", "1"])
        #expect(try message(for: Self.gzipped + Data([0, 0, 1, 2, 3, 4])).contains("is corrupt"))
    }

    @Test func `A truncated, damaged, empty or invalid trace is rejected with its name`() throws {
        #expect(try message(for: Self.gzipped.dropLast(9)).contains("trace.txt is truncated"))
        var damaged = Self.gzipped
        damaged[12] ^= 0xFF
        #expect(try message(for: damaged).contains("is corrupt"))
        #expect(try message(for: Data("\n\n".utf8)).contains("contains no keys"))
        #expect(try message(for: Data(repeating: 65, count: CacheTrace.keyLimit + 1)).contains("is not a trace"))
        #expect(throws: CacheTraceError.self) { _ = try CacheTrace(file: URL(filePath: "/nowhere/trace")).read { _ in } }
    }

    @Test func `A folder is rejected with the reason of the system`() {
        let error = #expect(throws: CacheTraceError.self) { _ = try CacheTrace(file: URL(filePath: "/")).read { _ in } }

        #expect(error?.description.hasPrefix("cannot read /: ") == true && error?.description.contains("NSCocoaErrorDomain") == false)
    }

    @Test(arguments: [[[0xFF], [0xFE]], [[0x65, 0xCC, 0x81], [0xC3, 0xA9]]] as [[[UInt8]]])
    func `Keys of other bytes are other keys, also without a meaning or with the same one as text`(keys: [[UInt8]]) throws {
        let replay = TraceReplay(size: 10)

        try withFile(Data(keys.joined(separator: [0x0A]))) { _ = try CacheTrace(file: $0).read { replay.access($0) } }

        #expect(replay.hitRatio == 0)
    }

    @Test(arguments: [("gli.txt.gz", "gli"), ("web.12.txt", "web.12"), ("P1.lis", "P1"), ("plain", "plain"), ("x.gz", "x")])
    func `The name of a trace is its file name without extensions`(file: String, name: String) {
        #expect(CacheTrace(file: URL(filePath: "/folder/\(file)")).name == name)
    }

    private func keys(of data: Data) throws -> [String] {
        var keys: [String] = []
        try withFile(data) { _ = try CacheTrace(file: $0).read { keys.append(String(decoding: $0, as: UTF8.self)) } }
        return keys
    }

    private func message(for data: Data) throws -> String {
        let error = #expect(throws: CacheTraceError.self) { try keys(of: data) }
        return error?.description ?? ""
    }

    private func withFile(_ data: Data, _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lading-\(UUID())", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "trace.txt")
        try data.write(to: file)
        try body(file)
    }
}
