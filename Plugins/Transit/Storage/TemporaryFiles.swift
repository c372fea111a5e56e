import Foundation

/// Temporary files beside a timetable, named after the process that writes them, so that files of a killed
/// import can be distinguished from files in use.
enum TemporaryFiles {
    private static let endings = ["tmp", "replaced"]

    /// The name of a temporary file of this process for a timetable.
    static func name(for database: URL, _ ending: String, tag: String = "") -> String {
        ".\(database.lastPathComponent).\(getpid())\(tag.isEmpty ? "" : ".\(tag)").\(ending)"
    }

    /// Deletes the temporary files of a timetable whose processes no longer exist. A file that cannot be
    /// deleted is harmless, and the next import tries again.
    static func sweep(beside database: URL) {
        let folder = database.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where isAbandoned(name, of: database.lastPathComponent) {
            unlink(folder.appendingPathComponent(name).path)
        }
    }

    private static func isAbandoned(_ name: String, of database: String) -> Bool {
        guard name.hasPrefix(".\(database).") else { return false }
        let parts = name.dropFirst(database.count + 2).split(separator: ".")
        guard (2...3).contains(parts.count), let ending = parts.last, endings.contains(String(ending)),
            let process = Int32(parts[0]), process > 0
        else { return false }
        // No signal is sent; the call only checks whether the process exists.
        return kill(process, 0) != 0 && errno == ESRCH
    }
}
