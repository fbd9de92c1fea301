/// A rover, identified by its name in URLs: `curiosity`.
public struct Rover: Hashable, Sendable, Codable {
    /// The maximum length of a name, in characters.
    static let nameLimit = 40

    public static let curiosity = Rover(validatedName: "curiosity")
    public static let opportunity = Rover(validatedName: "opportunity")
    public static let spirit = Rover(validatedName: "spirit")
    public static let perseverance = Rover(validatedName: "perseverance")
    /// The rovers of the original service.
    public static let all = [curiosity, opportunity, spirit, perseverance]

    /// The name in lower case.
    public let name: String

    private init(validatedName name: String) {
        self.name = name
    }

    /// The display name: `Curiosity`.
    public var title: String { name.prefix(1).uppercased() + name.dropFirst() }
}

extension Rover: LosslessStringConvertible {
    /// Creates a rover from its name; nil for an invalid name.
    ///
    /// - Parameter text: A name of letters, digits, hyphens and underscores, ignoring case.
    public init?(_ text: String) {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isName, !text.isEmpty, text.utf8.count <= Self.nameLimit else { return nil }
        self.init(validatedName: text.lowercased())
    }

    public var description: String { name }
}
