/// What the templates of the photos are rendered with.
extension TemplateContext {
    /// One rover, to be chosen.
    struct RoverCard: TemplateFields {
        let href: String
        let title: String
        let status: String?
        let landingDate: String?
        let latest: String?
        let total: String?
    }

    struct Rovers: TemplateFields {
        let backURL = "/"
        let cards: [RoverCard]
        /// Why more is not known of them.
        let error: String?
        let details: String?
        /// How long ago they were stored; nil when the source has just told of them.
        let stored: String?
        let texts: LocalizedStrings
    }

    struct PhotoCell: TemplateFields {
        let id: String
        /// The id as a part of an element's, in which no space may stand.
        let elementID: String
        var index = 0
        var position = 1
        var size = -1
        let state: String
        let href: String
        let label: String
        let caption: String
        let image: CellImage?
        /// Whether the picture is still to come.
        let busy: Bool
        /// How much of it has come, in percent.
        let percent: Int?
        let retrying: RetryNotice?
        let failed: Failure?
        let texts: LocalizedStrings
    }

    /// The picture of a cell: for screens with one pixel in a point, and with more.
    struct CellImage: TemplateFields {
        let small: String
        let large: String
        /// Whether the browser loads it when it is looked at, because nobody else knows when that is.
        let lazy: Bool
    }

    /// How another sol, or one camera of this one, is chosen.
    struct SolChoice: TemplateFields {
        let rover: String
        let path: String
        let sol: String
        /// The day on Earth, as a field of a form has it.
        let date: String
        let camera: String
        /// nil where it is known that there is none.
        let previous: String?
        let next: String?
        let cameras: [CameraChoice]
        let texts: LocalizedStrings
    }

    struct CameraChoice: TemplateFields {
        let href: String
        let name: String
        let title: String
        let isOn: Bool
    }

    /// Fields that a list has are named as they are in `List`.
    struct PhotoGrid: TemplateFields {
        let backURL = "/photos"
        let screen = "photos"
        let path: String
        let heading: String
        let label: String
        let busy: Bool
        let first: FirstLoad
        let error: String?
        /// What the program says of the error.
        let errorDetails: String?
        let range: String?
        let note: String?
        let fetchedAt: Int?
        let empty: String?
        let window: String
        let list: Int
        let count: Int
        let size: Int
        let from: Int
        let rows: [PhotoCell]
        let refresh: Reload
        let choice: SolChoice
        let plain: Bool
        let previousURL: String?
        let nextURL: String?
        let texts: LocalizedStrings
    }

    struct Photo: TemplateFields {
        let backURL: String
        let heading: String
        let title: String
        let imageURL: String
        /// A small version that is there already.
        let preview: String?
        let fileName: String
        let saveQuestion: String
        let previous: String?
        let next: String?
        /// The pictures of the neighbours, for those who have time to load them.
        let adjacentImageURLs: String
        let detailItems: [DetailItem]
        let texts: LocalizedStrings
    }
}
