import HTTPTypes

extension ResponseHead {
    /// Whether a repetition of the request may succeed after a while.
    package var isTransientFailure: Bool {
        switch status.code {
        case 408, 425, 429, 500, 502, 503, 504: true
        default: false
        }
    }
}
