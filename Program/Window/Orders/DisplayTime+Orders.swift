import Foundation
import Orders

extension DisplayTime {
    /// Returns nil when there is no such day.
    init?(_ components: DeliveryDateComponents) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = DateComponents(year: components.year, month: components.month, day: components.day, minute: components.minuteOfDay ?? 0)
        guard let localTime = calendar.date(from: day) else { return nil }
        let zone: Zone =
            switch components.zone {
            case .local: .local
            case .offset(let seconds): .offset(seconds)
            case .utc: .browser
            }
        self.init(localTime: localTime, zone: zone, hasTime: components.minuteOfDay != nil)
    }
}
