/// A product of the demo shop.
struct Grocery: Sendable {
    let id: Int
    let name: String
    /// The units and steps in which it is sold.
    let units: [GroceryUnit]

    /// The name of its image file: `8-bell-pepper.svg`.
    var imageFileName: String {
        "\(id)-\(name.lowercased().replacing(" ", with: "-")).svg"
    }
}

/// A unit in which a grocery is sold, in steps of a fixed size.
struct GroceryUnit: Sendable {
    let name: String
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

extension GroceryUnit {
    static func kilograms(cents: Int, upTo count: Int = 8) -> GroceryUnit {
        GroceryUnit(name: "kg", tenths: 5, cents: cents, steps: 1...count)
    }

    static func grams(step: Int, cents: Int, upTo count: Int) -> GroceryUnit {
        GroceryUnit(name: "g", tenths: step * 10, cents: cents, steps: 1...count)
    }

    static func pieces(cents: Int, upTo count: Int = 6) -> GroceryUnit {
        GroceryUnit(name: "pc.", tenths: 10, cents: cents, steps: 1...count)
    }

    static func whole(_ unit: String, cents: Int, upTo count: Int = 3) -> GroceryUnit {
        GroceryUnit(name: unit, tenths: 10, cents: cents, steps: 1...count)
    }
}
