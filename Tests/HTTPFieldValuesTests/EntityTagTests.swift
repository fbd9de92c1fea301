import HTTPFieldValues
import Testing

@Suite struct EntityTagTests {
    @Test(
        arguments: [
            ("\"a\"", "\"a\"", true, true), ("\"a\"", "\"b\"", false, false), ("W/\"a\"", "\"a\"", true, false),
            ("\"a\"", "W/\"a\"", true, false), ("W/\"a\"", "W/\"a\"", true, false), ("W/\"a\"", "W/\"b\"", false, false),
        ])
    func `Weak tags match only where weakness is ignored`(first: String, second: String, isWeakMatch: Bool, isStrongMatch: Bool) {
        #expect(EntityTag(first).isWeakMatch(EntityTag(second)) == isWeakMatch)
        #expect(EntityTag(first).isStrongMatch(EntityTag(second)) == isStrongMatch)
    }
}
