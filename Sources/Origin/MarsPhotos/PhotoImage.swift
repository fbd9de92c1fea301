/// The picture of a photo, by the name that it has in addresses: `curiosity/1000/FHAZ-3.jpg`, and `FHAZ-3-small.jpg` for a small version.
struct PhotoImage: Hashable, Sendable {
    /// Of so many pictures one is a PNG, whatever its name says: some of the real ones are.
    static let imagesPerPNG = 40

    let rover: MarsRover
    let sol: Int
    let camera: MarsCamera
    /// Its place among those of its camera and sol.
    let index: Int
    var isSmall = false

    init(_ rover: MarsRover, sol: Int, _ camera: MarsCamera, _ index: Int) {
        self.rover = rover
        self.sol = sol
        self.camera = camera
        self.index = index
    }

    /// Nil unless a picture could have exactly this name.
    init?(rover: some StringProtocol, sol: some StringProtocol, fileName: some StringProtocol) {
        guard let rover = MarsRover(rawValue: String(rover)), let number = Int(sol), number >= 0, String(number) == sol,
            fileName.hasSuffix(".jpg")
        else { return nil }
        var name = fileName.dropLast(4)
        let isSmall = name.hasSuffix("-small")
        if isSmall { name = name.dropLast(6) }
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let camera = MarsCamera(rawValue: String(parts[0])), rover.cameras.contains(camera),
            let place = Int(parts[1]), place >= 0, String(place) == parts[1]
        else { return nil }
        self.init(rover, sol: number, camera, place)
        self.isSmall = isSmall
    }

    var small: PhotoImage {
        var small = self
        small.isSmall = true
        return small
    }

    /// Below the folder of the pictures.
    var path: String { "\(rover.rawValue)/\(sol)/\(camera.rawValue)-\(index)\(isSmall ? "-small" : "").jpg" }

    /// Whether it is a PNG.
    var isPNG: Bool { !isSmall && (sol + index) % Self.imagesPerPNG == Self.imagesPerPNG - 1 }

    /// What it shows, the same for the small version.
    func terrain(seed: UInt64) -> Terrain {
        let stream = ((MarsRover.allCases.firstIndex(of: rover) ?? 0) * 64 + camera.number) * 100_000 + sol
        var generator = SplitMix64(seed: seed &+ UInt64(index), stream: stream)
        return Terrain(camera.view, using: &generator)
    }
}
