import Foundation
import LadingHTTP

// Messages of errors in request and response bodies.
extension Texts {
    func message(for error: RequestBodyError) -> String {
        switch error {
        case .fileNotFound(let path):
            localized(error, de: "es gibt keine Datei \(path)", zh: "沒有檔案 \(path)", ar: "لا يوجد ملف \(isolated(path))")
        case .notRegularFile(let path):
            localized(error, de: "\(path) ist keine Datei", zh: "\(path) 不是檔案", ar: "\(isolated(path)) ليس ملفًا")
        case .unreadable(let path, let code):
            localized(
                error, de: "\(path) ist nicht lesbar (\(code))", zh: "無法讀取 \(path)（\(code)）", ar: "تعذّرت قراءة \(isolated(path)) (\(code))")
        case .outOfRange(let path, let size):
            localized(
                error, de: "\(path) endet nach \(bytes(size))", zh: "\(path) 只有 \(bytes(size))",
                ar: "ينتهي \(isolated(path)) بعد \(isolated(bytes(size)))")
        case .wrongLength(let count, let announced):
            localized(
                error, de: "der Inhalt ist \(bytes(count)) lang, angekündigt waren \(bytes(announced))",
                zh: "內容長度為 \(bytes(count))，但宣告的是 \(bytes(announced))",
                ar: "طول المحتوى \(isolated(bytes(count)))، والمعلن \(isolated(bytes(announced)))")
        case .tooLong(let limit):
            localized(
                error, de: "der Inhalt ist länger als \(bytes(limit))", zh: "內容超過 \(bytes(limit))",
                ar: "المحتوى أطول من \(isolated(bytes(limit)))")
        case .unsupportedMethod(let method):
            localized(
                error, de: "mit \(method) wird kein Inhalt gesendet", zh: "使用 \(method) 時不會傳送內容",
                ar: "لا يُرسل محتوى مع \(isolated(method))")
        }
    }

    func message(for error: EventStreamError) -> String {
        switch error {
        case .eventTooLong(let limit):
            localized(
                error, de: "ein Ereignis ist länger als \(bytes(limit))", zh: "有事件超過 \(bytes(limit))",
                ar: "أحد الأحداث أطول من \(isolated(bytes(limit)))")
        case .unexpectedContentType(let type?):
            localized(
                error, de: "die Antwort ist kein Ereignisstrom, sondern \(type)", zh: "回應不是事件串流，而是 \(type)",
                ar: "الردّ ليس تدفق أحداث بل \(isolated(type))")
        case .unexpectedContentType(nil):
            localized(
                error, de: "die Antwort ist kein Ereignisstrom und hat keinen Medientyp", zh: "回應不是事件串流，且沒有媒體類型",
                ar: "الردّ ليس تدفق أحداث وبلا نوع وسائط")
        }
    }

    func message(for error: BearerTokenInterceptor.Failure) -> String {
        localized(
            error, de: "die Anmeldung ist fehlgeschlagen: \(message(for: error.cause))", zh: "無法登入：\(message(for: error.cause))",
            ar: "تعذّر تسجيل الدخول: \(message(for: error.cause))")
    }

    func message(for error: ResponseDecodingError) -> String {
        let path = error.path.isEmpty ? "" : "\(isolated(error.path)): "
        return localized(
            en: "\(error)", de: path + decodingProblem(error), zh: path + decodingProblem(error), ar: path + decodingProblem(error))
    }

    private func decodingProblem(_ error: ResponseDecodingError) -> String {
        switch error.cause {
        case .keyNotFound: localized(error, de: "fehlt", zh: "缺少這個欄位", ar: "غير موجود")
        case .valueNotFound(let type, _):
            localized(error, de: "ist null statt \(type)", zh: "是 null，應為 \(type)", ar: "قيمته null والمطلوب \(isolated("\(type)"))")
        case .typeMismatch(let type, _): localized(error, de: "ist kein \(type)", zh: "不是 \(type)", ar: "ليس \(isolated("\(type)"))")
        case .dataCorrupted(let context):
            localized(
                error, de: "ist beschädigt: \(context.debugDescription)", zh: "資料毀損：\(context.debugDescription)",
                ar: "تالف: \(isolated(context.debugDescription))")
        @unknown default: localized(error, de: "ist nicht lesbar", zh: "無法讀取", ar: "تعذّرت قراءته")
        }
    }
}
