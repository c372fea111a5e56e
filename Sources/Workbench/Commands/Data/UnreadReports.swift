import Archives
import Foundation
import PluginKit

/// The rows of an import for files that were passed by: each by itself, or all of one ending in a folder together.
enum UnreadReports {
    /// Maximum files of one ending in a folder that have rows of their own.
    private static let mostRows = 10

    /// Rows in the order of the files.
    static func reports(_ files: [UnreadFile]) -> [SourceReport] {
        var groups: [(key: String, files: [UnreadFile])] = []
        var indices: [String: Int] = [:]
        for file in files {
            let path = file.path as NSString
            let key =
                "\(path.deletingLastPathComponent)/*.\(path.pathExtension.lowercased()) \(file.reason.words)"
            if let index = indices[key] {
                groups[index].files.append(file)
            } else {
                indices[key] = groups.count
                groups.append((key, [file]))
            }
        }
        return groups.flatMap { _, files in
            guard files.count > mostRows, let first = files.first else {
                return files.map { SourceReport(file: $0.path, result: .unread($0.reason.words)) }
            }
            let path = first.path as NSString
            let ending = path.pathExtension.isEmpty ? "*" : "*.\(path.pathExtension)"
            return [
                SourceReport(
                    file: "\(path.deletingLastPathComponent)/\(ending)",
                    result: .unread("\(files.count, of: "file"), \(first.reason.words)"))
            ]
        }
    }
}
