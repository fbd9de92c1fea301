import Deliveries
import DemoCity
import Foundation
import LadingRecords

/// A factory of the template contexts of deliveries, for rows and detail pages, in one language.
struct DeliveryContexts: Sendable {
    let texts: Texts
    /// The zone of the server, used without scripts for times without a zone of their own.
    let timeZone: TimeZone
    let mapSource: MapSource
    let now: @Sendable () -> Date
    /// The point that distances are measured from; nil in rows that all pages share.
    var near: GeographicPoint?
    /// The images that are requested again.
    var failedImages = FailedImages()

    // MARK: Rows

    /// Returns the row of a delivery without its position, which an event has separately.
    func row(_ content: DeliveryContent) -> TemplateContext.DeliveryRow {
        let delivery = content.delivery
        let title = title(of: delivery).truncated(to: 200)
        return TemplateContext.DeliveryRow(
            id: delivery.id.description, elementID: delivery.id.description.percentEncodedComponent, href: delivery.href, title: title,
            subtitle: subtitle(of: delivery)?.truncated(to: 200), imageURL: imagePath(of: delivery), pickup: pickup(of: delivery),
            point: delivery.location?.description,
            distance: texts.distanceText(from: near, to: delivery.location), fee: delivery.fee?.text.truncated(to: 40),
            favourite: favourite(content, title), texts: texts.strings)
    }

    /// Returns the title of a delivery; in version 2 of the service, which has no titles, the route.
    func title(of delivery: Delivery) -> String {
        if !delivery.title.isEmpty { return delivery.title }
        if let route = delivery.route, !route.start.isEmpty, !route.end.isEmpty { return texts.route(from: route.start, to: route.end) }
        return delivery.address ?? delivery.sender?.name ?? texts.delivery(delivery.id)
    }

    private func subtitle(of delivery: Delivery) -> String? {
        if delivery.title.isEmpty { return delivery.sender.map { texts.sent(by: $0.name) } }
        return delivery.address.map(texts.atAddress)
    }

    private func favourite(_ content: DeliveryContent, _ title: String) -> TemplateContext.Favourite {
        let delivery = content.delivery
        return TemplateContext.Favourite(
            id: delivery.id.description, action: "\(delivery.href)/favourite", isFavourite: delivery.isFavourite,
            label: texts.favouriteLabel(title, isPending: content.isFavouritePending),
            unsent: content.isFavouritePending ? texts.strings.favouritePending : nil)
    }

    private func imagePath(of delivery: Delivery) -> String? { delivery.imagePath?.addingRetryCount(imageRetryCount(of: delivery)) }

    /// Returns the number of retries of a delivery's image.
    func imageRetryCount(of delivery: Delivery) -> Int { delivery.imageURL.map(failedImages.retryCount) ?? 0 }

    // MARK: Details

    func page(_ record: StoredRecord<Delivery>, version: Int, sessionID: String) -> TemplateContext.DeliveryPage {
        let content = DeliveryContent(record)
        let delivery = content.delivery
        let (title, location) = (title(of: delivery), delivery.location)
        let map = map(of: delivery, title)
        return TemplateContext.DeliveryPage(
            sessionID: sessionID, version: version, id: delivery.id.description, heading: texts.strings.delivery, title: title,
            imageURL: imagePath(of: delivery), map: map, noMap: map == nil ? noMap(of: location) : nil, address: delivery.address,
            navigationURL: location?.navigationURL, webMapURL: location?.webMapURL, favourite: favourite(content, title),
            detailItems: detailItems(of: delivery),
            sender: delivery.sender.map(sender), remarks: delivery.remarks.isEmpty ? nil : delivery.remarks, texts: texts.strings)
    }

    private func map(of delivery: Delivery, _ title: String) -> TemplateContext.Map? {
        guard let location = delivery.location else { return nil }
        let pin = Coordinate(latitude: location.latitude, longitude: location.longitude)
        guard mapSource.contains(pin, address: delivery.address ?? delivery.route?.end) else { return nil }
        return MapView(pin: pin, radius: 0)?
            .context(
                label: texts.mapLabel(title: title, address: delivery.address ?? ""), address: delivery.address, source: mapSource,
                texts.strings)
    }

    private func noMap(of location: GeographicPoint?) -> TemplateContext.NoMap {
        TemplateContext.NoMap(message: location == nil ? texts.strings.noLocation : texts.strings.noMap, coordinates: location?.coordinates)
    }

    private func detailItems(of delivery: Delivery) -> [TemplateContext.DetailItem] {
        let plain = texts.strings
        let pickup = pickup(of: delivery).map { TemplateContext.DetailItem(icon: "clock", name: plain.pickup, text: $0.text, time: $0) }
        let address: [(String, String, String?)] = [("pin", plain.address, delivery.address)]
        let others: [(String, String, String?)] = [
            ("up", plain.routeStart, delivery.route?.start),
            ("navigate", plain.routeEnd, delivery.route?.end == delivery.address ? nil : delivery.route?.end),
            ("price", plain.fee, delivery.fee?.text),
            ("price", plain.surcharge, delivery.surcharge.flatMap { $0.amount?.hundredths == 0 ? nil : $0.text }),
        ]
        func items(_ all: [(String, String, String?)]) -> [TemplateContext.DetailItem] {
            all.compactMap { icon, name, text in
                text.flatMap { $0.isEmpty ? nil : TemplateContext.DetailItem(icon: icon, name: name, text: $0) }
            }
        }
        return items(address) + [pickup].compactMap { $0 } + items(others)
    }

    private func sender(_ sender: DeliverySender) -> TemplateContext.Sender {
        TemplateContext.Sender(
            name: sender.name.isEmpty ? nil : sender.name, phone: sender.phone.isEmpty ? nil : sender.phone, phoneURL: sender.phoneURL,
            email: sender.email.isEmpty ? nil : sender.email, emailURL: sender.emailURL)
    }

    private func pickup(of delivery: Delivery) -> TemplateContext.Time? {
        delivery.pickup.map { pickup in
            let time = DisplayTime(pickup, offset: delivery.pickupOffset)
            return TemplateContext.Time(time, texts.time(time, now: now(), serverZone: timeZone))
        }
    }
}

/// The content of a delivery on pages: its document with local favourite marks applied.
struct DeliveryContent: Hashable, Sendable {
    let delivery: Delivery
    /// Whether its favourite mark is not sent yet.
    let isFavouritePending: Bool

    init(_ record: StoredRecord<Delivery>) {
        delivery = record.withLocalChanges
        isFavouritePending = record.localFavourite?.isPending ?? false
    }
}

extension Delivery {
    /// The path of the delivery's page.
    var href: String { "/deliveries/\(id.description.percentEncodedComponent)" }

    /// The path of the image, which differs between images, so that caches never mix them.
    var imagePath: String? { imageURL.map { "\(href)/picture?v=\($0.absoluteString.fingerprint)" } }
}

extension DeliverySender {
    /// The `tel:` URL with digits and plus signs only (RFC 3966); nil when too few characters remain.
    fileprivate var phoneURL: String? {
        let digits = phone.unicodeScalars.filter { ("0"..."9").contains($0) || $0 == "+" }
        return digits.count > 2 ? "tel:\(String(String.UnicodeScalarView(digits)))" : nil
    }

    /// The `mailto:` URL with percent-encoded parts (RFC 6068); nil when the address is invalid.
    fileprivate var emailURL: String? {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        return "mailto:" + parts.map { String($0).percentEncodedComponent }.joined(separator: "@")
    }
}

extension String {
    /// A short fingerprint of the text: FNV-1a in 64 bits.
    var fingerprint: String {
        let hash = utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
