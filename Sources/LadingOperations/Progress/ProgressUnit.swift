/// The unit that progress is counted in.
public struct ProgressUnit: Hashable, Sendable {
    /// The name in the plural: `bytes`.
    public let name: String

    /// Creates a unit of work: `ProgressUnit("rows")`.
    public init(_ name: String) {
        self.name = name
    }

    public static let bytes = ProgressUnit("bytes")
    /// The weights of the children of a progress.
    public static let parts = ProgressUnit("parts")
}
