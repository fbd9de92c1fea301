/// The texts of lists and their rows.
struct ListTexts: Sendable {
    let orders = Phrase(en: "Orders", de: "Bestellungen", zh: "訂單", ar: "الطلبات")
    let noOrders = Phrase(
        en: "There are no orders right now.", de: "Zurzeit gibt es keine Bestellungen.", zh: "目前沒有訂單。", ar: "لا توجد طلبات حاليًا.")
    let back = Phrase(en: "Back to start page", de: "Zur Startseite", zh: "回到首頁", ar: "العودة إلى الرئيسية")
    let refresh = Phrase(en: "Refresh", de: "Aktualisieren", zh: "重新整理", ar: "تحديث")
    let refreshing = Phrase(en: "Refreshing…", de: "Wird aktualisiert …", zh: "正在重新整理⋯⋯", ar: "جارٍ التحديث…")
    let pullToRefresh = Phrase(en: "Pull to refresh", de: "Zum Aktualisieren ziehen", zh: "下拉即可重新整理", ar: "اسحب للتحديث")
    let releaseToRefresh = Phrase(
        en: "Release to refresh", de: "Zum Aktualisieren loslassen", zh: "放開即可重新整理", ar: "أفلت للتحديث")
    /// The page replaces `{time}` with the time of day.
    let updatedAt = Phrase(en: "Updated {time}", de: "Stand {time}", zh: "更新時間：{time}", ar: "آخر تحديث: {time}")
    /// The text for an age of less than a minute.
    let justNow = Phrase(en: "just now", de: "gerade eben", zh: "剛剛", ar: "الآن")
    /// The page replaces `{time}` with the time of day.
    let offline = Phrase(
        en: "Offline. Last updated {time}", de: "Offline. Stand {time}", zh: "已離線，更新時間：{time}", ar: "غير متصل. آخر تحديث: {time}")
    let pages = Phrase(en: "Pages", de: "Seiten", zh: "頁面", ar: "الصفحات")
    let previousPage = Phrase(en: "Previous", de: "Zurück", zh: "上一頁", ar: "السابق")
    let nextPage = Phrase(en: "Next", de: "Weiter", zh: "下一頁", ar: "التالي")

    let loading = Phrase(en: "Loading", de: "Wird geladen", zh: "載入中", ar: "جارٍ التحميل")
    let retry = Phrase(en: "Retry", de: "Nochmal", zh: "重試", ar: "إعادة المحاولة")
    /// The reason follows this text.
    let retrying = Phrase(en: "Retrying:", de: "Neuer Versuch:", zh: "正在重試：", ar: "إعادة المحاولة:")
    /// `{age}` is replaced with an age such as `2 hours ago`.
    let storedAt = Phrase(en: "Stored {age}", de: "Gespeichert {age}", zh: "資料儲存於{age}", ar: "محفوظ {age}")
    let staleRow = Phrase(en: "Couldn’t refresh", de: "Nicht aktualisiert", zh: "無法重新整理", ar: "تعذّر التحديث")
}
