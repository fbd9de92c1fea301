/// Something the demo shop sells.
struct Grocery: Sendable {
    let id: Int
    let name: String
    /// The ways it is sold.
    let portions: [Portion]

    /// The file that holds its picture: `8-bell-pepper.svg`.
    var imageFileName: String {
        "\(id)-\(name.lowercased().replacing(" ", with: "-")).svg"
    }
}

/// One way to buy a grocery: so many steps of a fixed size.
struct Portion: Sendable {
    let unit: String
    /// The size of a step in tenths of the unit.
    let tenths: Int
    /// The price of a step.
    let cents: Int
    let steps: ClosedRange<Int>

    /// The amount in units as written on an order: `2` or `0.5`.
    func quantity(ofSteps count: Int) -> String {
        let (whole, tenth) = (count * tenths).quotientAndRemainder(dividingBy: 10)
        return tenth == 0 ? "\(whole)" : "\(whole).\(tenth)"
    }
}

extension Portion {
    static func kilos(cents: Int, upTo count: Int = 8) -> Portion {
        Portion(unit: "kg", tenths: 5, cents: cents, steps: 1...count)
    }

    static func grams(step: Int, cents: Int, upTo count: Int) -> Portion {
        Portion(unit: "g", tenths: step * 10, cents: cents, steps: 1...count)
    }

    static func pieces(cents: Int, upTo count: Int = 6) -> Portion {
        Portion(unit: "pc.", tenths: 10, cents: cents, steps: 1...count)
    }

    static func whole(_ unit: String, cents: Int, upTo count: Int = 3) -> Portion {
        Portion(unit: unit, tenths: 10, cents: cents, steps: 1...count)
    }
}
