/// An image of the goods: a motif on a background colour, facing left or right, drawn to be cropped to a circle.
///
/// Deliveries share images: a client that has loaded a few hundred rows has loaded them all. Each image has one name: `flowers-3.svg`.
struct DeliveryImage: Hashable, Sendable {
    /// Every background colour, with the motif facing either way.
    static let variants = 0..<2 * BackgroundColor.allCases.count

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
        guard let cargo = Cargo(rawValue: String(parts[0][..<dash])), let variant = Int(digits), String(variant) == digits,
            Self.variants.contains(variant)
        else { return nil }
        self.init(cargo: cargo, variant: variant)
    }

    var fileName: String { "\(cargo.rawValue)-\(variant).svg" }

    /// An SVG 1.1 document. The motif lies within the circle inscribed in the square.
    var document: String {
        let color = BackgroundColor.allCases[variant / 2]
        let transform = variant % 2 == 0 ? "" : " transform=\"matrix(-1 0 0 1 96 0)\""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="192" height="192">
            <rect width="96" height="96" fill="\(color.rawValue)"/>
            <circle cx="30" cy="22" r="40" fill="#fff" opacity=".22"/>
            <ellipse cx="48" cy="79" rx="31" ry="5" fill="#1d2433" opacity=".16"/>
            <g\(transform)>
            \(cargo.svg)
            </g>
            </svg>

            """
    }
}

/// The background colours, of medium lightness: distinct from white and from black pages.
private enum BackgroundColor: String, CaseIterable {
    case peach = "#f2b49c"
    case honey = "#f0c766"
    case sage = "#b3d49f"
    case mint = "#98cfc6"
    case sky = "#9cc0ea"
    case lilac = "#c2b2e8"
    case rose = "#ecadc6"
    case sand = "#d3bf9e"
}
