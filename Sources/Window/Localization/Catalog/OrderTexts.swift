/// The texts of the order page.
struct OrderTexts: Sendable {
    let backToOrders = Phrase(en: "Back to orders", de: "Zu den Bestellungen", zh: "回到訂單", ar: "العودة إلى الطلبات")
    let address = Phrase(en: "Address", de: "Adresse", zh: "地址", ar: "العنوان")
    let noAddress = Phrase(en: "No address given", de: "Keine Adresse angegeben", zh: "未提供地址", ar: "لا يوجد عنوان")
    let noPrice = Phrase(en: "No readable price", de: "Kein lesbarer Preis", zh: "價格無法辨識", ar: "لا يوجد سعر مقروء")
    let noRadius = Phrase(en: "No readable radius", de: "Kein lesbarer Umkreis", zh: "範圍無法辨識", ar: "لا يوجد نطاق مقروء")
    let noItems = Phrase(en: "No readable items", de: "Keine lesbaren Artikel", zh: "品項無法辨識", ar: "لا توجد أصناف مقروءة")
    let noDeliveryDate = Phrase(en: "No time given", de: "Keine Zeit angegeben", zh: "未提供時間", ar: "لا يوجد موعد")
    let deliveryDate = Phrase(en: "Delivery", de: "Lieferung", zh: "送達時間", ar: "موعد التوصيل")
    let radius = Phrase(en: "Radius", de: "Umkreis", zh: "範圍", ar: "النطاق")
    let information = Phrase(en: "Note", de: "Hinweis", zh: "備註", ar: "ملاحظة")
    let startNavigation = Phrase(en: "Navigate", de: "Navigieren", zh: "導航", ar: "بدء الملاحة")
    let unknownItem = Phrase(en: "Unknown item", de: "Unbekannter Artikel", zh: "未知品項", ar: "صنف غير معروف")
    let zoomIn = Phrase(en: "Zoom in", de: "Vergrößern", zh: "放大", ar: "تكبير")
    let zoomOut = Phrase(en: "Zoom out", de: "Verkleinern", zh: "縮小", ar: "تصغير")
    let unitMeters = Phrase(en: "m", de: "m", zh: "公尺", ar: "م")
    let unitKilometers = Phrase(en: "km", de: "km", zh: "公里", ar: "كم")
    let unitMiles = Phrase(en: "mi", de: "mi", zh: "英里", ar: "ميل")
    let unitFeet = Phrase(en: "ft", de: "ft", zh: "英尺", ar: "قدم")
    let unitYards = Phrase(en: "yd", de: "yd", zh: "碼", ar: "ياردة")
    let demoMap = Phrase(
        en: "Lading Harbor, a fictional city", de: "Lading Harbor, eine fiktive Stadt", zh: "虛構城市 Lading Harbor",
        ar: "مدينة خيالية: Lading Harbor")
    let noMap = Phrase(
        en: "There is no map of this place.", de: "Von diesem Ort gibt es keine Karte.", zh: "沒有這個地點的地圖。",
        ar: "لا توجد خريطة لهذا المكان.")
    let noOrderLocation = Phrase(
        en: "This order has no readable location.", de: "Diese Bestellung hat keinen lesbaren Ort.", zh: "這筆訂單的地點無法辨識。",
        ar: "لا يوجد موقع مقروء لهذا الطلب.")
    let webMap = Phrase(en: "Map on the web", de: "Karte im Web", zh: "網路地圖", ar: "خريطة على الويب")
    let centerMap = Phrase(en: "Centre the map", de: "Karte zentrieren", zh: "地圖置中", ar: "توسيط الخريطة")
}
