/// The picture of what is delivered: a motif before a colour, looking left or right, drawn to be cut out as a circle.
///
/// Deliveries share pictures, so that a client that has seen a few hundred rows has seen them all. Each has one name: `flowers-3.svg`.
struct DeliveryImage: Hashable, Sendable {
    /// Every motif before every colour, looking both ways.
    static let variants = 0..<2 * BackgroundColor.allCases.count

    let cargo: Cargo
    let variant: Int

    /// - Parameter variant: One of `variants`; others are taken for the one that they are a multiple away from.
    init(cargo: Cargo, variant: Int) {
        self.cargo = cargo
        self.variant = variant % Self.variants.count
    }

    /// Nil unless a picture has exactly this name.
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

    /// SVG 1.1. All that matters lies within the circle that the square holds.
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

/// What a motif stands before: colours of middling lightness, which end neither in a white page nor in a black one.
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
