import Foundation
import LadingRecording

// Messages of errors in recordings that are replayed instead of requests.
extension Texts {
    func message(for error: RecordingError) -> String {
        switch error {
        case .noRecording(let method, let url):
            localized(
                error, de: "für \(method) \(url) wurde nichts aufgezeichnet", zh: "沒有 \(method) \(url) 的錄製內容",
                ar: "لم يُسجَّل شيء للطلب \(isolated("\(method) \(url)"))")
        case .writeFailed(let file, _):
            localized(
                error, de: "die Aufzeichnung \(file.path) ist nicht beschreibbar", zh: "無法錄製到 \(file.path)",
                ar: "تعذّر التسجيل في \(isolated(file.path))")
        case .readFailed(let file, _):
            localized(
                error, de: "die Aufzeichnung \(file.path) ist nicht lesbar", zh: "無法讀取錄製檔 \(file.path)",
                ar: "تعذّرت قراءة التسجيل \(isolated(file.path))")
        case .corrupt(let file, _):
            localized(
                error, de: "die Aufzeichnung \(file.path) ist beschädigt", zh: "錄製檔 \(file.path) 已損壞",
                ar: "التسجيل \(isolated(file.path)) تالف")
        case .unknownFormat(let file, let format):
            localized(
                error, de: "die Aufzeichnung \(file.path) hat das Format \(number(format)) einer späteren Version",
                zh: "錄製檔 \(file.path) 的格式 \(number(format)) 屬於更新的版本",
                ar: "صيغة التسجيل \(isolated(file.path)) هي \(number(format))، من إصدار أحدث")
        case .truncated(let url):
            localized(
                error, de: "die Aufzeichnung der Antwort von \(url) ist unvollständig, weil sie nicht zu Ende gelesen wurde",
                zh: "\(url) 的錄製內容不完整，因為回應未讀取完畢", ar: "تسجيل ردّ \(isolated(url)) غير مكتمل لأن الردّ لم يُقرأ إلى نهايته")
        case .tooMany(let directory, let limit):
            localized(
                error, de: "\(directory.path) hat mehr als \(number(limit)) Aufzeichnungen",
                zh: "\(directory.path) 中的錄製檔超過 \(number(limit)) 個",
                ar: "في \(isolated(directory.path)) أكثر من \(number(limit)) تسجيل")
        }
    }
}
