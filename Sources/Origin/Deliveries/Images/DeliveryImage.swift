/// An image of the goods: a motif on a background colour, facing left or right, drawn to be cropped to a circle.
///
/// Deliveries share images: a client that has loaded a few hundred rows has loaded them all. Each image has one name: `flowers-3.svg`.
struct DeliveryImage: Hashable, Sendable {
    /// Every background colour, with the motif facing either way.
    static let variants = 0..<2 * backgroundColors.count

    /// The background colours, of medium lightness: distinct from white and from black pages.
    private static let backgroundColors = ["#f2b49c", "#f0c766", "#b3d49f", "#98cfc6", "#9cc0ea", "#c2b2e8", "#ecadc6", "#d3bf9e"]

    let cargo: Cargo
    let variant: Int

    /// Creates an image.
    ///
    /// - Parameter variant: One of `variants`; larger numbers wrap around.
    init(cargo: Cargo, variant: Int) {
        self.cargo = cargo
        self.variant = variant % Self.variants.count
    }

    /// Parses the name of an image; nil unless an image has exactly this name.
    init?(fileName: some StringProtocol) {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == "svg", let dash = parts[0].firstIndex(of: "-") else { return nil }
        let digits = parts[0][parts[0].index(after: dash)...]
        guard let cargo = Cargo(name: String(parts[0][..<dash])), let variant = Int(digits), String(variant) == digits,
            Self.variants.contains(variant)
        else { return nil }
        self.init(cargo: cargo, variant: variant)
    }

    var fileName: String { "\(cargo.name)-\(variant).svg" }

    /// An SVG 1.1 document. The motif lies within the circle inscribed in the square.
    var document: String {
        let color = Self.backgroundColors[variant / 2]
        let transform = variant % 2 == 0 ? "" : " transform=\"matrix(-1 0 0 1 96 0)\""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="192" height="192">
            <rect width="96" height="96" fill="\(color)"/>
            <circle cx="30" cy="22" r="40" fill="#fff" opacity=".22"/>
            <ellipse cx="48" cy="79" rx="31" ry="5" fill="#1d2433" opacity=".16"/>
            <g\(transform)>
            \(cargo.svg)
            </g>
            </svg>

            """
    }
}
