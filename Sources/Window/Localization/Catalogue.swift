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
    /// The reason follows.
    let tryingAgain = Phrase(en: "Trying again:", de: "Neuer Versuch:")
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

    // MARK: Operations

    let operations = Phrase(en: "Operations", de: "Operationen")
    let showOperations = Phrase(en: "Watch it work", de: "Bei der Arbeit zusehen")
    let operationsLead = Phrase(
        en: "Scroll the orders in another tab and watch what loads, waits, merges and is cancelled here.",
        de: "In einem anderen Tab durch die Bestellungen scrollen und hier sehen, was lädt, wartet, zusammenfällt und abgebrochen wird.")
    let noOperations = Phrase(en: "Nothing has run yet.", de: "Noch ist nichts gelaufen.")
    let filterOperations = Phrase(en: "Operation or lane", de: "Operation oder Spur")
    let pause = Phrase(en: "Pause", de: "Anhalten")
    let live = Phrase(en: "Live", de: "Live")
    let stepBack = Phrase(en: "One decision back", de: "Eine Entscheidung zurück")
    let stepOn = Phrase(en: "One decision on", de: "Eine Entscheidung weiter")
    let position = Phrase(en: "Decision", de: "Entscheidung")
    let laws = Phrase(en: "The laws", de: "Die Gesetze")
    let story = Phrase(en: "Story", de: "Geschichte")
    let storyHint = Phrase(
        en: "Choose a line to read what was decided about it.", de: "Eine Zeile wählen, um zu lesen, was über sie entschieden wurde.")
    let columnTime = Phrase(en: "Seconds", de: "Sekunden")
    let columnOperation = Phrase(en: "Operation", de: "Operation")
    let columnOutcome = Phrase(en: "Decision", de: "Entscheidung")
    let columnLane = Phrase(en: "Lane", de: "Spur")
    let columnLaw = Phrase(en: "Law", de: "Gesetz")
    /// The page puts numbers in place of what stands in braces.
    let laneStatus = Phrase(
        en: "{running} of {width} run, {reserved} kept for what is seen, {waiting} wait",
        de: "{running} von {width} laufen, {reserved} frei gehalten für Sichtbares, {waiting} warten")
    let missingDecisions = Phrase(en: "{count} decisions are missing.", de: "{count} Entscheidungen fehlen.")

    let outcomeBegan = Phrase(en: "lined up", de: "eingereiht")
    let outcomeJoined = Phrase(en: "joined", de: "mitgenommen")
    let outcomeChecking = Phrase(en: "checks its conditions", de: "prüft Bedingungen")
    let outcomePaused = Phrase(en: "paused", de: "angehalten")
    let outcomeExcluded = Phrase(en: "waits for its exclusion", de: "wartet auf den Ausschluss")
    let outcomeStarted = Phrase(en: "started", de: "gestartet")
    let outcomeResting = Phrase(en: "will be tried again", de: "wird wiederholt")
    let outcomeInterrupted = Phrase(en: "stopped", de: "gestoppt")
    let outcomeSucceeded = Phrase(en: "succeeded", de: "gelungen")
    let outcomeFailed = Phrase(en: "failed", de: "gescheitert")
    let outcomeCancelled = Phrase(en: "cancelled", de: "abgebrochen")
    let outcomeDependencyFailed = Phrase(en: "not run: what it needs failed", de: "nicht gelaufen: Nötiges ist gescheitert")
    let outcomeExpired = Phrase(en: "too late", de: "zu spät")
    let outcomeKnown = Phrase(en: "from memory", de: "aus dem Speicher")

    let lawOneFlight = Phrase(
        en: "Equal wishes share one flight; it is cancelled when the last of them leaves.",
        de: "Gleiche Wünsche teilen einen Flug; er wird abgebrochen, wenn der letzte geht.")
    let lawSeenFirst = Phrase(
        en: "What is seen comes first, nearest to the middle, fair between screens.",
        de: "Sichtbares kommt zuerst, die Mitte vor dem Rand, gerecht zwischen Bildschirmen.")
    let lawVelocity = Phrase(
        en: "What passes too quickly to be seen is not started.", de: "Was zu schnell vorbeizieht, wird nicht gestartet.")
    let lawIdentity = Phrase(en: "Work belongs to a row, never to a place.", de: "Arbeit gehört zu einer Zeile, nie zu einem Platz.")
    let lawGenerations = Phrase(
        en: "What is older than the wish is not joined.", de: "Was älter ist als der Wunsch, wird nicht mitgenutzt.")
    let lawNothingErased = Phrase(en: "A failure erases nothing.", de: "Ein Fehler löscht nichts.")
    let lawFailedIsNotFinal = Phrase(
        en: "A failure says why and can be retried.", de: "Ein Fehler nennt den Grund und kann wiederholt werden.")
    let lawDependents = Phrase(
        en: "What depends on a failure fails unrun.", de: "Was von Gescheitertem abhängt, scheitert ungelaufen.")
    let lawDecisionsAreValues = Phrase(
        en: "Pauses, exclusions and times are decided like everything else.",
        de: "Pausen, Ausschlüsse und Zeiten werden entschieden wie alles andere.")
}
