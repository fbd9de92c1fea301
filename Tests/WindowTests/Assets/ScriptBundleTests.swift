import Testing

@testable import Window

@Suite struct ScriptBundleTests {
    private let modules = [
        "rows.js": "export const parts = (row) => [row];\nconst size = 1;",
        "list.js": """
        // A list.
        import { parts } from "./rows.js";
        const size = 2;
        export async function openList(list) {
            return import("./map.js");
        }
        """,
        "app.js": """
        import { openList as open } from "./list.js";
        import { parts } from "./rows.js";
        open(parts);
        """,
    ]

    @Test func `A file holds each module once, those that are imported first, without comments`() throws {
        let script = try ScriptBundle(modules: modules).script("app.js")

        #expect(
            script == """
                const $rows = (() => {
                const parts = (row) => [row];
                const size = 1;
                return { parts };
                })();

                const $list = (() => {
                const { parts } = $rows;
                const size = 2;
                async function openList(list) {
                return import("./map.js");
                }
                return { openList };
                })();

                const $app = (() => {
                const { openList: open } = $list;
                const { parts } = $rows;
                open(parts);
                return {  };
                })();

                """)
    }

    @Test(arguments: [
        "import * as all from \"./rows.js\";", "import { parts } from 'rows'", "export default 1;",
        "export { size };",
        "export let size = 1;",
        "const text = `one",
    ])
    func `Another form of import or export is refused, and so is a text of several lines`(line: String) {
        #expect(throws: ScriptBundle.Problem.unsupported(line: line, in: "a.js")) {
            try ScriptBundle(modules: ["a.js": "const a = 1;\n\(line)"]).script("a.js")
        }
    }

    @Test func `A file exports what its module exports, for those that import it by name`() throws {
        let script = try ScriptBundle(modules: modules).script("list.js")

        #expect(script.hasSuffix("\nexport const { openList } = $list;\n"))
    }

    @Test func `A module that is imported for what it does runs first`() throws {
        let script = try ScriptBundle(modules: ["a.js": "import \"./b.js\";\nc();", "b.js": "b();"]).script("a.js")

        #expect(script.matches(of: /b\(\);|c\(\);/).map { String($0.output) } == ["b();", "c();"])
    }

    @Test func `A module that is not there is refused`() {
        #expect(throws: ScriptBundle.Problem.unknownModule("b.js")) {
            try ScriptBundle(modules: ["a.js": "import { b } from \"./b.js\";"]).script("a.js")
        }
    }
}
