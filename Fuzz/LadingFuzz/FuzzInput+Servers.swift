import Foundation
import HTTPTypes
import Thumbnails

@testable import CacheTraces
@testable import Origin

extension FuzzInput {
    func parseThumbnail() {
        _ = try? Thumbnail(of: bytes, geometry: .centerSquare(64))
        _ = try? Thumbnail(of: bytes, geometry: .scaledToFit(PixelSize(width: 80, height: 60)))
    }

    /// Parses the name of a file from the first line, and the fields of the request from the rest; or the file of an upload's
    /// record.
    func parseUpload() {
        parseUploadRecord()
        _ = UploadName(lines[0])
        let headers = Self.fields(lines.dropFirst())
        let upload = UploadFields(headers)
        precondition(upload.offset ?? 0 >= 0 && upload.length ?? 0 >= 0, "no number is negative")
    }

    private func parseUploadRecord() {
        guard let record = try? JSONDecoder().decode(UploadRecord.self, from: Data(bytes)) else { return }
        precondition(!UploadRecord.isValidID(record.id) || UploadName(record.id) != nil, "a valid id is safe in a file name")
        precondition(!record.isValid || UploadName(record.name) != nil, "a valid record names a file")
        _ = record.preconditions?.allowsReplacing(nil)
    }

    /// Parses a trace in chunks, whose length is the first byte.
    func parseTrace() {
        guard let length = bytes.first.map({ max(1, Int($0)) }) else { return }
        let trace = Data(bytes.dropFirst())
        var lines = LineReader()
        let decoder = GzipDecoder.isGzip(trace) ? GzipDecoder() : nil
        for start in stride(from: 0, to: trace.count, by: length) {
            let chunk = trace.subdata(in: start..<min(start + length, trace.count))
            do {
                guard let decoder else {
                    guard lines.split(chunk, { _ in }) else { return }
                    continue
                }
                try decoder.inflate(chunk) { bytes in _ = lines.split(bytes) { _ in } }
            } catch {
                return
            }
        }
        lines.finish { _ in }
    }
}
