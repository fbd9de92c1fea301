import ErrorDescriptions
import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingHTTP
import LadingOperations

extension ObjectStore {
    /// A failed attempt: its error, and the error of HTTP by which the retry policy decides.
    private struct FailedAttempt: Error {
        let error: ObjectStoreError
        let cause: BackendError
    }

    /// The codes of errors with the status 400 that may be due to the region; a response to HEAD has none.
    private static let regionCodes: Set<String> = ["AuthorizationHeaderMalformed", "IllegalLocationConstraintException"]

    /// Returns the response with a status of success to a request, which is repeated after transient failures.
    func response(to request: ObjectStoreRequest) async throws -> BackendResponse {
        let retry = OperationRetry { error, attempt in
            (error as? FailedAttempt).flatMap { retries.delay(after: $0.cause, attempt: attempt, for: request.message) }
        }
        let operation = BackendOperation(
            "\(request.message.method.rawValue) object", lane: .network(address.host), rules: OperationRules(retry: retry)
        ) {
            try await attempt(request)
        }
        do {
            return try await queue.value(of: operation, deadline: limits.requestTime(transferring: request.transferSize))
        } catch let failure as FailedAttempt {
            throw failure.error
        } catch OperationError.deadlineExceeded {
            throw ObjectStoreError.timedOut(host: address.host)
        }
    }

    private func attempt(_ request: ObjectStoreRequest) async throws -> BackendResponse {
        var message = signer.signed(request.message, contentDigest: request.contentDigest, at: now())
        // Not signed, because proxies change the field.
        message.headers[.acceptEncoding] = "identity"
        let limits = ResponseLimits(
            bodySize: max(request.bodyLimit, ErrorDocument.sizeLimit), redirects: 0,
            time: self.limits.attemptTime(transferring: request.transferSize))
        let response: BackendResponse
        do {
            response = try await client.response(to: message, within: limits)
        } catch let cause as BackendError {
            throw FailedAttempt(error: error(cause, request), cause: cause)
        }
        guard response.status.kind == .successful else { throw failure(response, request) }
        guard request.action != .read || response.body.count <= request.bodyLimit else {
            throw ObjectStoreError.tooLarge(limit: request.bodyLimit)
        }
        return response
    }

    /// Returns the failure that a response with another status than those of success describes.
    private func failure(_ response: BackendResponse, _ request: ObjectStoreRequest) -> FailedAttempt {
        let document = ErrorDocument(response.body)
        let rejection = ObjectStoreError.Rejection(
            action: request.action, bucket: address.bucket, status: response.status.code, code: document?.code,
            message: document?.message.map(withoutSecrets), clockDifference: clockDifference(response))
        let status = rejection.transientStatus ?? response.status.code
        return FailedAttempt(
            error: redirect(response, document) ?? .refused(rejection),
            cause: .status(status, request.message.url, headers: response.headers))
    }

    /// Returns the error of a response that names another region or host; nil for any other.
    private func redirect(_ response: BackendResponse, _ document: ErrorDocument?) -> ObjectStoreError? {
        let isOfRegion = document.map { Self.regionCodes.contains($0.code) } ?? true
        guard response.status.kind == .redirection || (response.status == .badRequest && isOfRegion) else { return nil }
        if let region = response.headers[.xAmzBucketRegion] ?? document?.region, region != address.region {
            return .wrongRegion(expected: ObjectStoreAddress.isRegion(region) ? region : nil)
        }
        guard response.status.kind == .redirection else {
            return document?.code == "IllegalLocationConstraintException" ? .wrongRegion(expected: nil) : nil
        }
        if let region = document?.endpoint.flatMap({ S3Host.region(of: $0) }) { return .wrongRegion(expected: region) }
        return document?.endpoint.map { .redirected(to: $0) } ?? .wrongRegion(expected: nil)
    }

    private func clockDifference(_ response: BackendResponse) -> Duration? {
        let time = response.headers[.date].flatMap { HTTPDate($0) }
        return time.map { .seconds(now().timeIntervalSince($0.date).rounded()) }
    }

    /// Returns the error of an exchange without a response.
    private func error(_ cause: BackendError, _ request: ObjectStoreRequest) -> ObjectStoreError {
        switch cause {
        case .unreachable(_, let reason): .unreachable(host: address.host, reason: reason.descriptionSuffix)
        case .interrupted: .interrupted(host: address.host)
        case .timedOut: .timedOut(host: address.host)
        case .circuitOpen: .paused(host: address.host)
        case .bodyTooLarge where request.action == .read: .tooLarge(limit: request.bodyLimit)
        case .tooManyRedirects(let target, _):
            S3Host.region(of: target.host() ?? "").map { .wrongRegion(expected: $0) } ?? .redirected(to: target.authority ?? "")
        case .malformedResponse, .status, .bodyTooLarge, .bufferLimitExceeded, .policyViolation, .decodingFailed:
            .invalidResponse(host: address.host)
        }
    }

    /// Returns a text of the server without the secrets of the client, in case it repeats the request.
    private func withoutSecrets(_ text: String) -> String {
        let secrets = [signer.credentials.secretAccessKey, signer.credentials.sessionToken].compactMap { $0 }
        return secrets.reduce(text) { $0.replacing($1, with: "REDACTED") }
    }
}

/// The host names of Amazon S3.
private enum S3Host {
    /// Returns the region in `s3.REGION.amazonaws.com` and `s3-REGION.amazonaws.com`, after the name of a bucket; nil for other hosts.
    static func region(of host: String) -> String? {
        let labels = host.lowercased().split(separator: ".")
        guard labels.suffix(2) == ["amazonaws", "com"], let last = labels.dropLast(2).last else { return nil }
        let name = labels.dropLast(3).last == "s3" ? last : last.hasPrefix("s3-") ? last.dropFirst(3) : ""
        // Temporary redirects lead to hosts with other names there, such as `s3-gztb4pa9sq`.
        let words = name.split(separator: "-")
        return words.count > 2 && words.last.flatMap { Int($0) } != nil ? String(name) : nil
    }
}

extension HTTPField.Name {
    fileprivate static let xAmzBucketRegion = Self("x-amz-bucket-region")!
}
