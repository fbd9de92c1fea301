import FileChecksums
package import Foundation

/// A verification of uploads that does not change them and may run while an origin receives some.
package enum UploadCheck {
    /// The maximum number of problems that are listed.
    private static let problemLimit = 20
    private static let recordSuffix = ".json"

    /// The result of a verification.
    package struct Report: Hashable, Sendable {
        /// The problems as text for users; empty if none was found.
        package var problems: [String] = []
        /// The number of files that were not verified, because they have no checksum.
        package var unverifiedCount = 0
    }

    /// Verifies the complete files and the metadata of uploads in a directory of an `UploadStore`.
    package static func report(on directory: URL) -> Report {
        var report = Report()
        checkFiles(in: directory.appending(path: UploadStore.filesName, directoryHint: .isDirectory), &report)
        let count = corruptRecordCount(in: directory.appending(path: UploadStore.partsName, directoryHint: .isDirectory))
        if count > 0 { report.problems.append("incomplete uploads with damaged metadata: \(count)") }
        return report
    }

    private static func checkFiles(in folder: URL, _ report: inout Report) {
        for name in names(in: folder) where UploadName(name) != nil && report.problems.count < problemLimit {
            let file = folder.appending(path: name, directoryHint: .notDirectory)
            do {
                switch try ChecksumFile(ofImmutable: file).isValid() {
                case true?: break
                case false?: report.problems.append("checksum mismatch of \(name)")
                case nil: report.unverifiedCount += 1
                }
            } catch  where exists(file) {
                report.problems.append("cannot read \(name): \(error.localizedDescription)")
            } catch {
                // It was removed meanwhile.
            }
        }
    }

    private static func corruptRecordCount(in folder: URL) -> Int {
        names(in: folder).count { name in
            guard name.hasSuffix(recordSuffix) else { return false }
            let file = folder.appending(path: name, directoryHint: .notDirectory)
            guard let data = try? Data(contentsOf: file) else { return exists(file) }
            guard let record = try? JSONDecoder().decode(UploadRecord.self, from: data) else { return true }
            return !record.isValid || record.id + recordSuffix != name
        }
    }

    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []).sorted()
    }

    private static func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) }
}
