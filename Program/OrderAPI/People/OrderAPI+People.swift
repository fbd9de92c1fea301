import Foundation
import HTTPTypes
import Hummingbird
import JSONWriting
import NIOCore
import OrderLifecycle
import OrderStorage
import ServerSecurity
import ServerStartup

extension OrderAPI {
    private static let bodyLimit = 64 << 10
    private static let positionLimit = 500

    func addPeople(to router: RouterGroup<some OrderAPIContext>) {
        router.post("sign-in") { request, context in try await signIn(request, context) }
        router.post("sign-out") { request, _ in
            _ = try await person(of: request)
            if let token = Self.token(in: request.headers).map(SecretHash.init(ofSecret:)) {
                try await store.removeToken(token)
                changes.endStreams(withToken: token)
            }
            return Response(status: .noContent)
        }
        router.get("me") { request, _ in
            let person = try await person(of: request)
            return Response.json { person.write(to: &$0) }
        }
        router.post("positions") { request, _ in
            try await addPositions(request)
            return Response(status: .noContent)
        }
        addDemoPeople(to: router)
        addDispatchersRoutes(to: router)
    }

    private func addDispatchersRoutes(to router: RouterGroup<some OrderAPIContext>) {
        router.get("people") { request, _ in
            _ = try await dispatcher(of: request)
            return try await list()
        }
        router.post("people") { request, _ in try await add(request) }
        router.post("people/:id/link") { request, context in
            _ = try await dispatcher(of: request)
            let id = PersonID(rawValue: try context.parameters.require("id"))
            let link = try await people.makeLink(for: id)
            return Response.json(.created) { link.write(to: &$0) }
        }
        router.delete("people/:id") { request, context in
            _ = try await dispatcher(of: request)
            try await store.revoke(PersonID(rawValue: try context.parameters.require("id")), at: now())
            return Response(status: .noContent)
        }
        router.post("people/:id/erase") { request, context in
            _ = try await dispatcher(of: request)
            try await store.erase(PersonID(rawValue: try context.parameters.require("id")), at: now())
            return Response(status: .noContent)
        }
    }

    /// Decodes the body of a request that needs no key, because repeating it changes nothing.
    private func body<Body: Decodable>(of request: Request, as type: Body.Type = Body.self) async throws -> Body {
        do {
            let buffer = try await request.body.collect(upTo: Self.bodyLimit)
            return try JSONDecoder().decode(Body.self, from: Data(buffer.readableBytesView))
        } catch is NIOTooManyBytesError {
            throw APIProblem.tooLarge(limit: Self.bodyLimit)
        } catch let error as DecodingError {
            throw APIProblem.invalid(error)
        }
    }

    private func list() async throws -> Response {
        let (people, positions) = (try await store.people(), try await store.lastPositions())
        return Response.json { json in
            json.field("people", array: people) { person, json in
                json.object { json in
                    person.write(to: &json)
                    positions[person.id]?.write(to: &json)
                }
            }
        }
    }
}

// MARK: - Adding and signing in

extension OrderAPI {
    private struct NewPerson: Decodable {
        let name: String
        let role: String?
    }

    private struct SignIn: Decodable {
        let secret: String
    }

    private func add(_ request: Request) async throws -> Response {
        let (_, new) = try await receive(request, from: dispatcher(of:)) { try await body(of: $0, as: NewPerson.self) }
        let role = new.role.map { Role(rawValue: $0) } ?? .courier
        guard let role, role != .server else { throw APIProblem.invalid("\"role\" must be courier or dispatcher.") }
        let person = try await people.add(new.name, role: role)
        let link = try await people.makeLink(for: person.id)
        return .json(.created) { json in
            person.write(to: &json)
            json.field("link", object: { link.write(to: &$0) })
        }
    }

    private func signIn(_ request: Request, _ context: some OrderAPIContext) async throws -> Response {
        let client = proxies.client(of: request.head, from: context.peer)
        let body: SignIn = try await body(of: request)
        // The secret comes first: many people may share an address, and failures of one must not keep out another with a valid link.
        guard let (person, token) = try await people.exchange(body.secret) else {
            if let delay = signInLimit.delay(of: client, at: now()) { throw APIProblem.signInLimitExceeded(delay: delay) }
            signInLimit.countFailure(of: client, at: now())
            throw APIProblem(
                "link-invalid", .forbidden, "The link is not valid", "A link is valid once, for a day. Ask a dispatcher for another one.")
        }
        return Self.response(to: person, token)
    }

    private static func response(to person: Person, _ token: PersonRegistry.Token) -> Response {
        .json { json in
            json.field("token", token.secret)
            json.field("expires", token.expiry.text)
            json.field("person", object: { person.write(to: &$0) })
        }
    }

    /// Adds the routes of the demo's people, which clients of a proxy do not find.
    private func addDemoPeople(to router: RouterGroup<some OrderAPIContext>) {
        guard settings.hasDemoPeople else { return }
        router.get("demo-people") { request, _ in
            guard !request.head.isForwarded else { throw HTTPError(.notFound) }
            let people = try await DemoPeople(store, people).all()
            return Response.json { json in
                json.field("people", array: people) { person, json in json.object { person.write(to: &$0) } }
            }
        }
        router.post("demo-people/:id/sign-in") { request, context in
            guard !request.head.isForwarded else { throw HTTPError(.notFound) }
            let id = PersonID(rawValue: try context.parameters.require("id"))
            guard let person = try await DemoPeople(store, people).all().first(where: { $0.id == id }) else {
                throw APIProblem.personUnknown
            }
            return Self.response(to: person, try await people.makeToken(for: person.id))
        }
    }
}

// MARK: - Positions

extension OrderAPI {
    private struct Positions: Decodable {
        struct Position: Decodable {
            let at: String
            let latitude: Double
            let longitude: Double
            let accuracy: Double?
        }

        let positions: [Position]
    }

    private func addPositions(_ request: Request) async throws {
        let (person, batch) = try await receive(request, from: courier(of:)) { try await body(of: $0, as: Positions.self) }
        guard (1...Self.positionLimit).contains(batch.positions.count) else {
            throw APIProblem.invalid("Send 1 to \(Self.positionLimit) positions.")
        }
        let time = now()
        let clientTime = request.headers[.clientTime].flatMap(Timestamp.init(text:))
        let skew = clientTime.map { time.milliseconds - $0.milliseconds } ?? 0
        let positions = try batch.positions.map { position in
            guard let at = Timestamp(text: position.at),
                let coordinate = Coordinate(latitude: position.latitude, longitude: position.longitude),
                position.accuracy.map({ $0 >= 0 }) ?? true
            else { throw APIProblem.invalid("A position has \"at\", \"latitude\" and \"longitude\", and may have \"accuracy\" in metres.") }
            return CourierPosition(
                time: min(Timestamp(milliseconds: at.milliseconds + skew), time), coordinate: coordinate, accuracy: position.accuracy)
        }
        let oldest = time + (.zero - settings.retention.positions)
        try await store.addPositions(positions.filter { $0.time >= oldest }, of: person.id, at: time)
    }
}

extension PersonRegistry.SignInLink {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("secret", secret)
        json.field("expires", expiry.text)
    }
}

extension Person {
    func write(to json: inout JSONWriter) {
        json.field("id", id.rawValue)
        json.field("name", name)
        json.field("role", role.rawValue)
        json.field("revokedSince", revocationTime?.text)
    }
}

extension CourierPosition {
    fileprivate func write(to json: inout JSONWriter) {
        json.field(
            "position",
            object: { json in
                json.field("at", time.text)
                json.field("latitude", number: coordinate.latitude)
                json.field("longitude", number: coordinate.longitude)
                json.field("accuracy", number: accuracy)
            })
    }
}
