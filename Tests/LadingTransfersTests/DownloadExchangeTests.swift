import Foundation
import HTTPFieldValues
import Testing
@testable import LadingHTTP
@testable import LadingTesting
@testable import LadingTransfers

/// The requests of a download and the handling of each response, as tables.
@Suite struct DownloadExchangeTests {
    private let url = URL(string: "http://files.example/big")!

    private func head(_ line: String) -> ResponseHead { ResponseHead(line: line) }

    /// Returns descriptions of the effects of each event.
    private func steps(
        version: String? = nil, total: Int? = nil, _ events: DownloadExchange.Event...
    ) -> [String] {
        steps(version: version, total: total, events)
    }

    private func steps(version: String? = nil, total: Int? = nil, _ events: [DownloadExchange.Event]) -> [String] {
        var exchange = DownloadExchange(url: url, version: version.flatMap(FileVersion.init(text:)), total: total)
        return events.map { event in
            var effects: [DownloadExchange.Effect] = []
            exchange.handle(event, effects: &effects)
            return effects.map(describe).joined(separator: ", ")
        }
    }

    private func describe(_ effect: DownloadExchange.Effect) -> String {
        switch effect {
        case .request(let offset, let version): "request \(offset)" + (version.map { " if \($0.text)" } ?? "")
        case .truncate(let length): "truncate \(length)"
        case .reserve(let count): "reserve \(count)"
        case .save: "save"
        case .checkpoint: "checkpoint"
        case .check(let range, _): "check \(range)"
        case .publish: "publish"
        case .fail(let failure): failure.isTransient ? "fail for now" : failure.retainsPartialData ? "fail, retain" : "fail"
        }
    }

    @Test func `A whole file is requested, received and published`() {
        let steps = steps(
            .begin(length: 0), .head(head("200 Content-Length: 100; ETag: \"a\"")), .received(60, at: .zero), .received(40, at: .zero),
            .ended)

        #expect(steps == ["request 0", "reserve 100, save", "", "", "publish"])
    }

    @Test func `A partial download of a known version is resumed`() {
        let steps = steps(
            version: "\"a\"", total: 100, .begin(length: 40), .head(head("206 Content-Range: bytes 40-99/100; ETag: \"a\"")),
            .received(60, at: .zero), .ended)

        #expect(steps == ["request 40 if \"a\"", "reserve 60", "", "publish"])
    }

    @Test(arguments: [
        // An unknown version, a part file that is too long, and a complete one.
        (String?.none, 100, 40, "truncate 0, request 0"), ("\"a\"", 100, 140, "truncate 0, request 0"), ("\"a\"", 100, 100, "publish"),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 100, 1, "request 1 if Sun, 06 Nov 1994 08:49:37 GMT"),
        // An empty part file, and one byte of an unknown version.
        ("\"a\"", 100, 0, "request 0"), (String?.none, 100, 1, "truncate 0, request 0"),
    ])
    func `The first request depends on the version and the length of the part file`(
        version: String?, total: Int, length: Int, first: String
    ) {
        #expect(steps(version: version, total: total, .begin(length: length)) == [first])
    }

    @Test(arguments: [
        // The file has changed and is sent whole.
        ("200 Content-Length: 70; ETag: \"b\"", "truncate 0, reserve 70, save"),
        // Ranges that were not requested.
        ("206 Content-Range: bytes 30-99/100", "truncate 0, request 0"), ("206 Content-Range: bytes 40-99/200", "truncate 0, request 0"),
        ("206 Content-Range: bytes 40-120/100", "truncate 0, request 0"),
        ("206 Content-Range: bytes 40-99/100; ETag: \"b\"", "truncate 0, request 0"),
        ("206 Content-Range: pages 40-99/100", "truncate 0, request 0"),
        ("206 Content-Type: multipart/byteranges", "truncate 0, request 0"),
        ("206 Content-Range: bytes 40-99/100; Content-Length: 59", "truncate 0, request 0"),
        // The response does not state the length of the file, which is known.
        ("206 Content-Range: bytes 40-99/*", "reserve 60"), ("206 Content-Range: bytes 40-100/*", "truncate 0, request 0"),
        // The range does not exist.
        ("416 Content-Range: bytes */100", "truncate 0, request 0"), ("416 Content-Range: bytes */40", "truncate 0, request 0"),
        ("416", "truncate 0, request 0"),
        // The URL has expired; the received bytes are still valid.
        ("400", "fail, retain"), ("401", "fail, retain"), ("403", "fail, retain"), ("404", "fail, retain"), ("410", "fail, retain"),
        ("500", "fail for now"), ("503", "fail for now"), ("429", "fail for now"), ("418", "fail"), ("204", "fail"), ("304", "fail"),
        ("206 Content-Range: bytes 40-99/100; Content-Encoding: gzip", "fail"),
    ])
    func `Each response to a range request leads to the expected effects`(response: String, outcome: String) {
        #expect(steps(version: "\"a\"", total: 100, .begin(length: 40), .head(head(response)))[1] == outcome)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "reserve 60"), ("Mon, 07 Nov 1994 08:49:37 GMT", "truncate 0, request 0"),
    ])
    func `A range of another modification date is discarded`(date: String, outcome: String) {
        let part = head("206 Content-Range: bytes 40-99/100; Last-Modified: \(date)")

        #expect(steps(version: "Sun, 06 Nov 1994 08:49:37 GMT", total: 100, .begin(length: 40), .head(part))[1] == outcome)
    }

    @Test(arguments: [
        ("206 Content-Range: bytes 0-99/100", "truncate 0, request 0"), ("400", "fail"), ("404", "fail"), ("403", "fail"), ("416", "fail"),
        ("502", "fail for now"),
        ("200 Content-Encoding: gzip", "fail"), ("200 Content-Encoding: identity; Content-Length: 3", "reserve 3, save"),
        ("200", "save"), ("200 Content-Length: -1", "save"), ("200 Content-Length: 1e9", "save"),
    ])
    func `Each response to a request for the whole file leads to the expected effects`(response: String, outcome: String) {
        #expect(steps(.begin(length: 0), .head(head(response)))[1] == outcome)
    }

    @Test(arguments: [
        ("206 Content-Range: bytes 1-99/100", "reserve 99"), ("416 Content-Range: bytes */1", "publish"), ("403", "fail, retain"),
        ("200 Content-Length: 70", "truncate 0, reserve 70, save"),
    ])
    func `A single received byte is resumed or discarded as many are`(response: String, outcome: String) {
        #expect(steps(version: "\"a\"", .begin(length: 1), .head(head(response)))[1] == outcome)
    }

    @Test(arguments: [
        ("200 ETag: \"a\"", true), ("200 ETag: \"a\"; Accept-Ranges: bytes", true), ("200 ETag: \"a\"; Accept-Ranges: None", false),
        ("200", false), ("200 Accept-Ranges: bytes", false),
    ])
    func `A download is resumable if the file has a version and the server does not refuse ranges`(response: String, isResumable: Bool) {
        var exchange = DownloadExchange(url: url)
        var effects: [DownloadExchange.Effect] = []

        exchange.handle(.begin(length: 0), effects: &effects)
        exchange.handle(.head(head(response)), effects: &effects)

        #expect(exchange.isResumable == isResumable)
        #expect(exchange.version?.text == (isResumable ? "\"a\"" : nil))
    }

    @Test func `A server that repeatedly sends wrong ranges fails the download`() {
        let wrong = DownloadExchange.Event.head(head("206 Content-Range: bytes 1-2/100"))

        #expect(steps(version: "\"a\"", .begin(length: 40), wrong, wrong) == ["request 40 if \"a\"", "truncate 0, request 0", "fail"])
    }

    @Test func `A 416 response completes a download of unknown length`() {
        #expect(steps(version: "\"a\"", .begin(length: 40), .head(head("416 Content-Range: bytes */40")))[1] == "publish")
    }

    @Test func `A range shorter than the rest is followed by a request for the remainder`() {
        let steps = steps(
            version: "\"a\"", total: 100, .begin(length: 40), .head(head("206 Content-Range: bytes 40-59/100")), .received(20, at: .zero),
            .ended,
            .head(head("206 Content-Range: bytes 60-99/100")), .received(40, at: .zero), .ended)

        #expect(steps.suffix(4) == ["checkpoint, request 60 if \"a\"", "reserve 40", "", "publish"])
    }

    @Test func `A range of a file of unknown length is followed by a request for the remainder`() {
        let steps = steps(
            version: "\"a\"", .begin(length: 1), .head(head("206 Content-Range: bytes 1-5/*")), .received(5, at: .zero), .ended,
            .head(head("416 Content-Range: bytes */6")))

        #expect(steps == ["request 1 if \"a\"", "", "", "checkpoint, request 6 if \"a\"", "publish"])
    }

    @Test func `A body longer or shorter than its announced length fails`() {
        #expect(steps(.begin(length: 0), .head(head("200 Content-Length: 5")), .received(6, at: .zero)).last == "fail")
        #expect(steps(.begin(length: 0), .head(head("200 Content-Length: 5")), .received(4, at: .zero), .ended).last == "fail for now")
    }

    @Test func `A body of unknown length is complete when it ends`() {
        #expect(steps(.begin(length: 0), .head(head("200")), .received(7, at: .zero), .ended).last == "publish")
    }

    @Test func `The digest of a range is checked when the range ends`() {
        let steps = steps(
            version: "\"a\"", total: 100, .begin(length: 40),
            .head(head("206 Content-Range: bytes 40-99/100; Content-Digest: sha-256=:AA==:")), .received(60, at: .zero), .ended)

        #expect(steps.last == "check 40..<100, publish")
    }

    @Test func `A mismatched file is downloaded again, once`() {
        let mismatched = DownloadExchange.Event.mismatched(.lengthMismatch(url, expected: 100, found: 140))
        let whole: [DownloadExchange.Event] = [
            .head(head("200 Content-Length: 100; ETag: \"a\"")), .received(100, at: .zero), .ended, mismatched,
        ]

        let steps = steps([.begin(length: 0)] + whole + whole)

        #expect(
            steps == [
                "request 0", "reserve 100, save", "", "publish", "truncate 0, request 0", "reserve 100, save", "", "publish", "fail",
            ])
    }

    @Test func `A replaced part file is discarded, and the next attempt starts from zero`() {
        var exchange = DownloadExchange(url: url, version: FileVersion(text: "\"a\""), total: 100)
        var effects: [DownloadExchange.Effect] = []
        exchange.handle(.begin(length: 100), effects: &effects)

        exchange.handle(.partFileLost(.partFileInUse(url)), effects: &effects)

        #expect(effects.map(describe) == ["publish", "fail for now"])
        #expect(exchange.completed == 0 && exchange.version == nil && exchange.total == nil)
    }

    @Test(arguments: [
        ("Repr-Digest: sha-256=:AA==:", "sha-256=:AA==:"), ("Digest: SHA-256=AA==,unixsum=30637", "sha-256=:AA==:, unixsum=:30637:"),
        ("Digest: SHA-256=AA==; Repr-Digest: sha-512=:BB==:", "sha-512=:BB==:"), ("Digest: nothing", nil), ("ETag: \"a\"", nil),
    ])
    func `The digest of the whole file is read from Repr-Digest or Digest`(fields: String, digest: String?) {
        #expect(head("200 \(fields)").representationDigest == digest)
    }

    @Test func `A restart resets the checkpoint interval`() {
        let steps = steps(
            version: "\"a\"", total: 100 << 20, .begin(length: 50 << 20),
            .head(head("206 Content-Range: bytes 52428800-104857599/104857600; ETag: \"a\"")), .received(4 << 20, at: .zero),
            .mismatched(.inconsistentResponse(url, "other bytes")), .head(head("200 Content-Length: 104857600; ETag: \"b\"")),
            .received(4 << 20, at: .zero))

        #expect(steps.last == "checkpoint" && steps.filter { $0 == "checkpoint" }.count == 2)
    }

    @Test func `A checkpoint is due after a share of the file and after one second`() {
        let mebibyte = 1 << 20
        let steps = steps(
            .begin(length: 0), .head(head("200 Content-Length: \(64 * mebibyte); ETag: \"a\"")), .received(mebibyte, at: .zero),
            .received(mebibyte, at: .zero), .received(mebibyte, at: .milliseconds(999)), .received(1, at: .milliseconds(1_000)),
            .received(1, at: .milliseconds(1_001)))

        #expect(steps.suffix(5) == ["", "checkpoint", "", "checkpoint", ""])
    }

    /// The sizes are in MiB.
    @Test(arguments: [(nil, 1), (32, 1), (64, 2), (2_048, 64), (8_192, 64)] as [(Int?, Int)])
    func `A checkpoint is due after a 32nd of the file, at least 1 MiB and at most 64 MiB`(total: Int?, stride: Int) {
        var interval = CheckpointInterval(bytes: 0, at: .zero)
        let (bytes, length) = (stride << 20, total.map { $0 << 20 })

        let isDue = [bytes - 1, bytes].map { interval.shouldCheckpoint(bytes: $0, of: length, at: .zero) }

        #expect(isDue == [false, true])
    }

    @Test func `No checkpoint is due when nothing has arrived since the last one`() {
        var interval = CheckpointInterval(bytes: 5, at: .zero)

        let isDue = [5, 6].map { interval.shouldCheckpoint(bytes: $0, of: nil, at: .seconds(1)) }

        #expect(isDue == [false, true])
    }

    @Test func `Bytes of an earlier attempt, which may not be synced, count towards the first checkpoint`() {
        let steps = steps(
            version: "\"a\"", .begin(length: 1), .head(head("206 Content-Range: bytes 1-1048575/*")), .received(1_048_575, at: .zero))

        #expect(steps.last == "checkpoint")
    }

    @Test(arguments: [
        ("ETag: \"a\"", "\"a\""), ("ETag: W/\"a\"", nil), ("ETag: a", nil),
        // A weak tag excludes the date.
        ("ETag: W/\"a\"; Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT; Date: Sun, 06 Nov 1994 08:50:37 GMT", nil),
        ("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT; Date: Sun, 06 Nov 1994 08:49:38 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
        // The file may have changed again within the second.
        ("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT; Date: Sun, 06 Nov 1994 08:49:37 GMT", nil),
        ("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", nil), ("Last-Modified: yesterday; Date: Sun, 06 Nov 1994 08:49:37 GMT", nil),
    ])
    func `A strong validator is read from ETag or Last-Modified`(fields: String, version: String?) {
        // Only the first colon of a field separates its name; dates contain others.
        #expect(FileVersion(head("200 \(fields)"))?.text == version)
    }

    @Test(arguments: [
        ("bytes 0-0/1", ContentRange.bytes(0..<1, total: 1)), ("bytes 5-9/*", .bytes(5..<10, total: nil)),
        ("bytes */10", .unsatisfied(total: 10)),
        ("Bytes 5-9/10", .bytes(5..<10, total: 10)), ("bytes 9-5/10", nil), ("bytes 5-10/10", nil), ("bytes 5-/10", nil),
        ("bytes -5/10", nil),
        ("bytes */*", nil), ("bytes +5-9/10", nil), ("5-9/10", nil), ("bytes 5-9", nil), ("bytes 5-99999999999999999999/*", nil), ("", nil),
    ])
    func `Valid Content-Range fields are parsed and invalid ones are rejected`(text: String, range: ContentRange?) {
        #expect(ContentRange(text) == range)
    }
}
