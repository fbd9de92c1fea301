/// A product of the demo shop.
struct Grocery: Sendable {
    let id: Int
    let name: String
    /// The units and steps in which it is sold.
    let portions: [Portion]

    /// The name of its image file: `8-bell-pepper.svg`.
    var imageFileName: String {
        "\(id)-\(name.lowercased().replacing(" ", with: "-")).svg"
    }
}

/// A unit in which a grocery is sold, in steps of a fixed size.
struct Portion: Sendable {
    let unit: String
    /// The size of a step in tenths of the unit.
    let tenths: Int
    /// The price of a step.
    let cents: Int
    let steps: ClosedRange<Int>

    /// Returns an amount in units as written on an order: `2` or `0.5`.
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
