import Formats
import Foundation
import Photos
import Pictures
import PluginKit
import TrailStores

/// Removes names and photos from a store that is passed on.
struct Blanking: Sendable {
    let names: Bool
    let photos: Bool

    /// Columns with names: of waypoints and hikes; of a map's ways; of a timetable's stops, lines and signs.
    static let nameColumns: [(table: String, column: String)] = [
        ("waypoints", "label"), ("saved_routes", "name"), ("routing_edges", "name"),
        ("stops", "stop_name"), ("routes", "route_long_name"), ("trips", "trip_headsign"),
        ("pattern_stops", "stop_headsign"),
    ]
    /// Columns with notes by users.
    static let noteColumns: [(table: String, column: String)] = [
        ("waypoints", "note"), ("saved_routes", "comment"), ("stops", "stop_desc"),
    ]
    /// Columns with documents.
    private static let documentColumns: [(table: String, column: String)] = [("link_items", "payload")]
    private static let photoColumns: [(table: String, column: String)] = [
        ("waypoints", "photo_data"), ("waypoints", "photo_thumbnail"),
    ]
    /// Keys of documents with names, and with notes.
    private static let nameKeys: Set<String> = ["name", "trailName", "description", "label"]
    private static let noteKeys: Set<String> = ["note", "comment"]

    /// Blanks a database; extends the table of replaced names. Returns what cannot be blanked.
    func blank(_ url: URL, _ kind: StoreKind, _ known: inout NameTable) throws -> String? {
        if names {
            for (table, column) in Self.nameColumns {
                let collected = NameCollector(known)
                try StoreTrim.replace(column, of: table, in: url) { collected.replaced($0) }
                known = collected.names
            }
            for (table, column) in Self.noteColumns {
                try StoreTrim.replace(column, of: table, in: url) { Self.masked($0) }
            }
            for (table, column) in Self.documentColumns {
                let collected = NameCollector(known)
                try StoreTrim.replace(column, of: table, in: url) { collected.replaced($0, by: self) }
                known = collected.names
            }
            if kind == .transit {
                try StoreTrim.refill(
                    "stops_fts", of: ["rowid", "sid", "name"], from: "SELECT sid, sid, stop_name FROM stops",
                    in: url)
            }
        }
        if photos {
            for (table, column) in Self.photoColumns {
                let isThumbnail = column == "photo_thumbnail"
                try StoreTrim.replace(column, of: table, in: url) { Self.grey($0, isThumbnail: isThumbnail) }
            }
        }
        return whatStays(kind)
    }

    /// Names or photos of a kind of database that cannot be blanked.
    private func whatStays(_ kind: StoreKind) -> String? {
        switch kind {
        case .mbtiles where names: "names drawn on its tiles"
        case .cloud where names || photos: "encoded records and blobs of a cloud"
        case .other where names || photos: "its columns are unknown"
        case .transit where names: "agencies and line numbers"
        default: nil
        }
    }

    /// Blanks a JSON document.
    func blank(_ tree: JSONTree, _ known: inout NameTable) -> JSONTree {
        guard names else { return tree }
        switch tree {
        case .list(let items): return .list(items.map { blank($0, &known) })
        case .object(let members):
            return .object(
                members.map { member in
                    if Self.nameKeys.contains(member.key), let text = member.value.text {
                        return .init(member.key, .text(known.name(for: text)))
                    }
                    if Self.noteKeys.contains(member.key), let text = member.value.text {
                        return .init(member.key, .text(Self.masked(text)))
                    }
                    return .init(member.key, blank(member.value, &known))
                })
        default: return tree
        }
    }

    /// Blanks a file that is not a store: photos, and the texts of GPX. Returns what cannot be blanked.
    func blank(plain url: URL, _ known: inout NameTable) throws -> String? {
        guard names || photos else { return nil }
        let data = try Data(contentsOf: url, options: .mappedIfSafe)
        try PhotoKind(sniffing: data.prefix(16))?.requireLibraries()
        // Decoding throws if it is not a photo.
        if (try? Photos.decode(data)) != nil {
            guard photos, let grey = Self.greyPicture else { return names && !photos ? "a photo" : nil }
            try grey.write(to: url)
            return nil
        }
        guard names else { return nil }
        guard let text = String(validating: data, as: UTF8.self), text.contains("<gpx") else {
            return "it is copied unchanged"
        }
        try Data(GPXBlanking.blank(text, &known, note: Self.masked).utf8).write(to: url)
        return nil
    }

    /// The same number of letters and lines, without the letters.
    private static func masked(_ cell: StoredCell) -> StoredCell {
        guard case .text(let bytes) = cell else { return cell }
        return .text(Array(masked(String(decoding: bytes, as: UTF8.self)).utf8))
    }

    private static func masked(_ text: String) -> String {
        String(text.map { $0.isLetter || $0.isNumber ? "x" : $0 })
    }

    /// A grey picture for one that decodes; otherwise as many bytes, of which only the first three are kept.
    private static func grey(_ cell: StoredCell, isThumbnail: Bool) -> StoredCell {
        guard case .blob(let bytes) = cell else { return cell }
        // Decoding throws if it is not a picture.
        let isPicture = (try? Photos.decode(Data(bytes))) != nil
        if isPicture, let grey = greyPicture {
            guard isThumbnail else { return .blob([UInt8](grey)) }
            if let thumbnail = try? Photos.thumbnail(grey).jpeg { return .blob([UInt8](thumbnail)) }
        }
        return .blob(bytes.prefix(3) + [UInt8](repeating: 0, count: max(0, bytes.count - 3)))
    }

    /// A JPEG of 16 × 8 grey pixels.
    private static let greyPicture = Data(
        base64Encoded: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1x\
            eXBkeFxlZ2P/wAALCAAIABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAABgf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/ACaoP//Z
            """)
}

/// Replacement names, in order of appearance: `name 1`, `name 2`.
struct NameTable: Sendable {
    private(set) var pairs: [(old: String, new: String)] = []
    private var numbers: [String: Int] = [:]

    mutating func name(for old: String) -> String {
        if old.isEmpty { return old }
        if let index = numbers[old] { return pairs[index].new }
        numbers[old] = pairs.count
        pairs.append((old, "name \(pairs.count + 1)"))
        return pairs[pairs.count - 1].new
    }

    /// A text with the names replaced; the longest first, so that none is replaced inside another.
    func replaced(in text: String) -> String {
        let ordered = pairs.filter { $0.old.count > 1 }.sorted { $0.old.utf8.count > $1.old.utf8.count }
        return ordered.reduce(text) { text, pair in
            let isWord = text.contains(pair.old)
            return isWord ? text.replacing(pair.old, with: pair.new) : text
        }
    }
}

/// Collects names while the cells of a column are replaced.
///
/// Unchecked: the cells of a column are replaced one after the other.
private final class NameCollector: @unchecked Sendable {
    private(set) var names: NameTable

    init(_ names: NameTable) { self.names = names }

    /// A document with its names replaced; one that cannot be read is emptied.
    func replaced(_ cell: StoredCell, by blanking: Blanking) -> StoredCell {
        guard case .text(let bytes) = cell else { return cell }
        guard let tree = try? JSONTree(parsing: Data(bytes)) else { return .text([]) }
        return .text(Array(blanking.blank(tree, &names).compactText.utf8))
    }

    func replaced(_ cell: StoredCell) -> StoredCell {
        guard case .text(let bytes) = cell else { return cell }
        return .text(Array(names.name(for: String(decoding: bytes, as: UTF8.self)).utf8))
    }
}
