import Foundation
import LadingHTTP
import LadingTransfers

// Messages of failed transfers, with a remedy.
extension Texts {
    func message(for error: TransferError) -> String {
        switch error {
        case .targetExists(let file):
            localized(
                error, de: "\(file.path) gibt es schon: verschieben oder einen anderen Namen wählen", zh: "\(file.path) 已存在：請移走它，或改用其他名稱",
                ar: "\(isolated(file.path)) موجود من قبل: انقله أو اختر اسمًا آخر")
        case .targetNotWritable(let file, _):
            localized(
                error, de: "\(file.path) ist nicht beschreibbar", zh: "無法寫入 \(file.path)", ar: "تعذّرت الكتابة في \(isolated(file.path))")
        case .targetFolderMissing(let file): folderMissing(error, isolated(file.deletingLastPathComponent().path))
        case .diskFull(let file, let needed): diskFull(error, isolated(file.path), needed: needed)
        case .lengthMismatch(let file, let expected, let found):
            localized(
                error,
                de: "die Teildatei von \(file.path) hat \(found) Bytes statt \(expected): ein anderes Programm hat hineingeschrieben",
                zh: "\(file.path) 的暫存檔有 \(found) 位元組，應為 \(expected)：有其他程式寫入了它",
                ar: "في الملف الجزئي من \(isolated(file.path)) \(found) بايت بدلًا من \(expected): كتب فيه برنامج آخر")
        case .partFileInUse(let file):
            localized(
                error, de: "ein anderes Programm lädt gerade nach \(file.path) herunter", zh: "另一個程式正在下載到 \(file.path)",
                ar: "يُنزّل برنامج آخر إلى \(isolated(file.path)) الآن")
        case .sourceUnreadable(let file, _):
            localized(error, de: "\(file.path) ist nicht lesbar", zh: "無法讀取 \(file.path)", ar: "تعذّرت قراءة \(isolated(file.path))")
        case .sourceChanged(let file):
            localized(
                error, de: "\(file.path) hat sich beim Hochladen geändert: noch einmal hochladen", zh: "\(file.path) 在上傳期間有變動：請重新上傳",
                ar: "تغيّر \(isolated(file.path)) أثناء الرفع: أعد رفعه")
        case .expired(let url, let status):
            localized(
                error, de: "der Server bietet \(url.path) nicht mehr an (\(status)): mit einer anderen Adresse fortsetzen",
                zh: "伺服器不再提供 \(url.path)（\(status)）：請改用其他網址繼續",
                ar: "لم يعد الخادم يقدّم \(isolated(url.path)) (\(status)): تابع بعنوان آخر")
        case .unsupportedContentCoding(let url, let coding):
            localized(
                error, de: "der Server sendet \(url.path) nur in der Kodierung \(coding), die so nicht gespeichert werden kann",
                zh: "伺服器只以 \(coding) 編碼傳送 \(url.path)，無法原樣儲存",
                ar: "لا يرسل الخادم \(isolated(url.path)) إلا بالترميز \(isolated(coding))، ولا يمكن حفظه كما هو")
        case .inconsistentResponse(let url, let what):
            localized(
                error, de: "\(server(of: url)) widerspricht sich: \(what)", zh: "\(server(of: url)) 自相矛盾：\(what)",
                ar: "\(server(of: url)) يناقض نفسه: \(isolated(what))")
        case .digestMismatch(let url):
            localized(
                error, de: "die Daten von \(server(of: url)) passen nicht zu ihrer Prüfsumme",
                zh: "從 \(server(of: url)) 收到的內容與其檢查碼不符",
                ar: "البيانات من \(server(of: url)) لا تطابق مجموعها الاختباري")
        case .unexpectedContent(let url):
            localized(
                error, de: "die Daten von \(server(of: url)) haben nicht die erwartete Prüfsumme",
                zh: "從 \(server(of: url)) 收到的內容與預期的檢查碼不符",
                ar: "البيانات من \(server(of: url)) لا تطابق المجموع الاختباري المتوقع")
        case .unsupportedDigest(let name):
            localized(
                error, de: "die Prüfsumme \(name) lässt sich hier nicht berechnen", zh: "此處無法計算檢查碼 \(name)",
                ar: "لا يمكن هنا حساب المجموع الاختباري \(isolated(name))")
        case .tooLarge(let url, let limit): tooLarge(error, server(of: url), limit: limit)
        case .failedBefore(let reason):
            localized(error, de: "zuvor fehlgeschlagen: \(reason)", zh: "先前已失敗：\(reason)", ar: "فشل سابقًا: \(isolated(reason))")
        case .unknownTransfer(let id):
            localized(error, de: "es gibt keine Übertragung \(id)", zh: "沒有傳輸 \(id)", ar: "لا توجد عملية نقل رقمها \(isolated("\(id)"))")
        case .journalInUse(let owner):
            localized(
                error,
                de: "\(owner.map { "der Prozess \($0)" } ?? "ein anderer Prozess") führt die Übertragungen dieses Verzeichnisses aus",
                zh: "\(owner.map { "程序 \($0)" } ?? "另一個程序")正在執行此目錄的傳輸",
                ar: "\(owner.map { "العملية \($0)" } ?? "عملية أخرى") تنفّذ عمليات النقل في هذا المجلد")
        }
    }

    private func server(of url: URL) -> String {
        isolated(url.authority ?? url.redacted)
    }

    private func folderMissing(_ error: TransferError, _ folder: String) -> String {
        localized(error, de: "es gibt keinen Ordner \(folder)", zh: "沒有資料夾 \(folder)", ar: "لا يوجد مجلد \(folder)")
    }

    private func diskFull(_ error: TransferError, _ file: String, needed: Int?) -> String {
        guard let needed else {
            return localized(
                error, de: "der Datenträger von \(file) ist voll: Platz schaffen", zh: "\(file) 所在的磁碟已滿：請清出空間",
                ar: "القرص الذي فيه \(file) ممتلئ: أفرغ مساحة")
        }
        return localized(
            error, de: "auf dem Datenträger von \(file) fehlen \(bytes(needed)): Platz schaffen",
            zh: "\(file) 所在的磁碟沒有所需的 \(bytes(needed))：請清出空間",
            ar: "لا تتوفر في القرص الذي فيه \(file) المساحة اللازمة \(isolated(bytes(needed))): أفرغ مساحة")
    }

    private func tooLarge(_ error: TransferError, _ server: String, limit: Int?) -> String {
        guard let limit else {
            return localized(
                error, de: "die Datei ist zu groß für \(server)", zh: "檔案對 \(server) 來說太大", ar: "الملف أكبر مما يقبله \(server)")
        }
        return localized(
            error, de: "\(server) akzeptiert Dateien bis \(bytes(limit))", zh: "\(server) 只接受 \(bytes(limit)) 以內的檔案",
            ar: "لا يقبل \(server) ملفات أكبر من \(isolated(bytes(limit)))")
    }
}
