import Deliveries
import Foundation
import JSONWriting
import LadingHTTP
import LadingRecords

/// A stored delivery as JSON, with its keys in alphabetical order.
enum DeliveryLine {
    static func json(_ record: StoredRecord<Delivery>) -> String {
        var writer = JSONWriter(.short)
        writer.object { writer in
            record.withLocalChanges.write(to: &writer)
            writer.field("stored", record.storedAt.formatted(.iso8601))
        }
        return writer.text
    }
}

extension Delivery {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.field("address", address)
        writer.field("fee", fee?.text)
        writer.field("id", id.description)
        writer.field("isFavourite", flag: isFavourite)
        writer.field("latitude", number: location?.latitude)
        writer.field("longitude", number: location?.longitude)
        writer.field("picture", imageURL?.redacted)
        writer.field("pickup", pickup?.formatted(.iso8601))
        writer.field("remarks", remarks)
        writer.field("routeEnd", route?.end)
        writer.field("routeStart", route?.start)
        writer.field("senderEmail", sender?.email)
        writer.field("senderName", sender?.name)
        writer.field("senderPhone", sender?.phone)
        writer.field("surcharge", surcharge?.text)
        writer.field("title", title)
    }
}
