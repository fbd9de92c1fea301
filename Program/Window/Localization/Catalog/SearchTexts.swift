/// The texts of the search and sort form.
struct SearchTexts: Sendable {
    let search = Phrase(en: "Search", de: "Suchen", zh: "搜尋", ar: "بحث")
    let searchHint = Phrase(en: "Title or address", de: "Titel oder Adresse", zh: "標題或地址", ar: "الاسم أو العنوان")
    let sort = Phrase(en: "Sort", de: "Sortieren", zh: "排序", ar: "ترتيب")
    let sortPrice = Phrase(en: "Price ↑", de: "Preis ↑", zh: "價格 ↑", ar: "السعر ↑")
    let sortPriceDescending = Phrase(en: "Price ↓", de: "Preis ↓", zh: "價格 ↓", ar: "السعر ↓")
    let sortNearest = Phrase(en: "Nearest", de: "Nächste", zh: "最近", ar: "الأقرب")
    let sortEarliest = Phrase(en: "Soonest", de: "Früheste", zh: "最早", ar: "الأبكر")
    /// The note below the title of a list sorted by distance while the user's position is unknown.
    let nearestUnknown = Phrase(
        en: "Sorted without your location", de: "Ohne Standort sortiert", zh: "排序時未使用您的位置", ar: "مرتّبة دون موقعك")
    let sortNone = Phrase(en: "Default", de: "Standard", zh: "預設", ar: "الافتراضي")
    let stopLoading = Phrase(en: "Stop", de: "Anhalten", zh: "停止", ar: "إيقاف")
    /// The text before the reason when all of the last orders failed.
    let loadingStopped = Phrase(
        en: "Not all orders were loaded.", de: "Nicht alle Bestellungen wurden geladen.", zh: "未載入全部訂單。", ar: "لم تُحمَّل كل الطلبات.")
    let loadedOrders = Phrase(en: "Orders loaded", de: "Geladene Bestellungen", zh: "已載入的訂單", ar: "الطلبات المحمّلة")
    let searchDeferred = Phrase(
        en: "You’re offline. Search and sort will run when you’re back online.",
        de: "Sie sind offline. Gesucht und sortiert wird, sobald Sie wieder online sind.", zh: "您已離線。恢復連線後就會搜尋和排序。",
        ar: "أنت غير متصل. سيبدأ البحث والترتيب عند عودة الاتصال.")
    let apply = Phrase(en: "Show", de: "Zeigen", zh: "顯示", ar: "عرض")
}
