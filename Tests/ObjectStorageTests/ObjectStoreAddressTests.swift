import Foundation
import Testing

@testable import ObjectStorage

@Suite("Address of an object store")
struct ObjectStoreAddressTests {
    @Test(arguments: [
        ("s3://lading", "https://lading.s3.us-east-1.amazonaws.com/k"),
        ("s3://lading/proofs?region=eu-west-1", "https://lading.s3.eu-west-1.amazonaws.com/proofs/k"),
        ("s3://lading/proofs/?style=path&region=eu-west-1", "https://s3.eu-west-1.amazonaws.com/lading/proofs/k"),
        ("s3://lading.example.org", "https://s3.us-east-1.amazonaws.com/lading.example.org/k"),
        ("s3://lading/a/b?endpoint=http://127.0.0.1:5000", "http://127.0.0.1:5000/lading/a/b/k"),
        ("s3://lading?endpoint=http%3A%2F%2F127.0.0.1%3A5000%2F", "http://127.0.0.1:5000/lading/k"),
        ("s3://lading?endpoint=http://[::1]:5000", "http://[::1]:5000/lading/k"),
        ("s3://lading?endpoint=HTTPS://Objects.Example.org:443/s3/&region=auto", "https://objects.example.org/s3/lading/k"),
        ("s3://lading?endpoint=https://objects.example.org//a%2Bb/c+d/", "https://objects.example.org/a%2Bb/c%2Bd/lading/k"),
        ("s3://lading?endpoint=https://objects.example.org&style=virtual", "https://lading.objects.example.org/k"),
        ("s3://a.b?endpoint=http://localhost:80&style=virtual&region=EU", "http://a.b.localhost/k"),
        ("s3://lading/a%20b%25?endpoint=http://h", "http://h/lading/a%20b%25/k"),
        ("s3://lading?endpoint=https://bücher.example:9000", "https://xn--bcher-kva.example:9000/lading/k"),
    ])
    func `The parts of an address make the URLs of its objects`(text: String, url: String) throws {
        let address = try ObjectStoreAddress(text)

        #expect(address.url(ofKey: try ObjectKey("k", in: address)).absoluteString == url)
    }

    @Test(arguments: [
        ("s3://lading?region=eu-west-1", "https://lading.s3.eu-west-1.amazonaws.com/?list-type=2&max-keys=1"),
        ("s3://lading/a b?endpoint=http://h:9000", "http://h:9000/lading?list-type=2&max-keys=1&prefix=a%20b%2F"),
    ])
    func `The bucket is listed with the prefix of the address`(text: String, url: String) throws {
        #expect(try ObjectStoreAddress(text).listURL.absoluteString == url)
    }

    @Test(arguments: [
        ("photos/ab cd.jpg", "photos/ab%20cd.jpg"), ("a+b&c=d?e#f%g", "a%2Bb%26c%3Dd%3Fe%23f%25g"),
        ("Straße/🚲", "Stra%C3%9Fe/%F0%9F%9A%B2"),
        ("~user/-._*'()!$,:;@\"", "~user/-._%2A%27%28%29%21%24%2C%3A%3B%40%22"),
    ])
    func `Each byte of a key is encoded but letters, digits, marks and slashes`(key: String, path: String) throws {
        let address = try ObjectStoreAddress("s3://lading?endpoint=http://h")

        #expect(address.url(ofKey: try ObjectKey(key, in: address)).absoluteString == "http://h/lading/" + path)
    }

    @Test(arguments: ["", "/a", "a/", "a//b", ".", "a/../b", "./a", "a\nb", "a\u{7F}", String(repeating: "é", count: 512)])
    func `A key that a server or a proxy would change, or that is too long, is refused`(_ key: String) throws {
        let address = try ObjectStoreAddress("s3://lading/p")

        #expect(throws: ObjectStoreError.invalidKey) { try ObjectKey(key, in: address) }
    }

    @Test func `The longest key has 1,024 bytes with the prefix`() throws {
        let address = try ObjectStoreAddress("s3://lading/proofs")

        #expect(try ObjectKey(String(repeating: "a", count: 1_017), in: address).text.utf8.count == 1_024)
        #expect(throws: ObjectStoreError.invalidKey) { try ObjectKey(String(repeating: "a", count: 1_018), in: address) }
    }

    @Test(arguments: [
        ("https://lading", "begin with s3://"), ("S3://lading", "begin with s3://"), ("s3:lading", "begin with s3://"),
        ("s3://", "3 to 63"), ("s3://ab", "3 to 63"), ("s3://Lading", "3 to 63"), ("s3://-lading", "both ends"), ("s3://a..b", "3 to 63"),
        ("s3://\(String(repeating: "a", count: 64))", "3 to 63"), ("s3://la_ding", "3 to 63"), ("s3://lading/a//b", "prefix"),
        ("s3://lading/../a", "prefix"), ("s3://lading/%zz", "prefix"), ("s3://lading#a", "fragment"), ("s3://lading?zone=1", "parameters"),
        ("s3://lading?region", "parameters"), ("s3://lading?region=a&region=b", "parameters"), ("s3://lading?region=", "region"),
        ("s3://lading?region=a/b", "region"), ("s3://lading?style=dns", "path or virtual"),
        ("s3://lading?endpoint=127.0.0.1:5000", "endpoint"),
        ("s3://lading?endpoint=ftp://h", "endpoint"), ("s3://lading?endpoint=http://", "endpoint"),
        ("s3://lading?endpoint=http://h:70000", "endpoint"), ("s3://lading?endpoint=http://h/?a", "query"),
        ("s3://lading?endpoint=http://h%20i", "endpoint"), ("s3://lading?endpoint=http://h/%23a", "query"),
        ("s3://lading?endpoint=http://127.0.0.1:5000&style=virtual", "host name"), ("s3://a.b.c?style=virtual", "no dots"),
    ])
    func `An address that is not valid is refused with the rule it breaks`(text: String, rule: String) {
        let error = #expect(throws: ObjectStoreError.self) { try ObjectStoreAddress(text) }

        #expect(error?.description.contains(rule) == true)
    }

    @Test(arguments: [
        "s3://AKIAEXAMPLE:s3cr3t@lading", "s3://AKIAEXAMPLE:s3c/r3t@lading", "s3://s3cr3t@lading",
        "s3://lading?endpoint=http://user:s3cr3t@h", "s3://lading?endpoint=http://s3cr3t@h",
        "s3://lading?secret_access_key=s3cr3t", "s3://lading?s3cr3t", "s3://lading#s3cr3t", "s3cr3t", "s3://lading?region=s3cr3t/+",
        "s3://lading?endpoint=s3cr3t", "s3://S3CR3T", "s3://lading?style=s3cr3t",
    ])
    func `An address with credentials is refused, and the error does not repeat them`(_ text: String) {
        let error = #expect(throws: ObjectStoreError.self) { try ObjectStoreAddress(text) }

        #expect(error?.description.lowercased().contains("s3cr3t") == false && error.map { "\(Array([$0]))".contains("s3cr3t") } == false)
    }

    @Test func `A description names the bucket and the server`() throws {
        #expect(try ObjectStoreAddress("s3://lading/a?endpoint=http://h:9000").description == "s3://lading/a/ at http://h:9000")
    }
}
