import DemoCity
import Testing

@testable import Window

@Suite("A tile")
struct TileTests {
    @Test(
        "A tile outside the zooms or the world is refused",
        arguments: [(-1, 0, 0), (20, 0, 0), (0, 1, 0), (0, 0, 1), (3, -1, 0), (3, 0, -1), (3, 8, 0), (19, 0, 1 << 19)]
    )
    func refused(zoom: Int, x: Int, y: Int) {
        #expect(Tile(zoom: zoom, x: x, y: y) == nil)
    }

    @Test("The corners of the world have tiles", arguments: Tile.zoomRange)
    func corners(zoom: Int) {
        let last = (1 << zoom) - 1

        #expect(Tile(zoom: zoom, x: 0, y: 0) != nil)
        #expect(Tile(zoom: zoom, x: last, y: last) != nil)
    }

    @Test("A tile is found from the middle of its area", arguments: Tile.zoomRange)
    func roundTrip(zoom: Int) throws {
        var dice = CountingGenerator(seed: UInt64(zoom))
        let count = UInt64(1) << UInt64(zoom)
        for _ in 0..<20 {
            let tile = try #require(Tile(zoom: zoom, x: Int(dice.next() % count), y: Int(dice.next() % count)))

            let area = tile.bounds
            let middle = Coordinate(
                latitude: (area.south + area.north) / 2, longitude: (area.west + area.east) / 2)

            #expect(Tile(zoom: zoom, at: middle) == tile)
        }
    }

    @Test("Coordinates map to the tile numbers of the slippy map")
    func wellKnown() {
        let hachioji = Coordinate(latitude: 35.6590699, longitude: 139.7006793)

        #expect(Tile(zoom: 18, at: hachioji) == Tile(zoom: 18, x: 232_798, y: 103_246))
        #expect(Tile(zoom: 1, at: Coordinate(latitude: -1, longitude: 1)) == Tile(zoom: 1, x: 1, y: 1))
        #expect(Tile(zoom: 4, at: Coordinate(latitude: 89, longitude: 0)) == nil)
    }

    @Test("Adjacent tiles share an edge")
    func edges() throws {
        let tile = try #require(Tile(zoom: 15, x: 9_655, y: 12_310))
        let east = try #require(Tile(zoom: 15, x: 9_656, y: 12_310))
        let south = try #require(Tile(zoom: 15, x: 9_655, y: 12_311))

        #expect(tile.bounds.east == east.bounds.west)
        #expect(tile.bounds.south == south.bounds.north)
    }
}
