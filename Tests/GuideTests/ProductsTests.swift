import Foundation
import LadingTesting
import Testing

/// Tests that Docs/Products.md describes the products as a package that depends on this one sees them.
@Suite struct ProductsTests {
    @Test(.timeLimit(.minutes(10))) func `The page lists each product with all that it pulls in`() async throws {
        let manifest = try await ClientManifest.load()

        let rows = try ProductRow.all()

        #expect(rows.map(\.name) == manifest.products.map(\.name))
        for row in rows { #expect(row.requirements == manifest.requirements(of: row.name), "\(row.name)") }
    }

    @Test(.timeLimit(.minutes(10))) func `A client sees three traits, of which SQLite is enabled by default, and no program`() async throws
    {
        let manifest = try await ClientManifest.load()

        let traits = Dictionary(uniqueKeysWithValues: manifest.traits.map { ($0.name, $0.enabledTraits) })

        #expect(traits == ["default": ["SQLite"], "Configuration": [], "NIO": [], "SQLite": []])
        #expect(!manifest.targets.contains { ["LadingCommand", "Origin", "Window"].contains($0.name) })
    }

    @Test(.timeLimit(.minutes(10))) func `The first line of code of each product compiles`() async throws {
        let rows = try ProductRow.all()
        let page = try String(contentsOf: GuidePage.folder("Tests/GuideTests/Pages/Products.swift"), encoding: .utf8)
        var lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

        for row in rows {
            let index = try #require(lines.firstIndex { $0.hasSuffix("// line of \(row.name)") }, "\(row.name)")
            lines[index] = row.firstLine
        }
        let diagnostics = try await PlainCompiler(isolation: .nonisolated).diagnostics(
            for: lines.joined(separator: "\n"), named: "Products")

        #expect(diagnostics == "")
    }
}

/// A row of the table in Docs/Products.md.
private struct ProductRow {
    let name: String
    /// The products and packages that are built with it; a trait is in parentheses.
    let requirements: Set<String>
    let firstLine: String

    static func all() throws -> [ProductRow] {
        let page = try String(contentsOf: GuidePage.folder("Docs/Products.md"), encoding: .utf8)
        return page.split(separator: "\n").filter { $0.hasPrefix("| Lading") }.compactMap { line in
            let cells = line.split(separator: "|").map { String($0.trimmingPrefix(" ")) }.map { String($0.dropLast()) }
            guard cells.count == 4 else { return nil }
            let requirements = cells[2] == "–" ? [] : Set(cells[2].components(separatedBy: ", "))
            return ProductRow(name: cells[0], requirements: requirements, firstLine: cells[3].replacing("`", with: ""))
        }
    }
}

/// The manifest of this package without the program, as `swift package dump-package` prints it.
struct ClientManifest: Decodable {
    struct Product: Decodable {
        let name: String
        let targets: [String]
    }

    struct Target: Decodable {
        let name: String
        let dependencies: [Dependency]
    }

    struct Trait: Decodable {
        let name: String
        let enabledTraits: [String]
    }

    /// A target of this package, or a product of another one with its name, package, aliases and condition.
    struct Dependency: Decodable {
        let byName: [Element]?
        let product: [Element]?
    }

    /// An element of the array that describes a dependency.
    enum Element: Decodable {
        case text(String)
        case condition(traits: [String])
        case null

        private struct Condition: Decodable {
            let traits: [String]?
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .condition(traits: try container.decode(Condition.self).traits ?? [])
            }
        }
    }

    let products: [Product]
    let targets: [Target]
    let traits: [Trait]

    static func load() async throws -> ClientManifest {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lading-\(UUID())", directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: folder) }
        let arguments = [
            "-u", "LADING_PROGRAM", "swift", "package", "--package-path", GuidePage.folder(".").path, "--scratch-path", folder.path,
            "dump-package",
        ]
        let command = try ChildProcess(URL(filePath: "/usr/bin/env"), arguments)
        let code = await command.waitForExit()
        let error = await command.error.text()
        try #require(code == 0, "\(error)")
        return try JSONDecoder().decode(ClientManifest.self, from: Data(await command.output.text().utf8))
    }

    /// Returns the other products and the packages that a product is built with.
    func requirements(of product: String) -> Set<String> {
        let names = Set(products.map(\.name))
        let built = targets(of: product)
        let packages = built.flatMap(dependencies).compactMap(Self.package)
        return built.filter { names.contains($0) && $0 != product }.union(packages)
    }

    /// Returns the names of the targets of this package that a product is built with.
    func targets(of product: String) -> Set<String> {
        var visited: Set<String> = []
        var pending = products.first { $0.name == product }?.targets ?? []
        while let name = pending.popLast() {
            guard visited.insert(name).inserted else { continue }
            for case .text(let target)? in dependencies(of: name).map(\.byName?.first) { pending.append(target) }
        }
        return visited
    }

    private func dependencies(of target: String) -> [Dependency] { targets.first { $0.name == target }?.dependencies ?? [] }

    /// Returns the package of a product with the trait that it needs.
    private static func package(of dependency: Dependency) -> String? {
        guard let product = dependency.product, product.count > 1, case .text(let package) = product[1] else { return nil }
        guard case .condition(let traits) = product.last, let trait = traits.first else { return package }
        return "\(package) (\(trait))"
    }
}
