import Foundation
import LadingHTTP

// What is wrong with the body of a request or of a reply.
extension Texts {
    func words(for error: RequestBodyError) -> String {
        switch error {
        case .noFile(let path):
            say(error, de: "es gibt keine Datei \(path)", zh: "沒有檔案 \(path)", ar: "لا يوجد ملف \(isolated(path))")
        case .notAFile(let path): say(error, de: "\(path) ist keine Datei", zh: "\(path) 不是檔案", ar: "\(isolated(path)) ليس ملفًا")
        case .unreadable(let path, let code):
            say(
                error, de: "\(path) ist nicht lesbar (\(code))", zh: "無法讀取 \(path)（\(code)）", ar: "تعذّرت قراءة \(isolated(path)) (\(code))")
        case .outOfRange(let path, let size):
            say(
                error, de: "\(path) endet nach \(bytes(size))", zh: "\(path) 只有 \(bytes(size))",
                ar: "ينتهي \(isolated(path)) بعد \(isolated(bytes(size)))")
        case .wrongLength(let count, let announced):
            say(
                error, de: "der Inhalt ist \(bytes(count)) lang, angekündigt waren \(bytes(announced))",
                zh: "內容長度為 \(bytes(count))，但宣告的是 \(bytes(announced))",
                ar: "طول المحتوى \(isolated(bytes(count)))، والمعلن \(isolated(bytes(announced)))")
        case .tooLong(let limit):
            say(
                error, de: "der Inhalt ist länger als \(bytes(limit))", zh: "內容超過 \(bytes(limit))",
                ar: "المحتوى أطول من \(isolated(bytes(limit)))")
        }
    }

    func words(for error: EventStreamError) -> String {
        switch error {
        case .eventTooLong(let limit):
            say(
                error, de: "ein Ereignis ist länger als \(bytes(limit))", zh: "有事件超過 \(bytes(limit))",
                ar: "أحد الأحداث أطول من \(isolated(bytes(limit)))")
        case .otherType(let type?):
            say(
                error, de: "die Antwort ist kein Ereignisstrom, sondern \(type)", zh: "回應不是事件串流，而是 \(type)",
                ar: "الردّ ليس تدفق أحداث بل \(isolated(type))")
        case .otherType(nil):
            say(
                error, de: "die Antwort ist kein Ereignisstrom und nennt keinen Typ", zh: "回應不是事件串流，且未註明類型",
                ar: "الردّ ليس تدفق أحداث ولا يذكر نوعًا")
        }
    }

    func words(for error: BearerTokenInterceptor.Failure) -> String {
        say(
            error, de: "die Anmeldung ist gescheitert: \(words(for: error.cause))", zh: "無法登入：\(words(for: error.cause))",
            ar: "تعذّر تسجيل الدخول: \(words(for: error.cause))")
    }

    func words(for error: ReplyDecodingError) -> String {
        let place = error.path.isEmpty ? "" : "\(isolated(error.path)): "
        return say(en: "\(error)", de: place + problem(error), zh: place + problem(error), ar: place + problem(error))
    }

    private func problem(_ error: ReplyDecodingError) -> String {
        switch error.cause {
        case .keyNotFound: say(error, de: "fehlt", zh: "缺少這個欄位", ar: "غير موجود")
        case .valueNotFound(let type, _):
            say(error, de: "ist null statt \(type)", zh: "是 null，應為 \(type)", ar: "قيمته null والمطلوب \(isolated("\(type)"))")
        case .typeMismatch(let type, _): say(error, de: "ist kein \(type)", zh: "不是 \(type)", ar: "ليس \(isolated("\(type)"))")
        case .dataCorrupted(let context):
            say(
                error, de: "ist beschädigt: \(context.debugDescription)", zh: "資料毀損：\(context.debugDescription)",
                ar: "تالف: \(isolated(context.debugDescription))")
        @unknown default: say(error, de: "ist nicht lesbar", zh: "無法讀取", ar: "تعذّرت قراءته")
        }
    }
}
