import Orders

// Messages of errors in documents of the order service.
extension Texts {
    func message(for error: OrderDocumentError) -> String {
        switch error {
        case .tooLong(let limit):
            localized(
                error, de: "das Dokument ist länger als \(bytes(limit))", zh: "文件超過 \(bytes(limit))",
                ar: "المستند أطول من \(isolated(bytes(limit)))")
        case .tooManyLevels(let limit):
            localized(
                error, de: "Elemente sind tiefer als \(number(limit)) verschachtelt", zh: "元素的巢狀層數超過 \(number(limit))",
                ar: "تداخل العناصر أعمق من \(number(limit))")
        case .unsupportedDocumentType:
            localized(
                error, de: "das Dokument hat eine Dokumenttyp-Deklaration; solche werden abgelehnt", zh: "文件含有文件類型宣告，不予接受",
                ar: "يحتوي المستند على تصريح بنوعه، وهذا غير مقبول")
        case .expansionTooLong(let limit):
            localized(
                error, de: "die Entitäten des Dokuments ergeben mehr als \(bytes(limit))", zh: "文件的實體展開後超過 \(bytes(limit))",
                ar: "يتجاوز نص كيانات المستند \(isolated(bytes(limit)))")
        case .unsupportedEncoding(let name): unsupportedEncodingMessage(error, encoding: quote(name))
        case .malformed(let reason):
            localized(
                error, de: "kein wohlgeformtes Dokument: \(reason)", zh: "文件格式不正確：\(reason)",
                ar: "المستند غير سليم الصياغة: \(isolated(reason))")
        case .unexpectedRoot(let name, let expected):
            localized(
                error, de: "das äußerste Element ist <\(name.prefix(40))>, erwartet wurde <\(expected)>",
                zh: "最外層元素是 <\(name.prefix(40))>，應為 <\(expected)>",
                ar: "العنصر الخارجي هو \(isolated("<\(name.prefix(40))>")) والمتوقع \(isolated("<\(expected)>"))")
        case .missing(let path): localized(error, de: "<\(path)> fehlt", zh: "缺少 <\(path)>", ar: "\(isolated("<\(path)>")) غير موجود")
        case .notANumber(let path, let text):
            localized(
                error, de: "<\(path)> ist keine Zahl: \(quote(text))", zh: "<\(path)> 不是數字：\(quote(text))",
                ar: "\(isolated("<\(path)>")) ليس رقمًا: \(quote(text))")
        case .outOfRange(let path, let text):
            localized(
                error, de: "<\(path)> kann nicht \(quote(text)) sein", zh: "<\(path)> 不可能是 \(quote(text))",
                ar: "لا يمكن أن يكون \(isolated("<\(path)>")) هو \(quote(text))")
        case .unknownItem(let id):
            localized(
                error, de: "im Katalog gibt es keinen Artikel \(id)", zh: "目錄中沒有品項 \(id)",
                ar: "لا يوجد في الفهرس صنف رقمه \(isolated("\(id)"))")
        case .notADictionary:
            localized(
                error, de: "die Liste ist keine Property-Liste mit einem Verzeichnis", zh: "清單不是含有字典的屬性列表",
                ar: "القائمة ليست قائمة خصائص فيها قاموس")
        case .tooManyEntries(let limit):
            localized(
                error, de: "die Liste hat mehr als \(number(limit)) Einträge", zh: "清單超過 \(number(limit)) 個項目",
                ar: "عدد مدخلات القائمة أكثر من \(number(limit))")
        case .nonNumericKey(let key):
            localized(
                error, de: "die Liste hat einen Schlüssel, der keine Zahl ist: \(quote(key))", zh: "清單中有不是數字的鍵：\(quote(key))",
                ar: "في القائمة مفتاح ليس رقمًا: \(quote(key))")
        case .duplicateKey(let key):
            localized(
                error, de: "die Liste hat mehrere Einträge für \(quote(key))", zh: "清單中 \(quote(key)) 出現不只一次",
                ar: "في القائمة أكثر من مدخل للمفتاح \(quote(key))")
        case .addressNotAString(let kind):
            localized(
                error, de: "die Liste enthält statt einer Adresse <\(kind.prefix(40))>", zh: "清單中應為網址的是 <\(kind.prefix(40))>",
                ar: "في القائمة بدل العنوان \(isolated("<\(kind.prefix(40))>"))")
        case .invalidAddress(let text): invalidAddressMessage(error, text)
        case .addressTooLong(let limit):
            localized(
                error, de: "die Liste enthält eine Adresse, die länger ist als \(bytes(limit))", zh: "清單中的網址超過 \(bytes(limit))",
                ar: "في القائمة عنوان أطول من \(isolated(bytes(limit)))")
        case .relativeAddress(let text):
            localized(
                error, de: "die Liste enthält eine Adresse ohne Server: \(quote(text, 80))", zh: "清單中的網址沒有伺服器：\(quote(text, 80))",
                ar: "في القائمة عنوان بلا خادم: \(quote(text, 80))")
        case .unsupportedScheme(let scheme):
            localized(
                error, de: "nur http- und https-Adressen werden geöffnet, nicht \(quote(scheme)):",
                zh: "只開啟 http 和 https 網址，不開啟 \(quote(scheme)):",
                ar: "لا تُفتح إلا عناوين http وhttps، لا \(isolated("\(scheme.prefix(40)):"))")
        }
    }

    private func unsupportedEncodingMessage(_ error: OrderDocumentError, encoding name: String) -> String {
        localized(error, de: "die Kodierung \(name) wird nicht unterstützt", zh: "不支援 \(name) 編碼", ar: "الترميز \(name) غير مدعوم")
    }

    private func invalidAddressMessage(_ error: OrderDocumentError, _ text: String) -> String {
        text.isEmpty
            ? localized(error, de: "in der Liste fehlt eine Adresse", zh: "清單缺少網址", ar: "في القائمة عنوان فارغ")
            : localized(
                error, de: "ungültige Adresse in der Liste: \(quote(text, 80))", zh: "清單中的網址無效：\(quote(text, 80))",
                ar: "عنوان غير صالح في القائمة: \(quote(text, 80))")
    }

    /// Returns the beginning of a text from a server.
    private func quote(_ text: String, _ limit: Int = 40) -> String { isolated(text.prefix(limit)) }
}
