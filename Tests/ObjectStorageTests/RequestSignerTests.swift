import Crypto
import Digests
import Foundation
import HTTPTypes
import LadingHTTP
import Testing

@testable import ObjectStorage

/// The examples of Amazon S3, API Reference, "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk (AWS
/// Signature Version 4)", with the keys and the signatures that are published there.
@Suite("Request signer")
struct RequestSignerTests {
    private static let time = Date(timeIntervalSince1970: 1_369_353_600)
    private static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

    private func signer(token: String? = nil) throws -> RequestSigner {
        let variables = ["AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": Self.secret]
        let token = token.map { ["AWS_SESSION_TOKEN": $0] } ?? [:]
        return RequestSigner(
            credentials: try ObjectStoreCredentials(environment: variables.merging(token) { $1 }), region: "us-east-1")
    }

    private func message(_ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields = [:]) throws -> RequestMessage {
        let url = try #require(URL(string: "https://examplebucket.s3.amazonaws.com\(target)"))
        return RequestMessage(method: method, url: url, headers: headers)
    }

    private func authorization(_ fields: String, _ signature: String) -> String {
        """
        AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=\(fields), Signature=\(signature)
        """
    }

    @Test func `A read of a range is signed as published`() throws {
        let message = try message(.get, "/test.txt", [.range: "bytes=0-9"])

        let signed = try signer().signed(message, contentDigest: Self.emptyDigest, at: Self.time)

        #expect(
            signed.headers[.authorization]
                == authorization(
                    "host;range;x-amz-content-sha256;x-amz-date", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"))
        #expect(signed.headers[.xAmzDate] == "20130524T000000Z" && signed.headers[.xAmzContentSHA256] == Self.emptyDigest)
    }

    @Test func `The canonical request and the text to sign of that read are those published`() throws {
        var message = try message(.get, "/test.txt", [.range: "bytes=0-9"])
        message.headers[.xAmzContentSHA256] = Self.emptyDigest
        message.headers[.xAmzDate] = "20130524T000000Z"

        let signature = RequestSignature(of: message, contentDigest: Self.emptyDigest, time: "20130524T000000Z", region: "us-east-1")

        #expect(
            signature.canonicalRequest == """
                GET
                /test.txt

                host:examplebucket.s3.amazonaws.com
                range:bytes=0-9
                x-amz-content-sha256:\(Self.emptyDigest)
                x-amz-date:20130524T000000Z

                host;range;x-amz-content-sha256;x-amz-date
                \(Self.emptyDigest)
                """)
        #expect(
            signature.stringToSign == """
                AWS4-HMAC-SHA256
                20130524T000000Z
                20130524/us-east-1/s3/aws4_request
                7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972
                """)
    }

    @Test func `A write with a reserved character in its key is signed as published`() throws {
        let date = try #require(HTTPField.Name("Date"))
        let storageClass = try #require(HTTPField.Name("x-amz-storage-class"))
        let path = "/" + PercentEncoding.unreserved.encode("test$file.text")
        let message = try message(.put, path, [date: "Fri, 24 May 2013 00:00:00 GMT", storageClass: "REDUCED_REDUNDANCY"])
        let digest = Crypto.SHA256.hash(data: Array("Welcome to Amazon S3.".utf8)).hexString

        let signed = try signer().signed(message, contentDigest: digest, at: Self.time)

        #expect(digest == "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
        #expect(
            signed.headers[.authorization]
                == authorization(
                    "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
    }

    @Test(arguments: [
        ("/?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("/?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ("/?prefix=J&max-keys=2", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ("?prefix=J&max-keys=2", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func `Reads with a query are signed as published, in any order of its parameters`(target: String, signature: String) throws {
        let signed = try signer().signed(try message(.get, target), contentDigest: Self.emptyDigest, at: Self.time)

        #expect(signed.headers[.authorization] == authorization("host;x-amz-content-sha256;x-amz-date", signature))
    }

    @Test func `The session token is sent and signed`() throws {
        let signed = try signer(token: "token+1/==").signed(try message(.get, "/"), contentDigest: Self.emptyDigest, at: Self.time)

        #expect(signed.headers[.xAmzSecurityToken] == "token+1/==")
        #expect(
            signed.headers[.authorization]?.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,") == true)
    }

    @Test func `Fields with several values and spaces are signed in their canonical form`() throws {
        var message = try message(.get, "/")
        let name = try #require(HTTPField.Name("X-Amz-Meta-Name"))
        message.headers.append(HTTPField(name: name, value: "a   b"))
        message.headers.append(HTTPField(name: name, value: "c"))

        let signature = RequestSignature(of: message, contentDigest: Self.emptyDigest, time: "20130524T000000Z", region: "us-east-1")

        #expect(signature.canonicalRequest.contains("\nx-amz-meta-name:a b,c\n"))
        #expect(signature.signedFields == "host;x-amz-meta-name")
    }

    @Test(arguments: [
        ("http://127.0.0.1:5000/a", "127.0.0.1:5000"), ("http://Objects.example.org:80/a", "objects.example.org"),
        ("https://objects.example.org:443", "objects.example.org"), ("http://[::1]:5000/a", "[::1]:5000"), ("http://[::1]/a", "[::1]"),
    ])
    func `The host is signed as it is sent, with its port and brackets`(url: String, field: String) throws {
        #expect(URL(string: url)?.hostField == field)
    }
}
