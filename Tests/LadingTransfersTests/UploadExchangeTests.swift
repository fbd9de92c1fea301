import Foundation
import Testing
@testable import LadingHTTP
@testable import LadingTesting
@testable import LadingTransfers

/// The requests of an upload and the handling of each response, as tables.
@Suite struct UploadExchangeTests {
    private let target = URL(string: "http://files.example/uploads/big")!
    private let resource = URL(string: "http://files.example/parts/7")!
    private let supportsPartialUploads = "204 Accept-Patch: text/plain, application/partial-upload"

    private func response(_ line: String, in time: Duration = .seconds(1)) -> UploadExchange.Event {
        .response(ResponseHead(line: line), url: target, elapsed: time)
    }

    private func steps(length: Int = 100, resource: URL? = nil, isResumable: Bool? = nil, _ events: [UploadExchange.Event]) -> [String] {
        var exchange = UploadExchange(target: target, length: length, resource: resource, isResumable: isResumable)
        return events.map { event in
            var effects: [UploadExchange.Effect] = []
            exchange.handle(event, effects: &effects)
            return effects.map(describe).joined(separator: ", ")
        }
    }

    private func describe(_ effect: UploadExchange.Effect) -> String {
        switch effect {
        case .send(.append(let range, let isLast)): "append \(range)" + (isLast ? " last" : "")
        case .send(let request): "\(request)"
        case .save: "save"
        case .done: "done"
        case .fail(let failure): failure.isTransient ? "fail for now" : failure.retainsPartialData ? "fail, retain" : "fail"
        }
    }

    @Test func `A small file is sent in one part after the upload resource is created`() {
        let steps = steps([
            .begin, response(supportsPartialUploads), response("201 Location: /parts/7"), response("201 Upload-Complete: ?1"),
        ])

        #expect(steps == ["discover", "save, create", "save, append 0..<100 last", "save, done"])
    }

    @Test func `Parts grow on a fast link and shrink on a slow one`() {
        let (minimum, length) = (UploadPartSize.minimum, 100 << 20)
        let more = "204 Upload-Complete: ?0"
        let steps = steps(
            length: length,
            [
                .begin, response(supportsPartialUploads), response("201 Location: /parts/7"), response(more, in: .milliseconds(100)),
                response(more, in: .seconds(1)), response(more, in: .seconds(9)),
            ])

        #expect(
            steps.suffix(4) == [
                "save, append 0..<\(minimum)", "save, append \(minimum)..<\(3 * minimum)", "save, append \(3 * minimum)..<\(5 * minimum)",
                "save, append \(5 * minimum)..<\(6 * minimum)",
            ])
    }

    @Test(arguments: [(16_385, 8_192), (16_384, nil)] as [(Int, Int?)])
    func `A part that is too large for the server is halved, down to 16 KiB`(count: Int, next: Int?) {
        var size = UploadPartSize(of: 100 << 20)

        #expect(size.shrink(below: count) == (next != nil))
        #expect(size.next(of: 100 << 20) == next ?? UploadPartSize.minimum)
    }

    @Test func `Parts respect the limits of the server`() {
        let limits = "201 Location: /parts/7; Upload-Limit: max-size=1000, max-append-size=30"

        #expect(steps([.begin, response(supportsPartialUploads), response(limits)]).last == "save, append 0..<30")
        #expect(steps([.begin, response(supportsPartialUploads + "; Upload-Limit: max-size=100")]).last == "save, create")
        #expect(steps([.begin, response(supportsPartialUploads + "; Upload-Limit: max-size=99")]).last == "fail")
    }

    @Test(arguments: [
        "204", "405", "404", "403", "501", "500", "200 Accept-Patch: application/*",
    ])
    func `A server without resumable uploads receives the whole file`(answer: String) {
        #expect(steps([.begin, response(answer), response("201")]) == ["discover", "save, whole", "save, done"])
        #expect(steps(isResumable: false, [.begin]) == ["whole"])
    }

    @Test(arguments: ["401", "407"]) func `Refused credentials fail the discovery`(answer: String) {
        #expect(steps([.begin, response(answer)]) == ["discover", "fail, retain"])
    }

    @Test(arguments: [
        ("204", false), ("404", false), ("405", false), ("401", nil), ("407", nil), ("403", nil), ("500", nil), ("501", nil),
        ("499", false), ("599", nil), ("600", nil),
    ])
    func `A refused discovery does not decide whether uploads are resumable`(answer: String, isResumable: Bool?) {
        var exchange = UploadExchange(target: target, length: 100)
        var effects: [UploadExchange.Effect] = []

        exchange.handle(.begin, effects: &effects)
        exchange.handle(response(answer), effects: &effects)

        #expect(exchange.isResumable == isResumable)
    }

    @Test(arguments: [(412, false), (413, true), (414, false)])
    func `Only the status 413 means that the file is too large`(status: Int, isTooLarge: Bool) {
        let creation: [UploadExchange.Event] = [.begin, response(supportsPartialUploads), response("\(status)")]
        let whole: [UploadExchange.Event] = [.begin, response("405"), response("\(status)")]

        for events in [creation, whole] {
            var exchange = UploadExchange(target: target, length: 100)
            var effects: [UploadExchange.Effect] = []
            for event in events { exchange.handle(event, effects: &effects) }

            let isFound = effects.contains { effect in
                if case .fail(let failure) = effect, case TransferError.tooLarge = failure.error { true } else { false }
            }
            #expect(isFound == isTooLarge)
        }
    }

    @Test func `The server has no bytes before it creates a resource and after it loses the resource`() {
        var exchange = UploadExchange(target: target, length: 100)
        let events: [UploadExchange.Event] = [
            .begin, response(supportsPartialUploads), response("201 Location: /parts/7; Upload-Limit: max-append-size=30"), response("204"),
            response("404"),
        ]

        let offsets = events.map { event in
            var effects: [UploadExchange.Effect] = []
            exchange.handle(event, effects: &effects)
            return exchange.offset
        }

        #expect(offsets == [0, 0, 0, 30, 0])
        #expect(exchange.resource == nil)
    }

    @Test func `An existing upload continues at the offset of the server`() {
        let steps = steps(resource: resource, isResumable: true, [.begin, response("204 Upload-Offset: 40; Upload-Complete: ?0")])

        #expect(steps == ["offset", "save, append 40..<100 last"])
    }

    @Test(arguments: [
        ("204 Upload-Offset: 100; Upload-Complete: ?1", "save, done"),
        ("204 Upload-Offset: 100; Upload-Complete: ?0", "save, append 100..<100 last"),
        ("204 Upload-Offset: 40; Upload-Complete: ?1", "fail"), ("204 Upload-Offset: 101", "fail"), ("204", "fail"),
        ("204 Upload-Offset: -1", "fail"), ("404", "save, create"), ("410", "save, create"), ("503", "fail for now"),
        ("400", "save, create"), ("401", "fail, retain"), ("403", "fail, retain"), ("407", "fail, retain"),
        ("399", "fail"), ("499", "save, create"), ("501", "fail"),
        // Only a successful response states the offset.
        ("199 Upload-Offset: 40", "fail"), ("200 Upload-Offset: 40", "save, append 40..<100 last"),
        ("299 Upload-Offset: 40", "save, append 40..<100 last"), ("300 Upload-Offset: 40", "fail"),
    ])
    func `Each response to an offset request leads to the expected effects`(answer: String, outcome: String) {
        #expect(steps(resource: resource, isResumable: true, [.begin, response(answer)])[1] == outcome)
    }

    @Test(arguments: [
        ("201 Upload-Complete: ?1", "save, done"), ("204 Upload-Complete: ?0", "save, append 100..<100 last"),
        ("409 Upload-Offset: 7", "offset"), ("404", "save, create"), ("500", "fail for now"), ("429", "fail for now"),
        ("422 Upload-Complete: ?1", "fail"), ("400", "fail"), ("403", "fail, retain"), ("410", "save, create"), ("411", "fail"),
        // Only a successful response accepts the part or completes the upload.
        ("199 Upload-Complete: ?1", "fail"), ("200 Upload-Complete: ?1", "save, done"), ("299 Upload-Complete: ?1", "save, done"),
        ("300 Upload-Complete: ?1", "fail"), ("199", "fail"), ("200", "save, append 100..<100 last"),
        ("299", "save, append 100..<100 last"), ("300", "fail"),
        // The server has the whole file and failed to process it.
        ("500 Upload-Complete: ?1", "fail"), ("503 Upload-Complete: ?1", "fail"), ("429 Upload-Complete: ?1", "fail"),
        ("408 Upload-Complete: ?1", "fail"), ("401 Upload-Complete: ?1", "fail"), ("403 Upload-Complete: ?1", "fail"),
        ("409 Upload-Complete: ?1", "fail"), ("404 Upload-Complete: ?1", "fail"), ("503 Upload-Complete: ?0", "fail for now"),
        ("403 Upload-Complete: ?0", "fail, retain"),
    ])
    func `Each response to an appended part leads to the expected effects`(answer: String, outcome: String) {
        let steps = steps(
            resource: resource, isResumable: true, [.begin, response("204 Upload-Offset: 40"), response(answer)])

        #expect(steps[2] == outcome)
    }

    @Test func `A server that loses every upload resource fails the upload`() {
        let steps = steps(
            resource: resource, isResumable: true, [.begin, response("404"), response("201 Location: /parts/8"), response("404")])

        #expect(steps == ["offset", "save, create", "save, append 0..<100 last", "fail"])
    }

    @Test func `A server that accepts the last part repeatedly without completing it fails the upload`() {
        let again = [UploadExchange.Event](repeating: response("204 Upload-Complete: ?0"), count: 4)

        let steps = steps(resource: resource, isResumable: true, [.begin, response("204 Upload-Offset: 0")] + again)

        // The fifth response without progress.
        #expect(
            steps == [
                "offset", "save, append 0..<100 last", "save, append 100..<100 last", "save, append 100..<100 last",
                "save, append 100..<100 last", "fail",
            ])
    }

    @Test func `A stored part resets the count of responses without progress`() {
        let lost = [response("409"), response("204 Upload-Offset: 30")]

        let steps = steps(
            resource: resource, isResumable: true,
            [.begin, response("204 Upload-Offset: 0; Upload-Limit: max-append-size=30"), response("204")] + lost + lost + lost)

        #expect(
            steps == [
                "offset", "save, append 0..<30", "save, append 30..<60", "offset", "save, append 30..<60", "offset", "save, append 30..<60",
                "fail", "",
            ])
    }

    @Test func `A part that is too large is followed by a smaller one`() {
        let steps = steps(
            length: 1 << 20, resource: resource, isResumable: true, [.begin, response("204 Upload-Offset: 0"), response("413")])

        #expect(steps.last == "append 0..<\(UploadPartSize.minimum / 2)")
    }

    @Test func `A part size that was too large is not tried again when the server announces other limits`() {
        let minimum = UploadPartSize.minimum
        let more = "204 Upload-Complete: ?0"
        let steps = steps(
            length: 100 << 20,
            [
                .begin, response(supportsPartialUploads), response("201 Location: /parts/7"), response(more, in: .milliseconds(100)),
                response("413"), response(more + "; Upload-Limit: max-age=3600", in: .milliseconds(100)),
                response(more + "; Upload-Limit: max-append-size=1000", in: .milliseconds(100)),
            ])

        #expect(
            steps.suffix(4) == [
                "save, append \(minimum)..<\(3 * minimum)", "append \(minimum)..<\(2 * minimum)",
                "save, append \(2 * minimum)..<\(3 * minimum)", "save, append \(3 * minimum)..<\(3 * minimum + 1_000)",
            ])
    }
}
