// Writes bodies and prints the confirmed ones until it is killed. With FULL its files are limited to 1 MiB.
//
//     BlobProgram DIRECTORY SEED FIRST
//     BlobProgram DIRECTORY FULL

import CAllocationFaults
import Foundation
import LadingCaching
import LadingConformance
import LadingSQLite

@main
enum BlobProgram {
    static func main() async throws {
        guard allocation_fault_begin() == 0 else { exit(70) }
        let arguments = CommandLine.arguments
        let directory = URL(filePath: arguments.count > 1 ? arguments[1] : "", directoryHint: .isDirectory)
        if arguments.count == 3, arguments[2] == "FULL" { return try await fill(directory) }
        guard arguments.count == 4, let seed = UInt64(arguments[2]), let first = Int(arguments[3]) else { exit(64) }
        printLine("\(first - 1)")
        let store = try SQLiteBlobStore(in: directory, byteLimit: BlobGenerator.byteLimit)
        for number in first... {
            let blob = try await write(number, seed, to: store)
            let metadata = BlobGenerator.metadata(of: number)
            if metadata.count > 1 { _ = try await store.setMetadata(metadata[1], of: blob) }
            printLine("\(number)")
        }
    }

    private static func write(_ number: Int, _ seed: UInt64, to store: SQLiteBlobStore) async throws -> Blob {
        let key = BlobGenerator.key(of: number, seed: seed)
        for blob in try await store.blobs(in: key.group) { _ = try await store.open(blob) }
        let body = BlobGenerator.body(of: number, seed: seed)
        let writer = try await store.write(key, metadata: BlobGenerator.metadata(of: number)[0])
        for start in stride(from: 0, to: body.count, by: 50_000) {
            try await writer.append(Array(body[start..<min(start + 50_000, body.count)]))
        }
        return try await writer.finish(metadata: nil)
    }

    /// Writes a long body on a full disk and then a short one, and prints the results.
    private static func fill(_ directory: URL) async throws {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
        guard setrlimit(fileSizeResource, &limit) == 0 else { exit(1) }
        let store = try SQLiteBlobStore(in: directory, byteLimit: 64 << 20)
        for count in [2 << 20, 300_000] {
            let writer = try await store.write(BlobKey(group: "\(count)"), metadata: [])
            do {
                for _ in 0..<count / 1_000 { try await writer.append([UInt8](repeating: 7, count: 1_000)) }
                printLine("\(try await writer.finish(metadata: nil).length)")
            } catch BlobStoreError.noRoom(let key) {
                printLine("no room for \(key.group)")
            }
        }
        try store.close()
    }

    private static func printLine(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}

#if canImport(Glibc)
    private let fileSizeResource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
    private let fileSizeResource = RLIMIT_FSIZE
#endif
