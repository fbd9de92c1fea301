import OrderLifecycle
import OrderStorage
import Testing

extension OrderStoreConformance.Case {
    private typealias Context = OrderStoreContext
    private static let (link, token) = (SecretHash(ofSecret: "link"), SecretHash(ofSecret: "token"))
    private static let (day, later) = (Context.start + .seconds(86_400), Context.start + .seconds(90 * 86_400))

    private static func person(_ id: PersonID, _ name: String, _ role: Role = .courier) -> Person {
        Person(id: id, name: name, role: role, creationTime: Context.start)
    }

    static let people = [
        Self("A link is exchanged once, for a token of its person") { context in
            let mina = person(Context.mina, "Mina")
            try await context.store.addPerson(mina)
            try await context.store.addLink(link, of: mina.id, expires: day)

            let signedIn = try await context.store.exchangeLink(link, for: token, at: Context.start, expires: later)
            let again = try await context.store.exchangeLink(link, for: SecretHash(ofSecret: "t2"), at: Context.start, expires: later)

            #expect(signedIn == mina)
            #expect(again == nil)
            #expect(try await context.store.person(withToken: token, at: Context.start, expires: later) == mina)
            #expect(try await context.store.person(withToken: link, at: Context.start, expires: later) == nil)
        },
        Self("A new link replaces the earlier one, and a link ends after a day") { context in
            try await context.store.addPerson(person(Context.mina, "Mina"))
            try await context.store.addLink(SecretHash(ofSecret: "old"), of: Context.mina, expires: day)
            try await context.store.addLink(link, of: Context.mina, expires: day)

            let old = try await context.store.exchangeLink(SecretHash(ofSecret: "old"), for: token, at: Context.start, expires: later)
            let expired = try await context.store.exchangeLink(link, for: token, at: day, expires: later)

            #expect(old == nil && expired == nil)
        },
        Self("A token ends, and its use extends it") { context in
            let mina = person(Context.mina, "Mina")
            try await context.store.addPerson(mina)
            try await context.store.addToken(token, of: mina.id, expires: day)
            let (before, after) = (day + .seconds(-10), day + .seconds(10))

            #expect(try await context.store.person(withToken: token, at: before, expires: later) == mina)
            #expect(try await context.store.person(withToken: token, at: after, expires: later) == mina)
            #expect(try await context.store.person(withToken: token, at: later, expires: later) == nil)
            try await context.store.addToken(SecretHash(ofSecret: "t2"), of: mina.id, expires: day)
            let tokens: Set = [token, SecretHash(ofSecret: "t2"), SecretHash(ofSecret: "unknown")]
            #expect(try await context.store.validTokens(tokens, at: before) == [token, SecretHash(ofSecret: "t2")])
            #expect(try await context.store.validTokens(tokens, at: after) == [token])
            #expect(try await context.store.validTokens([], at: before) == [])
            try await context.store.removeToken(SecretHash(ofSecret: "t2"))
            #expect(try await context.store.person(withToken: SecretHash(ofSecret: "t2"), at: before, expires: later) == nil)
        },
        Self("A revoked person has no tokens and links, and keeps the orders") { context in
            try await context.store.addPerson(person(Context.mina, "Mina"))
            try await context.store.addToken(token, of: Context.mina, expires: later)
            try await context.store.addLink(link, of: Context.mina, expires: day)
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)

            try await context.store.revoke(Context.mina, at: day)

            #expect(try await context.store.person(withToken: token, at: Context.start, expires: later) == nil)
            #expect(try await context.store.validTokens([token], at: Context.start) == [])
            #expect(try await context.store.exchangeLink(link, for: token, at: Context.start, expires: later) == nil)
            #expect(try await context.store.person(Context.mina)?.revocationTime == day)
            #expect(try await context.store.order(id)?.holder == Context.mina)
            await #expect(throws: OrderStoreError.personUnknown) {
                try await context.store.addLink(link, of: Context.mina, expires: day)
            }
            await #expect(throws: OrderStoreError.personUnknown) {
                try await context.store.addToken(token, of: Context.mina, expires: day)
            }
            await #expect(throws: OrderStoreError.personUnknown) { try await context.store.revoke(Context.jonas, at: day) }
        },
        Self("A name belongs to one person, until that person is revoked") { context in
            try await context.store.addPerson(person(Context.mina, "Mina"))
            await #expect(throws: OrderStoreError.nameTaken) { try await context.store.addPerson(person(Context.jonas, "Mina")) }

            try await context.store.revoke(Context.mina, at: day)
            try await context.store.addPerson(person(Context.jonas, "Mina"))

            #expect(try await context.store.people().map(\.name) == ["Mina", "Mina"])
        },
        Self("The known ones of some people are found together") { context in
            let (mina, jonas) = (person(Context.mina, "Mina"), person(Context.jonas, "Jonas", .dispatcher))
            try await context.store.addPerson(mina)
            try await context.store.addPerson(jonas)

            #expect(try await context.store.people([Context.mina, PersonID(rawValue: "nobody")]) == [Context.mina: mina])
            #expect(try await context.store.people([Context.mina, Context.jonas]) == [Context.mina: mina, Context.jonas: jonas])
            #expect(try await context.store.people([]).isEmpty)
        },
        Self("The first position of each second is stored, and the last one of each courier is found") { context in
            for (id, name) in [(Context.mina, "Mina"), (Context.jonas, "Jonas"), (Context.ada, "Ada")] {
                try await context.store.addPerson(person(id, name))
            }
            for courier in [Context.mina, Context.jonas] {
                try await context.perform(.claim, on: context.create("Breakfast of \(courier.rawValue)"), by: courier)
            }
            func positions(_ parts: (milliseconds: Int64, latitude: Double)...) throws -> [CourierPosition] {
                try parts.map { part in
                    let place = try #require(Coordinate(latitude: part.latitude, longitude: 1))
                    return CourierPosition(time: Context.start + .milliseconds(part.milliseconds), coordinate: place)
                }
            }
            let first = try positions((0, 1), (2_300, 2), (2_301, 3), (2_999, 4))

            try await context.store.addPositions(first, of: Context.mina, at: Context.start)
            try await context.store.addPositions(try positions((2_000, 5), (1_500, 6)), of: Context.mina, at: Context.start)
            try await context.store.addPositions(first, of: Context.mina, at: Context.start)
            try await context.store.addPositions(try positions((3_000, 7)), of: Context.jonas, at: Context.start)
            try await context.store.addPositions([], of: Context.jonas, at: Context.start)

            let last = try await context.store.lastPositions()
            #expect(last[Context.mina] == CourierPosition(time: Context.start + .seconds(2), coordinate: first[1].coordinate))
            #expect(last[Context.jonas]?.coordinate.latitude == 7)
            #expect(last.count == 2)
        },
        Self("An erased person has no name, and the events stay") { context in
            try await context.store.addPerson(person(Context.mina, "Mina"))
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)
            let place = try #require(Coordinate(latitude: 1, longitude: 1))
            try await context.store.addPositions([CourierPosition(time: day, coordinate: place)], of: Context.mina, at: Context.start)

            try await context.store.erase(Context.mina, at: day)

            #expect(try await context.store.person(Context.mina)?.name == nil)
            #expect(try await context.store.lastPositions().isEmpty)
            #expect(try await context.store.history(of: id)?.events.last?.actor == Context.mina)
        },
    ]
}
