public import Foundation

/// One photo of a rover, as the list of its sol tells of it.
///
/// It is the reference that a grid shows; its bytes are a `MarsImage`.
public struct MarsPhoto: Identifiable, Hashable, Sendable, Codable {
    public let id: MarsPhotoID
    public let camera: Camera
    /// When it was taken; nil when the source does not tell.
    public let earthDate: EarthDate?
    /// Where the photo is, whole. Of scheme https, or http on this machine and on the server that gave the list.
    public let image: URL
    /// Where a small version of it is, when the source has one.
    public let thumbnail: URL?

    public init(id: MarsPhotoID, camera: Camera, earthDate: EarthDate? = nil, image: URL, thumbnail: URL? = nil) {
        self.id = id
        self.camera = camera
        self.earthDate = earthDate
        self.image = image
        self.thumbnail = thumbnail
    }

    public var rover: Rover { id.rover }
    public var sol: Sol { id.sol }
}

/// The identity of a photo: it names rover and sol too, so that photos of several sols never mix.
public struct MarsPhotoID: Hashable, Sendable, Codable {
    /// The longest key, in bytes.
    static let keyLimit = 200

    public let rover: Rover
    public let sol: Sol
    /// What the service calls it: a number, or a name such as `0001MR0000000010100001C00_DXXX`.
    public let key: String

    public init(rover: Rover, sol: Sol, key: String) {
        self.rover = rover
        self.sol = sol
        self.key = key
    }
}

extension MarsPhotoID: LosslessStringConvertible {
    /// - Parameter text: As `description` has it.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[2].isEmpty, parts[2].utf8.count <= Self.keyLimit, let rover = Rover(String(parts[0])),
            let sol = Sol(String(parts[1]))
        else { return nil }
        self.init(rover: rover, sol: sol, key: String(parts[2]))
    }

    /// `curiosity/1000/102693`
    public var description: String { "\(rover)/\(sol)/\(key)" }
}
