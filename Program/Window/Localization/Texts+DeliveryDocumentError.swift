import Deliveries

extension Texts {
    func message(for error: DeliveryDocumentError) -> String {
        switch error {
        case .empty: localized(error, de: "das Dokument ist leer", zh: "文件是空的", ar: "المستند فارغ")
        case .webPage:
            localized(
                error, de: "statt einer JSON-Liste von Lieferungen kam eine Webseite", zh: "這是網頁，應為 JSON 格式的配送清單",
                ar: "هذه صفحة ويب، والمتوقع قائمة توصيلات بصيغة JSON")
        case .malformed(let reason):
            localized(
                error, de: "ungültiges JSON: \(reason)", zh: "無效的 JSON：\(reason)", ar: "صيغة JSON غير صحيحة: \(isolated(reason))")
        case .notAnArray:
            localized(error, de: "das Dokument ist keine Liste von Lieferungen", zh: "內容應為配送清單", ar: "المتوقع قائمة توصيلات")
        case .tooManyRows(let limit):
            localized(
                error, de: "die Seite hat mehr als \(number(limit)) Lieferungen", zh: "此頁超過 \(number(limit)) 筆配送",
                ar: "في الصفحة أكثر من \(number(limit)) توصيلة")
        }
    }
}
