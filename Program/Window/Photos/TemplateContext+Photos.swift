/// The contexts of the photo templates.
extension TemplateContext {
    /// A rover to choose.
    struct RoverSummary: TemplateFields {
        let href: String
        let title: String
        let status: String?
        let landingDate: String?
        let latest: String?
        let total: String?
    }

    struct Rovers: TemplateFields {
        let backURL = "/"
        let cards: [RoverSummary]
        /// The error of the request for the list of rovers.
        let error: String?
        let details: String?
        /// The age of a stored list; nil when it was fetched just now.
        let stored: String?
        let texts: LocalizedStrings
    }

    struct PhotoCell: TemplateFields {
        let id: String
        /// The id as part of an element's id, without spaces.
        let elementID: String
        var index = 0
        var position = 1
        var size = -1
        let state: String
        let href: String
        let label: String
        let caption: String
        let image: CellImage?
        /// Whether the image is still loading.
        let busy: Bool
        /// The loaded part of the image, in percent.
        let percent: Int?
        let retrying: RetryNotice?
        let failed: Failure?
        let texts: LocalizedStrings
    }

    /// The image of a cell: for screens with one device pixel per point, and with more.
    struct CellImage: TemplateFields {
        let small: String
        let large: String
        /// Whether the browser loads the image lazily, on pages without scripts.
        let lazy: Bool
    }

    /// The form that selects another sol or a camera.
    struct SolChoice: TemplateFields {
        let rover: String
        let path: String
        let sol: String
        /// The date on Earth, in the format of a form field.
        let date: String
        let camera: String
        /// The path of the previous sol with photos; nil when there is none.
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

    /// The context of a grid. Its fields are named like those of `List`.
    struct PhotoGrid: TemplateFields {
        let backURL = "/photos"
        let screen = "photos"
        let path: String
        let heading: String
        let label: String
        let busy: Bool
        let first: FirstLoad
        let error: String?
        /// The technical details of the error.
        let errorDetails: String?
        let range: String?
        let note: String?
        let fetchedAt: Int?
        let empty: String?
        let sessionID: String
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
        /// The path of a thumbnail that is already loaded.
        let preview: String?
        let fileName: String
        let saveQuestion: String
        let previous: String?
        let next: String?
        /// The paths of the neighbours' images, for preloading.
        let adjacentImageURLs: String
        let detailItems: [DetailItem]
        let texts: LocalizedStrings
    }
}
