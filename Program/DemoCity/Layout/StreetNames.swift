/// The names of the streets from north to south, in alphabetical order.
enum StreetNames {
    static let all: [String] = """
        Acorn Admiral Alder Anchor Ash Aspen Ballast Balsam Barge Beacon Beech Birch Bowline Bramble Buoy Cable \
        Capstan Cargo Catalpa Cedar Chandler Cherry Chestnut Cleat Clipper Compass Cooper Cypress Davit Dock \
        Dogwood Dory Drift Ebb Elder Elm Ensign Fathom Ferry Fir Flotsam Foghorn Freight Galley Gangway Ginkgo \
        Grapnel Gull Halyard Hawser Hawthorn Hazel Helm Hemlock Hickory Holly Hornbeam Hull Inlet Ironwood Jetty \
        Juniper Kedge Keel Knot Lantern Larch Lateen Laurel Lighter Linden Locust Lookout Magnolia Mainsail Maple \
        Mariner Mast Mizzen Mooring Mulberry Nautilus Oak Oar Pier Pilot Pine Poplar Port Privet Prow Quay Quince \
        Rigging Rowan Rudder Sail Schooner Sextant Spar Spruce Sycamore Tamarack Teak Tide Tiller Trawler Walnut \
        Wharf Willow Windlass Yard Yew
        """.split(separator: " ").map { "\($0) Street" }

    /// Returns the name of an avenue: "1st Avenue", "12th Avenue", "23rd Avenue".
    static func avenue(_ number: Int) -> String {
        switch (number % 10, number % 100) {
        case (1, let tail) where tail != 11: "\(number)st Avenue"
        case (2, let tail) where tail != 12: "\(number)nd Avenue"
        case (3, let tail) where tail != 13: "\(number)rd Avenue"
        default: "\(number)th Avenue"
        }
    }
}
