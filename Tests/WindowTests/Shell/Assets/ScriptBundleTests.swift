import Testing

@testable import Window

@Suite struct ScriptBundleTests {
    private let modules = [
        "rows.js": "export const focusableParts = (row) => [row];\nconst size = 1;",
        "list.js": """
        // A list.
        import { focusableParts } from "./rows.js";
        const size = 2;
        export async function createListController(list) {
            return import("./map.js");
        }
        """,
        "app.js": """
        import { createListController as open } from "./list.js";
        import { focusableParts } from "./rows.js";
        open(focusableParts);
        """,
    ]

    @Test func `A bundle contains each module once, imports first, without comments`() throws {
        let script = try ScriptBundle(modules: modules).script("app.js")

        #expect(
            script == """
                const $rows = (() => {
                const focusableParts = (row) => [row];
                const size = 1;
                return { focusableParts };
                })();

                const $list = (() => {
                const { focusableParts } = $rows;
                const size = 2;
                async function createListController(list) {
                return import("./map.js");
                }
                return { createListController };
                })();

                const $app = (() => {
                const { createListController: open } = $list;
                const { focusableParts } = $rows;
                open(focusableParts);
                return {  };
                })();

                """)
    }

    @Test(arguments: [
        "import * as all from \"./rows.js\";", "import { focusableParts } from 'rows'", "export default 1;",
        "export { size };",
        "export let size = 1;",
        "const text = `one",
    ])
    func `Unsupported imports, exports and multi-line texts are refused`(line: String) {
        #expect(throws: ScriptBundle.BundlingError.unsupported(line: line, in: "a.js")) {
            try ScriptBundle(modules: ["a.js": "const a = 1;\n\(line)"]).script("a.js")
        }
    }

    @Test func `A bundle exports what its entry module exports`() throws {
        let script = try ScriptBundle(modules: modules).script("list.js")

        #expect(script.hasSuffix("\nexport const { createListController } = $list;\n"))
    }

    @Test func `A module imported for its side effects runs first`() throws {
        let script = try ScriptBundle(modules: ["a.js": "import \"./b.js\";\nc();", "b.js": "b();"]).script("a.js")

        #expect(script.matches(of: /b\(\);|c\(\);/).map { String($0.output) } == ["b();", "c();"])
    }

    @Test func `An import of a missing module is refused`() {
        #expect(throws: ScriptBundle.BundlingError.unknownModule("b.js")) {
            try ScriptBundle(modules: ["a.js": "import { b } from \"./b.js\";"]).script("a.js")
        }
    }
}
