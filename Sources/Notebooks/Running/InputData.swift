import Core
import Foundation

/// The input files of a notebook: their locations, and whether they are unchanged since it was written.
public struct InputData: Sendable {
    /// One file found.
    struct Found: Sendable {
        let name: String
        let url: URL
        let pinned: String?
    }

    let found: [Found]
    /// The names of missing files.
    public let missing: [String]

    /// Looks for each file beside the notebook, then in the data folder. A link beside the notebook must not
    /// lead out of its folder; the data folder is trusted, because the user named it.
    public init(_ files: [NotebookSettings.DataFile], folder: URL, dataFolder: URL?) throws {
        var found: [Found] = []
        var missing: [String] = []
        for file in files {
            let local = folder.appendingPathComponent(file.file)
            if FileManager.default.fileExists(atPath: local.path) {
                guard Self.isInside(local, folder) else {
                    throw NotebookError(
                        .data, line: file.line,
                        "`\(file.file)` is a link to a path outside the notebook's folder",
                        suggestion: "pass its folder with `--data`")
                }
                found.append(Found(name: file.file, url: local, pinned: file.sha256))
            } else if let far = dataFolder?.appendingPathComponent(file.file),
                FileManager.default.fileExists(atPath: far.path)
            {
                found.append(Found(name: file.file, url: far, pinned: file.sha256))
            } else {
                missing.append(file.file)
            }
        }
        self.found = found
        self.missing = missing
    }

    /// The SHA-256 of a file, in lower-case hexadecimal; `nil` when it cannot be read.
    public static func sha256(of file: URL) -> String? { (try? Digest.sha256(contentsOf: file)) ?? nil }

    /// The files by name.
    public var byName: [String: URL] { Dictionary(found.map { ($0.name, $0.url) }, uniquingKeysWith: { $1 }) }

    private static func isInside(_ file: URL, _ folder: URL) -> Bool {
        let inner = file.resolvingSymlinksInPath().pathComponents
        let outer = folder.resolvingSymlinksInPath().pathComponents
        return inner.count > outer.count && inner.starts(with: outer)
    }
}

/// Notes about the input data of a notebook that differs. Whether the program changed is known only by
/// comparison with a recorded pass, which the test runner makes.
struct DifferenceNotes {
    let data: InputData

    /// The pinned files whose content has changed.
    func changes() -> [ChangedData] {
        data.found.compactMap { file in
            // Without the library the content is unknown.
            guard let pinned = file.pinned, NativeLibrary.crypto.isAvailable else { return nil }
            let actual = InputData.sha256(of: file.url)
            return actual == pinned ? nil : ChangedData(name: file.name, pinned: pinned, actual: actual)
        }
    }

    /// The notes for a notebook that differs.
    func notes() -> [String] {
        if data.found.isEmpty { return [] }
        guard NativeLibrary.crypto.isAvailable else {
            return [
                "whether the input data changed is unknown: \(NativeLibrary.crypto.packages) is not installed"
            ]
        }
        return data.found.filter { $0.pinned == nil }.map {
            "whether `\($0.name)` changed is unknown; once it is right, pin it:"
                + " data: [{file: \($0.name), sha256: \(hash($0.url))}]"
        }
    }

    private func hash(_ file: URL) -> String {
        InputData.sha256(of: file) ?? "(unreadable)"
    }
}
