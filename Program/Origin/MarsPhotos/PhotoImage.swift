import SeededNumbers

/// The image of a photo, identified by its path: `curiosity/1000/FHAZ-3.jpg`, or `FHAZ-3-small.jpg` for the small version.
struct PhotoImage: Hashable, Sendable {
    /// One image in this many is a PNG despite its file extension, as in the original service.
    static let imagesPerPNG = 40

    let rover: MarsRover
    let sol: Int
    let camera: MarsCamera
    /// The index among the images of its camera and sol.
    let index: Int
    var isSmall = false

    init(_ rover: MarsRover, sol: Int, _ camera: MarsCamera, _ index: Int) {
        self.rover = rover
        self.sol = sol
        self.camera = camera
        self.index = index
    }

    /// Parses the name of an image; nil unless an image could have exactly this name.
    init?(rover: some StringProtocol, sol: some StringProtocol, fileName: some StringProtocol) {
        guard let rover = MarsRover(rawValue: String(rover)), let number = Int(sol), number >= 0, String(number) == sol,
            fileName.hasSuffix(".jpg")
        else { return nil }
        var name = fileName.dropLast(4)
        let isSmall = name.hasSuffix("-small")
        if isSmall { name = name.dropLast(6) }
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let camera = MarsCamera(rawValue: String(parts[0])), rover.cameras.contains(camera),
            let index = Int(parts[1]), index >= 0, String(index) == parts[1]
        else { return nil }
        self.init(rover, sol: number, camera, index)
        self.isSmall = isSmall
    }

    var small: PhotoImage {
        var small = self
        small.isSmall = true
        return small
    }

    /// The path relative to the folder of images.
    var path: String { "\(rover.rawValue)/\(sol)/\(camera.rawValue)-\(index)\(isSmall ? "-small" : "").jpg" }

    var isPNG: Bool { !isSmall && (sol + index) % Self.imagesPerPNG == Self.imagesPerPNG - 1 }

    /// Returns the scene of the image, the same for the small version.
    func terrain(seed: UInt64) -> Terrain {
        let stream = ((MarsRover.allCases.firstIndex(of: rover) ?? 0) * 64 + camera.number) * 100_000 + sol
        var generator = SplitMix64(seed: seed &+ UInt64(index), stream: stream)
        return Terrain(camera.view, using: &generator)
    }
}
