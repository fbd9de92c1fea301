import DemoCity
import Foundation
import Testing

@testable import Window

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("The tile artist")
struct TileArtistTests {
    var city: City { Self.city }
    var artist: TileArtist { TileArtist(city: city) }
    private static let city = City()

    @Test("draws well-formed XML below the size bound, at every zoom", arguments: Tile.zooms)
    func wellFormed(zoom: Int) throws {
        for tile in try tiles(zoom: zoom) {
            let svg = artist.svg(tile)

            #expect(svg.utf8.count < TileArtist.maximumSize, "\(tile)")
            let parser = XMLParser(data: Data(svg.utf8))
            #expect(parser.parse(), "\(tile): \(parser.parserError.debugDescription)")
        }
    }

    @Test("draws the same tile the same way")
    func deterministic() throws {
        let tile = try #require(Tile(zoom: 16, at: city.center))

        #expect(artist.svg(tile) == TileArtist(city: City()).svg(tile))
    }

    @Test("lets every line go on in the neighbouring tile", arguments: [10, 12, 13, 14, 15, 16, 17, 19])
    func neighboursAgree(zoom: Int) throws {
        for tile in try tiles(zoom: zoom).prefix(15) {
            guard let east = Tile(zoom: zoom, x: tile.x + 1, y: tile.y),
                let south = Tile(zoom: zoom, x: tile.x, y: tile.y + 1)
            else { continue }

            let here = Drawing(artist.svg(tile))

            #expect(here.crossings(of: .vertical, at: 256) == Drawing(artist.svg(east)).crossings(of: .vertical, at: 0))
            #expect(
                here.crossings(of: .horizontal, at: 256) == Drawing(artist.svg(south)).crossings(of: .horizontal, at: 0)
            )
        }
    }

    @Test("draws a label in every tile it touches", arguments: [16, 17])
    func labelsAreWhole(zoom: Int) throws {
        var crossing = 0
        for tile in try tiles(zoom: zoom).prefix(25) {
            guard let east = Tile(zoom: zoom, x: tile.x + 1, y: tile.y) else { continue }

            let here = Drawing(artist.svg(tile)).labels
                .filter { $0.text.hasSuffix("Street") && abs($0.x - 256) < 30 }
            let there = Drawing(artist.svg(east)).labels.map { $0.moved(x: 256) }

            crossing += here.count
            for label in here { #expect(there.contains(label), "\(tile)") }
        }
        #expect(crossing > 0)
    }

    @Test("names streets from zoom 16 on, not before")
    func labelsByZoom() throws {
        let far = artist.svg(try #require(Tile(zoom: 15, at: city.center)))
        let near = artist.svg(try #require(Tile(zoom: 16, at: city.center)))

        #expect(!far.contains("<text"))
        #expect(near.contains(" Street</text>") && near.contains(" Avenue</text>"))
    }

    @Test("draws only the open country far from the city")
    func country() throws {
        let abroad = Coordinate(latitude: 52.5, longitude: 13.4)
        let pictures = try [5, 12, 16, 19].map { artist.svg(try #require(Tile(zoom: $0, at: abroad))) }

        #expect(Set(pictures).count == 1)
        #expect(pictures[0].utf8.count < 500)
    }

    @Test("marks the city where there is nothing else to see of it", arguments: 0...9)
    func mark(zoom: Int) throws {
        let tile = try #require(Tile(zoom: zoom, at: city.center))

        #expect(artist.svg(tile).contains("<circle"))
    }

    /// Tiles across the city, some over its edge, and one far away.
    private func tiles(zoom: Int) throws -> [Tile] {
        var dice = Dice(seed: UInt64(zoom))
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
