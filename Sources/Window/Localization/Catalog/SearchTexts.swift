/// The texts of the search and sort form.
struct SearchTexts: Sendable {
    let search = Phrase(en: "Search", de: "Suchen", zh: "搜尋", ar: "بحث")
    let searchHint = Phrase(en: "Title or address", de: "Titel oder Adresse", zh: "標題或地址", ar: "الاسم أو العنوان")
    let sort = Phrase(en: "Sort", de: "Sortieren", zh: "排序", ar: "ترتيب")
    let sortPrice = Phrase(en: "Price ↑", de: "Preis ↑", zh: "價格 ↑", ar: "السعر ↑")
    let sortPriceDescending = Phrase(en: "Price ↓", de: "Preis ↓", zh: "價格 ↓", ar: "السعر ↓")
    let sortNearest = Phrase(en: "Nearest", de: "Nächste", zh: "最近", ar: "الأقرب")
    let sortSoonest = Phrase(en: "Soonest", de: "Früheste", zh: "最早", ar: "الأبكر")
    /// The note below the title of a list sorted by distance while the user's position is unknown.
    let nearestUnknown = Phrase(
        en: "Sorted without your location", de: "Ohne Standort sortiert", zh: "排序未使用您的位置", ar: "الترتيب دون معرفة موقعك")
    let sortNone = Phrase(en: "As listed", de: "Wie gelistet", zh: "清單順序", ar: "كما وردت")
    let stopLoading = Phrase(en: "Stop", de: "Anhalten", zh: "停止", ar: "إيقاف")
    /// The text before the reason when all of the last orders failed.
    let loadingStopped = Phrase(
        en: "Not all orders were read.", de: "Nicht alle Bestellungen wurden gelesen.", zh: "未讀取全部訂單。", ar: "لم تُقرأ كل الطلبات.")
    let loadedOrders = Phrase(en: "Orders read", de: "Gelesene Bestellungen", zh: "已讀取的訂單", ar: "الطلبات المقروءة")
    let searchDeferred = Phrase(
        en: "No connection: the search and the sort begin when it is back.",
        de: "Keine Verbindung: Suche und Sortierung beginnen, sobald sie wieder da ist.", zh: "沒有連線：恢復連線後才會開始搜尋和排序。",
        ar: "لا يوجد اتصال: يبدأ البحث والترتيب عند عودته.")
    let apply = Phrase(en: "Show", de: "Zeigen", zh: "顯示", ar: "عرض")
}
