import Foundation
import TemporaryFolders
import Testing

@testable import Origin

@Suite("The people of an origin") struct OriginPeopleTests {
    private func withPeople(_ body: (OriginPeople) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let people = try await OriginPeople(in: .directory(folder), createsDatabase: true, now: { demoDate })
            try await body(people)
            try await people.close()
        }
    }

    @Test func `Of two people with one name nobody is erased by the name, and each by the id`() async throws {
        try await withPeople { people in
            _ = try await people.add("Mina", isDispatcher: false)
            try await people.revoke("Mina")
            _ = try await people.add("Mina", isDispatcher: false)
            let former = try #require(try await people.list().first(where: \.isRevoked))

            await #expect(throws: OriginPeople.Failure.ambiguous("Mina", count: 2)) { try await people.erase("Mina") }
            #expect(try await people.list().map(\.name) == ["Mina", "Mina"])

            #expect(try await people.erase(former.id) == former)
            let left = try await people.list()
            #expect(left.first { $0.id == former.id }?.name == nil)
            #expect(left.first { $0.id != former.id }.map { $0.name == "Mina" && !$0.isRevoked } == true)
            // The name is that of one person now.
            #expect(try await people.erase("Mina").id != former.id)
        }
    }

    @Test func `Somebody who left is erased by the name, and an unknown name is an error`() async throws {
        try await withPeople { people in
            _ = try await people.add("Jonas", isDispatcher: true)
            try await people.revoke("Jonas")

            #expect(try await people.erase("Jonas").isRevoked)
            await #expect(throws: OriginPeople.Failure.unknown("Jonas")) { try await people.erase("Jonas") }
        }
    }
}
