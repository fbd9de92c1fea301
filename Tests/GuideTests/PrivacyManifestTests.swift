import Foundation
import Testing

/// Tests that an app with one of the products also contains privacy manifests for what the product calls.
@Suite struct PrivacyManifestTests {
    /// The interfaces that need a reason on Apple's platforms, and their category.
    private static var categories: [(pattern: Regex<Substring>, name: String)] {
        [
            (#/\b[fl]?stat\(|attributesOfItem|contentModificationDate|creationDate/#, "FileTimestamp"),
            (#/\bf?statv?fs\(|volumeAvailableCapacity|volumeTotalCapacity|attributesOfFileSystem/#, "DiskSpace"),
            (#/systemUptime|mach_absolute_time/#, "SystemBootTime"),
            (#/\bUserDefaults\b/#, "UserDefaults"),
        ]
    }

    @Test(.timeLimit(.minutes(10))) func `Each product declares the interfaces that it calls, with a reason`() async throws {
        let manifest = try await ClientManifest.load()
        var called: Set<String> = []

        for product in manifest.products {
            let targets = manifest.targets(of: product.name)
            let calls = Set(try targets.flatMap(Self.calledCategories))
            let declarations = try targets.compactMap(PrivacyManifest.init(of:)).flatMap(\.types)
            called.formUnion(calls)

            #expect(calls.isSubset(of: declarations.map(\.category)), "\(product.name)")
            #expect(declarations.allSatisfy { !$0.reasons.isEmpty }, "\(product.name)")
        }
        #expect(called == ["NSPrivacyAccessedAPICategoryDiskSpace", "NSPrivacyAccessedAPICategoryFileTimestamp"])
    }

    private static func calledCategories(of target: String) throws -> Set<String> {
        let folder = GuidePage.folder("Sources/\(target)")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        let sources = try files.filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
        try #require(!sources.isEmpty, "\(target)")
        let called = categories.filter { category in sources.contains { $0.contains(category.pattern) } }
        return Set(called.map { "NSPrivacyAccessedAPICategory\($0.name)" })
    }
}

/// The contents of a privacy manifest.
private struct PrivacyManifest: Decodable {
    struct AccessedType: Decodable {
        let category: String
        let reasons: [String]

        private enum CodingKeys: String, CodingKey {
            case category = "NSPrivacyAccessedAPIType"
            case reasons = "NSPrivacyAccessedAPITypeReasons"
        }
    }

    let types: [AccessedType]

    private enum CodingKeys: String, CodingKey {
        case types = "NSPrivacyAccessedAPITypes"
    }

    /// Reads the manifest of a target; nil if it has none.
    init?(of target: String) throws {
        let file = GuidePage.folder("Sources/\(target)/PrivacyInfo.xcprivacy")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        self = try PropertyListDecoder().decode(Self.self, from: Data(contentsOf: file))
    }
}
