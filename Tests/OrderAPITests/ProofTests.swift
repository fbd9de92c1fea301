import HTTPTypes
import Hummingbird
import LadingTesting
import Testing

@testable import OrderAPI

@Suite("API: proofs")
struct ProofTests {
    private let mina = OrderAPIFixture.mina
    private let jonas = OrderAPIFixture.jonas
    private let ada = OrderAPIFixture.ada
    private let jpeg = SamplePhotos.jpeg()

    private func upload(
        _ bytes: [UInt8], to path: String, in fixture: OrderAPIFixture, as person: String = OrderAPIFixture.mina, kind: String = "photo",
        type: String = "image/jpeg", named name: String? = nil
    ) async throws -> APIResponse {
        try await fixture.send(
            .put, "\(path)/proofs/\(name ?? digest(bytes))?kind=\(kind)", as: person, headers: [.contentType: type], bytes: bytes)
    }

    @Test func `A photo is stored under its digest, and served to its courier and dispatchers only, sandboxed`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()

        let first = try await upload(jpeg, to: path, in: fixture)
        let second = try await upload(jpeg, to: path, in: fixture)

        #expect([first, second].map(\.status) == [201, 200])
        for person in [mina, ada] {
            let photo = try await fixture.send(.get, "\(path)/proofs/\(digest(jpeg))", as: person)
            #expect(photo.bytes == jpeg)
            #expect(photo.headers[.contentType] == "image/jpeg")
            #expect(photo.headers[HTTPField.Name("X-Content-Type-Options")!] == "nosniff")
            #expect(photo.headers[HTTPField.Name("Content-Security-Policy")!]?.contains("sandbox") == true)
        }
        #expect(try await fixture.send(.get, "\(path)/proofs/\(digest(jpeg))", as: jonas).problem == "proof-unknown")
    }

    @Test(arguments: [("Application/Partial-Upload; charset=utf-8", 201), ("application/partial-upload+x", 415), ("", 415)])
    func `The type of a part may have parameters`(type: String, status: Int) async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()

        let part = try await fixture.send(
            .patch, "\(path)/proofs/\(digest(jpeg))?kind=photo&type=image/jpeg", as: mina,
            headers: [.contentType: type, .uploadOffset: "0", .uploadComplete: "?1"], bytes: jpeg)

        #expect(part.status == status)
    }

    @Test(arguments: [("0;a=1", "?1;b", 201), ("+0", "?1", 400), ("0", "1", 400)])
    func `The fields of a part may have parameters`(offset: String, isLast: String, status: Int) async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()

        let part = try await fixture.send(
            .patch, "\(path)/proofs/\(digest(jpeg))?kind=photo&type=image/jpeg", as: mina,
            headers: [.contentType: "application/partial-upload", .uploadOffset: offset, .uploadComplete: isLast], bytes: jpeg)

        #expect(part.status == status)
    }

    @Test func `An interrupted upload continues at its offset`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()
        let target = "\(path)/proofs/\(digest(jpeg))?kind=photo&type=image/jpeg"
        func part(_ range: Range<Int>, isLast: Bool) async throws -> APIResponse {
            try await fixture.send(
                .patch, target, as: mina,
                headers: [
                    .contentType: "application/partial-upload", .uploadOffset: "\(range.lowerBound)",
                    .uploadComplete: isLast ? "?1" : "?0",
                ], bytes: Array(jpeg[range]))
        }

        let first = try await part(0..<10, isLast: false)
        let status = try await fixture.send(.head, target, as: mina)
        let wrong = try await part(5..<20, isLast: false)
        let last = try await part(10..<jpeg.count, isLast: true)
        let again = try await part(10..<jpeg.count, isLast: true)

        #expect([first, status, wrong, last, again].map(\.status) == [204, 204, 409, 201, 204])
        #expect(status.headers[.uploadOffset] == "10" && status.headers[.uploadComplete] == "?0")
        #expect(wrong.problem == "offset-mismatch" && wrong["offset"] as? Int == 10 && wrong.isFinal == false)
        #expect(again.headers[.uploadComplete] == "?1")
    }

    @Test func `A courier who has begun many proofs completes them first`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()
        func begin(_ number: UInt8, at offset: Int = 0) async throws -> APIResponse {
            try await fixture.send(
                .patch, "\(path)/proofs/\(digest([number]))?kind=photo&type=image/jpeg", as: mina,
                headers: [.contentType: "application/partial-upload", .uploadOffset: "\(offset)", .uploadComplete: "?0"],
                bytes: Array(jpeg[0..<10]))
        }
        for number in 0..<20 { #expect(try await begin(UInt8(number)).status == 204) }

        let refused = try await begin(20)
        let continued = try await begin(3, at: 10)

        #expect(refused.status == 409 && refused.problem == "too-many-proofs")
        #expect(continued.status == 204)
    }

    @Test func `Of proofs that arrive together no more than the allowed ones are stored`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()
        let ends = Gate()

        let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
            for number in 0..<40 {
                let note = "Note \(number)"
                let target = "\(path)/proofs/\(digest(Array(note.utf8)))?kind=note"
                tasks.addTask {
                    let response = try await fixture.respond(
                        to: .put, target, as: OrderAPIFixture.mina, sending: note, headers: [.contentType: "text/plain"],
                        beforeEnd: { try await ends.wait() })
                    return response.status.code
                }
            }
            await ends.waitForWaiters(count: 40)
            ends.open()
            return try await tasks.reduce(into: []) { $0.append($1) }
        }

        #expect(statuses.count { $0 == 201 } == 20)
        #expect(statuses.count { $0 == 409 } == 20)
        let refused = try await upload(jpeg, to: path, in: fixture)
        #expect(refused.problem == "too-many-proofs" && refused.isFinal == true)
    }

    @Test func `Bytes with another digest are refused, and the upload begins again`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()

        let response = try await upload(jpeg, to: path, in: fixture, named: digest([1]))

        #expect(response.status == 422 && response.problem == "digest-mismatch")
        #expect(try await fixture.send(.head, "\(path)/proofs/\(digest([1]))", as: mina).headers[.uploadOffset] == "0")
    }

    @Test(
        arguments: [
            ("photo", "image/jpeg", Array("no photo".utf8)), ("photo", "image/png", SamplePhotos.jpeg()), ("photo", "image/jpeg", []),
            ("photo", "image/webp", Array("RIFF\u{4}\0\0\0WEBP".utf8)), ("note", "text/plain", [0xFF]),
            ("note", "text/plain", Array("  ".utf8)),
            ("photo", "image/jpeg", Array(SamplePhotos.jpeg().dropLast())),
        ] as [(String, String, [UInt8])])
    func `Content that is not of its type is refused`(kind: String, type: String, bytes: [UInt8]) async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()

        let response = try await upload(bytes, to: path, in: fixture, kind: kind, type: type)

        #expect(response.status == 422 && response.problem == "proof-invalid")
    }

    @Test func `Types, kinds and sizes that are not allowed are refused`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()

        #expect(try await upload(jpeg, to: path, in: fixture, type: "image/gif").problem == "unsupported-type")
        #expect(try await upload(jpeg, to: path, in: fixture, kind: "film").problem == "invalid-request")
        #expect(
            try await upload([UInt8](repeating: 65, count: 9_000), to: path, in: fixture, kind: "note", type: "text/plain").status == 413)
        #expect(try await upload(jpeg, to: path, in: fixture, named: "abc").problem == "invalid-request")
    }

    @Test func `Only a courier who has or had the order uploads proofs`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()

        #expect(try await upload(jpeg, to: path, in: fixture, as: jonas).problem == "not-holder")
        #expect(try await upload(jpeg, to: path, in: fixture, as: ada).problem == "wrong-role")
        #expect(try await upload(jpeg, to: "orders/99", in: fixture).problem == "order-unknown")
        try await fixture.send(.post, "\(path)/reassign", as: ada, body: #"{"courier":"jonas"}"#)
        #expect(try await upload(jpeg, to: path, in: fixture).status == 201)
    }

    @Test func `A PIN is checked, and locked after five wrong ones`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()
        func pin(_ text: String) async throws -> APIResponse {
            try await upload(Array(text.utf8), to: path, in: fixture, kind: "pin", type: "text/plain")
        }

        let wrong = try await pin("0000")
        #expect(wrong.problem == "pin-wrong" && wrong["attemptsLeft"] as? Int == 4)
        #expect(try await pin("1234").status == 201)
        for number in 1...4 { _ = try await pin("000\(number)") }

        #expect(try await pin("0009").problem == "pin-locked")
        #expect(try await fixture.send(.get, "\(path)/proofs/\(digest(Array("1234".utf8)))", as: ada).status == 200)
        let other = try await fixture.createOrder(OrderAPIFixture.breakfast.replacing(#""pin":"1234","#, with: ""))
        try await fixture.send(.post, "\(other)/claim", as: mina)
        #expect(try await upload([49], to: other, in: fixture, kind: "pin", type: "text/plain").problem == "pin-unused")
    }

    @Test func `A PIN of a courier who no longer has the order is stored as a note, without a verdict`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()
        func pin(_ text: String, as person: String) async throws -> APIResponse {
            try await upload(Array(text.utf8), to: path, in: fixture, as: person, kind: "pin", type: "text/plain")
        }
        try await fixture.send(.post, "\(path)/reassign", as: ada, body: #"{"courier":"jonas"}"#)

        for text in ["0000", "0001", "0002", "0003", "0004", "1234"] {
            let late = try await pin(text, as: mina)
            #expect(late.status == 201 && late["kind"] as? String == "note")
        }
        let repeated = try await pin("1234", as: mina)
        let holder = try await pin("1234", as: jonas)

        #expect(repeated.status == 200 && repeated["kind"] as? String == "note")
        #expect(holder.status == 201 && holder["kind"] as? String == "pin")
        #expect(try await pin(" ", as: mina).problem == "proof-invalid")
        let delivery = try await fixture.send(
            .post, "\(path)/deliver", as: mina, fence: "1", body: #"{"proofs":["\#(digest(Array("1234".utf8)))"]}"#)
        #expect(delivery.status == 202)
    }

    @Test func `A PIN of a courier who no longer has the order is a note also if the order has none any more`() async throws {
        let fixture = try await OrderAPIFixture()
        let (path, pin) = (try await fixture.arrivedOrder(), Array("1234".utf8))
        try await fixture.send(.post, "\(path)/reassign", as: ada, body: #"{"courier":"jonas"}"#)
        try await fixture.send(.put, path, as: ada, body: OrderAPIFixture.breakfast.replacing(#""pin":"1234","#, with: ""))

        let late = try await upload(pin, to: path, in: fixture, kind: "pin", type: "text/plain")
        let holder = try await upload(pin, to: path, in: fixture, as: jonas, kind: "pin", type: "text/plain")
        let delivery = try await fixture.send(
            .post, "\(path)/deliver", as: mina, fence: "1", body: #"{"proofs":["\#(digest(pin))"]}"#)

        #expect(late.status == 201 && late["kind"] as? String == "note")
        #expect(holder.problem == "pin-unused")
        #expect(delivery.status == 202)
    }

    @Test func `The location of a photo is removed, and its proof is still accepted`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.arrivedOrder()
        let photo = SamplePhotos.jpeg(exif: SamplePhotos.exif())
        _ = try await upload(photo, to: path, in: fixture)

        let stored = try await fixture.send(.get, "\(path)/proofs/\(digest(photo))", as: ada)
        let delivery = try await fixture.send(.post, "\(path)/deliver", as: mina, fence: "1", body: #"{"proofs":["\#(digest(photo))"]}"#)

        #expect(stored.bytes.count == photo.count && stored.bytes != photo)
        #expect(delivery.status == 200)
    }

    @Test func `The location stays if the settings keep it`() async throws {
        var settings = OrderAPI.Settings()
        settings.retainsPhotoLocations = true
        let fixture = try await OrderAPIFixture(settings)
        let path = try await fixture.arrivedOrder()
        let photo = SamplePhotos.jpeg(exif: SamplePhotos.exif())
        _ = try await upload(photo, to: path, in: fixture)

        #expect(try await fixture.send(.get, "\(path)/proofs/\(digest(photo))", as: ada).bytes == photo)
    }
}
