import Foundation

/// A sol of a rover that has photos: how many of each camera, and the number of the first.
struct MarsSol: Hashable, Sendable {
    /// So many photos of one camera.
    struct Share: Hashable, Sendable {
        let camera: MarsCamera
        let count: Int
    }

    /// In seconds.
    private static let length = 88_775.244

    let rover: MarsRover
    let number: Int
    let firstPhoto: Int
    /// In the order of the rover's cameras; none is empty.
    let shares: [Share]
    /// The day on Earth: `2015-05-30`.
    let earthDate: String

    init(rover: MarsRover, number: Int, firstPhoto: Int, shares: [Share]) {
        self.rover = rover
        self.number = number
        self.firstPhoto = firstPhoto
        self.shares = shares
        earthDate = Self.moment(of: number, rover, share: 0).formatted(.iso8601.year().month().day())
    }

    var total: Int { shares.reduce(0) { $0 + $1.count } }

    /// All its photos, or those of one camera.
    func photos(of camera: MarsCamera? = nil) -> [MarsPhoto] {
        var first = firstPhoto
        return shares.flatMap { share -> [MarsPhoto] in
            defer { first += share.count }
            guard camera == nil || camera == share.camera else { return [] }
            return (0..<share.count).map { MarsPhoto(id: first + $0, picture: MarsPicture(rover, sol: number, share.camera, $0)) }
        }
    }

    /// When a photo was taken: `2015-05-30T09:12:44Z`.
    func moment(of photo: MarsPhoto) -> String {
        Self.moment(of: number, rover, share: Double(photo.id - firstPhoto) / Double(max(1, total))).formatted(.iso8601)
    }

    private static func moment(of sol: Int, _ rover: MarsRover, share: Double) -> Date {
        Date(timeIntervalSince1970: Double(rover.landing) + (Double(sol) + share * 0.5) * length)
    }
}

/// One photo of the demo: it follows from its sol and its place there.
struct MarsPhoto: Hashable, Sendable {
    let id: Int
    let picture: MarsPicture
}
