import HTTPTypes

extension HTTPField.Name {
    /// The header fields that usually carry credentials: they are not sent to other hosts after a redirect, and not recorded.
    static let credentials = Set(
        [
            "Authorization", "Proxy-Authorization", "Authentication-Info", "Cookie", "Set-Cookie", "X-Api-Key", "X-Goog-Api-Key",
            "X-Auth-Token", "X-CSRF-Token", "X-Amz-Security-Token",
        ].compactMap { HTTPField.Name($0) })
}
