import LadingHTTP

// Messages of changes that could not be queued for sending.
extension Texts {
    func message(for error: OutboxError) -> String {
        switch error {
        case .full(let limit):
            localized(
                error, de: "\(number(limit)) Änderungen warten schon darauf, gesendet zu werden: nochmal versuchen, wenn einige fort sind",
                zh: "已有 \(number(limit)) 項變更等待傳送：請在部分送出後再試",
                ar: "عدد التغييرات التي تنتظر الإرسال بلغ \(number(limit)): أعد المحاولة بعد إرسال بعضها")
        case .tooLarge(let limit):
            localized(
                error, de: "eine Änderung, die auf das Senden wartet, hat höchstens \(bytes(limit))", zh: "等待傳送的變更最多 \(bytes(limit))",
                ar: "لا يتجاوز حجم تغيير ينتظر الإرسال \(isolated(bytes(limit)))")
        case .containsSecret(let name):
            localized(
                error, de: "\(name) enthält ein Geheimnis, das nicht aufbewahrt werden darf", zh: "\(name) 含有不得保存的機密",
                ar: "يحتوي \(isolated(name)) على سرّ لا يجوز حفظه")
        case .keyReused(let key):
            localized(
                error, de: "der Schlüssel \(key) gehört zu einer anderen Änderung", zh: "金鑰 \(key) 屬於另一項變更",
                ar: "المفتاح \(isolated("\(key)")) يخصّ تغييرًا آخر")
        case .diskFull:
            localized(
                error, de: "das Speichermedium ist voll, keine Änderung kann zum Senden aufbewahrt werden: Platz schaffen",
                zh: "磁碟已滿，無法保存待傳送的變更：請騰出空間", ar: "القرص ممتلئ فلا يمكن حفظ أي تغيير لإرساله: أفرغ مساحة")
        }
    }
}
