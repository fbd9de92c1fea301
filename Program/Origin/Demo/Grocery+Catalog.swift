extension Grocery {
    /// The groceries of the demo shop, with ids from 1.
    static let catalog: [Grocery] = products.enumerated().map { index, entry in
        Grocery(id: index + 1, name: entry.name, units: entry.units)
    }

    private static let products: [(name: String, units: [GroceryUnit])] = [
        ("Broccoli", [.pieces(cents: 189, upTo: 4), .grams(step: 250, cents: 120, upTo: 4)]),
        ("Onion", [.kilograms(cents: 85), .pieces(cents: 30, upTo: 8)]),
        ("Pumpkin", [.pieces(cents: 399, upTo: 3), .kilograms(cents: 135)]),
        ("Tomato", [.kilograms(cents: 165), .grams(step: 250, cents: 95, upTo: 3)]),
        ("Carrot", [.kilograms(cents: 70, upTo: 6), .whole("bunch", cents: 195)]),
        ("Potato", [.kilograms(cents: 60, upTo: 10)]),
        ("Cucumber", [.pieces(cents: 99, upTo: 5)]),
        ("Bell pepper", [.pieces(cents: 110), .grams(step: 250, cents: 145, upTo: 4)]),
        ("Aubergine", [.pieces(cents: 149, upTo: 5)]),
        ("Mushroom", [.grams(step: 125, cents: 115, upTo: 6)]),
        ("Lettuce", [.pieces(cents: 139, upTo: 4)]),
        ("Garlic", [.pieces(cents: 65, upTo: 5), .whole("braid", cents: 690, upTo: 1)]),
        ("Lemon", [.pieces(cents: 55, upTo: 10)]),
        ("Apple", [.kilograms(cents: 125), .pieces(cents: 45, upTo: 12)]),
        ("Banana", [.kilograms(cents: 95, upTo: 5), .whole("bunch", cents: 210)]),
        ("Pear", [.kilograms(cents: 145, upTo: 6), .pieces(cents: 52, upTo: 8)]),
        ("Strawberry", [.grams(step: 250, cents: 275, upTo: 6), .whole("punnet", cents: 449)]),
        ("Grapes", [.grams(step: 250, cents: 130, upTo: 6), .kilograms(cents: 255, upTo: 4)]),
        ("Orange", [.kilograms(cents: 110, upTo: 6), .pieces(cents: 59, upTo: 12)]),
        ("Watermelon", [.pieces(cents: 549, upTo: 2), .kilograms(cents: 75)]),
        ("Bread", [.whole("loaf", cents: 365), .grams(step: 250, cents: 185, upTo: 4)]),
        ("Croissant", [.pieces(cents: 145, upTo: 12)]),
        ("Cheese", [.grams(step: 50, cents: 95, upTo: 12)]),
        ("Milk", [.whole("l", cents: 129, upTo: 6), GroceryUnit(name: "l", tenths: 5, cents: 75, steps: 1...4)]),
        ("Eggs", [.whole("dozen", cents: 425, upTo: 2), .pieces(cents: 38, upTo: 10)]),
        ("Butter", [.grams(step: 125, cents: 165, upTo: 4)]),
        ("Fish", [.grams(step: 100, cents: 245, upTo: 12), .kilograms(cents: 1190, upTo: 3)]),
        ("Honey", [.whole("jar", cents: 595), .grams(step: 250, cents: 420, upTo: 4)]),
    ]
}
