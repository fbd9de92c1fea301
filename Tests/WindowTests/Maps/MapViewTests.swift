import DemoCity
import Testing

@testable import Window

@Suite struct MapViewTests {
    private let legend = MapLegend.server(attribution: "a.org", fingerprint: "1")
    private let pin = Coordinate(latitude: 40.76, longitude: -73.92)

    @Test(arguments: [0.0, 1, 500, 2_500, 8_000, 100_000, 20_000_000]) func `The radius is shown as a whole, as large as fits`(
        radius: Double
    ) throws {
        let map = try #require(MapView(pin: pin, radius: radius)).context(label: "", address: nil, legend: legend, PlainTexts(.english))

        #expect(map.r <= 120 || map.zoom == 3)
        #expect(map.r > 50 || map.zoom == 17)
    }

    @Test func `Tiles cover the square around the pin`() throws {
        let map = try #require(MapView(pin: pin, radius: 500)).context(label: "", address: nil, legend: legend, PlainTexts(.english))

        #expect(map.tiles.count <= 16)
        for (x, y) in [(-320, -320), (319, -320), (-320, 319), (319, 319), (0, 0)] {
            #expect(map.tiles.contains { $0.x <= x && x < $0.x + 256 && $0.y <= y && y < $0.y + 256 })
        }
    }

    @Test func `There is no map of no place, nor of the poles`() {
        #expect(MapView(pin: Coordinate(latitude: 0, longitude: 0), radius: 1) == nil)
        #expect(MapView(pin: Coordinate(latitude: 89, longitude: 0), radius: 1) == nil)
    }
}
