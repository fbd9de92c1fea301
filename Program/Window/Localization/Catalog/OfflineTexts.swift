/// The texts of the page shown offline for uncached URLs.
struct OfflineTexts: Sendable {
    let notCachedTitle = Phrase(en: "You are offline", de: "Sie sind offline", zh: "您已離線", ar: "أنت غير متصل")
    let notCached = Phrase(
        en: "This page isn’t stored on this device. It will load when you’re back online.",
        de: "Diese Seite ist auf diesem Gerät nicht gespeichert. Sie wird geladen, sobald Sie wieder online sind.",
        zh: "這個頁面沒有儲存在這部裝置上。恢復連線後會自動載入。",
        ar: "هذه الصفحة غير محفوظة على هذا الجهاز. ستُحمَّل تلقائيًا عند عودة الاتصال.")
}
