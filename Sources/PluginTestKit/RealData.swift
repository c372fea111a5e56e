import Foundation

/// The optional folder of real data beside the project. Tests that use it are skipped, visibly, without it.
public enum RealData {
    /// The project's own folder.
    public static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of real data: `shared/data` beside the project, or what RUTTER_REAL_DATA names.
    public static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["RUTTER_REAL_DATA"], !path.isEmpty {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        return project.deletingLastPathComponent().appendingPathComponent("shared/data")
    }()

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

/// The plugins that this tree has: a test of the whole program that needs one is skipped, visibly, without it.
public enum PluginFolders {
    /// Whether all of some plugins are there, by the names of their folders.
    public static func have(_ names: String...) -> Bool {
        names.allSatisfy { name in
            FileManager.default.fileExists(
                atPath: RealData.project.appendingPathComponent("Plugins/\(name)").path)
        }
    }
}
