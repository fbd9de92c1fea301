public import HTTPTypes

extension HTTPFields {
    /// The fields with all cookies in one `Cookie`, as HTTP/1.1 requires (RFC 6265 §5.4).
    ///
    /// `fields[.cookie] = "a=1; b=2"` adds a field for each cookie, which only HTTP/2 and later allow (RFC 9113 §8.2.3).
    public var joiningCookies: HTTPFields {
        let cookies = self[fields: .cookie]
        guard cookies.count > 1 else { return self }
        var fields = self
        fields[fields: .cookie] = [HTTPField(name: cookies[0].name, value: cookies.map(\.value).joined(separator: "; "))]
        return fields
    }
}
