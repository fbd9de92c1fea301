import HTTPFieldValues
import Testing

@Suite struct IdempotencyKeyFieldTests {
    @Test(
        arguments: [
            ("\"key-1\"", "key-1"), ("key-1", "key-1"), ("\"\"", nil), ("", nil), ("\"", nil), ("\"a", nil), ("\"a\\b\"", nil),
            ("a b", nil), ("\"key-1\";v=1", "key-1"),
            ("\"key-1\"; v=\"a\"", "key-1"), ("\"a;b\"", "a;b"), ("\"a\"b", nil), ("\"a\" b", nil),
            ("\"é\"", nil),
        ] as [(String, String?)])
    func `A field has a key with or without quotes and parameters, or none`(field: String, key: String?) {
        #expect(IdempotencyKeyField.key(in: field) == key)
    }

    @Test func `A key has at most 255 characters`() {
        #expect(IdempotencyKeyField.key(in: String(repeating: "k", count: 255)) != nil)
        #expect(IdempotencyKeyField.key(in: String(repeating: "k", count: 256)) == nil)
    }

    @Test func `The field of a key has that key`() {
        #expect(IdempotencyKeyField.value(of: "key-1") == "\"key-1\"")
    }
}
