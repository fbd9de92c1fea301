import LadingOutbox

// Messages of changes that could not be queued for sending.
extension Texts {
    func message(for error: OutboxError) -> String {
        switch error {
        case .full(let limit):
            localized(
                error, de: "\(number(limit)) Änderungen sind noch nicht gesendet: erneut versuchen, wenn einige gesendet sind",
                zh: "已有 \(number(limit)) 項變更尚未送出：請在部分送出後再試",
                ar: "عدد التغييرات غير المرسلة بلغ \(number(limit)): أعد المحاولة بعد إرسال بعضها")
        case .tooLarge(let limit):
            localized(
                error, de: "die Änderung ist größer als \(bytes(limit))", zh: "變更超過 \(bytes(limit))",
                ar: "حجم التغيير أكبر من \(isolated(bytes(limit)))")
        case .containsSecret(let name):
            localized(
                error, de: "\(name) enthält ein Geheimnis, das nicht gespeichert werden darf", zh: "\(name) 含有不得儲存的機密",
                ar: "يحتوي \(isolated(name)) على سرّ لا يجوز حفظه")
        case .keyReused(let key):
            localized(
                error, de: "der Schlüssel \(key) gehört zu einer anderen Änderung", zh: "金鑰 \(key) 屬於另一項變更",
                ar: "المفتاح \(isolated("\(key)")) يخصّ تغييرًا آخر")
        case .diskFull:
            localized(
                error, de: "der Datenträger ist voll, Änderungen können nicht gespeichert werden: Platz schaffen",
                zh: "磁碟已滿，無法儲存變更：請清出空間", ar: "القرص ممتلئ فلا يمكن حفظ التغييرات: أفرغ مساحة")
        }
    }
}
