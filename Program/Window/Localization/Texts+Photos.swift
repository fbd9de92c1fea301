import Foundation
import MarsPhotos
import Thumbnails

extension Texts {
    func sol(_ sol: Sol) -> String {
        localized(en: "Sol \(sol)", de: "Sol \(sol)", zh: "第 \(sol) 火星日", ar: "اليوم المريخي \(isolated("\(sol)"))")
    }

    func photos(_ count: Int) -> String {
        plural(
            count, en: TwoForms(zero: "No photos", one: "# photo", other: "# photos"),
            de: TwoForms(zero: "Keine Fotos", one: "# Foto", other: "# Fotos"), zh: OneForm(zero: "沒有照片", other: "# 張照片"),
            ar: ArabicForms(zero: "لا توجد صور", one: "صورة واحدة", two: "صورتان", few: "# صور", many: "# صورة", other: "# صورة"))
    }

    func newPhotos(_ count: Int) -> String {
        plural(
            count, en: TwoForms(one: "# new photo", other: "# new photos"), de: TwoForms(one: "# neues Foto", other: "# neue Fotos"),
            zh: OneForm(other: "# 張新照片"),
            ar: ArabicForms(
                zero: "لا توجد صور جديدة", one: "صورة جديدة واحدة", two: "صورتان جديدتان", few: "# صور جديدة", many: "# صورة جديدة",
                other: "# صورة جديدة"))
    }

    /// Returns the note that some entries of a list were invalid.
    func skippedPhotos(_ count: Int) -> String {
        plural(
            count, en: TwoForms(one: "# photo could not be read and was left out", other: "# photos could not be read and were left out"),
            de: TwoForms(one: "# Foto war nicht lesbar und fehlt", other: "# Fotos waren nicht lesbar und fehlen"),
            zh: OneForm(other: "# 張照片無法讀取，未列出"),
            ar: ArabicForms(
                zero: "لم تُستبعد أي صورة", one: "تعذّرت قراءة صورة واحدة فاستُبعدت", two: "تعذّرت قراءة صورتين فاستُبعدتا",
                few: "تعذّرت قراءة # صور فاستُبعدت", many: "تعذّرت قراءة # صورة فاستُبعدت", other: "تعذّرت قراءة # صورة فاستُبعدت"))
    }

    func photo(_ key: String) -> String {
        localized(en: "Photo \(key)", de: "Foto \(key)", zh: "照片 \(key)", ar: "الصورة \(isolated(key))")
    }

    /// Returns the message for a sol without photos, with a suggestion.
    func noPhotos(_ rover: String, _ sol: String) -> String {
        localized(
            en: "\(rover) took no photos on \(sol). Go to the previous or next sol.",
            de: "\(rover) hat an \(sol) keine Fotos gemacht. Zum vorigen oder nächsten Sol wechseln.",
            zh: "\(rover)在\(sol)沒有拍照。請前往前一個或後一個火星日。",
            ar: "لم تلتقط \(isolated(rover)) صورًا في \(sol). انتقل إلى اليوم السابق أو التالي.")
    }

    /// Returns the message for a sol without photos of a camera, with a suggestion.
    func noPhotos(_ rover: String, _ sol: String, of camera: String) -> String {
        localized(
            en: "\(camera) of \(rover) took no photos on \(sol). Show all cameras, or go to another sol.",
            de: "\(camera) von \(rover) hat an \(sol) keine Fotos gemacht. Alle Kameras zeigen oder zu einem anderen Sol wechseln.",
            zh: "\(rover)的 \(camera) 在\(sol)沒有拍照。請顯示所有相機或前往其他火星日。",
            ar: "لم تلتقط \(isolated(camera)) من \(isolated(rover)) صورًا في \(sol). اعرض كل الكاميرات أو انتقل إلى يوم آخر.")
    }

    /// Returns the message for a sol after the last one, with that sol.
    func solAfterLast(_ sol: String, of rover: String, last: String) -> String {
        localized(
            en: "\(sol) is after the last photos of \(rover), which are from \(last). Go to the previous sol.",
            de: "\(sol) liegt nach den letzten Fotos von \(rover) (\(last)). Zum vorigen Sol wechseln.",
            zh: "\(sol)晚於\(rover)最後的照片（\(last)）。請前往前一個火星日。",
            ar: "\(sol) بعد آخر صور \(isolated(rover))، وهي من \(last). انتقل إلى اليوم السابق.")
    }

    func saveQuestion(_ name: String) -> String {
        localized(
            en: "Save this photo as \(name)?", de: "Dieses Foto als \(name) speichern?", zh: "要將這張照片儲存為 \(name) 嗎？",
            ar: "هل تريد حفظ هذه الصورة باسم \(isolated(name))؟")
    }

    /// Returns a localized date.
    func day(_ date: EarthDate) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        guard let date = calendar.date(from: DateComponents(year: date.year, month: date.month, day: date.day)) else { return "\(date)" }
        return date.formatted(
            Date.FormatStyle(locale: language.locale, calendar: calendar, timeZone: .gmt).day().month(.wide).year())
    }
}

// MARK: - Reasons

extension Texts {
    func message(for error: PhotoError) -> String {
        switch error {
        case .unknownRover(let name):
            localized(
                error, de: "es gibt keinen Rover \(name)", zh: "沒有名為 \(name) 的探測車",
                ar: "لا توجد مركبة باسم \(isolated(name))")
        }
    }

    func message(for error: PhotoDocumentError) -> String {
        switch error {
        case .empty: localized(error, de: "das Dokument ist leer", zh: "文件是空的", ar: "المستند فارغ")
        case .webPage:
            localized(
                error, de: "statt eines JSON-Dokuments kam eine Webseite", zh: "這是網頁，應為 JSON 文件",
                ar: "هذه صفحة ويب، والمتوقع مستند JSON")
        case .malformed(let reason):
            localized(
                error, de: "ungültiges JSON: \(reason)", zh: "無效的 JSON：\(reason)", ar: "صيغة JSON غير صحيحة: \(isolated(reason))")
        case .missing(let name):
            localized(error, de: "dem Dokument fehlt „\(name)“", zh: "文件缺少「\(name)」", ar: "ينقص المستند «\(isolated(name))»")
        case .tooManyEntries(let limit):
            localized(
                error, de: "das Dokument hat mehr als \(number(limit)) Einträge", zh: "文件超過 \(number(limit)) 筆",
                ar: "في المستند أكثر من \(number(limit)) مدخلة")
        }
    }

    func message(for error: MarsImageError) -> String {
        switch error {
        case .empty: message(for: ImageDecodingError.empty, original: error)
        case .webPage: message(for: ImageDecodingError.webPage, original: error)
        case .unknownFormat: message(for: ImageDecodingError.unknownFormat, original: error)
        case .truncated: message(for: ImageDecodingError.truncated, original: error)
        case .malformed(let reason): message(for: ImageDecodingError.malformed(reason: reason), original: error)
        case .tooLong(let limit):
            localized(
                error, de: "das Bild ist länger als \(bytes(limit))", zh: "圖片超過 \(bytes(limit))", ar: "الصورة أكبر من \(bytes(limit))")
        case .tooManyPixels(let limit):
            localized(
                error, de: "das Bild hat mehr als \(number(limit)) Pixel", zh: "圖片超過 \(number(limit)) 像素",
                ar: "في الصورة أكثر من \(number(limit)) بكسل")
        }
    }

    func message(for error: ImageDecodingError) -> String { message(for: error, original: error) }

    /// Returns the message for an image that cannot be decoded.
    ///
    /// - Parameter original: The error whose English description is used.
    private func message(for error: ImageDecodingError, original: any Error) -> String {
        switch error {
        case .empty: localized(original, de: "das Bild ist leer", zh: "圖片是空的", ar: "الصورة فارغة")
        case .tooLong(let count):
            localized(
                original, de: "das Bild ist mit \(bytes(count)) zu groß", zh: "圖片過大：\(bytes(count))",
                ar: "الصورة كبيرة جدًا: \(bytes(count))")
        case .webPage: localized(original, de: "statt eines Bildes kam eine Webseite", zh: "這是網頁，不是圖片", ar: "هذه صفحة ويب وليست صورة")
        case .unknownFormat: localized(original, de: "unbekanntes Bildformat", zh: "圖片格式不明", ar: "صيغة الصورة غير معروفة")
        case .noPixels: localized(original, de: "das Bild hat keine Pixel", zh: "圖片沒有像素", ar: "لا بكسلات في الصورة")
        case .tooManyPixels(let size):
            localized(
                original, de: "das Bild ist mit \(size.width) × \(size.height) Pixeln zu groß",
                zh: "圖片過大：\(size.width) × \(size.height) 像素", ar: "الصورة كبيرة جدًا: \(size.width) × \(size.height) بكسل")
        case .truncated: localized(original, de: "das Bild ist unvollständig", zh: "圖片不完整", ar: "الصورة غير مكتملة")
        case .malformed(let reason):
            localized(original, de: "das Bild ist beschädigt: \(reason)", zh: "圖片已損壞：\(reason)", ar: "الصورة تالفة: \(isolated(reason))")
        case .outOfMemory:
            localized(original, de: "nicht genug Arbeitsspeicher für das Bild", zh: "記憶體不足，無法處理圖片", ar: "الذاكرة لا تكفي للصورة")
        }
    }
}
