import Foundation

/// The optional folder of real data beside the project. Tests that use it are skipped, visibly, without it.
public enum RealData {
    /// The project's own folder.
    public static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of real data.
    public static let folder = project.deletingLastPathComponent().appendingPathComponent("shared/data")

    /// Whether a file or folder of the real data is there.
    public static func has(_ path: String = "") -> Bool {
        FileManager.default.fileExists(atPath: url(path).path)
    }

    /// A file or folder of the real data.
    public static func url(_ path: String) -> URL {
        path.isEmpty ? folder : folder.appendingPathComponent(path)
    }

    /// The files in a folder of the real data, by name.
    public static func files(in path: String) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url(path).path)) ?? []
        return names.sorted().map { url(path).appendingPathComponent($0) }
    }
}
