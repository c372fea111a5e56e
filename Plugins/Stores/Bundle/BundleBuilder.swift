import Foundation
import PluginKit
import TrailStores

/// Puts together a bundle: copies of the stores a session needs, trimmed and blanked, and its entries as a notebook.
struct BundleBuilder {
    /// What is done to the stores.
    struct Options {
        var isTrimmed = true
        var blanking = Blanking(names: false, photos: false)
    }

    /// What became of a bundle.
    struct Outcome {
        let data: Data
        let entries: Int
        let files: Int
        /// Rows kept and rows there were, of the stores that were trimmed.
        let kept: Int
        let all: Int
        /// Entries that show something else than in the session.
        let changed: Int
        let passes: Bool
    }

    /// A file that the entries name.
    private struct Source {
        let name: String
        let url: URL
        let bundled: String
    }

    private let context: Context
    private let record: any SessionRecord
    private let folder: URL
    private let options: Options

    init(_ context: Context, _ record: any SessionRecord, folder: URL, options: Options) {
        self.context = context
        self.record = record
        self.folder = folder
        self.options = options
    }

    func build() async throws -> Outcome {
        let recorded = try await record.entries().filter {
            !$0.input.hasPrefix("bug ") && !$0.input.hasPrefix("notebook save")
        }
        guard !recorded.isEmpty else { throw BundleErrors.empty("the session has run nothing yet") }
        let sources = try sources(recorded)
        var names = NameTable()
        for source in sources { try await stage(source, &names) }
        let inputs = recorded.map { entry in
            let renamed = sources.sorted { $0.name.utf8.count > $1.name.utf8.count }
                .reduce(entry.input) { $0.replacing($1.name, with: $1.bundled) }
            return names.replaced(in: renamed)
        }
        let blank = inputs.map { SessionEntry(input: $0, output: "", failed: false) }
        var (kept, all) = (0, 0)
        if options.isTrimmed { (kept, all) = try await trim(sources, blank, recorded) }
        let shown = try await run(blank, sources)
        try await write(shown.entries, sources)
        let verdict = try await record.rerun(folder.appendingPathComponent(BundleSettings.notebook))
        let changed = zip(recorded, shown.entries).count { $0.failed != $1.failed || $0.output != $1.output }
        let files = [BundleSettings.notebook] + (try files(sources))
        let data = try BundleArchive.data(folder, files: files, time: context.clock.now)
        return Outcome(
            data: data, entries: recorded.count, files: files.count - 1, kept: kept, all: all,
            changed: changed,
            passes: verdict.outcome == "passed")
    }

    // MARK: Files

    /// The files that the entries name, each with a plain name of its own in the bundle.
    private func sources(_ entries: [SessionEntry]) throws -> [Source] {
        let output = context.files.outputFolder.standardizedFileURL.path + "/"
        let isConfined = context.files.writable != nil
        var taken: Set<String> = []
        return context.files.log.all.compactMap { name, url in
            let path = url.standardizedFileURL.path
            let isMade = path.hasPrefix(context.workspace.standardizedFileURL.path + "/")
            guard !isMade, !(isConfined && path.hasPrefix(output)),
                FileManager.default.fileExists(atPath: path),
                entries.contains(where: { $0.input.contains(name) })
            else { return nil }
            let plain = String(
                url.lastPathComponent.map {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-"
                })
            var free = plain
            var number = 2
            while !taken.insert(free).inserted {
                free = "\(number)-\(plain)"
                number += 1
            }
            return Source(name: name, url: url, bundled: "\(BundleSettings.dataFolder)/\(free)")
        }
    }

    private func place(_ source: Source) -> URL { folder.appendingPathComponent(source.bundled) }

    /// Copies a store whole, any other file as it is.
    private func stage(_ source: Source, _ names: inout NameTable) async throws {
        let target = place(source)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        if let connection = try? StoreConnection.reading(source.url) {
            _ = try await StoreCopy.copy(
                connection, to: target, parameter: "file", progress: context.progress)
            try blank(target, connection, &names)
        } else {
            // A broken store, or no store at all: byte for byte.
            try FileManager.default.copyItem(at: source.url.resolvingSymlinksInPath(), to: target)
            chmod(target.path, 0o644)
        }
    }

    private func blank(_ target: URL, _ connection: StoreConnection, _ names: inout NameTable) throws {
        if connection.recognition == nil { return try options.blanking.blank(target, &names) }
        guard options.blanking.names else { return }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder)
        let files =
            isFolder.boolValue
            ? try FileManager.default.contentsOfDirectory(atPath: target.path).sorted()
                .map { target.appendingPathComponent($0) } : [target]
        for file in files {
            guard let data = FileManager.default.contents(atPath: file.path),
                let tree = try? JSONTree(parsing: data)
            else { continue }
            try Data((options.blanking.blank(tree, &names).text(pretty: true) + "\n").utf8).write(to: file)
        }
    }

    private func files(_ sources: [Source]) throws -> [String] {
        try sources.flatMap { source -> [String] in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: place(source).path, isDirectory: &isFolder)
            guard isFolder.boolValue else { return [source.bundled] }
            return try FileManager.default.contentsOfDirectory(atPath: place(source).path).sorted()
                .map { "\(source.bundled)/\($0)" }
        }
    }

    // MARK: Running

    private func run(_ entries: [SessionEntry], _ sources: [Source]) async throws -> NotebookRerun {
        try context.checkCancelled()
        try await write(entries, sources)
        return try await record.rerun(folder.appendingPathComponent(BundleSettings.notebook))
    }

    /// Writes the notebook. The folder of the files is another one wherever it is unpacked.
    private func write(_ entries: [SessionEntry], _ sources: [Source]) async throws {
        let token = "RUTTERBUNDLEPATH"
        let marked = entries.map { entry in
            var entry = entry
            entry.output = Self.marking(folder.path, in: entry.output, token)
            return entry
        }
        let text = try await record.notebook(title: "Bug", entries: marked, data: sources.map(\.bundled))
        try Data(text.replacing(token, with: "<<path>>").utf8)
            .write(to: folder.appendingPathComponent(BundleSettings.notebook))
    }

    /// Replaces every path below a folder, up to the next blank.
    private static func marking(_ folder: String, in text: String, _ token: String) -> String {
        var parts = text.components(separatedBy: folder)
        for index in parts.indices.dropFirst() {
            parts[index] = token + parts[index].drop { !$0.isWhitespace && $0 != "'" && $0 != "\"" }
        }
        return parts.joined()
    }

    // MARK: Trimming

    /// Keeps the rows without which the last failure, or else the last entry, shows something else.
    private func trim(
        _ sources: [Source], _ entries: [SessionEntry], _ recorded: [SessionEntry]
    ) async throws -> (kept: Int, all: Int) {
        let focus = recorded.lastIndex(where: \.failed) ?? recorded.count - 1
        let upTo = Array(entries[...focus])
        func outcome() async throws -> SessionEntry? {
            let shown = try await run(upTo, sources).entries
            return shown.indices.contains(focus) ? shown[focus] : nil
        }
        let wanted = try await outcome()
        var (kept, all) = (0, 0)
        for source in sources {
            let file = place(source)
            let size = (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
            guard size <= BundleSettings.largestTrimmed,
                (try? StoreConnection.reading(file))?.recognition == nil,
                let rows = StoreTrim.rows(file, limit: BundleSettings.mostRows), !rows.isEmpty
            else { continue }
            let whole = folder.appendingPathComponent(".whole")
            try FileManager.default.moveItem(at: file, to: whole)
            defer { try? FileManager.default.removeItem(at: whole) }
            let small = try await Minimizer.smallest(rows, tries: BundleSettings.mostRuns) { part in
                try restore(whole, to: file)
                try StoreTrim.keep(part, in: file)
                context.progress.report(
                    "looking for the rows that matter", done: rows.count - part.count, of: rows.count)
                return try await outcome() == wanted
            }
            try restore(whole, to: file)
            try StoreTrim.keep(small, in: file)
            try await compact(file)
            kept += small.count
            all += rows.count
        }
        return (kept, all)
    }

    private func restore(_ whole: URL, to file: URL) throws {
        try? FileManager.default.removeItem(at: file)
        try FileManager.default.copyItem(at: whole, to: file)
    }

    /// Writes the store anew without its empty pages; VACUUM would number its rows anew.
    private func compact(_ file: URL) async throws {
        let compact = folder.appendingPathComponent(".compact")
        _ = try await StoreRepair.repair(file, into: compact, progress: ProgressReporter())
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: compact, to: file)
    }
}
