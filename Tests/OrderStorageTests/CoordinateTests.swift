import OrderStorage
import Testing

@Suite("Coordinates")
struct CoordinateTests {
    @Test(arguments: [(0.0, 0.0), (90, 0), (-90, 180), (40.7, -74), (89.9, 10), (10, 179.99), (-60, -179.99)])
    func `Every place within a distance lies in one of the boxes`(latitude: Double, longitude: Double) throws {
        let middle = try #require(Coordinate(latitude: latitude, longitude: longitude))

        for distance in [1.0, 500, 10_000, 1_000_000, 21_000_000] {
            let boxes = middle.boxes(within: distance)
            for other in Self.grid where middle.distance(to: other) <= distance {
                #expect(boxes.contains { $0.contains(other) }, "\(other) is within \(distance) m of \(middle)")
            }
            #expect(boxes.contains { $0.contains(middle) })
        }
    }

    @Test func `A distance is that of the great circle`() throws {
        let (newYork, paris) = (
            try #require(Coordinate(latitude: 40.7128, longitude: -74.006)), try #require(Coordinate(latitude: 48.8566, longitude: 2.3522))
        )

        #expect(abs(newYork.distance(to: paris) - 5_837_000) < 2_000)
        #expect(newYork.distance(to: newYork) == 0)
    }

    @Test(arguments: [(91.0, 0.0), (0, 181), (.nan, 0), (0, .infinity)])
    func `A coordinate out of range does not exist`(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }

    /// Places everywhere, closer to each other near the tested ones.
    private static let grid: [Coordinate] = {
        var places: [Coordinate?] = []
        for latitude in stride(from: -90.0, through: 90, by: 5) {
            for longitude in stride(from: -180.0, through: 180, by: 5) {
                places.append(Coordinate(latitude: latitude, longitude: longitude))
            }
        }
        for (latitude, longitude) in [(0.0, 0.0), (40.7, -74), (89.9, 10), (10, 179.99), (-60, -179.99)] {
            for step in [0.00001, 0.001, 0.05] {
                places.append(Coordinate(latitude: latitude + step, longitude: longitude))
                places.append(Coordinate(latitude: latitude - step, longitude: longitude))
                places.append(Coordinate(latitude: latitude, longitude: longitude - step))
                let east = longitude + step
                places.append(Coordinate(latitude: latitude, longitude: east > 180 ? east - 360 : east))
            }
        }
        return places.compactMap(\.self)
    }()
}
