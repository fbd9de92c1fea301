import Foundation
import Testing

/// Consistency of the style sheets.
@Suite struct StyleTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Program/Window")

    @Test func `Every font size is a step of the scale`() throws {
        for (name, style) in try Self.files("css") {
            for size in style.matches(of: /font-size:\s*([^;}]+)/).map(\.1) {
                let isStep = size.wholeMatch(of: /var\(--font-size-[1-6]\)/) != nil
                // Exceptions are a size relative to the surrounding text, and the start page's heading, which scales with the screen.
                #expect(isStep || size == ".75em" || size.hasPrefix("clamp("), "\(name): \(size)")
            }
        }
    }

    /// Fonts without intermediate weights render other values as bold.
    @Test func `Every font weight is one of three`() throws {
        for (name, style) in try Self.files("css") {
            for weight in style.matches(of: /font-weight:\s*([^;}]+)/).map(\.1) {
                #expect(["400", "500", "600"].contains(weight), "\(name): \(weight)")
            }
        }
    }

    /// An icon without an image is rendered as a square.
    @Test func `Every icon has an image`() throws {
        let styles = try Self.files("css").map(\.text).joined()
        let withImage = Set(styles.matches(of: /\.icon-([a-z]+) \{ mask-image: url\(\1\.svg\)/).map { String($0.1) })
        let fixed = try Self.files("mustache").flatMap { $0.text.matches(of: /icon-([a-z]+)/).map { String($0.1) } }
        let chosen = try Self.files("swift").flatMap {
            $0.text.matches(of: /(?:icon: |\()"([a-z]+)"(?=, (?:text|plain))/).map { String($0.1) }
        }

        #expect(chosen.contains("up") && fixed.contains("back"))
        #expect(Set(fixed + chosen).subtracting(withImage) == [])
    }

    /// Returns the sources of all features with a file name extension.
    private static func files(_ ending: String) throws -> [(name: String, text: String)] {
        let all = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        return try (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == ending }
            .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }
}
