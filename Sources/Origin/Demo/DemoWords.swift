/// The titles, notes, radii and currencies of orders in the demo city.
enum DemoWords {
    static let titles = [
        "Weekly groceries", "Soup for six", "Party on Saturday", "Need groceries", "Breakfast in bed", "Picnic by the harbor",
        "Fish & chips for two", "Sunday brunch", "Fruit for the office", "Grandma's birthday", "Stew for a cold week",
        "Empty fridge, help!", "Salad bar", "Movie night", "Back from holiday", "Baking day", "Kids' lunch boxes",
        "Crème caramel attempt", "Vegetables only, please", "Neighbors' potluck", "Ratatouille", "Jam making",
        "Dinner < 30 minutes", "Housewarming", "\"The usual\"", "School fair", "Smoothies for a month", "Café supplies",
        "Ship's crew, two days", "Pumpkin carving", "Market day leftovers", "First week in town", "Barbecue on the roof",
        "Tea with the Müllers", "Late-night cravings", "Halloween rehearsal",
    ]

    static let notes = [
        "Ring twice, third floor.", "Leave it with the doorman.", "The bell is broken, please knock.",
        "Call when you are downstairs.", "Mind the dog, she only wants to play.", "Back entrance, next to the bakery.",
        "Elevator out of order, sorry!", "Please hand it over in person.", "Gate code 4471#.", "Leave it on the porch.",
        "The yellow door behind the garage.", "Baby asleep, do not ring.", "Neighbor in 2B takes it if I am out.",
        "Fragile: eggs on top, please.", "No plastic bags.", "I can meet you at the corner.", "Second courtyard, left stairs.",
        "Buzzer says \"Ward & Sons\".", "Narrow street, better come by bike.", "Reception is on the ground floor.",
        "Please text before 9:00.", "Side gate is open.", "Temperature < 8 °C for the fish, please.",
        "Bring change for a fifty.", "Freight elevator to the 5th floor.", "Basement workshop, follow the music.",
        "If it rains, put it under the bench.", "Shop entrance, ask for Zoë.", "Top floor, take your time.",
        "Park in bay 12, ticket is paid.",
    ]

    /// Radii in kilometres.
    static let radiusValues = Array(stride(from: 0.5, through: 5, by: 0.5))
    static let otherRadiusValues: [(value: Double, unit: String)] = [
        (0.5, "mi"), (1, "mi"), (1.5, "mi"), (2, "mi"), (3, "mi"), (500, "m"), (750, "m"), (1500, "m"), (4000, "m"),
    ]

    static let foreignCurrencies = ["EUR", "GBP", "CAD"]
}
