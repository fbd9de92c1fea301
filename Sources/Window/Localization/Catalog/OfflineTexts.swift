/// The texts of the page shown offline for uncached URLs.
struct OfflineTexts: Sendable {
    let notCachedTitle = Phrase(en: "You are offline", de: "Keine Verbindung", zh: "您已離線", ar: "أنت غير متصل")
    let notCached = Phrase(
        en: "This page is not kept here, so there is nothing of it to show. It appears by itself once the connection is back.",
        de: """
            Diese Seite ist hier nicht gespeichert, darum gibt es von ihr nichts zu zeigen. Sie erscheint von selbst, sobald die \
            Verbindung wieder da ist.
            """,
        zh: "這個頁面沒有儲存在這裡，因此沒有內容可以顯示。恢復連線後會自動出現。",
        ar: "هذه الصفحة غير محفوظة هنا، فلا يوجد منها ما يُعرض. ستظهر تلقائيًا عند عودة الاتصال.")
}
