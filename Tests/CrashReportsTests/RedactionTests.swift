import Testing

@testable import CrashReports

@Suite struct RedactionTests {
    private let redaction = Redaction(names: ["jane", "kitchen-pi"])

    @Test(arguments: [
        "GET https://jane:pw@api.example.org:8443/v1/orders?token=s3cr3t", "ws+unix://host/x", "see <http://10.0.0.1/a,b(c)> now",
        "two http://one.test/a and https://two.test/b", "tokenless://x", "file:///home/jane/keys.pem",
    ])
    func `A URL is redacted as a whole`(text: String) {
        let redacted = redaction.redacted(text)

        #expect(redacted.contains("<url>"))
        for word in ["jane", "pw", "example", "token=", "10.0", "one.test", "two.test", "keys", "host"] {
            #expect(!redacted.contains(word))
        }
    }

    @Test(arguments: [
        ("at 0x00007f1a5fa5a301 in x", "at 0x… in x"), ("rax 00007f03ec726f36", "rax <secret>"), ("[0xdeadBEEF]", "[0x…]"),
        ("ptr=0x1", "ptr=0x…"),
    ])
    func `Memory addresses are redacted`(text: String, redacted: String) {
        #expect(redaction.redacted(text) == redacted)
    }

    @Test(arguments: [
        "192.168.0.1", "10.0.0.1:8080", "::1", "fe80::1%eth0", "2001:db8:0:0:0:0:0:1", "[2001:db8::1]:443", "00:1a:2b:3c:4d:5e",
        "api.example.com",
        "api.example.com:8443", "printer.local", "www.grocer.de", "db.internal.", "localhost:8081", "db1.prod.corp",
    ])
    func `Addresses and names of hosts are redacted`(host: String) {
        let redacted = redaction.redacted("connected to \(host) again")

        #expect(redacted.hasPrefix("connected to "))
        #expect(redacted.contains("<address>"))
        for word in ["192", "10.0", "fe80", "2001", "1a", "example", "printer", "grocer", "db", "localhost"] {
            #expect(!redacted.contains(word))
        }
    }

    @Test(arguments: [
        "Authorization: Bearer abc def", "authorization: plain words", "Cookie: a=b; c=d", "password=hunter2", "password = hunter2",
        "the password: \"correct horse\"", "api_key='hunter2'", "x token=hunter2 y", "Bearer hunter2", "Basic aHVudGVyMg==",
        "DB_PASSWORD=hunter2", "sig=hunter2", "key: hunter2", "X-Api-Key: hunter2", "client_secret=hunter2&x=1",
    ])
    func `Values of secret names are redacted`(text: String) {
        let redacted = redaction.redacted(text)

        #expect(redacted.contains("<secret>"))
        for word in ["hunter2", "abc", "plain", "a=b", "horse", "aHV"] { #expect(!redacted.contains(word)) }
    }

    @Test(arguments: [
        "sk-proj-abcdefghijkl", "ghp_abcdefghijklmnop", "AKIAIOSFODNN7EXAMPLE", "AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U", "9b74c9897bac770ffc029102a200c5de",
        "7c2e14c3-9b74-4fa6-8a8b-123456789abc", "dGhpc2lzYTEyMzQ1Njc4OTBzZWNyZXQ5OTk",
    ])
    func `Strings that look like keys are redacted`(key: String) {
        let redacted = redaction.redacted("sent \(key).")

        for piece in key.split(separator: ".") { #expect(!redacted.contains(piece)) }
        #expect(redacted.contains("<secret>"))
    }

    @Test(arguments: [
        ("mail to jane.doe@example.org now", "mail to <e-mail> now"), ("by Jane, on kitchen-pi", "by <name>, on <name>"),
        ("open /home/jane/orders.db", "open orders.db"), ("in \"/Users/Jane Doe/lading/orders.db\"", "in \"orders.db\""),
        ("in /home/jane", "in ~"), ("~/lading/a.txt", "a.txt"),
        ("run in lading at /srv/a b/Sources/X.swift:12:3", "run in lading at X.swift:12:3"),
        ("GET /order?key=1&b=2", "GET order<query>"),
    ])
    func `Personal names, e-mail addresses and paths are redacted`(text: String, redacted: String) {
        #expect(redaction.redacted(text) == redacted)
    }

    @Test(arguments: [
        "Version:  0.1.0", "Ended:    2026-11-21T21:20:05Z", "System:   Debian GNU/Linux 12 (bookworm), x86_64",
        "Platform: x86_64-unknown-linux-gnu swift-6.3.1-RELEASE", "*** Program crashed: Illegal instruction ***",
        "12.345 s  started Order 17",
        "Thread 5 \"NIO-SGLTN-1-#1\" crashed:",
        "  3 [ra] static Epoll.epoll_wait(epfd:events:maxevents:timeout:) + 241 in lading at Linux.swift:175:13",
        "  4 [ra] closure #1 in BearerTokenInterceptor.intercept(token:key:_:) + 19 in lading at A.swift:1:2",
        "  5 $s6lading7ProgramV4mainyyYaFZTY0_ + 12 in lading", "  6 static Float16./ infix(_:_:) + 3 in libswiftCore.so",
        "  7 SHA256Digest.sha256WithUTF8Bytes(of:) in libFoundation.so", "  8 std::vector<int>::push_back in libstdc++.so.6", "",
    ])
    func `Symbols, source lines and versions are preserved`(text: String) {
        #expect(redaction.redacted(text) == text)
    }

    @Test func `Redaction is idempotent`() {
        let text = "GET https://a.example/b?c=d by jane@x.org at /home/jane/x with token=abc and 0x1234 from 10.0.0.1:80"

        let once = redaction.redacted(text)

        #expect(redaction.redacted(once) == once)
    }

    @Test func `A long text is truncated`() {
        let text = Array(repeating: String(repeating: "a ", count: 500), count: 500).joined(separator: "\n")

        let redacted = redaction.redacted(text)

        #expect(redacted.count <= Redaction.lineLimit * (Redaction.lineLengthLimit + 1))
    }
}
