import Formats
import Foundation
import PluginKit
import TrailStores

/// Builds a bundle: copies of the stores a session needs, trimmed and blanked, and its entries as a notebook.
struct BundleBuilder {
    /// How the stores are processed.
    struct Options {
        var isTrimmed = true
        var blanking = Blanking(names: false, photos: false)
    }

    /// A built bundle.
    struct Outcome {
        let data: Data
        let entries: Int
        let files: Int
        /// Rows kept and original rows of the trimmed stores.
        let kept: Int
        let all: Int
        /// Entries with a result that differs from the session.
        let changed: Int
        let passes: Bool
        /// Stores of the session's own that are packed.
        let own: [String]
        /// What was not packed or not blanked, and why.
        let remarks: [String]
    }

    /// A file of the bundle: one named by the entries, or one of the session's own stores.
    private struct Source {
        let name: String
        let url: URL
        let bundled: String
        var isOwn = false

        /// The entry that makes the file an own store again.
        var adoption: SessionEntry? {
            guard isOwn else { return nil }
            let file = bundled.hasSuffix("/" + name) ? "" : " --as \(Literal.text(name))"
            return SessionEntry(
                input: "store adopt \(Literal.text(bundled))\(file)", output: "", failed: false)
        }
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
        guard !recorded.isEmpty else { throw BundleErrors.empty("the session has no entries yet") }
        var remarks: [String] = []
        var taken: Set<String> = []
        let named = try sources(recorded, &taken)
        let stores = try await ownStores(&taken, &remarks)
        var names = NameTable()
        var unblanked: [(source: String, left: String)] = []
        for source in named + stores {
            if let left = try await stage(source, &names) { unblanked.append((source.name, left)) }
        }
        if options.blanking.names {
            let stored = TypedNames.stored(in: context.workspace, Blanking.nameColumns + Blanking.noteColumns)
            for name in stored + recorded.flatMap({ TypedNames.values(in: $0.input) }) {
                _ = names.name(for: name)
            }
        }
        let inputs = recorded.map { entry in
            let renamed = named.sorted { $0.name.utf8.count > $1.name.utf8.count }
                .reduce(entry.input) { $0.replacing($1.name, with: $1.bundled) }
            return names.replaced(in: renamed)
        }
        if options.blanking.names {
            for source in named where Self.isNamed(source.url, names) {
                remarks.append("the name of \(source.bundled) is one that is blanked: rename the file first")
            }
        }
        if options.blanking.names,
            let remark = TypedNames.remark(
                inputs, names, files: (named + stores).flatMap { [$0.name, $0.bundled] })
        {
            remarks.append(remark)
        }
        let blank = inputs.map { SessionEntry(input: $0, output: "", failed: false) }
        let own = try await needed(stores, blank, named)
        for store in stores where !own.contains(where: { $0.name == store.name }) {
            try FileManager.default.removeItem(at: url(of: store))
            unblanked.removeAll { $0.source == store.name }
        }
        remarks += unblanked.map { "\($0.source) is not completely blanked: \($0.left)" }
        let sources = named + own
        let prelude = own.compactMap(\.adoption)
        var (kept, all) = (0, 0)
        if options.isTrimmed {
            let failed = recorded.lastIndex(where: \.failed) ?? recorded.count - 1
            (kept, all) = try await trim(sources, prelude + blank, focus: prelude.count + failed)
        }
        let shown = try await run(prelude + blank, sources)
        try await write(shown.entries, sources)
        let verdict = try await record.rerun(
            folder.appendingPathComponent(BundleSettings.notebook), allowsPlugins: true)
        let changed = zip(recorded, shown.entries.dropFirst(prelude.count)).count {
            $0.failed != $1.failed || $0.output != $1.output
        }
        let files = [BundleSettings.notebook] + (try files(sources))
        let data = try BundleArchive.data(folder, files: files, time: context.clock.now)
        return Outcome(
            data: data, entries: recorded.count, files: files.count - 1, kept: kept, all: all,
            changed: changed, passes: verdict.outcome == "passed", own: own.map(\.name), remarks: remarks)
    }

    // MARK: The session's own stores

    /// The own stores that the session has not changed: only for these is the original state known.
    private func ownStores(_ taken: inout Set<String>, _ remarks: inout [String]) async throws -> [Source] {
        try await record.firstStores().compactMap { store in
            let url = context.workspace.appendingPathComponent(store.name)
            if store.name.hasPrefix(".") { return nil }
            guard store.isUnchanged else {
                remarks.append(
                    "\(store.name) has changed since the session started and is not packed: a rerun starts without it"
                )
                return nil
            }
            guard bytes(url) <= BundleSettings.largestOwn else {
                remarks.append(
                    "\(store.name) is larger than \(BundleSettings.largestOwn >> 20) MB and is not packed")
                return nil
            }
            let bundled = "\(BundleSettings.ownFolder)/\(Self.free(store.name, &taken))"
            return Source(name: store.name, url: url, bundled: bundled, isOwn: true)
        }
    }

    /// The own stores without which the entries show a different result.
    private func needed(
        _ stores: [Source], _ entries: [SessionEntry], _ named: [Source]
    ) async throws -> [Source] {
        func outcome(_ own: [Source]) async throws -> [SessionEntry] {
            let prelude = own.compactMap(\.adoption)
            return Array(try await run(prelude + entries, named + own).entries.dropFirst(prelude.count))
        }
        guard !stores.isEmpty else { return [] }
        let wanted = try await outcome(stores)
        if try await outcome([]) == wanted { return [] }
        var kept = stores
        for store in stores where kept.count > 1 {
            let fewer = kept.filter { $0.name != store.name }
            if try await outcome(fewer) == wanted { kept = fewer }
        }
        return kept
    }

    private func bytes(_ url: URL) -> Int {
        var info = stat()
        guard lstat(url.path, &info) == 0 else { return 0 }
        guard info.st_mode & S_IFMT == S_IFDIR else { return Int(info.st_size) }
        // A folder that cannot be listed does not count in the estimate; copying it reports the reason.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.reduce(0) { $0 + bytes(url.appendingPathComponent($1)) }
    }

    // MARK: Files

    /// The files named by the entries, each with a unique file name in the bundle.
    private func sources(_ entries: [SessionEntry], _ taken: inout Set<String>) throws -> [Source] {
        let output = context.files.outputFolder.standardizedFileURL.path + "/"
        let isConfined = context.files.writable != nil
        return context.files.log.all.compactMap { file in
            let (name, url) = (file.name, file.url)
            let path = url.standardizedFileURL.path
            let isMade = path.hasPrefix(context.workspace.standardizedFileURL.path + "/")
            guard !isMade, !(isConfined && path.hasPrefix(output)),
                FileManager.default.fileExists(atPath: path),
                entries.contains(where: { $0.input.contains(name) })
            else { return nil }
            let free = Self.free(url.lastPathComponent, &taken)
            return Source(name: name, url: url, bundled: "\(BundleSettings.dataFolder)/\(free)")
        }
    }

    /// Whether a file has one of the blanked names: the entries name it, and apps name an export after its walk.
    private static func isNamed(_ file: URL, _ names: NameTable) -> Bool {
        let stem = file.deletingPathExtension().lastPathComponent
        return names.replaced(in: stem) != stem
    }

    /// A file name that no other file of the bundle has.
    private static func free(_ name: String, _ taken: inout Set<String>) -> String {
        let plain = String(
            name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-" })
        var free = plain
        var number = 2
        while !taken.insert(free).inserted {
            free = "\(number)-\(plain)"
            number += 1
        }
        return free
    }

    private func url(of source: Source) -> URL { folder.appendingPathComponent(source.bundled) }

    /// Copies a store as a snapshot, any other file unchanged. Returns what cannot be blanked.
    private func stage(_ source: Source, _ names: inout NameTable) async throws -> String? {
        let target = url(of: source)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        // A file that does not open as a store is copied as a plain file.
        if let connection = try? StoreConnection.reading(source.url) {
            _ = try await StoreCopy.copy(
                connection, to: target, parameter: "file", progress: context.progress)
            let kind = try StoreRecognition(connection).kind
            guard connection.recognition != nil else {
                do {
                    return try options.blanking.blank(target, kind, &names)
                } catch let error as RutterError where error.code == StoreErrors.corrupt.code {
                    return "it is damaged"
                }
            }
            return try blankDocuments(target, &names)
        }
        // A damaged store, or not a store: byte for byte.
        try FileManager.default.copyItem(at: source.url.resolvingSymlinksInPath(), to: target)
        var left: String?
        for path in try files(below: source.bundled) {
            let file = folder.appendingPathComponent(path)
            chmod(file.path, 0o644)
            if let reason = try options.blanking.blank(plain: file, &names) {
                left =
                    left
                    ?? (path == source.bundled
                        ? reason : "\(file.lastPathComponent) and others are copied unchanged")
            }
        }
        return left
    }

    private func blankDocuments(_ target: URL, _ names: inout NameTable) throws -> String? {
        guard options.blanking.names else { return nil }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder)
        let files =
            isFolder.boolValue
            ? try FileManager.default.contentsOfDirectory(atPath: target.path).sorted()
                .map { target.appendingPathComponent($0) } : [target]
        var unread = 0
        // Files that cannot be parsed are counted.
        for file in files {
            guard let data = FileManager.default.contents(atPath: file.path),
                let tree = try? JSONTree(parsing: data)
            else {
                unread += 1
                continue
            }
            let text = JSONWriter(.apple(escapesSlashes: false)).text(options.blanking.blank(tree, &names))
            try Data((text + "\n").utf8).write(to: file)
        }
        return unread > 0 ? "\(unread) of its files cannot be read" : nil
    }

    private func files(_ sources: [Source]) throws -> [String] {
        try sources.flatMap { try files(below: $0.bundled) }
    }

    /// The regular files at a path of the bundle, or below it.
    private func files(below path: String) throws -> [String] {
        let url = folder.appendingPathComponent(path)
        var info = stat()
        guard lstat(url.path, &info) == 0 else { return [] }
        if info.st_mode & S_IFMT == S_IFREG { return [path] }
        guard info.st_mode & S_IFMT == S_IFDIR else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
            .flatMap { try files(below: "\(path)/\($0)") }
    }

    // MARK: Running

    private func run(_ entries: [SessionEntry], _ sources: [Source]) async throws -> NotebookRerun {
        try context.checkCancelled()
        try await write(entries, sources)
        return try await record.rerun(
            folder.appendingPathComponent(BundleSettings.notebook), allowsPlugins: true)
    }

    /// Writes the notebook. Paths to its files are placeholders, because they depend on where it is unpacked.
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

    /// Replaces every path below a folder, up to the next space.
    private static func marking(_ folder: String, in text: String, _ token: String) -> String {
        var parts = text.components(separatedBy: folder)
        for index in parts.indices.dropFirst() {
            parts[index] = token + parts[index].drop { !$0.isWhitespace && $0 != "'" && $0 != "\"" }
        }
        return parts.joined()
    }

    // MARK: Trimming

    /// Keeps only the rows that are needed to show the last failure, or else the last entry.
    private func trim(
        _ sources: [Source], _ entries: [SessionEntry], focus: Int
    ) async throws -> (kept: Int, all: Int) {
        let upTo = Array(entries[...focus])
        func outcome() async throws -> SessionEntry? {
            let shown = try await run(upTo, sources).entries
            return shown.indices.contains(focus) ? shown[focus] : nil
        }
        let wanted = try await outcome()
        var (kept, all) = (0, 0)
        for source in sources {
            let file = url(of: source)
            // Unreadable files and those that are not databases are not trimmed.
            let size = (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
            guard size <= BundleSettings.largestTrimmed,
                (try? StoreConnection.reading(file))?.recognition == nil,
                let rows = StoreTrim.rows(file, limit: BundleSettings.mostRows), !rows.isEmpty
            else { continue }
            let whole = folder.appendingPathComponent(".whole")
            try FileManager.default.moveItem(at: file, to: whole)
            defer { FileManager.default.discard(whole) }
            let small = try await Minimizer.smallest(rows, tries: BundleSettings.mostRuns) { part in
                try restore(whole, to: file)
                try StoreTrim.keep(part, in: file)
                context.progress.report(
                    "searching for the rows that matter", done: rows.count - part.count, of: rows.count)
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
        FileManager.default.discard(file)
        try FileManager.default.copyItem(at: whole, to: file)
    }

    /// Removes the store's empty pages; VACUUM would renumber its rows.
    private func compact(_ file: URL) async throws {
        let compact = folder.appendingPathComponent(".compact")
        _ = try await StoreRepair.repair(file, into: compact, progress: ProgressReporter())
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: compact, to: file)
    }
}
