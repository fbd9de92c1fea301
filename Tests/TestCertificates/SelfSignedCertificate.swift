import Crypto
import Foundation

/// A certificate for `localhost` and its key, generated per test so that the repository contains no private key.
package struct SelfSignedCertificate: Sendable {
    /// The certificate in PEM.
    package let certificate: String
    package let key: String

    package init() throws {
        let key = P256.Signing.PrivateKey()
        let name = DER.sequence(DER.set(DER.sequence(DER.commonName, DER.utf8String("localhost"))))
        let body = DER.sequence(
            DER.field(0xA0, DER.integer(2)), DER.integer(1), DER.sequence(DER.ecdsaWithSHA256), name,
            DER.sequence(DER.time("20200101000000Z"), DER.time("21200101000000Z")), name, Array(key.publicKey.derRepresentation),
            DER.field(0xA3, DER.sequence(DER.sequence(DER.alternativeName, DER.octets(DER.sequence(DER.dnsName("localhost")))))))
        let signature = try key.signature(for: body).derRepresentation
        let certificateBytes = DER.sequence(body, DER.sequence(DER.ecdsaWithSHA256), DER.bits(Array(signature)))
        let lines = Data(certificateBytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        certificate = "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
        self.key = key.pemRepresentation + "\n"
    }
}

/// The subset of the Distinguished Encoding Rules (ITU-T X.690) that a certificate needs (RFC 5280 §4.1).
private enum DER {
    static let ecdsaWithSHA256: [UInt8] = [0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
    static let commonName: [UInt8] = [0x06, 3, 0x55, 0x04, 0x03]
    static let alternativeName: [UInt8] = [0x06, 3, 0x55, 0x1D, 0x11]

    static func sequence(_ fields: [UInt8]...) -> [UInt8] { field(0x30, Array(fields.joined())) }
    static func set(_ fields: [UInt8]...) -> [UInt8] { field(0x31, Array(fields.joined())) }
    static func integer(_ value: UInt8) -> [UInt8] { field(0x02, [value]) }
    static func bits(_ bytes: [UInt8]) -> [UInt8] { field(0x03, [0] + bytes) }
    static func octets(_ bytes: [UInt8]) -> [UInt8] { field(0x04, bytes) }
    static func utf8String(_ text: String) -> [UInt8] { field(0x0C, Array(text.utf8)) }
    /// Encodes a time `yyyyMMddHHmmssZ`.
    static func time(_ text: String) -> [UInt8] { field(0x18, Array(text.utf8)) }
    static func dnsName(_ name: String) -> [UInt8] { field(0x82, Array(name.utf8)) }

    static func field(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
        return [tag] + length + content
    }
}
