/// The texts of the start page.
struct StartTexts: Sendable {
    let brand = Phrase(en: "Lading", de: "Lading", zh: "Lading", ar: "Lading")
    let startTitle = Phrase(
        en: "Grocery orders, always within reach", de: "Lebensmittel\u{AD}bestellungen, immer griffbereit", zh: "生鮮訂單，隨時在手",
        ar: "طلبات البقالة في متناول يدك دائمًا")
    let startLead = Phrase(
        en: """
            Every order of your region in one list that appears at once, keeps up with your thumb and loses nothing when the \
            network fails.
            """,
        de: """
            Alle Bestellungen der Region in einer Liste, die sofort da ist, mit dem Daumen Schritt hält und nichts verliert, \
            wenn das Netz ausfällt.
            """,
        zh: "您所在地區的所有訂單都在同一份清單裡：立即顯示，跟得上您的手指，斷線時也不會遺失任何資料。",
        ar: "كل طلبات منطقتك في قائمة واحدة تظهر فورًا، وتواكب إصبعك، ولا تفقد شيئًا عند انقطاع الشبكة.")
    let showOrders = Phrase(en: "Show orders", de: "Bestellungen zeigen", zh: "顯示訂單", ar: "عرض الطلبات")
    let startFeatureVisibleFirst = Phrase(
        en: "What you look at loads first", de: "Was im Blick ist, lädt zuerst", zh: "您正在看的內容最先載入", ar: "ما تنظر إليه يُحمَّل أولًا")
    let startFeatureMap = Phrase(
        en: "Address, radius and map for every order", de: "Adresse, Umkreis und Karte zu jeder Bestellung", zh: "每筆訂單都有地址、範圍和地圖",
        ar: "عنوان ونطاق وخريطة لكل طلب")
    let language = Phrase(en: "Language", de: "Sprache", zh: "語言", ar: "اللغة")
    let startFeatureOffline = Phrase(
        en: "A lost connection erases nothing", de: "Eine verlorene Verbindung löscht nichts", zh: "連線中斷不會清除任何資料",
        ar: "فقدان الاتصال لا يمحو شيئًا")
}
