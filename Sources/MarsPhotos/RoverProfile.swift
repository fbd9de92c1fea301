/// A source's description of a rover: mission dates, extent and cameras. Unknown fields are nil or empty.
public struct RoverProfile: Hashable, Sendable, Codable {
    public var rover: Rover
    /// The display name as the service writes it: `Curiosity`.
    public var title: String
    /// The mission status: `active` or `complete`.
    public var status: String?
    public var landingDate: EarthDate?
    public var launchDate: EarthDate?
    /// The last sol with photos.
    public var maxSol: Sol?
    public var maxDate: EarthDate?
    public var totalPhotos: Int?
    public var cameras: [Camera]

    public init(
        _ rover: Rover, title: String? = nil, status: String? = nil, landingDate: EarthDate? = nil, launchDate: EarthDate? = nil,
        maxSol: Sol? = nil, maxDate: EarthDate? = nil, totalPhotos: Int? = nil, cameras: [Camera] = []
    ) {
        self.rover = rover
        self.title = title ?? rover.title
        self.status = status
        self.landingDate = landingDate
        self.launchDate = launchDate
        self.maxSol = maxSol
        self.maxDate = maxDate
        self.totalPhotos = totalPhotos
        self.cameras = cameras
    }
}
