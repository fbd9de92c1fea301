/// The texts without a value in them, by the names that the templates use: each stands with its languages side by side.
struct Catalogue: Sendable {
    // MARK: The start page

    let brand = Phrase(en: "Lading", de: "Lading")
    let startTitle = Phrase(en: "Grocery orders, always within reach", de: "Lebensmittelbestellungen, immer griffbereit")
    let startLead = Phrase(
        en: """
            Every order of your region in one list that appears at once, keeps up with your thumb and loses nothing when the \
            network fails.
            """,
        de: """
            Alle Bestellungen der Region in einer Liste, die sofort da ist, mit dem Daumen Schritt hält und nichts verliert, \
            wenn das Netz ausfällt.
            """)
    let showOrders = Phrase(en: "Show orders", de: "Bestellungen zeigen")
    let startFactAtOnce = Phrase(en: "What you look at loads first", de: "Was im Blick ist, lädt zuerst")
    let startFactNearest = Phrase(
        en: "Address, radius and map for every order", de: "Adresse, Umkreis und Karte zu jeder Bestellung")
    let startFactOffline = Phrase(en: "A lost connection erases nothing", de: "Eine verlorene Verbindung löscht nichts")

    // MARK: The list

    let orders = Phrase(en: "Orders", de: "Bestellungen")
    let noOrders = Phrase(en: "There are no orders right now.", de: "Zurzeit gibt es keine Bestellungen.")
    let back = Phrase(en: "Back to the start", de: "Zur Startseite")
    let refresh = Phrase(en: "Refresh", de: "Aktualisieren")
    let refreshing = Phrase(en: "Refreshing …", de: "Wird aktualisiert …")
    let pullToRefresh = Phrase(en: "Pull to refresh", de: "Zum Aktualisieren ziehen")
    /// The page puts the time of day in place of `{time}`.
    let updatedAt = Phrase(en: "Updated {time}", de: "Stand {time}")
    let offline = Phrase(en: "Offline. You see what was last received.", de: "Offline. Zu sehen ist, was zuletzt ankam.")
    let pages = Phrase(en: "Pages", de: "Seiten")
    let previousPage = Phrase(en: "Previous", de: "Zurück")
    let nextPage = Phrase(en: "Next", de: "Weiter")

    // MARK: Search and sort

    let search = Phrase(en: "Search", de: "Suchen")
    let searchHint = Phrase(en: "Title or address", de: "Titel oder Adresse")
    let sort = Phrase(en: "Sort", de: "Sortieren")
    let sortPrice = Phrase(en: "Price ↑", de: "Preis ↑")
    let sortPriceDown = Phrase(en: "Price ↓", de: "Preis ↓")
    let sortNearest = Phrase(en: "Nearest", de: "Nächste")
    let sortSoonest = Phrase(en: "Soonest", de: "Früheste")
    let sortNone = Phrase(en: "As listed", de: "Wie gelistet")
    let apply = Phrase(en: "Show", de: "Zeigen")

    // MARK: Rows

    let loading = Phrase(en: "Loading", de: "Wird geladen")
    let retry = Phrase(en: "Retry", de: "Nochmal")
    let staleRow = Phrase(en: "Could not be reloaded", de: "Nicht neu geladen")

    // MARK: One order

    let backToOrders = Phrase(en: "Back to the orders", de: "Zu den Bestellungen")
    let address = Phrase(en: "Address", de: "Adresse")
    let deliveryDate = Phrase(en: "Delivery", de: "Lieferung")
    let radius = Phrase(en: "Radius", de: "Umkreis")
    let information = Phrase(en: "Note", de: "Hinweis")
    let navigate = Phrase(en: "Navigate", de: "Navigieren")
    let unknownItem = Phrase(en: "Unknown item", de: "Unbekannter Artikel")
    let zoomIn = Phrase(en: "Zoom in", de: "Vergrößern")
    let zoomOut = Phrase(en: "Zoom out", de: "Verkleinern")
    let unitMetres = Phrase(en: "m", de: "m")
    let unitKilometres = Phrase(en: "km", de: "km")
    let demoMap = Phrase(en: "Map: Lading Harbor, an invented city", de: "Karte: Lading Harbor, eine erfundene Stadt")

    // MARK: Pages that could not be made

    let notFoundTitle = Phrase(en: "Not found", de: "Nicht gefunden")
    let problemTitle = Phrase(en: "That did not work", de: "Das hat nicht geklappt")
    let problem = Phrase(
        en: "Something went wrong on our side. Try again in a moment.",
        de: "Auf unserer Seite ist etwas schiefgegangen. Gleich noch einmal versuchen.")
}
