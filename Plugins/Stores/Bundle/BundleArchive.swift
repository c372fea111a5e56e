import Archives
import CivilTime
import Foundation
import PluginKit

/// The ZIP archive of a bundle.
enum BundleArchive {
    /// The bytes of an archive of files, all with one time, so that equal bundles are equal archives.
    static func data(_ folder: URL, files: [String], time: Timestamp) throws -> Data {
        try ArchiveWriter.zip(folder, files: files, modified: Int(time.seconds.rounded(.down)))
    }

    /// Unpacks a bundle into a new folder and returns its files. Throws before anything is written outside
    /// that folder.
    static func unpack(_ url: URL, into folder: URL) throws -> [String] {
        let limits = ArchiveLimits(entries: BundleSettings.mostFiles, bytes: BundleSettings.largestBundle)
        let files = try ArchiveReader(SourceBytes(url), limits: limits).unpack(into: folder)
        guard files.contains(BundleSettings.notebook) else {
            throw BundleErrors.archive(
                "\(url.lastPathComponent): \(BundleSettings.notebook) is missing", at: .parameter("file"))
        }
        return files
    }
}
