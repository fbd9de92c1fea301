/// The names of senders and recipients in the demo city.
enum DemoNames {
    static let given = [
        "Nadia", "Tomás", "Ingrid", "Kwame", "Zoë", "Søren", "Aylin", "Mateo", "Priya", "Łukasz", "Amara", "Henrik", "Yuki", "Chloé",
        "Omar", "Freya", "Dmitri", "Lucía", "Noah", "Saoirse", "Ravi", "Élodie", "Jonas", "Mei", "Farid", "Greta", "Teodor", "Imani",
        "Bjørn", "Rosa", "Viktor", "Hana", "Caspar", "Leila", "Oskar", "Ximena", "Anouk", "Idris", "Marta", "Pavel",
    ]

    static let family = [
        "Brandt", "Okafor", "Lindqvist", "Peña", "Novák", "Achterberg", "Sato", "Müller", "Ferreira", "O'Malley", "Kowalski", "Haddad",
        "Dubois", "Østergaard", "Iyer", "Castellanos", "Varga", "Nakamura", "Mbeki", "Jørgensen", "Rossi", "Petrov", "Blackwood", "Şahin",
        "Van den Berg", "Cohen", "Ångström", "Silva", "Moreau", "Underhill", "Fitzgerald", "Yamada", "Zieliński", "Quispe", "Laurent",
        "Whitlock", "Ortega", "Bergmann", "Demir", "Hartley",
    ]

    /// One person in this many has a name from `fullNames`, which has no separate given and family name.
    static let namesPerFullName = 25
    static let fullNames = ["陳美玲", "李國華", "黃志明", "張雅婷", "王小明", "林怡君", "نور الهاشمي", "ليلى منصور", "Κώστας Παππάς", "Анна Орлова"]

    static let senders: [(name: String, mailbox: String)] = [
        ("Harbor Parcel Office", "parcels"), ("Petal & Stem", "petals"), ("The Corner Larder", "larder"), ("Quay Street Books", "books"),
        ("Ballast Wine Merchants", "wine"), ("Paws & Whiskers", "paws"), ("Notary Lindqvist", "notary"),
        ("Second Chair Furniture", "chairs"),
        ("The Tin Rocket", "rocket"), ("Schooner Kitchen", "kitchen"), ("Three Layers Bakery", "layers"),
        ("Green Thumb Nursery", "greenthumb"),
        ("Lantern Lane Market", "market"), ("Compass & Co.", "compass"), ("Mooring Post", "mooring"), ("Café Belém", "belem"),
    ]
}
