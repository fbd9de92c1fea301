import Foundation
import Testing

extension Journeys {
    /// `lading cache-simulate` as a process.
    @Suite struct CacheSimulateTests {
        @Test func `A loop that is longer than the cache still has hits, at every requested size`() async throws {
            let lines = (0..<20_000).map { "key-\($0 % 1_000)\n" }.joined()
            let run = try await simulate(Data(lines.utf8), "--size", "500,900", "--size", "1000")

            let figures = run.output.split(separator: "\n").map { $0.split(separator: " ") }
            #expect(run.code == 0)
            #expect(figures.map { $0[1] } == ["loop@500", "loop@900", "loop@1000"])
            let ratios = figures.compactMap { Double($0[2]) }
            #expect(ratios.count == 3 && ratios[0] > 44 && ratios[1] > 80 && ratios[2] == 95)
            #expect(run.error == "")
        }

        @Test func `Invalid input is reported in one line`() async throws {
            let empty = try await simulate(Data(), "--size", "10")
            #expect(empty.code == 1)
            #expect(empty.error.contains("loop.txt contains no keys") && empty.error.split(separator: "\n").count == 1)

            for arguments in [["--size", "0", "x"], ["--size", "ten", "x"], ["--size", "10"], ["x"]] {
                #expect(try await Program.run(["cache-simulate"] + arguments).code == 64)
            }
        }

        private func simulate(_ trace: Data, _ arguments: String...) async throws -> Program.Outcome {
            let folder = FileManager.default.temporaryDirectory.appending(path: "lading-\(UUID())", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "loop.txt")
            try trace.write(to: file)
            return try await Program.run(["cache-simulate"] + arguments + [file.path(percentEncoded: false)])
        }
    }
}
