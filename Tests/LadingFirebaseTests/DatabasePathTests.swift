import Testing
@testable import LadingFirebase
@testable import LadingHTTP

@Suite struct DatabasePathTests {
    @Test(
        arguments: [
            ("", [], ".json"),
            ("/", [], ".json"),
            ("orders", ["orders"], "orders.json"),
            ("/orders//4711/", ["orders", "4711"], "orders/4711.json"),
            // An accent makes the slash before it another character.
            ("reactions/\u{301}/count", ["reactions", "\u{301}", "count"], "reactions/%CC%81/count.json"),
            ("a b/ü?&=%", ["a b", "ü?&=%"], "a%20b/%C3%BC%3F%26%3D%25.json"),
            ("a;b/c+d/@:!", ["a;b", "c+d", "@:!"], "a%3Bb/c%2Bd/%40%3A%21.json"),
        ])
    func `Keys are percent-encoded one by one`(text: String, keys: [String], resource: String) throws {
        let path = try DatabasePath(text)

        #expect(path.keys == keys && path.resource.text == resource)
    }

    @Test(arguments: ["a.b", "a#b", "$a", "a[0", "a]", "a/b", "a\u{0}", "a\nb", "a\u{7F}", "..", "", String(repeating: "ü", count: 385)])
    func `An invalid key is refused`(key: String) {
        #expect { try DatabasePath(["orders", key]) } throws: { error in
            if case RealtimeDatabase.Failure.invalidKey(key) = error { true } else { false }
        }
        #expect(throws: RealtimeDatabase.Failure.self) { try DatabasePath.root.appending(key) }
    }

    @Test func `Keys and paths are limited as in the service`() throws {
        _ = try DatabasePath([String(repeating: "ü", count: 384)])
        _ = try DatabasePath(Array(repeating: "a", count: 32))

        #expect { try DatabasePath(Array(repeating: "a", count: 33)) } throws: { error in
            if case RealtimeDatabase.Failure.pathTooLong(limit: 32) = error { true } else { false }
        }
    }

    @Test func `The parent of a top-level path is the root, and the root has no parent`() throws {
        #expect(try DatabasePath("a/b").parent?.parent == .root)
        #expect(DatabasePath.root.parent == nil)
        #expect(try DatabasePath("a/b").description == "/a/b" && DatabasePath.root.description == "/")
    }
}
