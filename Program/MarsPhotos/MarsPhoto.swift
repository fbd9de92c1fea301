public import Foundation
import TextComparison

/// A photo of a rover as listed for its sol.
///
/// This is the reference that a grid shows; the bytes are a `MarsImage`.
public struct MarsPhoto: Identifiable, Hashable, Sendable, Codable {
    public let id: MarsPhotoID
    public let camera: Camera
    /// The date of the photo; nil when the source has none.
    public let earthDate: EarthDate?
    /// The URL of the full image: https, or http on the loopback interface and on the server that sent the list.
    public let image: URL
    /// The URL of a smaller version; nil when the source has none.
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

/// The identity of a photo. It includes rover and sol, so that photos of different sols never mix.
public struct MarsPhotoID: Hashable, Sendable, Codable {
    /// The maximum length of a key, in bytes.
    static let keyLimit = 200

    public let rover: Rover
    public let sol: Sol
    /// The service's id of the photo: a number, or a name such as `0001MR0000000010100001C00_DXXX`.
    public let key: String

    public init(rover: Rover, sol: Sol, key: String) {
        self.rover = rover
        self.sol = sol
        self.key = key
    }

    /// Whether the bytes of the keys are equal, as for the service.
    public static func == (one: MarsPhotoID, other: MarsPhotoID) -> Bool {
        one.rover == other.rover && one.sol == other.sol && one.key.hasSameBytes(as: other.key)
    }
}

extension MarsPhotoID: LosslessStringConvertible {
    /// Parses an identity.
    ///
    /// - Parameter text: The identity in the format of `description`.
    public init?(_ text: String) {
        // By bytes: an accent at the beginning of a key makes the slash before it another character.
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == 3, !parts[2].isEmpty, parts[2].utf8.count <= Self.keyLimit, let rover = Rover(String(parts[0])),
            let sol = Sol(String(parts[1]))
        else { return nil }
        self.init(rover: rover, sol: sol, key: String(parts[2]))
    }

    /// The identity as text: `curiosity/1000/102693`.
    public var description: String { "\(rover)/\(sol)/\(key)" }
}
