import Foundation

/// A sol of a rover: its photo counts per camera, and the number of its first photo.
struct MarsSol: Hashable, Sendable {
    /// The number of photos of one camera.
    struct CameraCount: Hashable, Sendable {
        let camera: MarsCamera
        let count: Int
    }

    /// The length of a sol in seconds.
    private static let secondsPerSol = 88_775.244

    let rover: MarsRover
    let number: Int
    let firstPhoto: Int
    /// The counts in the order of the rover's cameras; none is 0.
    let cameraCounts: [CameraCount]
    /// The date on Earth: `2015-05-30`.
    let earthDate: String

    init(rover: MarsRover, number: Int, firstPhoto: Int, cameraCounts: [CameraCount]) {
        self.rover = rover
        self.number = number
        self.firstPhoto = firstPhoto
        self.cameraCounts = cameraCounts
        earthDate = Self.date(of: number, rover, fraction: 0).formatted(.iso8601.year().month().day())
    }

    var total: Int { cameraCounts.reduce(0) { $0 + $1.count } }

    /// Returns all photos of the sol, or those of one camera.
    func photos(of camera: MarsCamera? = nil) -> [MarsPhoto] {
        var first = firstPhoto
        return cameraCounts.flatMap { cameraCount -> [MarsPhoto] in
            defer { first += cameraCount.count }
            guard camera == nil || camera == cameraCount.camera else { return [] }
            return (0..<cameraCount.count).map { MarsPhoto(id: first + $0, image: PhotoImage(rover, sol: number, cameraCount.camera, $0)) }
        }
    }

    /// Returns the time at which a photo was taken: `2015-05-30T09:12:44Z`.
    func dateTaken(of photo: MarsPhoto) -> String {
        Self.date(of: number, rover, fraction: Double(photo.id - firstPhoto) / Double(max(1, total))).formatted(.iso8601)
    }

    private static func date(of sol: Int, _ rover: MarsRover, fraction: Double) -> Date {
        Date(timeIntervalSince1970: Double(rover.landingTimestamp) + (Double(sol) + fraction * 0.5) * secondsPerSol)
    }
}

/// A photo of the demo, determined by its sol and its index within the sol.
struct MarsPhoto: Hashable, Sendable {
    let id: Int
    let image: PhotoImage
}
