import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import MarsPhotos
import Synchronization
import Testing

@testable import Window

/// Events of a photo grid: positions, cells and progress, on a manual task executor.
@Suite struct PhotoGridScreenTests: ListEventReader {
    private let executor = ManualTaskExecutor()
    private let backend = ScriptedExecutor()
    private let clock = ManualClock()
    private let repository: PhotoRepository
    private let renderer: PageRenderer

    init() throws {
        let queue = BackendQueue(executor: executor)
        let source = PhotoSourceKind.v1.source(at: PhotoWire.service, client: BackendClient(executor: backend))
        repository = PhotoRepository(source, queue: queue, clock: clock)
        renderer = try PageRenderer(resources: WindowServer.resourceFolder(), version: "1")
        backend.script(PhotoWire.manifest, .response(text: PhotoWire.manifest(of: [996, 1_000, 1_001])))
        list(1...70)
        backend.script(PhotoWire.sol(1_001), .response(text: PhotoWire.photos(1...9, sol: 1_001)))
        for id in 1...100 { backend.script(PhotoWire.image(id), .response(body: PhotoWire.gif)) }
    }

    private func list(_ ids: some Sequence<Int>) {
        backend.script(PhotoWire.sol(1_000), .response(text: PhotoWire.photos(ids)))
    }

    private func screen(
        sol: Sol = 1_000, camera: String? = nil, first: Range<Int> = 0..<6, topRow: MarsPhotoID? = nil
    ) -> PhotoGridScreen {
        let screen = PhotoGridScreen(
            repository, SolQuery(.curiosity, sol: sol, camera: camera), PhotoContexts(texts: Texts(.english)), renderer, first: first,
            topRow: topRow)
        executor.runAll()
        return screen
    }

    private func events(_ screen: PhotoGridScreen, rows: [MarsPhotoID] = []) throws -> [[String: Any]] {
        let changes = ChangeLog<MarsPhotoID>.Changes(id: 1, isScreenChanged: rows.isEmpty, rows: rows)
        return try screen.events(for: changes).map { event in
            try #require(try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
        }
    }

    private func report(_ screen: PhotoGridScreen, seq: Int, _ visible: ClosedRange<Int>, columns: Int = 3) {
        screen.setViewport(
            ViewportReport(
                list: "\(screen.controller.list.revision)", seq: seq, first: visible.lowerBound, last: visible.upperBound, rowsPerSecond: 0,
                landing: nil, columns: columns))
        executor.runAll()
    }

    @Test func `A new page receives the sol with all visible cells and their images`() throws {
        let screen = screen()

        let event = try #require(try events(screen).first)

        #expect(event["count"] as? Int == 70)
        #expect(event["title"] as? String == "Curiosity · Sol 1000")
        #expect(event["note"] as? String == "May 30, 2015 · 70 photos")
        #expect(rows(event) == (1...6).map { "curiosity/1000/\($0)" })
        let html = (event["rows"] as? [[String: Any]])?.compactMap { $0["html"] as? String } ?? []
        #expect(html.allSatisfy { $0.contains(/<img src="[^"]+\?size=320&amp;v=[0-9a-f]{16}"/) })
    }

    @Test func `A cell links to its photo with the camera filter of its page`() throws {
        backend.script(PhotoWire.sol(1_000, camera: "fhaz"), .response(text: PhotoWire.photos(1...70)))
        let (one, other) = (screen(), screen(camera: "FHAZ"))
        let html = { (event: [String: Any]?) in ((event?["rows"] as? [[String: Any]])?.first?["html"] as? String) ?? "" }

        let (first, second) = (html(try events(one).first), html(try events(other).first))

        #expect(first.contains(#"<a href="/photos/curiosity/1000/1"><img"#))
        #expect(second.contains(#"<a href="/photos/curiosity/1000/1?camera=FHAZ"><img"#))
    }

    @Test func `Adjacent sols are sent in each event, also after the manifest cache expired`() throws {
        let screen = screen()
        let leads = { (event: [String: Any]?) in (event?["choice"] as? String)?.contains(#"href="/photos/curiosity/1001""#) }
        #expect(leads(try events(screen).first) == true)

        clock.advance(by: PhotoRepository.lifetime + .seconds(1))

        #expect(repository.cachedManifest(of: .curiosity) == nil)
        #expect(leads(try events(screen).first) == true)
    }

    @Test func `Without a manifest adjacent sols are links to be resolved`() throws {
        backend.script(PhotoWire.manifest, .response(status: .internalServerError))

        let event = try #require(try events(screen()).first)

        #expect((event["choice"] as? String)?.contains(#"href="/photos/curiosity/1000/next""#) == true)
        #expect((event["choice"] as? String)?.contains("FHAZ") == true)
    }

    @Test func `Photos are fetched when they become visible`() throws {
        let screen = screen()
        _ = try events(screen)
        let isRequested = { (id: Int) in backend.requests.contains { $0.url.absoluteString == PhotoWire.image(id) } }
        #expect(!isRequested(60))

        report(screen, seq: 1, 57...62)

        #expect(isRequested(60))
        let id = try #require(MarsPhotoID("curiosity/1000/60"))
        let event = try #require(try events(screen, rows: [id]).first)
        #expect(rows(event) == ["curiosity/1000/60"])
    }

    @Test func `All photos on a large screen are fetched`() throws {
        list(1...500)
        let screen = screen()
        _ = try events(screen)
        let isRequested = { (id: Int) in backend.requests.contains { $0.url.absoluteString == PhotoWire.image(id) } }
        #expect(!isRequested(20))

        report(screen, seq: 1, 0...299, columns: 25)

        #expect(isRequested(20) && isRequested(300))
    }

    @Test func `A report sets the column count of the viewport`() throws {
        let screen = screen()
        _ = try events(screen)

        report(screen, seq: 1, 0...5, columns: 4)

        #expect(screen.state.withLock { $0.position.viewport.columns } == 4)
    }

    @Test func `Outdated reports and reports about another list are ignored`() throws {
        let screen = screen()
        _ = try events(screen)
        report(screen, seq: 2, 6...11)
        report(screen, seq: 1, 0...5)
        screen.setViewport(ViewportReport(list: "99", seq: 3, first: 60, last: 65, rowsPerSecond: 0, landing: nil))

        #expect(screen.state.withLock { $0.position.viewport.visible } == 6..<12)
    }

    @Test func `After a refresh the first visible photo is the anchor and new ones above it are counted`() throws {
        list(4...70)
        let screen = screen()
        _ = try events(screen)
        report(screen, seq: 1, 9...14)
        list(1...70)

        screen.refresh()
        executor.runAll()

        let event = try #require(try events(screen).first)
        let anchor = try #require(event["anchor"] as? [String: Any])
        #expect(anchor["row"] as? String == "curiosity/1000/13")
        #expect(anchor["index"] as? Int == 12)
        #expect(event["fresh"] as? String == "3 new photos")
    }

    @Test func `A refresh after an acknowledged one preserves the position to which the user has scrolled`() throws {
        list(4...70)
        let screen = screen()
        _ = try events(screen)
        report(screen, seq: 1, 9...14)
        list(1...70)
        screen.refresh()
        executor.runAll()
        _ = try events(screen)
        report(screen, seq: 2, 30...35)
        list(2...70)

        screen.refresh()
        executor.runAll()

        let event = try #require(try events(screen).first)
        let anchor = try #require(event["anchor"] as? [String: Any])
        #expect(anchor["row"] as? String == "curiosity/1000/31")
        #expect(anchor["index"] as? Int == 29)
        #expect(screen.state.withLock { $0.position.viewport.visible } == 29..<35)
    }

    @Test func `The rows of a reported viewport are not loaded at the same indices of a newer list`() throws {
        list(11...80)
        let screen = screen()
        _ = try events(screen)
        let isRequested = { (id: Int) in backend.requests.contains { $0.url.absoluteString == PhotoWire.image(id) } }
        let acknowledged = try #require(
            screen.acknowledge(
                ViewportReport(
                    list: "\(screen.controller.list.revision)", seq: 1, first: 60, last: 68, rowsPerSecond: 0, landing: nil, columns: 3)))
        list(1...80)
        screen.refresh()
        executor.runAll()
        _ = try events(screen)

        screen.loadRows(of: acknowledged)
        executor.runAll()

        #expect(screen.controller.list.snapshot.references[64].id == MarsPhotoID("curiosity/1000/65"))
        #expect(!isRequested(65))
    }

    @Test func `Skipped photos are counted for each list`() throws {
        backend.script(PhotoWire.sol(1_000), .response(text: PhotoWire.photos(1...4).replacing(/"id":[23],/, with: "")))
        let screen = screen()
        let note = try events(screen).first?["note"] as? String
        list(1...4)

        screen.refresh()
        executor.runAll()

        #expect(note == "May 30, 2015 · 2 photos · 2 photos could not be read and were left out")
        #expect(try events(screen).first?["note"] as? String == "May 30, 2015 · 4 photos")
    }

    @Test func `A sol whose photos could not be read is not called empty`() throws {
        let photos = PhotoWire.photos(1...1).replacing(/"img_src":"[^"]*"/, with: #""img_src":null"#)
        backend.script(PhotoWire.sol(1_000), .response(text: photos))

        let event = try #require(try events(screen()).first)

        #expect(event["count"] as? Int == 0 && event["empty"] == nil)
        #expect(event["note"] as? String == "1 photo could not be read and was left out")
    }

    @Test func `Photos of different sols with the same number are distinct`() throws {
        let (one, other) = (screen(sol: 1_000), screen(sol: 1_001))

        let (first, second) = (try #require(try events(one).first), try #require(try events(other).first))

        #expect(rows(first).first == "curiosity/1000/1" && rows(second).first == "curiosity/1001/1")
        #expect(try events(one, rows: [try #require(MarsPhotoID("curiosity/1001/1"))]).isEmpty)
    }

    @Test func `A failed photo shows the reason and is fetched again on retry`() throws {
        backend.script(PhotoWire.image(2), .response(text: "<!doctype html>"))
        let screen = screen()
        _ = try events(screen)
        let id = try #require(MarsPhotoID("curiosity/1000/2"))
        let failed = try #require((try events(screen, rows: [id]).first?["rows"] as? [[String: Any]])?.first)
        #expect(failed["state"] as? String == "failed")
        #expect((failed["html"] as? String)?.contains("received a web page") == true)
        backend.script(PhotoWire.image(2), .response(body: PhotoWire.gif))

        screen.retry(id)
        executor.runAll()

        #expect((try events(screen, rows: [id]).first?["rows"] as? [[String: Any]])?.first?["state"] as? String == "loaded")
    }

    @Test func `A reopened page is anchored at its former top photo`() throws {
        let screen = screen(first: 30..<36, topRow: MarsPhotoID("curiosity/1000/41"))

        let event = try #require(try events(screen).first)

        #expect((event["anchor"] as? [String: Any])?["row"] as? String == "curiosity/1000/41")
        #expect(rows(event).first == "curiosity/1000/41")
    }
}
