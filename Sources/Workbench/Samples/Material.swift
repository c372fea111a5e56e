import CMaterial
import Foundation

/// The tour, the lessons, the sample data and the licences, which the program carries.
public enum Material {
    /// A file of it.
    public struct File: Sendable {
        /// Its path in a folder of notebooks: `tour.md`, `data/valley.gpx`.
        public let path: String
        /// Its bytes.
        public let bytes: Data
    }

    /// The licences of all that is inside the program.
    public static var licenses: String {
        all.first { $0.path == licensesName }.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }

    /// The commit that the program was built from; `nil` if it was not built for a release.
    public static var commit: String? {
        let commit = String(cString: rutter_commit())
        return commit.isEmpty ? nil : commit
    }

    private static let licensesName = "LICENSES"

    /// The files of a folder of notebooks, by their paths.
    public static var files: [File] { all.filter { $0.path != licensesName } }

    private static let all: [File] = {
        var count = 0
        guard let first = rutter_materials(&count) else { return [] }
        return UnsafeBufferPointer(start: first, count: count).map { file in
            File(path: String(cString: file.path), bytes: Data(bytes: file.bytes, count: file.size))
        }
    }()

    /// The notebooks of the course, and the tour.
    public static var notebooks: [File] { files.filter { $0.path.hasSuffix(".md") } }

    /// Writes files below a folder, those that are not there as they are; throws an error of the file system.
    public static func write(_ files: [File], to folder: URL) throws {
        for file in files {
            let url = folder.appendingPathComponent(file.path)
            if FileManager.default.contents(atPath: url.path) == file.bytes { continue }
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try file.bytes.write(to: url, options: .atomic)
        }
    }
}
