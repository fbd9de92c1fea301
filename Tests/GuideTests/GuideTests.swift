import LadingTesting
import Testing

/// The code of the README and of the guides, as it compiles where somebody copies it to.
@Suite struct GuideTests {
    @Test(arguments: GuidePage.all) func `Every block of a page is compiled, or says why not`(page: GuidePage) throws {
        #expect(try page.mentionedBlocks() == Array(1...page.blocks.count))
    }

    @Test(.serialized, .timeLimit(.minutes(10)), arguments: GuidePage.all, PlainCompiler.Isolation.allCases)
    func `A page compiles in a package without settings`(page: GuidePage, isolation: PlainCompiler.Isolation) async throws {
        let client = try page.client(isTest: isolation == .nonisolated)

        let complaints = try await PlainCompiler(isolation: isolation).complaints(about: client, named: page.name)

        #expect(complaints == "")
    }

    @Test func `There is no page without its blocks, and no error that goes unseen`() async throws {
        #expect(GuidePage.all.map(\.name).contains("README") && GuidePage.all.count > 10)

        let complaints = try await PlainCompiler(isolation: .nonisolated).complaints(
            about: "import LadingHTTP\nlet x: Int = \"\"\n", named: "Wrong")

        #expect(complaints.contains("cannot convert value of type 'String'"))
    }
}
