import Archives
import Foundation
import PluginKit

/// The tables of a feed: an archive or a folder.
struct FeedSource {
    /// The name of the feed in messages.
    let name: String
    private let kind: Kind

    private enum Kind {
        case archive(ZipArchive, folder: String)
        case folder(URL)
        case memory([String: [UInt8]])
    }

    /// The feed in an archive or folder.
    init(_ url: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw CommonErrors.fileMissing("no such file: \(url.lastPathComponent)")
        }
        if isFolder.boolValue {
            name = url.lastPathComponent
            kind = .folder(url)
        } else {
            if let other = try TransitFormat(SourceBytes(url).bytes(at: 0, count: TransitFormat.looked)) {
                throw other.error(url.lastPathComponent)
            }
            try Self.checkIsNoText(url)
            let found = try Self.tables(in: ZipArchive(url), depth: 0)
            name = found.archive.name
            kind = .archive(found.archive, folder: found.folder)
        }
    }

    /// Refuses a file of markup or JSON, which no archive begins as.
    private static func checkIsNoText(_ url: URL) throws {
        let head = try SourceBytes(url).bytes(at: 0, count: TransitFormat.looked)
        guard let first = head.first(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }),
            "<{[".utf8.contains(first)
        else {
            return
        }
        throw TransitErrors.archive(
            "\(url.lastPathComponent) is no feed: neither a ZIP archive nor a folder of tables",
            fix: "`import FILE` reads files of other kinds")
    }

    /// A feed of texts by file name.
    init(name: String, tables: [String: String]) {
        self.name = name
        kind = .memory(tables.mapValues { Array($0.utf8) })
    }

    /// The archive with the tables and their folder in it: the archive itself, else the only one in it that has tables.
    private static func tables(
        in archive: ZipArchive, depth: Int
    ) throws -> (archive: ZipArchive, folder: String) {
        if let folder = try folder(of: archive) { return (archive, folder) }
        let names = archive.innerArchives
        guard !names.isEmpty, depth < TransitSettings.archiveDepth else { throw withoutTables(archive) }
        var found: [(archive: ZipArchive, folder: String, path: String)] = []
        var failure: (any Error)?
        for path in names {
            do {
                let inner = try tables(in: archive.inner(path), depth: depth + 1)
                found.append((inner.archive, inner.folder, path))
            } catch let error as RutterError where error.code != Interruption.stopped.code {
                failure = failure ?? error
            }
        }
        guard let only = found.first else { throw failure ?? withoutTables(archive) }
        guard found.count == 1 else {
            let feeds = found.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
            throw TransitErrors.archive(
                "\(archive.name) has \(feeds.count) feeds, each in an archive of its own: \(feeds.joined(separator: ", "))",
                fix: "unzip it, then feed import \(feeds[0]), or several with a --prefix for each")
        }
        return (only.archive, only.folder)
    }

    /// The folder of the tables in an archive: the one nearest to the root that has a known table; `nil` without tables.
    private static func folder(of archive: ZipArchive) throws -> String? {
        func folders(_ table: (String) -> FeedTable?) -> [String: Int] {
            var found: [String: Int] = [:]
            for entry in archive.entries {
                let parts = entry.path.split(separator: "/", omittingEmptySubsequences: false)
                guard let file = parts.last, table(String(file)) != nil else { continue }
                found[parts.dropLast().map { $0 + "/" }.joined()] = parts.count
            }
            return found
        }
        // Other names count where no table has its own: a list beside the folder of a feed may be called `stops.csv`.
        let own = folders { FeedTable(rawValue: $0) }
        let folders = own.isEmpty ? folders(FeedTable.named) : own
        guard let least = folders.values.min() else { return nil }
        let nearest = folders.filter { $0.value == least }.keys.sorted()
        guard nearest.count == 1 else {
            throw TransitErrors.archive(
                "\(archive.name) has feeds in several folders: \(nearest.joined(separator: ", "))",
                fix: "archive only one of them")
        }
        return nearest[0]
    }

    /// The error of an archive without tables, which names what is nearest to them.
    private static func withoutTables(_ archive: ZipArchive) -> RutterError {
        let text = "\(archive.name) has no table of a GTFS feed"
        let document = archive.entries.first { entry in
            [".xml", ".json"].contains { entry.path.lowercased().hasSuffix($0) }
        }
        if let document, let other = format(of: document.path, in: archive) {
            return TransitErrors.missing(
                "\(text): \(document.path) is \(other.words)", fix: other.fix(document.path))
        }
        return TransitErrors.missing(text)
    }

    /// The format of a file of an archive; `nil` for an unknown one, and for one that cannot be read.
    private static func format(of path: String, in archive: ZipArchive) -> TransitFormat? {
        guard let file = try? archive.open(path) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: TransitFormat.looked, alignment: 16)
        defer { buffer.deallocate() }
        guard let count = try? file.read(into: buffer) else { return nil }
        return TransitFormat(Array(buffer[..<count]))
    }

    /// Whether the feed has a file, whether it is read or not.
    func has(_ file: String) -> Bool {
        switch kind {
        case .archive(let archive, let folder): archive.entries.contains { $0.path == folder + file }
        case .folder(let url): FileManager.default.fileExists(atPath: url.appendingPathComponent(file).path)
        case .memory(let tables): tables[file] != nil
        }
    }

    /// Whether the feed has a table, also under another name.
    func has(_ table: FeedTable) -> Bool { has(table.rawValue) || otherName(of: table) != nil }

    /// Whether tables are in a folder of the archive, which GTFS does not allow.
    var hasTablesInFolders: Bool {
        switch kind {
        case .archive(let archive, _):
            archive.entries.contains { entry in
                guard let slash = entry.path.lastIndex(of: "/") else { return false }
                return FeedTable(rawValue: String(entry.path[entry.path.index(after: slash)...])) != nil
            }
        case .folder, .memory: false
        }
    }

    /// Whether the tables are in an archive within the archive, which GTFS does not allow.
    var isInInnerArchive: Bool {
        switch kind {
        case .archive(let archive, _): archive.isInner
        case .folder, .memory: false
        }
    }

    /// The names of the files beside the tables, in order.
    var files: [String] {
        switch kind {
        case .archive(let archive, let folder):
            archive.entries.map(\.path).filter { $0.hasPrefix(folder) }.map {
                String($0.dropFirst(folder.count))
            }
            .filter { !$0.contains("/") }.sorted()
        case .folder(let url):
            // A folder that cannot be listed has no tables, which is reported.
            ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
        case .memory(let tables): tables.keys.sorted()
        }
    }

    /// The bytes of a table; `nil` if the feed does not have it.
    func open(_ table: FeedTable) throws -> (any ByteSource)? {
        try open(otherName(of: table) ?? table.rawValue)
    }

    /// The name of the file that has a table if it is not that of the format: in capitals, or with `.csv` behind it; of several
    /// the first. `nil` for the name of the format, and for a table that the feed does not have.
    func otherName(of table: FeedTable) -> String? {
        if has(table.rawValue) { return nil }
        return files.first { FeedTable.named($0) == table }
    }

    /// The bytes of a file; `nil` if the feed does not have it.
    func open(_ name: String) throws -> (any ByteSource)? {
        switch kind {
        case .archive(let archive, let folder):
            let path = folder + name
            let matches = archive.entries.filter { $0.path == path }
            for entry in matches { try entry.require() }
            return matches.isEmpty ? nil : try archive.open(path)
        case .folder(let url):
            let file = url.appendingPathComponent(name)
            var info = stat()
            guard lstat(file.path, &info) == 0 else { return nil }
            return try FeedFileBytes(file)
        case .memory(let tables): return tables[name].map { MemoryBytes(bytes: $0) }
        }
    }
}

/// The tables of GTFS Schedule. An import reads some of them; a check reads all.
enum FeedTable: String, CaseIterable, Sendable {
    case agency = "agency.txt"
    case stops = "stops.txt"
    case routes = "routes.txt"
    case calendar = "calendar.txt"
    case calendarDates = "calendar_dates.txt"
    case trips = "trips.txt"
    case frequencies = "frequencies.txt"
    case shapes = "shapes.txt"
    case stopTimes = "stop_times.txt"
    case transfers = "transfers.txt"
    case levels = "levels.txt"
    case pathways = "pathways.txt"
    case fareAttributes = "fare_attributes.txt"
    case fareRules = "fare_rules.txt"
    case areas = "areas.txt"
    case stopAreas = "stop_areas.txt"
    case networks = "networks.txt"
    case routeNetworks = "route_networks.txt"
    case timeframes = "timeframes.txt"
    case riderCategories = "rider_categories.txt"
    case fareMedia = "fare_media.txt"
    case fareProducts = "fare_products.txt"
    case fareLegRules = "fare_leg_rules.txt"
    case fareLegJoinRules = "fare_leg_join_rules.txt"
    case fareTransferRules = "fare_transfer_rules.txt"
    case bookingRules = "booking_rules.txt"
    case locationGroups = "location_groups.txt"
    case locationGroupStops = "location_group_stops.txt"
    case translations = "translations.txt"
    case feedInfo = "feed_info.txt"
    case attributions = "attributions.txt"

    /// The table that a file is meant to be by its name: in any case, with `.txt`, those of a timetable also with `.csv`.
    static func named(_ file: String) -> FeedTable? {
        if let own = FeedTable(rawValue: file) { return own }
        let lowered = file.lowercased()
        guard lowered.hasSuffix(".csv") else { return FeedTable(rawValue: lowered) }
        // Beside the tables there may be others of a spreadsheet.
        return FeedTable(rawValue: String(lowered.dropLast(4)) + ".txt").flatMap {
            schedule.contains($0) ? $0 : nil
        }
    }

    /// The tables of a timetable that the sample feed has.
    static let schedule: [FeedTable] = [
        .agency, .stops, .routes, .calendar, .calendarDates, .trips, .frequencies, .shapes, .stopTimes,
    ]
}
