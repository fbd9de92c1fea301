import Testing

@testable import ObjectStorage

@Suite("Errors of an object store")
struct ObjectStoreErrorTests {
    private static func rejection(
        _ status: Int, _ code: String?, of action: ObjectStoreAction = .write, message: String? = nil, clock: Duration? = nil
    ) -> ObjectStoreError {
        .refused(
            .init(action: action, bucket: "lading", status: status, code: code, message: message, clockDifference: clock))
    }

    private static let descriptions: [(ObjectStoreError, String)] = [
        (
            rejection(404, "NoSuchBucket"),
            "the bucket lading does not exist (NoSuchBucket): create it, or correct the address of the object store"
        ),
        (
            rejection(403, "InvalidAccessKeyId"),
            "the object store does not know the access key (InvalidAccessKeyId): check AWS_ACCESS_KEY_ID"
        ),
        (
            rejection(403, "SignatureDoesNotMatch"),
            "the object store does not accept the signature (SignatureDoesNotMatch): check AWS_SECRET_ACCESS_KEY"
        ),
        (
            rejection(400, "ExpiredToken"),
            "the object store does not accept the session token (ExpiredToken): set new temporary credentials, or unset AWS_SESSION_TOKEN"
        ),
        (
            rejection(403, "RequestTimeTooSkewed", clock: .seconds(1_260)),
            """
            the clock of this machine is 21 min ahead of that of the object store (RequestTimeTooSkewed): \
            set the clock, or synchronize it with NTP
            """
        ),
        (
            rejection(403, "RequestTimeTooSkewed", clock: .seconds(-90_000)),
            """
            the clock of this machine is 1 day, 1 hr behind that of the object store (RequestTimeTooSkewed): \
            set the clock, or synchronize it with NTP
            """
        ),
        (
            rejection(403, "RequestTimeTooSkewed"),
            """
            the clock of this machine differs too much from that of the object store (RequestTimeTooSkewed): \
            set the clock, or synchronize it with NTP
            """
        ),
        (
            rejection(403, "AccessDenied"),
            "the object store denies storing an object in the bucket lading (AccessDenied): allow s3:PutObject for the access key"
        ),
        (
            rejection(403, nil, of: .readInfo),
            "the object store denies reading the size of an object in the bucket lading (status 403): allow s3:GetObject for the access key"
        ),
        (rejection(503, "SlowDown"), "the object store has failed repeatedly (SlowDown): try again later"),
        (rejection(500, nil), "the object store has failed repeatedly (status 500): try again later"),
        (rejection(507, "XMinioStorageFull"), "the object store is full (XMinioStorageFull): delete objects, or raise its limit"),
        (rejection(403, "QuotaExceeded"), "the object store is full (QuotaExceeded): delete objects, or raise its limit"),
        (rejection(403, "InvalidObjectState", of: .read), "the object is archived (InvalidObjectState): restore it in the object store"),
        (
            rejection(400, "InvalidRequest", of: .delete, message: "Object is locked."),
            """
            the object store refused deleting an object in the bucket lading (InvalidRequest), because “Object is locked”: \
            check the settings of the bucket
            """
        ),
        (
            rejection(501, nil, of: .list),
            "the object store refused listing objects in the bucket lading (status 501): check the settings of the bucket"
        ),
        (.tooLarge(limit: 64 << 20), "an object exceeds the limit of 64 MB: use a smaller file"),
        (
            .unreachable(host: "h:9000", reason: " (Connection refused)"),
            "the object store at h:9000 cannot be reached (Connection refused): check its address, and that it runs"
        ),
        (.wrongRegion(expected: "eu-west-1"), "the bucket is in another region: set region=eu-west-1 in the address of the object store"),
        (.wrongRegion(expected: nil), "the bucket is in another region: set its region in the address of the object store"),
    ]

    @Test(arguments: descriptions)
    func `An error is one sentence with the problem and a remedy`(error: ObjectStoreError, text: String) {
        #expect(error.description == text)
    }

    @Test(
        arguments: [
            (.read, 404, "NoSuchKey", true), (.delete, 404, "NoSuchKey", true), (.readInfo, 404, nil, true), (.read, 404, nil, false),
            (.read, 404, "NoSuchBucket", false), (.readInfo, 403, nil, false), (.read, 403, "NoSuchKey", false),
        ] as [(ObjectStoreAction, Int, String?, Bool)])
    func `Only a response that names the key, or one to HEAD, reports a missing object`(
        action: ObjectStoreAction, status: Int, code: String?, isMissing: Bool
    ) {
        guard case .refused(let rejection) = Self.rejection(status, code, of: action) else { return }

        #expect(rejection.isMissingObject == isMissing)
    }
}
