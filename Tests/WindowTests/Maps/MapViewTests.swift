import DemoCity
import Testing

@testable import Window

@Suite struct MapViewTests {
    private let source = MapSource.server(attribution: "a.org", fingerprint: "1")
    private let pin = Coordinate(latitude: 40.76, longitude: -73.92)

    @Test(arguments: [0.0, 1, 500, 2_500, 8_000, 100_000, 20_000_000]) func `The zoom is the largest at which the whole radius fits`(
        radius: Double
    ) throws {
        let map = try #require(MapView(pin: pin, radius: radius)).context(
            label: "", address: nil, source: source, LocalizedStrings(.english))

        #expect(map.radiusInPixels <= 120 || map.zoom == 3)
        #expect(map.radiusInPixels > 50 || map.zoom == 17)
    }

    @Test func `Tiles cover the square around the pin`() throws {
        let map = try #require(MapView(pin: pin, radius: 500)).context(label: "", address: nil, source: source, LocalizedStrings(.english))

        #expect(map.tiles.count <= 16)
        for (x, y) in [(-320, -320), (319, -320), (-320, 319), (319, 319), (0, 0)] {
            #expect(map.tiles.contains { $0.x <= x && x < $0.x + 256 && $0.y <= y && y < $0.y + 256 })
        }
    }

    @Test func `No map exists for (0, 0) or the poles`() {
        #expect(MapView(pin: Coordinate(latitude: 0, longitude: 0), radius: 1) == nil)
        #expect(MapView(pin: Coordinate(latitude: 89, longitude: 0), radius: 1) == nil)
    }

    @Test(arguments: [181, -181, 1e300, .infinity, .nan]) func `No map exists beyond the date line`(longitude: Double) {
        let place = Coordinate(latitude: 40, longitude: longitude)

        #expect(MapView(pin: place, radius: 1) == nil)
        #expect(OverviewMap([pin, place], in: source) == nil)
    }
}
