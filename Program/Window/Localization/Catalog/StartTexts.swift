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
    let startFeatureVisibleFirst = Phrase(
        en: "Visible orders load first", de: "Sichtbares lädt zuerst", zh: "看得到的訂單最先載入", ar: "الطلبات المرئية تُحمَّل أولًا")
    let startFeatureMap = Phrase(
        en: "Address, radius and map for every order", de: "Adresse, Umkreis und Karte zu jeder Bestellung", zh: "每筆訂單都有地址、範圍和地圖",
        ar: "عنوان ونطاق وخريطة لكل طلب")
    let language = Phrase(en: "Language", de: "Sprache", zh: "語言", ar: "اللغة")
    let startFeatureOffline = Phrase(
        en: "Going offline erases nothing", de: "Auch offline geht nichts verloren", zh: "離線時不會遺失任何資料",
        ar: "لا يضيع شيء عند انقطاع الاتصال")
}
