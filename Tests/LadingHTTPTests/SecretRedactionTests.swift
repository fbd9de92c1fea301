import Foundation
import HTTPTypes
import LadingOperations
import LadingTesting
import Testing

@testable import LadingHTTP

@Suite struct SecretRedactionTests {
    private let secrets = SecretRedaction.standard

    @Test(arguments: [
        ("http://a.org/x?api_key=s3cret&sol=7", "http://a.org/x?api_key=REDACTED&sol=7"),
        ("http://a.org/x?sol=7&API-Key=s3cret#part", "http://a.org/x?sol=7&API-Key=REDACTED#part"),
        ("http://a.org/x?api%5Fkey=s3cret", "http://a.org/x?api%5Fkey=REDACTED"),
        ("http://a.org/x?token=a=b&token=c", "http://a.org/x?token=REDACTED&token=REDACTED"),
        ("http://a.org/x?token=", "http://a.org/x?token="),
        ("http://a.org/x?token", "http://a.org/x?token"),
        ("http://a.org/key=7/?keyring=7&monkey=8", "http://a.org/key=7/?keyring=7&monkey=8"),
        ("http://me:s3cret@a.org/x?q=a@b.org", "http://REDACTED@a.org/x?q=a@b.org"),
        ("there is no file postgres:/me:s3cret@a.org/db", "there is no file postgres:/REDACTED@a.org/db"),
        ("cannot read /data/HTTPS:/me:s3cret@a.org/x", "cannot read /data/HTTPS:/REDACTED@a.org/x"),
        ("'http://me:s3&cret;2(3)@a.org/x'", "'http://REDACTED@a.org/x'"),
        ("http://a.org/x?X-Amz-Signature=s3cret&X-Amz-Date=7", "http://a.org/x?X-Amz-Signature=REDACTED&X-Amz-Date=7"),
        ("/done#access_token=s3cret", "/done#access_token=REDACTED"),
        ("<http://a.org/x?key=s3cret>; rel=\"next\"", "<http://a.org/x?key=REDACTED>; rel=\"next\""),
        ("no route to \"https://a.org/x?auth=s3cret\", gave up", "no route to \"https://a.org/x?auth=REDACTED\", gave up"),
        ("Straße ? und & Punkt", "Straße ? und & Punkt"), ("", ""),
    ])
    func `Secret parameters in URLs are replaced anywhere in a text`(text: String, redacted: String) {
        #expect(secrets.redacted(text) == redacted)
    }

    @Test func `The values of secret header fields are replaced, whatever the case of their names`() throws {
        let custom = try #require(HTTPField.Name("COOKIE"))

        let lines = secrets.lines(of: [.authorization: "Bearer s3cret", custom: "id=7", .accept: "a/b", .location: "/x?token=s3cret"])

        #expect(lines == ["Authorization: REDACTED", "COOKIE: REDACTED", "Accept: a/b", "Location: /x?token=REDACTED"])
    }

    @Test func `Secret values of a message are replaced in a text about it`() throws {
        let url = try #require(URL(string: "http://a.org/?key=s3cret%2Fkey&sol=s3cret-sol"))
        let message = RequestMessage(url: url, headers: [.authorization: "Bearer s3cret-token"])

        #expect(secrets.redacted("the token s3cret-token has expired", about: message) == "the token REDACTED has expired")
        #expect(secrets.redacted("no key s3cret/key at s3cret-sol", about: message) == "no key REDACTED at s3cret-sol")
        #expect(secrets.redacted("no key s3cret%2Fkey", about: message) == "no key REDACTED")
    }

    @Test func `Operation names and error descriptions contain no secrets`() throws {
        let url = try #require(URL(string: "http://me:s3cret@a.org/x?access_token=s3cret&sol=7&sig=s3cret"))
        let client = BackendClient(executor: ScriptedExecutor())
        let operation = client.operation(BackendRequest(url: url))

        #expect(operation.name == "GET http://REDACTED@a.org/x?access_token=REDACTED&sol=7&sig=REDACTED")
        #expect(!"\(BackendError.policyViolation(url, .unsupportedScheme))".contains("s3cret"))
        #expect(url.redacted == "http://REDACTED@a.org/x?access_token=REDACTED&sol=7&sig=REDACTED")
    }

    @Test func `The whole value of a parameter is replaced where the text is one URL`() throws {
        let url = try #require(URL(string: "http://a.org/x?sig=s3cret;more'(s3cret)&sol=7"))

        #expect(url.redacted == "http://a.org/x?sig=REDACTED&sol=7")
    }

    @Test(arguments: [
        ("cannot read http://h/f?token=ab)cd'ef;gh: refused", "cannot read http://h/f?token=REDACTED refused"),
        ("(see http://h/?token=x)", "(see http://h/?token=REDACTED)"),
        ("(see http://h/?token=x), and (that)", "(see http://h/?token=REDACTED), and (that)"),
        ("(see http://h/?token=a)b'c)", "(see http://h/?token=REDACTED)"),
        ("['http://h/?token=a}b']", "['http://h/?token=REDACTED']"), ("{url: http://h/?token=a]}", "{url: http://h/?token=REDACTED}"),
        ("http://h/?token=ab') or", "http://h/?token=REDACTED or"),
        ("http://h/?a=1;token=ab;cd&b=2", "http://h/?a=1;token=REDACTED&b=2"),
    ])
    func `Brackets and quotes end a value only where they enclose its URL`(text: String, redacted: String) {
        #expect(secrets.redacted(text) == redacted)
    }

    @Test(arguments: [
        "authorization", "credential", "credentials", "passphrase", "otp", "assertion", "client_assertion", "code_verifier", "oauth_token",
        "oauth_verifier", "oauth_signature", "x-api-key", "sid", "session", "session_id", "sessionId", "JSESSIONID", "PHPSESSID",
        "AWSAccessKeyId", "Key-Pair-Id", "X-Ms-Signature",
    ])
    func `Credentials of common services are secret`(name: String) throws {
        let url = try #require(URL(string: "http://a.org/x?\(name)=s3cret&sol=7"))

        #expect(url.redacted == "http://a.org/x?\(name)=REDACTED&sol=7")
    }

    @Test func `Custom fields and parameters can be secret`() {
        let secrets = SecretRedaction(fields: [.accept], parameters: ["Courier-Name"])

        #expect(secrets.redacted("http://a.org/?courier_name=x&key=7") == "http://a.org/?courier_name=REDACTED&key=7")
        #expect(secrets.lines(of: [.accept: "a/b", .authorization: "Bearer x"]) == ["Accept: REDACTED", "Authorization: Bearer x"])
    }
}
