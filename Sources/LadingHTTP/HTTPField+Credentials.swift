import HTTPTypes

extension HTTPField.Name {
    /// Header fields that usually let somebody in: they stay with their host, and are not written down.
    static let credentials = Set(
        [
            "Authorization", "Proxy-Authorization", "Authentication-Info", "Cookie", "Set-Cookie", "X-Api-Key", "X-Goog-Api-Key",
            "X-Auth-Token", "X-CSRF-Token", "X-Amz-Security-Token",
        ].compactMap { HTTPField.Name($0) })
}
