import Foundation

extension ObjectStoreError: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .invalidAddress(let rule):
            "the address of the object store is not valid: \(rule) (s3://BUCKET/PREFIX?endpoint=URL&region=NAME)"
        case .missingCredentials(let variable):
            "there are no credentials for the object store: set \(variable) in the environment"
        case .invalidCredentials(let variable):
            "the credentials in \(variable) are not valid: set the variable to the value alone, without spaces and line breaks"
        case .invalidKey: "the key of an object is not valid: use names between slashes, at most 1,024 bytes with the prefix"
        case .tooLarge(let limit):
            "an object exceeds the limit of \(limit.formatted(.byteCount(style: .memory))): use a smaller file"
        case .unreachable(let host, let reason):
            "the object store at \(host) cannot be reached\(reason): check its address, and that it runs"
        case .interrupted(let host): "the connection to the object store at \(host) was lost: try again"
        case .timedOut(let host): "the object store at \(host) did not respond in time: try again, and check its load"
        case .paused(let host): "requests to the object store at \(host) are paused after repeated failures: try again later"
        case .wrongRegion(let expected):
            expected.map { "the bucket is in another region: set region=\($0) in the address of the object store" }
                ?? "the bucket is in another region: set its region in the address of the object store"
        case .redirected(let host):
            "the object store redirects requests to \(host): correct the endpoint in its address, or try again later if the bucket is new"
        case .refused(let rejection): rejection.description
        case .invalidResponse(let host): "the server at \(host) does not respond as an object store: check the endpoint in the address"
        }
    }
}

extension ObjectStoreError.Rejection {
    private static let timeStyle = Duration.UnitsFormatStyle(
        allowedUnits: [.days, .hours, .minutes, .seconds], width: .abbreviated, maximumUnitCount: 2)

    fileprivate var description: String {
        switch code {
        case "NoSuchBucket": "the bucket \(bucket) does not exist (NoSuchBucket): create it, or correct the address of the object store"
        case "InvalidAccessKeyId": "the object store does not know the access key (InvalidAccessKeyId): check AWS_ACCESS_KEY_ID"
        case "SignatureDoesNotMatch":
            "the object store does not accept the signature (SignatureDoesNotMatch): check AWS_SECRET_ACCESS_KEY"
        case "ExpiredToken", "InvalidToken":
            "the object store does not accept the session token (\(reason)): set new temporary credentials, or unset AWS_SESSION_TOKEN"
        case "RequestTimeTooSkewed":
            "the clock of this machine \(clockProblem) (RequestTimeTooSkewed): set the clock, or synchronize it with NTP"
        case "InvalidObjectState": "the object is archived (InvalidObjectState): restore it in the object store"
        case _ where isStoreFull: "the object store is full (\(reason)): delete objects, or raise its limit"
        case _ where isTransient: "the object store has failed repeatedly (\(reason)): try again later"
        case _ where status == 403:
            "the object store denies \(action.text) in the bucket \(bucket) (\(reason)): allow \(action.permission) for the access key"
        default:
            "the object store refused \(action.text) in the bucket \(bucket) (\(reason))\(messageText): check the settings of the bucket"
        }
    }

    private var reason: String { code ?? "status \(status)" }

    private var messageText: String {
        guard let message else { return "" }
        return ", because “\(message.hasSuffix(".") ? String(message.dropLast()) : message)”"
    }

    private var clockProblem: String {
        guard let clockDifference, clockDifference != .zero else { return "differs too much from that of the object store" }
        let isAhead = clockDifference > .zero
        let time = (isAhead ? clockDifference : .zero - clockDifference).formatted(Self.timeStyle)
        return "is \(time) \(isAhead ? "ahead of" : "behind") that of the object store"
    }
}

extension ObjectStoreAction {
    fileprivate var text: String {
        switch self {
        case .list: "listing objects"
        case .read: "reading an object"
        case .readInfo: "reading the size of an object"
        case .write: "storing an object"
        case .delete: "deleting an object"
        }
    }

    /// The name of the permission in policies of Amazon S3.
    fileprivate var permission: String {
        switch self {
        case .list: "s3:ListBucket"
        case .read, .readInfo: "s3:GetObject"
        case .write: "s3:PutObject"
        case .delete: "s3:DeleteObject"
        }
    }
}
