import Foundation
import LadingTesting

/// The Swift compiler as a package without settings runs it: Swift 6, no upcoming feature, no access to what is `package`.
///
/// It reads the modules that were built with the tests. It stops before code is generated; by then all errors are known, those of sending included.
struct PlainCompiler {
    /// The isolation of what says nothing of its own.
    enum Isolation: String, CaseIterable, Sendable {
        /// What a package has.
        case nonisolated
        /// What Xcode chooses for a new app.
        case mainActor = "MainActor"
    }

    let isolation: Isolation

    /// The errors and warnings in a file; empty when it compiles.
    func diagnostics(for source: String, named name: String) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lading-\(UUID())", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "\(name).swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let compiler = try ChildProcess(URL(filePath: "/usr/bin/env"), ["swiftc"] + arguments + [file.path])
        let code = await compiler.waitForExit()
        let diagnostics = await compiler.error.text()
        return code == 0 ? "" : "exit code \(code)\n\(diagnostics)"
    }

    private var arguments: [String] {
        ["-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors"]
            + (isolation == .mainActor ? ["-default-isolation", "MainActor"] : [])
            + ["-I", Self.products.appending(path: "Modules").path]
            + Self.moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    }

    /// The folder that the package was built into.
    private static let products = ChildProcess.builtExecutable("lading").deletingLastPathComponent()

    /// The module maps of C targets, which modules that use them are read with.
    private static let moduleMaps: [URL] = {
        let checkouts = GuidePage.folder(".build/checkouts")
        let sources = children(of: checkouts).flatMap { children(of: $0.appending(path: "Sources")) }
        let folders =
            sources.flatMap { [$0, $0.appending(path: "include")] } + children(of: products).filter { $0.pathExtension == "build" }
        return folders.map { $0.appending(path: "module.modulemap") }.filter { FileManager.default.fileExists(atPath: $0.path) }
    }()

    private static func children(of folder: URL) -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }
}
