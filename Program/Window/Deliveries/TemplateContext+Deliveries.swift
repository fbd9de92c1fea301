/// The contexts of the delivery templates.
extension TemplateContext {
    struct DeliveryRow: TemplateFields {
        let id: String
        /// The id as part of an element's id, without spaces.
        let elementID: String
        var index = 0
        var position = 1
        var size = -1
        var odd = false
        let href: String
        let title: String
        let subtitle: String?
        let imageURL: String?
        let pickup: Time?
        /// The destination, from which the page's script computes the distance.
        let point: String?
        let distance: String
        let fee: String?
        let favourite: Favourite
        let texts: LocalizedStrings
    }

    /// A favourite mark, and the form that toggles it.
    struct Favourite: TemplateFields {
        let id: String
        let action: String
        let isFavourite: Bool
        let label: String
        /// The note that the server does not have the mark yet; nil when it does.
        let unsent: String?
    }

    struct DeliveryPage: TemplateFields {
        let backURL = "/deliveries"
        let sessionID: String
        let version: Int
        let id: String
        let heading: String
        let title: String
        let imageURL: String?
        /// The map; nil when there is none of the place.
        let map: Map?
        let noMap: NoMap?
        let address: String?
        let navigationURL: String?
        let webMapURL: String?
        let favourite: Favourite
        let detailItems: [DetailItem]
        let sender: Sender?
        let remarks: String?
        let texts: LocalizedStrings
    }

    struct DetailItem: TemplateFields {
        let icon: String
        let name: String
        let text: String
        /// The time that the text shows.
        var time: Time?
    }

    struct Sender: TemplateFields {
        let name: String?
        let phone: String?
        let phoneURL: String?
        let email: String?
        let emailURL: String?
    }
}
