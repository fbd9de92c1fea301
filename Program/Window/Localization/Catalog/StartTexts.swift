/// The texts of the start page.
struct StartTexts: Sendable {
    let productName = Phrase(en: "Lading", de: "Lading", zh: "Lading", ar: "Lading")
    let startTitle = Phrase(
        en: "Grocery orders, always within reach", de: "Lebensmittel\u{AD}bestellungen, immer griffbereit", zh: "生鮮訂單，隨時在手",
        ar: "طلبات البقالة في متناول يدك دائمًا")
    let startDescription = Phrase(
        en: """
            Every order in your region in one list that appears instantly, scrolls smoothly and loses nothing when you’re \
            offline.
            """,
        de: """
            Alle Bestellungen der Region in einer Liste, die sofort erscheint, flüssig scrollt und auch offline nichts \
            verliert.
            """,
        zh: "您所在地區的所有訂單都在同一份清單裡：立即顯示，捲動流暢，離線時也不會遺失任何資料。",
        ar: "كل طلبات منطقتك في قائمة واحدة تظهر فورًا، وتُمرَّر بسلاسة، ولا تفقد شيئًا عند انقطاع الاتصال.")
    let viewOrders = Phrase(en: "Show orders", de: "Bestellungen zeigen", zh: "顯示訂單", ar: "عرض الطلبات")
    let startCourier = Phrase(
        en: "Couriers take an order nearby, carry it out even without a network, and prove it.",
        de: "Kuriere nehmen eine Bestellung in der Nähe, führen sie auch ohne Netz aus und belegen es.",
        zh: "外送員接下附近的訂單，沒有網路也能完成，並留下憑證。", ar: "يأخذ المندوبون طلبًا قريبًا، وينفّذونه حتى دون شبكة، ويوثّقون التسليم.")
    let startDispatcher = Phrase(
        en: "Dispatchers enter orders, see what needs a decision, and follow the couriers on the map.",
        de: "Die Disposition erfasst Bestellungen, sieht, was zu entscheiden ist, und verfolgt die Kuriere auf der Karte.",
        zh: "調度員輸入訂單，查看需要決定的事項，並在地圖上追蹤外送員。", ar: "يُدخل المنسّقون الطلبات، ويرون ما يحتاج إلى قرار، ويتابعون المندوبين على الخريطة.")
    let startDeveloper = Phrase(
        en: "Developers watch every request with its priority and reason, and build on the same library.",
        de: "Entwickler sehen jede Anfrage mit Priorität und Grund und bauen auf derselben Bibliothek auf.",
        zh: "開發人員查看每個請求的優先順序與原因，並使用同一套程式庫開發。", ar: "يتابع المطوّرون كل طلب شبكي بأولويته وسببه، ويبنون على المكتبة نفسها.")
    let language = Phrase(en: "Language", de: "Sprache", zh: "語言", ar: "اللغة")
}
