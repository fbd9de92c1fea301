import Foundation
import LadingTesting

/// The Swift compiler with the settings of a default package: Swift 6, no upcoming features, no access to `package` declarations.
///
/// It imports the modules that were built with the tests and stops before code generation, when all errors are known, including those of sending.
struct PlainCompiler {
    /// The default isolation of declarations.
    enum Isolation: String, CaseIterable, Sendable {
        /// The default of a package.
        case nonisolated
        /// The default of a new Xcode app.
        case mainActor = "MainActor"
    }

    let isolation: Isolation

    /// Returns the errors and warnings of a file; empty if it compiles.
    ///
    /// The files in the folder of that name in Pages are compiled first, as modules of Apple's platforms that the file imports.
    func diagnostics(for source: String, named name: String) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lading-\(UUID())", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "\(name).swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        for module in Self.children(of: GuidePage.folder("Tests/GuideTests/Pages/\(name)")) {
            let diagnostics = try await Self.compile(Self.moduleArguments(for: module, in: folder))
            guard diagnostics.isEmpty else { return diagnostics }
        }
        return try await Self.compile(arguments + ["-I", folder.path, file.path])
    }

    private static func moduleArguments(for source: URL, in folder: URL) -> [String] {
        let name = source.deletingPathExtension().lastPathComponent
        let module = folder.appending(path: "\(name).swiftmodule")
        return ["-emit-module", "-emit-module-path", module.path, "-module-name", name, "-swift-version", "6"]
            + ["-parse-as-library", source.path]
    }

    private static func compile(_ arguments: [String]) async throws -> String {
        let compiler = try ChildProcess(URL(filePath: "/usr/bin/env"), ["swiftc"] + arguments)
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

    /// The folder of the build products.
    private static let products = ChildProcess.builtExecutable("lading").deletingLastPathComponent()

    /// The module maps of C targets, for modules that import them.
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
