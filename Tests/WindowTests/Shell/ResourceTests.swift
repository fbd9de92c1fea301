import Foundation
import Testing

@testable import Window

/// The resources of the features, in the folder that the program reads.
@Suite struct ResourceTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Program/Window")

    /// A feature that is missing in `Package.swift` would have no resources.
    @Test func `The resources of every feature are built`() throws {
        let built = try Set(FileManager.default.contentsOfDirectory(atPath: WindowServer.resourceFolder().path))

        let features = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
            .map { Self.sources.appending(path: $0).appending(path: "Resources") }
        let names = features.flatMap { Self.files(in: $0) }
        #expect(names.count > 50)
        #expect(Set(names).subtracting(built) == [])
    }

    /// Returns the names of the files in a folder and its subfolders; an empty list when there is no folder.
    private static func files(in folder: URL) -> [String] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter { !$0.pathExtension.isEmpty }.map(\.lastPathComponent)
    }
}
