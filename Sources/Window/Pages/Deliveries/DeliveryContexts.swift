import Deliveries
import DemoCity
import Foundation
import LadingFeeds

/// Makes contexts of deliveries: what a row and a page of its own say, in the words of one language.
struct DeliveryContexts: Sendable {
    let texts: Texts
    /// The zone of the server, in which times without a zone of their own are written for readers without scripts.
    let timeZone: TimeZone
    let legend: MapLegend
    let now: @Sendable () -> Date
    /// The point that distances are measured from; nil in rows that all pages share.
    var near: GeographicPoint?
    /// The pictures that are requested again.
    var missing = MissingPictures()

    // MARK: Rows

    /// The row of a delivery on its own; an event carries its place beside it.
    func row(_ content: DeliveryContent) -> TemplateContext.DeliveryRow {
        let delivery = content.delivery
        let title = title(of: delivery).clipped(to: 200)
        return TemplateContext.DeliveryRow(
            id: delivery.id.description, element: delivery.id.description.asURLComponent, href: delivery.href, title: title,
            place: place(of: delivery)?.clipped(to: 200), picture: picture(of: delivery), pickup: pickup(of: delivery),
            point: delivery.location?.description,
            distance: texts.distance(from: near, to: delivery.location), fee: delivery.fee?.text.clipped(to: 40),
            favourite: favourite(content, title), texts: texts.plain)
    }

    /// The later version of the service gives deliveries no title: there they go by their route.
    func title(of delivery: Delivery) -> String {
        if !delivery.title.isEmpty { return delivery.title }
        if let route = delivery.route, !route.start.isEmpty, !route.end.isEmpty { return texts.route(from: route.start, to: route.end) }
        return delivery.address ?? delivery.sender?.name ?? texts.delivery(delivery.id)
    }

    private func place(of delivery: Delivery) -> String? {
        if delivery.title.isEmpty { return delivery.sender.map { texts.sent(by: $0.name) } }
        return delivery.address.map(texts.place)
    }

    private func favourite(_ content: DeliveryContent, _ title: String) -> TemplateContext.Favourite {
        let delivery = content.delivery
        return TemplateContext.Favourite(
            id: delivery.id.description, action: "\(delivery.href)/favourite", isFavourite: delivery.isFavourite,
            label: texts.favourite(title, isWaiting: content.isMarkWaiting), unsent: content.isMarkWaiting ? texts.plain.markUnsent : nil)
    }

    private func picture(of delivery: Delivery) -> String? { delivery.pictureURL?.again(pictureRound(of: delivery)) }

    /// Counts the addresses under which the picture of a delivery was requested again.
    func pictureRound(of delivery: Delivery) -> Int { delivery.picture.map(missing.round) ?? 0 }

    // MARK: Details

    func page(_ record: StoredRecord<Delivery>, version: Int, window: String) -> TemplateContext.DeliveryPage {
        let content = DeliveryContent(record)
        let delivery = content.delivery
        let (title, place) = (title(of: delivery), delivery.location)
        let map = map(of: delivery, title)
        return TemplateContext.DeliveryPage(
            window: window, version: version, id: delivery.id.description, heading: texts.plain.delivery, title: title,
            picture: picture(of: delivery), map: map, noMap: map == nil ? noMap(of: place) : nil, address: delivery.address,
            navigateURL: place?.navigateURL, webMapURL: place?.webMapURL, favourite: favourite(content, title), facts: facts(of: delivery),
            sender: delivery.sender.map(sender), remarks: delivery.remarks.isEmpty ? nil : delivery.remarks, texts: texts.plain)
    }

    private func map(of delivery: Delivery, _ title: String) -> TemplateContext.Map? {
        guard let location = delivery.location else { return nil }
        let pin = Coordinate(latitude: location.latitude, longitude: location.longitude)
        guard legend.shows(pin, address: delivery.address ?? delivery.route?.end) else { return nil }
        return MapView(pin: pin, radius: 0)?
            .context(label: texts.map(of: title, at: delivery.address ?? ""), address: delivery.address, legend: legend, texts.plain)
    }

    private func noMap(of place: GeographicPoint?) -> TemplateContext.NoMap {
        TemplateContext.NoMap(message: place == nil ? texts.plain.noLocation : texts.plain.noMap, coordinates: place?.coordinates)
    }

    private func facts(of delivery: Delivery) -> [TemplateContext.Fact] {
        let plain = texts.plain
        let pickup = pickup(of: delivery).map { TemplateContext.Fact(icon: "clock", name: plain.pickup, text: $0.text, time: $0) }
        let place: [(String, String, String?)] = [("pin", plain.address, delivery.address)]
        let others: [(String, String, String?)] = [
            ("up", plain.routeStart, delivery.route?.start),
            ("navigate", plain.routeEnd, delivery.route?.end == delivery.address ? nil : delivery.route?.end),
            ("price", plain.fee, delivery.fee?.text),
            ("price", plain.surcharge, delivery.surcharge.flatMap { $0.amount?.hundredths == 0 ? nil : $0.text }),
        ]
        func facts(_ all: [(String, String, String?)]) -> [TemplateContext.Fact] {
            all.compactMap { icon, name, text in
                text.flatMap { $0.isEmpty ? nil : TemplateContext.Fact(icon: icon, name: name, text: $0) }
            }
        }
        return facts(place) + [pickup].compactMap { $0 } + facts(others)
    }

    private func sender(_ sender: DeliverySender) -> TemplateContext.Sender {
        TemplateContext.Sender(
            name: sender.name.isEmpty ? nil : sender.name, phone: sender.phone.isEmpty ? nil : sender.phone, phoneURL: sender.phoneURL,
            email: sender.email.isEmpty ? nil : sender.email, emailURL: sender.emailURL)
    }

    private func pickup(of delivery: Delivery) -> TemplateContext.Time? {
        delivery.pickup.map { pickup in
            let time = ShownTime(pickup, offset: delivery.pickupOffset)
            return TemplateContext.Time(time, texts.time(time, at: now(), serverZone: timeZone))
        }
    }
}

/// The content of a delivery on pages: its document, and the marks that were made here.
struct DeliveryContent: Hashable, Sendable {
    let delivery: Delivery
    /// Whether its favourite mark is not sent yet.
    let isMarkWaiting: Bool

    init(_ record: StoredRecord<Delivery>) {
        delivery = record.shown
        isMarkWaiting = record.favouriteMark?.isWaiting ?? false
    }
}

extension Delivery {
    /// Where its page is.
    var href: String { "/deliveries/\(id.description.asURLComponent)" }

    /// Where the window has its picture. Another picture has another address: none is ever shown in the place of another.
    var pictureURL: String? { picture.map { "\(href)/picture?v=\($0.absoluteString.fingerprint)" } }
}

extension DeliverySender {
    /// Digits and a plus sign alone, whatever a server sent (RFC 3966); nil when too few are left to call.
    fileprivate var phoneURL: String? {
        let digits = phone.unicodeScalars.filter { ("0"..."9").contains($0) || $0 == "+" }
        return digits.count > 2 ? "tel:\(String(String.UnicodeScalarView(digits)))" : nil
    }

    /// The address with everything escaped that is not plain (RFC 6068); nil when it is none.
    fileprivate var emailURL: String? {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        return "mailto:" + parts.map { String($0).asURLComponent }.joined(separator: "@")
    }
}

extension String {
    /// A short text that is another one for another text: FNV-1a in 64 bits.
    var fingerprint: String {
        let hash = utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
