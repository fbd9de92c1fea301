import Deliveries
import Foundation

extension Texts {
    func delivery(_ id: DeliveryID) -> String {
        localized(en: "Delivery \(id)", de: "Lieferung \(id)", zh: "配送 \(id)", ar: "التوصيلة \(isolated("\(id)"))")
    }

    func deliveries(_ count: Int) -> String {
        plural(
            count, en: TwoForms(zero: "No deliveries", one: "# delivery", other: "# deliveries"),
            de: TwoForms(zero: "Keine Lieferungen", one: "# Lieferung", other: "# Lieferungen"), zh: OneForm(zero: "沒有配送", other: "# 筆配送"),
            ar: ArabicForms(
                zero: "لا توجد توصيلات", one: "توصيلة واحدة", two: "توصيلتان", few: "# توصيلات", many: "# توصيلة", other: "# توصيلة"))
    }

    /// Returns the number of known deliveries of a list that may have more.
    func deliveriesSoFar(_ count: Int) -> String {
        plural(
            count, en: TwoForms(one: "# delivery so far", other: "# deliveries so far"),
            de: TwoForms(one: "Bisher # Lieferung", other: "Bisher # Lieferungen"), zh: OneForm(other: "目前 # 筆配送"),
            ar: ArabicForms(
                zero: "لا توصيلات حتى الآن", one: "توصيلة واحدة حتى الآن", two: "توصيلتان حتى الآن", few: "# توصيلات حتى الآن",
                many: "# توصيلة حتى الآن", other: "# توصيلة حتى الآن"))
    }

    func newDeliveries(_ count: Int) -> String {
        plural(
            count, en: TwoForms(one: "# new delivery", other: "# new deliveries"),
            de: TwoForms(one: "# neue Lieferung", other: "# neue Lieferungen"), zh: OneForm(other: "# 筆新配送"),
            ar: ArabicForms(
                zero: "لا توجد توصيلات جديدة", one: "توصيلة جديدة واحدة", two: "توصيلتان جديدتان", few: "# توصيلات جديدة",
                many: "# توصيلة جديدة", other: "# توصيلة جديدة"))
    }

    /// Returns the message for a list whose rows could not be read.
    func unreadableDeliveries(_ count: Int) -> String {
        plural(
            count, en: TwoForms(one: "# delivery couldn’t be read.", other: "# deliveries couldn’t be read."),
            de: TwoForms(one: "# Lieferung war nicht lesbar.", other: "# Lieferungen waren nicht lesbar."),
            zh: OneForm(other: "有 # 筆配送無法讀取。"),
            ar: ArabicForms(
                zero: "قُرئت كل التوصيلات.", one: "تعذّرت قراءة توصيلة واحدة.", two: "تعذّرت قراءة توصيلتين.",
                few: "تعذّرت قراءة # توصيلات.", many: "تعذّرت قراءة # توصيلة.", other: "تعذّرت قراءة # توصيلة."))
    }

    func noMatchingDelivery(_ search: String) -> String {
        localized(
            en: "No stored delivery matches “\(search)”.", de: "Keine gespeicherte Lieferung passt zu „\(search)“.",
            zh: "已儲存的配送中沒有符合「\(search)」的項目。", ar: "لا توجد توصيلة محفوظة تطابق «\(isolated(search))».")
    }

    /// Returns the destination of a delivery, to follow its title.
    func atAddress(_ address: String) -> String {
        localized(en: "at \(address)", de: "bei \(address)", zh: "地點：\(address)", ar: "في \(isolated(address))")
    }

    /// Returns the route of a delivery without a title.
    ///
    /// The text begins with a mark of the page's direction (UAX #9 §2.6), and its names are isolated: in an element with `dir="auto"` the
    /// arrow points from start to end, regardless of the names' script.
    func route(from start: String, to end: String) -> String {
        let (directionMark, arrow) = language.isRightToLeft ? ("\u{200F}", "←") : ("\u{200E}", "→")
        return "\(directionMark)\u{2068}\(start)\u{2069} \(arrow) \u{2068}\(end)\u{2069}"
    }

    func sent(by name: String) -> String {
        localized(en: "by \(name)", de: "von \(name)", zh: "寄件人：\(name)", ar: "من \(isolated(name))")
    }

    /// Returns the reason for which a favourite mark was reverted.
    func rejectionMessage(_ rejection: FavouriteRejection, title: String) -> String {
        let reason =
            switch rejection.reason {
            case .refused(let error): problem(for: error, subject: .favourite).text
            case .expired:
                localized(
                    en: "It couldn’t be sent in time.", de: "Das konnte nicht rechtzeitig gesendet werden.", zh: "未能及時送出。",
                    ar: "تعذّر الإرسال في الوقت المناسب.")
            }
        let failure = rejection.isFavourite ? strings.favouriteFailed : strings.removeFavouriteFailed
        return failure.replacing("{title}", with: isolated(title)) + localized(en: " ", de: " ", zh: "", ar: " ") + reason
    }

    /// Returns the label of the favourite button of a delivery.
    ///
    /// - Parameter isPending: Whether the server does not have the mark yet.
    func favouriteLabel(_ title: String, isPending: Bool) -> String {
        let label = localized(en: "Favourite: \(title)", de: "Favorit: \(title)", zh: "收藏：\(title)", ar: "المفضلة: \(isolated(title))")
        return isPending ? "\(label) (\(strings.favouritePending))" : label
    }
}
