import Foundation

/// Finds the notebooks to run.
public struct NotebookFinder: Sendable {
    private let filter: String?
    private let skipsPlain: Bool

    /// Finds all notebooks, or those whose path or title contains a text. With `skipsPlain`, a file that is named is a notebook only
    /// if it has a cell.
    public init(filter: String? = nil, skipsPlain: Bool = false) {
        (self.filter, self.skipsPlain) = (filter, skipsPlain)
    }

    /// File name extensions of Markdown, in lower case.
    private static let extensions: Set<String> = ["md", "markdown"]
    /// Folders of dependencies, whose notebooks are not run.
    private static let foreignFolders: Set<String> = ["node_modules", "vendor", "Pods"]

    /// The result of a search.
    public struct Found: Sendable {
        /// Files to run.
        public var notebooks: [String] = []
        /// Markdown files without a cell or a block that looks like one.
        var withoutCells: [String] = []
    }

    /// The paths of notebooks, sorted by their bytes, each once. A file that is named is one, unless plain ones are
    /// skipped; in a folder, every `.md` or `.markdown` that has a cell is one. Hidden folders and those of packages are skipped.
    public func notebooks(in paths: [String]) throws(NotebookError) -> [String] {
        try search(paths).notebooks
    }

    /// The same with the files that have no cell.
    public func search(_ paths: [String]) throws(NotebookError) -> Found {
        var found: [String] = []
        var others: [String] = []
        for path in paths.isEmpty ? ["."] : paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw NotebookError(.usage, "no such file or folder: `\(path)`")
            }
            if isFolder.boolValue {
                search(path, &found, &others)
            } else if skipsPlain, Self.isPlain(path) {
                others.append(path)
            } else {
                found.append(path)
            }
        }
        // A file named by two paths is one notebook.
        var seen: Set<String> = []
        let once = found.filter { path in
            seen.insert(URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path)
                .inserted
        }
        func sorted(_ paths: [String]) -> [String] {
            paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        return Found(
            notebooks: sorted(once.filter(isWanted)),
            withoutCells: filter == nil ? sorted(Array(Set(others))) : [])
    }

    /// A file with a cell, or with a block that looks like one, is a notebook.
    private func search(_ folder: String, _ found: inout [String], _ others: inout [String]) {
        let files = FileManager.default.enumerator(
            at: URL(fileURLWithPath: folder, isDirectory: true), includingPropertiesForKeys: nil,
            options: [.skipsHiddenFiles])
        let base = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL.path
        while let file = files?.nextObject() as? URL {
            if Self.foreignFolders.contains(file.lastPathComponent) { files?.skipDescendants() }
            // An unreadable file in a folder is not treated as a notebook.
            guard Self.extensions.contains(file.pathExtension.lowercased()),
                let data = try? Data(contentsOf: file)
            else { continue }
            let name = Self.name(file.standardizedFileURL.path, below: base, folder)
            if Self.hasCell(data) { found.append(name) } else { others.append(name) }
        }
    }

    private static func hasCell(_ data: Data) -> Bool {
        let bytes = Array(data)
        return NotebookParser.hasCell(bytes: bytes) || NotebookParser.hasMistakenCell(bytes: bytes)
    }

    /// Whether a file can be read and has no cell.
    private static func isPlain(_ path: String) -> Bool {
        var info = stat()
        // A device has no end.
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return false }
        return FileManager.default.contents(atPath: path).map { !hasCell($0) } ?? false
    }

    /// The path relative to the named folder.
    private static func name(_ path: String, below base: String, _ folder: String) -> String {
        guard path.hasPrefix(base) else { return path }
        let rest = path.dropFirst(base.count).drop { $0 == "/" }
        if folder == "." || folder == "./" { return String(rest) }
        return folder.hasSuffix("/") ? folder + rest : folder + "/" + rest
    }

    private func isWanted(_ path: String) -> Bool {
        guard let filter, !path.localizedCaseInsensitiveContains(filter) else { return true }
        // A notebook that does not parse has no title; running it reports the error.
        let notebook = try? NotebookParser().parse(contentsOf: URL(fileURLWithPath: path))
        return notebook?.title?.localizedCaseInsensitiveContains(filter) ?? false
    }
}
