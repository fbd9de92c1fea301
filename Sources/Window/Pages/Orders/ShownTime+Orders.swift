import Foundation
import Orders

extension ShownTime {
    /// nil when there is no such day.
    init?(_ moment: DeliveryMoment) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = DateComponents(year: moment.year, month: moment.month, day: moment.day, minute: moment.minuteOfDay ?? 0)
        guard let wall = calendar.date(from: day) else { return nil }
        let clock: Clock =
            switch moment.clock {
            case .local: .local
            case .offset(let seconds): .offset(seconds)
            case .utc: .reader
            }
        self.init(wall: wall, clock: clock, hasTime: moment.minuteOfDay != nil)
    }
}
