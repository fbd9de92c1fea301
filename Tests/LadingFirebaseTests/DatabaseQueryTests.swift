import Foundation
import Testing
@testable import LadingFirebase
@testable import LadingHTTP

@Suite struct DatabaseQueryTests {
    @Test(
        arguments: [
            (DatabaseQuery(by: .key), "orderBy=\"$key\""),
            (DatabaseQuery(by: .value).first(3), "orderBy=\"$value\"&limitToFirst=3"),
            (DatabaseQuery(by: .priority).last(3), "orderBy=\"$priority\"&limitToLast=3"),
            (DatabaseQuery(by: .child("price")).starting(at: 1).ending(at: 2.5), "orderBy=\"price\"&startAt=1&endAt=2.5"),
            (DatabaseQuery(by: .child("a/b")).equal(to: "x \"y\""), "orderBy=\"a/b\"&equalTo=\"x \\\"y\\\"\""),
            (DatabaseQuery(by: .child("paid")).equal(to: true), "orderBy=\"paid\"&equalTo=true"),
            (DatabaseQuery(by: .child("paid")).equal(to: .null), "orderBy=\"paid\"&equalTo=null"),
            (DatabaseQuery(by: .key).starting(after: "b").ending(before: "ü"), "orderBy=\"$key\"&startAfter=\"b\"&endBefore=\"ü\""),
            (DatabaseQuery(by: .value).starting(at: 1).starting(at: 2), "orderBy=\"$value\"&startAt=2"),
        ])
    func `Query values are encoded as JSON`(query: DatabaseQuery, expected: String) throws {
        #expect(try query.parameters().text.removingPercentEncoding == expected)
    }

    @Test func `Reserved characters are percent-encoded`() throws {
        #expect(try DatabaseQuery(by: .child("a")).equal(to: "&=+ #").parameters().text == "orderBy=%22a%22&equalTo=%22%26%3D%2B%20%23%22")
    }

    @Test(
        arguments: [
            DatabaseQuery(by: .value).equal(to: 1).starting(at: 1),
            DatabaseQuery(by: .value).starting(at: 1).starting(after: 1),
            DatabaseQuery(by: .value).ending(at: 1).ending(before: 1),
            DatabaseQuery(by: .value).first(1).last(1),
            DatabaseQuery(by: .value).first(0),
            DatabaseQuery(by: .value).last(-1),
            DatabaseQuery(by: .key).starting(at: 1),
            DatabaseQuery(by: .value).starting(at: [1]),
            DatabaseQuery(by: .value).equal(to: [:]),
        ])
    func `A contradictory query is refused`(query: DatabaseQuery) {
        #expect { try query.parameters() } throws: { error in
            if case RealtimeDatabase.Failure.invalidQuery = error { true } else { false }
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan]) func `A bound that is not a finite number is refused`(number: Double) {
        let bound = JSONValue.number(number)

        for query in [DatabaseQuery(by: .value).starting(at: bound), DatabaseQuery(by: .child("price")).ending(before: bound)] {
            #expect { try query.parameters() } throws: { error in
                if case RealtimeDatabase.Failure.invalidQuery("a bound must be a finite number") = error { true } else { false }
            }
        }
    }

    @Test(arguments: ["", "/", "$key", "a.b", "a/$b"])
    func `An invalid child path is refused`(path: String) {
        #expect { try DatabaseQuery(by: .child(path)).parameters() } throws: { error in
            if case RealtimeDatabase.Failure.invalidKey = error { true } else { false }
        }
    }
}
