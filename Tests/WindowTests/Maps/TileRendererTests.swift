import DemoCity
import Foundation
import Testing

@testable import Window

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("The tile renderer")
struct TileRendererTests {
    var city: City { Self.city }
    var renderer: TileRenderer { TileRenderer(city: city) }
    private static let city = City()

    @Test("Tiles are well-formed XML within the size limit at every zoom", arguments: Tile.zoomRange)
    func wellFormed(zoom: Int) throws {
        for tile in try tiles(zoom: zoom) {
            let svg = renderer.svg(tile)

            #expect(svg.utf8.count < TileRenderer.maximumSize, "\(tile)")
            let parser = XMLParser(data: Data(svg.utf8))
            #expect(parser.parse(), "\(tile): \(parser.parserError.debugDescription)")
        }
    }

    @Test("Drawing a tile is deterministic")
    func deterministic() throws {
        let tile = try #require(Tile(zoom: 16, at: city.center))

        #expect(renderer.svg(tile) == TileRenderer(city: City()).svg(tile))
    }

    @Test("Every line continues in the adjacent tile", arguments: [10, 12, 13, 14, 15, 16, 17, 19])
    func linesContinue(zoom: Int) throws {
        for tile in try tiles(zoom: zoom).prefix(15) {
            guard let east = Tile(zoom: zoom, x: tile.x + 1, y: tile.y),
                let south = Tile(zoom: zoom, x: tile.x, y: tile.y + 1)
            else { continue }

            let here = ParsedTile(renderer.svg(tile))

            #expect(here.crossings(of: .vertical, at: 256) == ParsedTile(renderer.svg(east)).crossings(of: .vertical, at: 0))
            #expect(
                here.crossings(of: .horizontal, at: 256) == ParsedTile(renderer.svg(south)).crossings(of: .horizontal, at: 0)
            )
        }
    }

    @Test("A label is drawn in every tile that it overlaps", arguments: [16, 17])
    func labelsAreComplete(zoom: Int) throws {
        var crossing = 0
        for tile in try tiles(zoom: zoom).prefix(25) {
            guard let east = Tile(zoom: zoom, x: tile.x + 1, y: tile.y) else { continue }

            let here = ParsedTile(renderer.svg(tile)).labels
                .filter { $0.text.hasSuffix("Street") && abs($0.x - 256) < 30 }
            let there = ParsedTile(renderer.svg(east)).labels.map { $0.moved(x: 256) }

            crossing += here.count
            for label in here { #expect(there.contains(label), "\(tile)") }
        }
        #expect(crossing > 0)
    }

    @Test("Streets are labelled from zoom 16 on")
    func labelsByZoom() throws {
        let far = renderer.svg(try #require(Tile(zoom: 15, at: city.center)))
        let near = renderer.svg(try #require(Tile(zoom: 16, at: city.center)))

        #expect(!far.contains("<text"))
        #expect(near.contains(" Street</text>") && near.contains(" Avenue</text>"))
    }

    @Test("Tiles far from the city are empty country")
    func country() throws {
        let abroad = Coordinate(latitude: 52.5, longitude: 13.4)
        let svgs = try [5, 12, 16, 19].map { renderer.svg(try #require(Tile(zoom: $0, at: abroad))) }

        #expect(Set(svgs).count == 1)
        #expect(svgs[0].utf8.count < 500)
    }

    @Test("The city is a marker at zooms without streets", arguments: 0...9)
    func cityMarker(zoom: Int) throws {
        let tile = try #require(Tile(zoom: zoom, at: city.center))

        #expect(renderer.svg(tile).contains("<circle"))
    }

    /// Returns tiles across the city, some over its edge, and one far away.
    private func tiles(zoom: Int) throws -> [Tile] {
        var dice = CountingGenerator(seed: UInt64(zoom))
        let bounds = city.bounds
        let within = (0..<60).compactMap { _ in
            Tile(
                zoom: zoom,
                at: Coordinate(
                    latitude: bounds.south - 0.02 + Double(dice.next() % 1_000) / 1_000 * 0.12,
                    longitude: bounds.west - 0.06 + Double(dice.next() % 1_000) / 1_000 * 0.18
                ))
        }
        return try within + [#require(Tile(zoom: zoom, at: Coordinate(latitude: -33.9, longitude: 151.2)))]
    }
}
