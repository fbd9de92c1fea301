import Foundation
import LadingTesting
import Testing

/// Tests that the code of the README and the guides compiles in a client's package.
@Suite struct GuideTests {
    @Test(arguments: GuidePage.all) func `Every code block of a page is compiled or excluded with a reason`(page: GuidePage) throws {
        #expect(try page.referencedBlocks() == Array(1...page.blocks.count))
    }

    @Test(.serialized, .timeLimit(.minutes(10)), arguments: GuidePage.all, PlainCompiler.Isolation.allCases)
    func `The code of a page compiles in a package with default settings`(page: GuidePage, isolation: PlainCompiler.Isolation) async throws
    {
        let client = try page.client(isTest: isolation == .nonisolated)

        let diagnostics = try await PlainCompiler(isolation: isolation).diagnostics(for: client, named: page.name)

        #expect(diagnostics == "")
    }

    @Test(.serialized, .timeLimit(.minutes(10)), arguments: GuidePage.articles, PlainCompiler.Isolation.allCases)
    func `The code of an article compiles as a file`(article: GuidePage, isolation: PlainCompiler.Isolation) async throws {
        for block in article.blocks {
            #expect(try await PlainCompiler(isolation: isolation).diagnostics(for: block, named: article.name) == "")
        }
    }

    @Test(.serialized, .timeLimit(.minutes(10)), arguments: PlainCompiler.Isolation.allCases)
    func `A client creates the values that its views receive`(isolation: PlainCompiler.Isolation) async throws {
        let source = try String(contentsOf: GuidePage.folder("Tests/GuideTests/Pages/Values.swift"), encoding: .utf8)

        #expect(try await PlainCompiler(isolation: isolation).diagnostics(for: source, named: "Values") == "")
    }

    @Test(.timeLimit(.minutes(10))) func `Each product has an article with code`() async throws {
        let products = try await ClientManifest.load().products.map(\.name)

        #expect(GuidePage.articles.filter { !$0.blocks.isEmpty }.map(\.name) == products.sorted())
    }

    @Test func `All pages are found, and compiler errors are reported`() async throws {
        #expect(GuidePage.all.map(\.name).contains("README") && GuidePage.all.count > 10)

        let diagnostics = try await PlainCompiler(isolation: .nonisolated).diagnostics(
            for: "import LadingHTTP\nlet x: Int = \"\"\n", named: "Wrong")

        #expect(diagnostics.contains("cannot convert value of type 'String'"))
    }
}
