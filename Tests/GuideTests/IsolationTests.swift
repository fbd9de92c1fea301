import Foundation
import Testing

/// Tests that public signatures state their isolation, so that they mean the same without upcoming features.
@Suite struct IsolationTests {
    private static let libraries = [
        "LadingCaching", "LadingConfiguration", "LadingConformance", "LadingFeeds", "LadingFirebase", "LadingFirebaseTesting", "LadingHTTP",
        "LadingJournals", "LadingNIO", "LadingOperations", "LadingOutbox", "LadingRecording", "LadingRecords", "LadingSQLite",
        "LadingTesting", "LadingTransfers",
    ]

    @Test(arguments: libraries) func `Every public asynchronous signature states its isolation`(library: String) throws {
        let files = try #require(
            FileManager.default.enumerator(at: GuidePage.folder("Sources/\(library)"), includingPropertiesForKeys: nil))
        var signatures: [PublicSignature] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            signatures += PublicSignature.all(in: try String(contentsOf: file, encoding: .utf8))
        }

        #expect(signatures.contains { $0.asynchronousCount > 0 })
        #expect(signatures.filter { $0.isolationCount < $0.asynchronousCount }.map(\.text) == [])
    }

    @Test(
        arguments: [
            ("public func read() async {\n}", 1, 0),
            ("public nonisolated(nonsending) func read() async {\n}", 1, 1),
            ("public func work(\n    _ body: @concurrent () async -> Void\n) {\n}", 1, 1),
            ("public var value: Int {\n    get async { 3 }\n}", 1, 0),
            ("public protocol Store {\n    func read() async\n    func write() async\n}", 2, 0),
            ("func read() async {\n}", 0, 0),
            ("@MainActor\npublic final class Model {\n    public func run() async {\n    }\n}", 0, 0),
        ])
    func `Signatures are counted with their isolation`(source: String, asynchronous: Int, isolations: Int) {
        let signatures = PublicSignature.all(in: source)

        #expect(signatures.map(\.asynchronousCount).reduce(0, +) == asynchronous)
        #expect(signatures.map(\.isolationCount).reduce(0, +) == isolations)
    }
}

/// A public declaration up to its body.
private struct PublicSignature {
    let text: String

    var asynchronousCount: Int { text.matches(of: /\)\s*async\b|\bget async\b/).count }

    var isolationCount: Int { text.matches(of: /nonisolated\(nonsending\)|@concurrent/).count }

    /// Returns the public declarations of a file in the layout of swift-format; none for a file with a type of the main actor.
    static func all(in source: String) -> [PublicSignature] {
        guard !source.contains("@MainActor") else { return [] }
        let lines = source.components(separatedBy: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        var signatures: [PublicSignature] = []
        var isInProtocol = false
        for index in lines.indices {
            let line = lines[index].drop { $0 == " " }
            if lines[index].hasPrefix("public protocol") { isInProtocol = true }
            if lines[index] == "}" { isInProtocol = false }
            let isRequirement = isInProtocol && !line.contains("protocol") && !line.hasPrefix(")")
            if line.hasPrefix("public ") || line.hasPrefix("@Sendable public ") || isRequirement {
                signatures.append(PublicSignature(text: text(from: lines[index...])))
            }
        }
        return signatures
    }

    /// Returns the lines up to the one that opens a body, with the next one if it is an accessor.
    private static func text(from lines: ArraySlice<String>) -> String {
        var text = ""
        for line in lines {
            text += line + "\n"
            let isBalanced = text.count { $0 == "(" } == text.count { $0 == ")" }
            guard isBalanced else { continue }
            let isAccessor = line.hasSuffix("{") && text.contains(" var ") && lines.dropFirst().first?.contains("get async") == true
            return isAccessor ? text + (lines.dropFirst().first ?? "") : text
        }
        return text
    }
}
