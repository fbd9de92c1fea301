import Foundation

/// A sol of a rover that has photos: how many of each camera, and the number of the first.
struct MarsSol: Hashable, Sendable {
    /// So many photos of one camera.
    struct CameraCount: Hashable, Sendable {
        let camera: MarsCamera
        let count: Int
    }

    /// In seconds.
    private static let secondsPerSol = 88_775.244

    let rover: MarsRover
    let number: Int
    let firstPhoto: Int
    /// In the order of the rover's cameras; none is empty.
    let cameraCounts: [CameraCount]
    /// The day on Earth: `2015-05-30`.
    let earthDate: String

    init(rover: MarsRover, number: Int, firstPhoto: Int, cameraCounts: [CameraCount]) {
        self.rover = rover
        self.number = number
        self.firstPhoto = firstPhoto
        self.cameraCounts = cameraCounts
        earthDate = Self.date(of: number, rover, fraction: 0).formatted(.iso8601.year().month().day())
    }

    var total: Int { cameraCounts.reduce(0) { $0 + $1.count } }

    /// All its photos, or those of one camera.
    func photos(of camera: MarsCamera? = nil) -> [MarsPhoto] {
        var first = firstPhoto
        return cameraCounts.flatMap { share -> [MarsPhoto] in
            defer { first += share.count }
            guard camera == nil || camera == share.camera else { return [] }
            return (0..<share.count).map { MarsPhoto(id: first + $0, image: PhotoImage(rover, sol: number, share.camera, $0)) }
        }
    }

    /// When a photo was taken: `2015-05-30T09:12:44Z`.
    func dateTaken(of photo: MarsPhoto) -> String {
        Self.date(of: number, rover, fraction: Double(photo.id - firstPhoto) / Double(max(1, total))).formatted(.iso8601)
    }

    private static func date(of sol: Int, _ rover: MarsRover, fraction: Double) -> Date {
        Date(timeIntervalSince1970: Double(rover.landingTimestamp) + (Double(sol) + fraction * 0.5) * secondsPerSol)
    }
}

/// One photo of the demo: it follows from its sol and its place there.
struct MarsPhoto: Hashable, Sendable {
    let id: Int
    let image: PhotoImage
}
