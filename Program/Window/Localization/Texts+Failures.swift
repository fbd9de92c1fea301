import Deliveries
import Foundation
import LadingHTTP
import LadingOperations
import LadingOutbox
import LadingRecording
import LadingTransfers
import MarsPhotos
import Orders
import Thumbnails

// Reasons of failures. In English the errors describe themselves, as on the terminal; all other languages are here.
extension Texts {
    /// Returns a message for the root cause of an error.
    func reason(for error: any Error) -> String {
        message(for: OperationError.rootCause(of: error)).truncated(to: Self.reasonLimit)
    }

    /// The maximum length of a reason in characters, because a reason may quote a server.
    private static let reasonLimit = 300

    /// Returns a localized message for an error; an unknown error describes itself, prefixed as unexpected.
    func message(for error: any Error) -> String {
        switch error {
        case let error as BackendError: message(for: error)
        case let error as OperationError: message(for: error)
        case let error as OrderDocumentError: message(for: error)
        case let error as DeliveryDocumentError: message(for: error)
        case let error as PhotoError: message(for: error)
        case let error as PhotoDocumentError: message(for: error)
        case let error as MarsImageError: message(for: error)
        case let error as ImageDecodingError: message(for: error)
        case let error as ResponseDecodingError: message(for: error)
        case let error as RecordingError: message(for: error)
        case let error as TransferError: message(for: error)
        case let error as RequestBodyError: message(for: error)
        case let error as EventStreamError: message(for: error)
        case let error as OutboxError: message(for: error)
        case let error as BearerTokenInterceptor.Failure: message(for: error)
        case let objection as URLPolicy.Violation: message(for: objection)
        case let error as ImageLoader.NotAnImage: message(for: error)
        default:
            localized(
                error, de: "unerwarteter Fehler: \(error)", zh: "未預期的錯誤：\(error)", ar: "خطأ غير متوقع: \(isolated("\(error)"))")
        }
    }

    /// Returns an error's own description in English, and the given text in other languages.
    func localized(
        _ error: any Error, de: @autoclosure () -> String, zh: @autoclosure () -> String, ar: @autoclosure () -> String
    ) -> String {
        localized(en: "\(error)", de: de(), zh: zh(), ar: ar())
    }

    /// Returns the message for a refused request, in complete sentences.
    func pageErrorMessage(_ rejection: PageError) -> String {
        switch rejection {
        case .noSuchOrder:
            localized(
                en: "This order is no longer in the list.", de: "Diese Bestellung ist nicht mehr in der Liste.", zh: "這筆訂單已不在清單中。",
                ar: "لم يعد هذا الطلب في القائمة.")
        case .noSuchDelivery:
            localized(
                en: "This delivery isn’t stored here.", de: "Diese Lieferung ist hier nicht gespeichert.", zh: "這裡沒有儲存這筆配送。",
                ar: "هذه التوصيلة غير محفوظة هنا.")
        case .noSuchRover:
            localized(
                en: "This rover doesn’t exist.", de: "Diesen Rover gibt es nicht.", zh: "沒有這部探測車。",
                ar: "هذه المركبة غير موجودة.")
        case .noSuchSol:
            localized(
                en: "This sol doesn’t exist. Choose another one.", de: "Diesen Sol gibt es nicht. Bitte einen anderen wählen.",
                zh: "沒有這個火星日，請選擇其他火星日。", ar: "هذا اليوم المريخي غير موجود. اختر غيره.")
        case .noSuchPhoto:
            localized(
                en: "This sol has no such photo.", de: "Dieses Foto gibt es an diesem Sol nicht.", zh: "這個火星日沒有這張照片。",
                ar: "هذه الصورة غير موجودة في هذا اليوم المريخي.")
        case .notFound:
            localized(
                en: "There is no page at this address.", de: "Unter dieser Adresse gibt es keine Seite.", zh: "這個網址沒有頁面。",
                ar: "لا توجد صفحة في هذا العنوان.")
        case .noSuchScreen:
            localized(en: "This screen doesn’t exist.", de: "Diese Ansicht gibt es nicht.", zh: "沒有這個畫面。", ar: "هذه الشاشة غير موجودة.")
        case .sessionGone:
            localized(
                en: "This page has expired. Reload it.", de: "Diese Seite ist abgelaufen. Bitte neu laden.", zh: "這個頁面已經失效，請重新載入。",
                ar: "انتهت صلاحية هذه الصفحة. أعد تحميلها.")
        case .signedOut:
            localized(
                en: "You are signed out. Sign in again.", de: "Sie sind abgemeldet. Melden Sie sich wieder an.", zh: "您已登出，請重新登入。",
                ar: "سُجّل خروجك. سجّل الدخول مرة أخرى.")
        case .tooManyPages:
            localized(
                en: "Too many pages are open.", de: "Es sind zu viele Seiten offen.", zh: "開啟的頁面太多。", ar: "الصفحات المفتوحة كثيرة جدًا.")
        case .tooManyUploads:
            localized(
                en: "Too many files are being sent. Try again in a moment.",
                de: "Es werden zu viele Dateien gesendet. Bitte gleich erneut versuchen.", zh: "正在傳送的檔案太多，請稍後再試。",
                ar: "الملفات التي تُرسَل الآن كثيرة جدًا. أعد المحاولة بعد لحظات.")
        case .crossOrigin:
            localized(
                en: "Only pages of this server may do this.", de: "Das dürfen nur Seiten dieses Servers.", zh: "只有這部伺服器的頁面可以這麼做。",
                ar: "لا يُسمح بهذا إلا لصفحات هذا الخادم.")
        case .hostNotAllowed:
            localized(
                en: "This host name isn’t allowed. Start the program with --allowed-host and this name.",
                de: "Dieser Hostname ist nicht erlaubt. Das Programm mit --allowed-host und diesem Namen starten.",
                zh: "不允許這個主機名稱。請以 --allowed-host 加上這個名稱啟動程式。",
                ar: "اسم المضيف هذا غير مسموح. شغّل البرنامج بالخيار \(isolated("--allowed-host")) مع هذا الاسم.")
        case .notStored:
            localized(
                en: "Couldn’t save this. Try again in a moment.", de: "Das konnte nicht gespeichert werden. Bitte gleich erneut versuchen.",
                zh: "無法儲存，請稍後再試。", ar: "تعذّر الحفظ. أعد المحاولة بعد لحظات.")
        case .diskFull:
            localized(
                en: "The program’s disk is full, so favourites can’t be saved.",
                de: "Der Datenträger des Programms ist voll, deshalb können keine Favoriten gespeichert werden.",
                zh: "程式的磁碟已滿，無法儲存收藏。", ar: "قرص البرنامج ممتلئ، فلا يمكن حفظ المفضلات.")
        case .malformedRequest:
            localized(en: "The request is invalid.", de: "Die Anfrage ist ungültig.", zh: "請求無效。", ar: "البيانات المرسلة غير صالحة.")
        case .contentTooLarge:
            localized(
                en: "The request is too large.", de: "Die Anfrage ist zu groß.", zh: "請求過大。",
                ar: "البيانات المرسلة كبيرة جدًا.")
        }
    }
}

// MARK: - Formatting

extension Texts {
    /// Returns a duration in full words: `30 Sekunden`.
    func duration(_ duration: Duration, in units: Set<Duration.UnitsFormatStyle.Unit>) -> String {
        duration.formatted(.units(allowed: units, width: .wide).locale(language.locale))
    }

    /// Returns a number of bytes, `8 MB`, in the same units as errors on the terminal.
    func bytes(_ count: Int) -> String { count.formatted(.byteCount(style: .memory).locale(language.locale)) }

    private func message(for error: ImageLoader.NotAnImage) -> String {
        let (type, isolated) = (error.mediaType, isolated(error.mediaType ?? ""))
        return localized(
            error, de: type.map { "kein Bild, sondern \($0)" } ?? "kein Bild: der Medientyp fehlt",
            zh: type.map { "不是圖片，而是 \($0)" } ?? "不是圖片：沒有媒體類型",
            ar: type == nil ? "ليست صورة: بلا نوع وسائط" : "ليست صورة، بل \(isolated)")
    }
}
