import Foundation
import Testing

/// A page of the documentation with its Swift code.
struct GuidePage: CustomTestStringConvertible, Sendable {
    /// The name of the file without its extension.
    let name: String
    /// The contents of its Swift code blocks, in order.
    let blocks: [String]

    var testDescription: String { name }

    /// The pages that show Swift code: the README, the comparison and the guides.
    static let all: [GuidePage] = {
        let guides = (try? FileManager.default.contentsOfDirectory(at: folder("Docs/Guides"), includingPropertiesForKeys: nil)) ?? []
        let pages = [folder("README.md"), folder("Docs/Comparison.md")] + guides.sorted { $0.path < $1.path }
        return pages.compactMap(GuidePage.init).filter { !$0.blocks.isEmpty }
    }()

    /// The articles "Getting started" of the products, named after their product. Each of their blocks is a file.
    static let articles: [GuidePage] = {
        let products = (try? FileManager.default.contentsOfDirectory(at: folder("Sources"), includingPropertiesForKeys: nil)) ?? []
        return products.sorted { $0.path < $1.path }.compactMap { product in
            let name = product.lastPathComponent
            return GuidePage(product.appending(path: "\(name).docc/GettingStarted.md"), named: name)
        }
    }()

    private init?(_ file: URL) { self.init(file, named: file.deletingPathExtension().lastPathComponent) }

    private init?(_ file: URL, named name: String) {
        guard file.pathExtension == "md", let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        self.name = name
        blocks = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```\n")[0] }
    }

    /// Returns a file or folder of this package.
    static func folder(_ path: String) -> URL {
        (1...3).reduce(URL(filePath: #filePath)) { file, _ in file.deletingLastPathComponent() }.appending(path: path)
    }
}

// MARK: - The client

extension GuidePage {
    /// A reference to a code block in a line of a client's file.
    private enum BlockReference {
        case block(Int)
        /// A block for a test target.
        case testBlock(Int)
        /// Blocks that Linux cannot compile or that are not client code; the line gives the reason.
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

    /// Returns the lines of the client's file in Tests/GuideTests/Pages that contains the code of the page.
    private func lines() throws -> [Substring] {
        let file = Self.folder("Tests/GuideTests/Pages/\(name).swift")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns the numbers of the blocks that the client contains or excludes, in ascending order.
    func referencedBlocks() throws -> [Int] {
        try lines().compactMap(BlockReference.init).flatMap(\.numbers).sorted()
    }

    /// Returns the client with the code of its blocks inserted.
    ///
    /// - Parameter isTest: Whether the client is a test target; other clients omit test blocks.
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
