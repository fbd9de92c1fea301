import Foundation
import LadingHTTP

// Messages of errors in the exchange with a server.
extension Texts {
    func message(for error: BackendError) -> String {
        let server = isolated(error.url.authority ?? error.url.redacted)
        let path = isolated(error.url.path)
        return switch error {
        case .unreachable: localized(error, de: "\(server) ist nicht erreichbar", zh: "無法連線到 \(server)", ar: "تعذّر الوصول إلى \(server)")
        case .timedOut(_, let limit): timedOut(error, server, after: duration(limit, in: [.minutes, .seconds, .milliseconds]))
        case .interrupted:
            localized(error, de: "die Verbindung zu \(server) ist abgebrochen", zh: "與 \(server) 的連線中斷", ar: "انقطع الاتصال بـ \(server)")
        case .malformedResponse:
            localized(
                error, de: "die Antwort von \(server) ist kein gültiges HTTP", zh: "\(server) 的回應不是有效的 HTTP",
                ar: "ردّ \(server) ليس HTTP سليمًا")
        case .status(404, _, _):
            localized(error, de: "nicht gefunden (404): \(path)", zh: "找不到（404）：\(path)", ar: "غير موجود (404): \(path)")
        case .status(let status, _, _): statusMessage(error, status, path)
        case .bodyTooLarge(_, let limit):
            localized(
                error, de: "die Antwort ist länger als \(bytes(limit))", zh: "回應超過 \(bytes(limit))",
                ar: "الردّ أطول من \(isolated(bytes(limit)))")
        case .bufferLimitExceeded(_, let limit): bufferLimitMessage(error, server, unread: isolated(bytes(limit)))
        case .tooManyRedirects(_, let limit):
            localized(
                error, de: "mehr als \(number(limit))-mal umgeleitet", zh: "重新導向超過 \(number(limit)) 次",
                ar: "تجاوز عدد مرات إعادة التوجيه \(number(limit))")
        case .policyViolation(let url, let violation): "\(message(for: violation))\(colon)\(isolated(url.redacted))"
        case .decodingFailed(let url, let cause): decodingMessage(error, isolated(url.lastPathComponent), cause: cause)
        case .circuitOpen:
            localized(
                error, de: "zu viele Fehler bei \(server) in letzter Zeit; Anfragen pausieren kurz",
                zh: "\(server) 最近失敗太多次，暫停傳送請求", ar: "تكرّر فشل \(server) مؤخرًا، وتوقفت الطلبات إليه مؤقتًا")
        }
    }

    func message(for objection: URLPolicy.Violation) -> String {
        switch objection {
        case .unsupportedScheme:
            localized(
                objection, de: "nur http- und https-Adressen werden geöffnet", zh: "只開啟 http 和 https 網址",
                ar: "لا تُفتح إلا عناوين http وhttps")
        case .missingHost: localized(objection, de: "die Adresse enthält keinen Server", zh: "網址沒有伺服器名稱", ar: "العنوان بلا خادم")
        case .privateAddress:
            localized(
                objection, de: "weder eine Liste noch eine Umleitung darf zu einer privaten Adresse eines anderen Servers führen",
                zh: "清單和重新導向都不得通往其他伺服器的私人位址", ar: "لا يجوز لقائمة ولا لإعادة توجيه أن تؤدي إلى عنوان خاص لخادم آخر")
        }
    }

    private func timedOut(_ error: BackendError, _ server: String, after limit: String) -> String {
        localized(
            error, de: "\(server) hat nicht innerhalb von \(limit) geantwortet", zh: "\(server) 在 \(limit)內沒有回應",
            ar: "لم يُجب \(server) خلال \(limit)")
    }

    private func statusMessage(_ error: BackendError, _ status: Int, _ path: String) -> String {
        var retryAfter: String?
        if let delay = error.retryAfter, delay > .zero { retryAfter = duration(delay, in: [.days, .hours, .minutes, .seconds]) }
        return localized(
            error,
            de: "der Server hat mit \(status) geantwortet\(retryAfter.map { " und verlangt \($0) Wartezeit" } ?? ""): \(path)",
            zh: "伺服器回應 \(status)\(retryAfter.map { "，請在 \($0)後重試" } ?? "")：\(path)",
            ar: "أجاب الخادم بـ \(isolated("\(status)"))\(retryAfter.map { "، وأعد المحاولة بعد \($0)" } ?? ""): \(path)")
    }

    private func bufferLimitMessage(_ error: BackendError, _ server: String, unread: String) -> String {
        localized(
            error, de: "\(server) sendete schneller, als gelesen wurde; abgebrochen mit \(unread) ungelesen",
            zh: "\(server) 傳送得比讀取快；剩下 \(unread) 未讀時中止", ar: "أرسل \(server) أسرع مما يُقرأ؛ توقّفت القراءة وبقي \(unread)")
    }

    private func decodingMessage(_ error: BackendError, _ file: String, cause: any Error) -> String {
        localized(
            error, de: "\(file) ist nicht lesbar: \(message(for: cause))", zh: "無法讀取 \(file)：\(message(for: cause))",
            ar: "تعذّرت قراءة \(file): \(message(for: cause))")
    }

    private var colon: String { localized(en: ": ", de: ": ", zh: "：", ar: ": ") }
}
