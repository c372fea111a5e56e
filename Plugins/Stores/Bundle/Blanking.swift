import Foundation
import Pictures
import PluginKit
import TrailStores

/// Takes names and photos out of a store that goes to somebody else.
struct Blanking: Sendable {
    let names: Bool
    let photos: Bool

    /// Columns with what people called things, and with what they wrote or took.
    private static let nameColumns: [(table: String, column: String)] = [
        ("waypoints", "label"), ("saved_routes", "name"),
    ]
    private static let noteColumns: [(table: String, column: String)] = [
        ("waypoints", "note"), ("saved_routes", "comment"),
    ]
    private static let photoColumns: [(table: String, column: String)] = [
        ("waypoints", "photo_data"), ("waypoints", "photo_thumbnail"),
    ]
    /// Keys of documents with names.
    private static let nameKeys: Set<String> = ["name", "trailName", "description"]

    /// Blanks a database; adds to the names that stand for others.
    func blank(_ url: URL, _ known: inout NameTable) throws {
        if names {
            for (table, column) in Self.nameColumns {
                let collected = NameCollector(known)
                try StoreTrim.replace(column, of: table, in: url) { collected.replaced($0) }
                known = collected.names
            }
            for (table, column) in Self.noteColumns {
                try StoreTrim.replace(column, of: table, in: url) { Self.masked($0) }
            }
        }
        if photos {
            for (table, column) in Self.photoColumns {
                let isThumbnail = column == "photo_thumbnail"
                try StoreTrim.replace(column, of: table, in: url) { Self.grey($0, isThumbnail: isThumbnail) }
            }
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
                    return .init(member.key, blank(member.value, &known))
                })
        default: return tree
        }
    }

    /// The same number of letters and lines, without the letters.
    private static func masked(_ cell: StoredCell) -> StoredCell {
        guard case .text(let bytes) = cell else { return cell }
        let text = String(decoding: bytes, as: UTF8.self)
        return .text(Array(String(text.map { $0.isLetter || $0.isNumber ? "x" : $0 }).utf8))
    }

    /// A grey picture for one that decodes; for others as many bytes, of which only the first three are kept.
    private static func grey(_ cell: StoredCell, isThumbnail: Bool) -> StoredCell {
        guard case .blob(let bytes) = cell else { return cell }
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

/// Names that stand for others, in the order they came: `name 1`, `name 2`.
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

    /// A text with the names replaced; the longest first, so that none is cut out of another.
    func replaced(in text: String) -> String {
        let ordered = pairs.filter { $0.old.count > 1 }.sorted { $0.old.utf8.count > $1.old.utf8.count }
        return ordered.reduce(text) { text, pair in
            let isWord = text.contains(pair.old)
            return isWord ? text.replacing(pair.old, with: pair.new) : text
        }
    }
}

/// Collects names while the cells of a column are replaced one after the other.
private final class NameCollector: @unchecked Sendable {
    private(set) var names: NameTable

    init(_ names: NameTable) { self.names = names }

    func replaced(_ cell: StoredCell) -> StoredCell {
        guard case .text(let bytes) = cell else { return cell }
        return .text(Array(names.name(for: String(decoding: bytes, as: UTF8.self)).utf8))
    }
}
