/// What the templates of the deliveries are rendered with.
extension TemplateContext {
    struct DeliveryRow: TemplateFields {
        let id: String
        /// The id as a part of an element's, in which no space may stand.
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
        /// Where the delivery goes, from which a page works out how far that is.
        let point: String?
        let distance: String
        let fee: String?
        let favourite: Favourite
        let texts: LocalizedStrings
    }

    /// The mark of a favourite, and the form that turns it over.
    struct Favourite: TemplateFields {
        let id: String
        let action: String
        let isFavourite: Bool
        let label: String
        /// That the server does not have it yet; nil where it does.
        let unsent: String?
    }

    struct DeliveryPage: TemplateFields {
        let backURL = "/deliveries"
        let window: String
        let version: Int
        let id: String
        let heading: String
        let title: String
        let imageURL: String?
        /// nil where there is no map of the place.
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
        /// The moment that the text tells.
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
