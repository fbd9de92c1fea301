import Deliveries
import Foundation
import LadingHTTP
import LadingOperations
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
    func pageErrorMessage(_ refusal: PageError) -> String {
        switch refusal {
        case .noSuchOrder:
            localized(
                en: "This order is not in the list any more.", de: "Diese Bestellung steht nicht mehr in der Liste.", zh: "這筆訂單已不在清單中。",
                ar: "لم يعد هذا الطلب في القائمة.")
        case .noSuchDelivery:
            localized(
                en: "This delivery is not stored here.", de: "Diese Lieferung ist hier nicht gespeichert.", zh: "這裡沒有儲存這筆配送。",
                ar: "هذه التوصيلة غير محفوظة هنا.")
        case .noSuchRover:
            localized(
                en: "There is no such rover here.", de: "So einen Rover gibt es hier nicht.", zh: "這裡沒有這部探測車。",
                ar: "لا توجد مركبة كهذه هنا.")
        case .noSuchSol:
            localized(
                en: "There is no such sol. Choose another one.", de: "So einen Sol gibt es nicht. Bitte einen anderen wählen.",
                zh: "沒有這個火星日，請選擇其他的。", ar: "لا يوجد يوم مريخي كهذا. اختر غيره.")
        case .noSuchPhoto:
            localized(
                en: "This photo is not among those of its sol.", de: "Dieses Foto ist nicht unter denen seines Sols.", zh: "這個火星日沒有這張照片。",
                ar: "ليست هذه الصورة بين صور يومها المريخي.")
        case .notFound:
            localized(
                en: "There is nothing at this address.", de: "Unter dieser Adresse gibt es nichts.", zh: "這個網址沒有任何內容。",
                ar: "لا يوجد شيء في هذا العنوان.")
        case .noSuchScreen:
            localized(en: "There is no such screen.", de: "So eine Ansicht gibt es nicht.", zh: "沒有這個畫面。", ar: "لا توجد شاشة كهذه.")
        case .sessionGone:
            localized(
                en: "This page is not known any more.", de: "Diese Seite ist nicht mehr bekannt.", zh: "這個頁面已經失效。",
                ar: "لم تعد هذه الصفحة معروفة.")
        case .tooManyPages:
            localized(
                en: "Too many pages are open.", de: "Es sind zu viele Seiten offen.", zh: "開啟的頁面太多。", ar: "الصفحات المفتوحة كثيرة جدًا.")
        case .crossOrigin:
            localized(
                en: "Only pages of this server may do this.", de: "Das dürfen nur Seiten dieses Servers.", zh: "只有這部伺服器的頁面可以這麼做。",
                ar: "لا يُسمح بهذا إلا لصفحات هذا الخادم.")
        case .hostNotAllowed:
            localized(
                en: "This program does not answer to this name; started with --allowed-host and the name it does.",
                de: "Dieses Programm antwortet nicht auf diesen Namen; mit --allowed-host und dem Namen gestartet antwortet es.",
                zh: "這個程式不回應這個名稱；以 --allowed-host 加上這個名稱啟動後就會回應。",
                ar: "لا يجيب هذا البرنامج على هذا الاسم؛ وإذا شُغّل بالخيار \(isolated("--allowed-host")) مع الاسم أجاب عليه.")
        case .notStored:
            localized(
                en: "This could not be kept. Try again in a moment.", de: "Das ließ sich nicht vermerken. Gleich noch einmal versuchen.",
                zh: "無法儲存，請稍後再試。", ar: "تعذّر حفظ هذا. حاول مجددًا بعد قليل.")
        case .diskFull:
            localized(
                en: "The disk of this program is full, so nothing can be marked.",
                de: "Das Speichermedium dieses Programms ist voll, deshalb lässt sich nichts vermerken.",
                zh: "這個程式的磁碟已滿，無法標記任何內容。", ar: "قرص هذا البرنامج ممتلئ، فلا يمكن وضع أي علامة.")
        case .malformedRequest: localized(en: "This cannot be read.", de: "Das ist nicht lesbar.", zh: "無法讀取。", ar: "تتعذّر قراءة هذا.")
        case .contentTooLarge:
            localized(
                en: "That is more than a page has to say.", de: "Das ist mehr, als eine Seite zu sagen hat.", zh: "內容超過一個頁面應有的長度。",
                ar: "هذا أكثر مما لدى صفحة أن تقوله.")
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
            error, de: "kein Bild, sondern \(type ?? "etwas ohne Typ")", zh: type.map { "不是圖片，而是 \($0)" } ?? "不是圖片，且未註明類型",
            ar: type == nil ? "ليست صورة، بل شيء بلا نوع" : "ليست صورة، بل \(isolated)")
    }
}
