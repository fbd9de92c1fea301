/// What the page says that stands in for one that is not kept while the program cannot be reached.
struct OfflineTexts: Sendable {
    let notKeptTitle = Phrase(en: "You are offline", de: "Keine Verbindung", zh: "您已離線", ar: "أنت غير متصل")
    let notKept = Phrase(
        en: "This page was not opened here before, so there is nothing of it to show. It appears by itself once the connection is back.",
        de: """
            Diese Seite war hier noch nicht offen, darum gibt es von ihr nichts zu zeigen. Sie erscheint von selbst, sobald die \
            Verbindung wieder da ist.
            """,
        zh: "這個頁面之前沒有在這裡開啟過，因此沒有內容可以顯示。恢復連線後會自動出現。",
        ar: "لم تُفتح هذه الصفحة هنا من قبل، فلا يوجد منها ما يُعرض. ستظهر تلقائيًا عند عودة الاتصال.")
}
