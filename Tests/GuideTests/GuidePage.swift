import Foundation
import Testing

/// A page of the documentation with the Swift code that it shows.
struct GuidePage: CustomTestStringConvertible, Sendable {
    /// The name of the file without its extension.
    let name: String
    /// The contents of its Swift code blocks, in order.
    let blocks: [String]

    var testDescription: String { name }

    /// The pages that show Swift code: the README and the guides.
    static let all: [GuidePage] = {
        let guides = (try? FileManager.default.contentsOfDirectory(at: folder("Docs/Guides"), includingPropertiesForKeys: nil)) ?? []
        return ([folder("README.md")] + guides.sorted { $0.path < $1.path }).compactMap(GuidePage.init).filter { !$0.blocks.isEmpty }
    }()

    private init?(_ file: URL) {
        guard file.pathExtension == "md", let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        name = file.deletingPathExtension().lastPathComponent
        blocks = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```\n")[0] }
    }

    /// A file or folder of this package.
    static func folder(_ path: String) -> URL {
        (1...3).reduce(URL(filePath: #filePath)) { file, _ in file.deletingLastPathComponent() }.appending(path: path)
    }
}

// MARK: - The client

extension GuidePage {
    /// What a line of a client's file says of a block.
    private enum BlockReference {
        case block(Int)
        /// A block that belongs into a test target.
        case testBlock(Int)
        /// Blocks that Linux cannot compile, or that are no code of a client; the line says why.
        case excluded([Int])

        init?(_ line: Substring) {
            let words = line.drop { $0 == " " }
            let numbers = words.split { !$0.isNumber }.compactMap { Int($0) }
            if words.hasPrefix("// block "), numbers.count == 1 {
                self = .block(numbers[0])
            } else if words.hasPrefix("// test block "), numbers.count == 1 {
                self = .testBlock(numbers[0])
            } else if words.hasPrefix("// Not compiled: block ") {
                self = .excluded(numbers)
            } else {
                return nil
            }
        }

        var numbers: [Int] {
            switch self {
            case .block(let number), .testBlock(let number): [number]
            case .excluded(let numbers): numbers
            }
        }
    }

    /// The file of a client that contains the code of the page, in Tests/GuideTests/Pages.
    private func lines() throws -> [Substring] {
        let file = Self.folder("Tests/GuideTests/Pages/\(name).swift")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The numbers of the blocks that the client contains or excludes, in ascending order.
    func referencedBlocks() throws -> [Int] {
        try lines().compactMap(BlockReference.init).flatMap(\.numbers).sorted()
    }

    /// The client with the blocks in their places.
    ///
    /// - Parameter isTest: Whether it is a test target; in others the blocks that are tests are left out.
    func client(isTest: Bool) throws -> String {
        try lines().map { line in
            switch BlockReference(line) {
            case .block(let number): blocks[number - 1]
            case .testBlock(let number): isTest ? blocks[number - 1] : ""
            case .excluded, nil: String(line)
            }
        }.joined(separator: "\n")
    }
}
