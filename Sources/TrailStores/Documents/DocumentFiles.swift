import Archives
import Formats
import Foundation
import PluginKit

/// The JSON documents of a store that is not a database: planned routes, locations, tones.
public struct DocumentFiles: Sendable {
    /// One document: a file of the folder, or an item of a file's array.
    public struct Document: Sendable {
        /// The file's name.
        public let file: String
        /// Its index in an array, counted from 1; `nil` for a whole file.
        public let position: Int?
        /// Its content, or why it cannot be read.
        public let content: Result<JSONTree, JSONFault>

        /// Its content, if readable.
        public var tree: JSONTree? { try? content.get() }
    }

    /// The file or folder.
    public let url: URL
    /// All documents.
    public let documents: [Document]
    /// The names of other items of the folder, in order; empty for a file.
    public let others: [String]
    /// The kind of documents.
    public let recognition: StoreRecognition

    /// Maximum size of a document, in bytes.
    private static let longestFile = PlannedRouteFolder.longestFile

    /// Reads documents; throws `E-STORE-NOTDB`, `E-STORE-FOLDER` or an error of the file system.
    public init(_ url: URL) throws(RutterError) {
        self.url = url
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw CommonErrors.fileMissing("no such file: \(url.lastPathComponent)")
        }
        if isFolder.boolValue {
            let names = try Self.names(url)
            documents = Self.folder(url, names.filter(Self.isDocument))
            others = names.filter { !Self.isDocument($0) && !SystemFiles.contains($0) }
            recognition = try Self.recognise(folder: url, documents)
        } else {
            let tree: JSONTree
            do {
                tree = try JSONTree(parsing: try Self.contents(url))
            } catch let fault as JSONFault {
                throw StoreErrors.notADatabase(
                    "not valid JSON: \(url.lastPathComponent): \(fault)\(Self.end(of: url))")
            } catch {
                throw StoreErrors.wrap(error, path: url.lastPathComponent)
            }
            others = []
            (documents, recognition) = try Self.file(url, tree)
        }
    }

    /// Whether a path may be documents: a folder, or a file that begins like JSON; reads a few bytes only.
    public static func mayBe(_ url: URL) -> Bool {
        var info = stat()
        guard stat(url.path, &info) == 0 else { return false }
        if info.st_mode & S_IFMT == S_IFDIR { return true }
        // An unreadable file is left to the caller that opens it, which reports why.
        guard info.st_mode & S_IFMT == S_IFREG, let handle = try? FileHandle(forReadingFrom: url) else {
            return false
        }
        let start = [UInt8]((try? handle.read(upToCount: 64)).flatMap { $0 } ?? Data())
        let first = start.first { ![0x20, 0x0A, 0x0D, 0x09, 0xEF, 0xBB, 0xBF].contains($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    /// In words, that a text ends before its outermost value does; empty if it does not, or cannot be read.
    private static func end(of url: URL) -> String {
        guard let bytes = try? [UInt8](contents(url)) else { return "" }
        var (depth, isText, isEscaped) = (0, false, false)
        for byte in bytes {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += isText ? 0 : 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= isText ? 0 : 1
            default: break
            }
        }
        // Behind a missing quote everything is text, also the last bracket.
        let isBracket = bytes.last { $0 > 0x20 }.map { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") }
        if isText, isBracket == true { return "" }
        return depth > 0 ? "; the file ends early, after \(bytes.count) bytes" : ""
    }

    // MARK: Reading

    private static func contents(_ url: URL) throws -> Data {
        let state = try SQLiteFile.State(url)
        guard state.size <= longestFile else {
            throw StoreErrors.notADatabase(
                "\(url.lastPathComponent) has \(state.size) bytes, too many for a document")
        }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw CommonErrors.unreadable(url.lastPathComponent, error)
        }
    }

    private static func names(_ url: URL) throws(RutterError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        } catch {
            throw CommonErrors.unreadable(url.lastPathComponent, error)
        }
    }

    /// Whether a file of a folder is read as a document, by its name.
    private static func isDocument(_ name: String) -> Bool {
        name.lowercased().hasSuffix(".json") && !name.hasPrefix(".")
    }

    private static func folder(_ url: URL, _ files: [String]) -> [Document] {
        files.map { name in
            do {
                let tree = try JSONTree(parsing: try contents(url.appendingPathComponent(name)))
                return Document(file: name, position: nil, content: .success(tree))
            } catch let fault as JSONFault {
                return Document(file: name, position: nil, content: .failure(fault))
            } catch {
                let what = (error as? RutterError)?.message ?? "the file cannot be read"
                return Document(file: name, position: nil, content: .failure(JSONFault(what)))
            }
        }
    }

    private static func file(
        _ url: URL, _ tree: JSONTree
    ) throws(RutterError) -> ([Document], StoreRecognition) {
        let name = url.lastPathComponent
        guard let items = tree.items else {
            let route = Document(file: name, position: nil, content: .success(tree))
            guard let recognised = best([route], of: [.plannedRoutes]) else {
                throw StoreErrors.notADatabase("\(name) is JSON of an unknown kind")
            }
            return ([route], recognised)
        }
        let documents = items.enumerated().map { index, item in
            Document(file: name, position: index + 1, content: .success(item))
        }
        if items.isEmpty {
            return ([], StoreRecognition(.other, .unsure, "an empty JSON array: locations or tones"))
        }
        guard let recognised = best(documents, of: [.locations, .tones]) else {
            throw StoreErrors.notADatabase("\(name) is a JSON array of an unknown kind")
        }
        return (documents, recognised)
    }

    // MARK: Recognising

    private static func recognise(
        folder url: URL, _ documents: [Document]
    ) throws(RutterError) -> StoreRecognition {
        if let recognised = best(documents, of: [.plannedRoutes]) { return recognised }
        let unreadable = documents.filter { $0.tree == nil }
        // Where no file can be read, the names tell that they were routes.
        let named = unreadable.filter { UUID(uuidString: String($0.file.dropLast(5))) != nil }
        if !named.isEmpty, named.count == documents.count {
            return StoreRecognition(
                .plannedRoutes, .likely,
                "\(named.count, of: "file") named as routes, none of which can be read")
        }
        // The names are used only in the error.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path))?.sorted() ?? []
        let stores = names.filter { isStore(url, $0) }
        if names.isEmpty { throw StoreErrors.folder("\(url.lastPathComponent) is an empty folder") }
        if !stores.contains(where: { !Self.isFolder(url.appendingPathComponent($0)) }),
            let remains = StoreRemains(in: url)
        {
            throw StoreErrors.folder(remains.what, fix: remains.fix)
        }
        let list = stores.prefix(3).joined(separator: ", ")
        var fault = ""
        if stores.isEmpty, let first = unreadable.first, case .failure(let why) = first.content {
            fault = ": \(first.file): \(why)"
        }
        throw StoreErrors.folder(
            "\(url.lastPathComponent) contains no planned routes\(list.isEmpty ? "" : ", but \(list)")\(fault)",
            fix: stores.first.map { "store open \(Literal.text(url.appendingPathComponent($0).path))" })
    }

    private static func isStore(_ folder: URL, _ name: String) -> Bool {
        // Throws if it is not a database.
        (try? SQLiteFile.header(of: folder.appendingPathComponent(name))) != nil
            || DocumentFiles.isFolder(folder.appendingPathComponent(name))
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The kind of most documents; `nil` if fewer than half match.
    private static func best(_ documents: [Document], of kinds: [StoreKind]) -> StoreRecognition? {
        var found: StoreRecognition?
        for kind in kinds {
            let keys = DocumentLayout.keys(of: kind)
            let whole = documents.count { has($0, keys.needed, all: true) }
            let near = documents.count { has($0, keys.needed, all: false) }
            guard near * 2 >= documents.count, near > 0 else { continue }
            let noun = DocumentLayout.noun(of: kind, documents.count)
            if whole == documents.count {
                return StoreRecognition(kind, .certain, "\(documents.count) \(noun)")
            }
            found = StoreRecognition(kind, .likely, "\(whole) of \(documents.count) \(noun) are complete")
        }
        return found
    }

    private static func has(_ document: Document, _ keys: [String], all: Bool) -> Bool {
        let present = Set(document.tree?.keys ?? [])
        let count = keys.count { present.contains($0) }
        return all ? count == keys.count : count * 2 > keys.count
    }
}

/// The keys in documents.
public enum DocumentLayout {
    /// The kinds whose documents are read.
    static let kinds: [StoreKind] = [.plannedRoutes, .locations, .tones]

    /// The keys of a kind's documents: the required and the optional ones.
    public static func keys(of kind: StoreKind) -> (needed: [String], further: [String]) {
        switch kind {
        case .plannedRoutes:
            (
                [
                    "id", "name", "mode", "startCoordinate", "endCoordinate", "viaPoints", "coordinates",
                    "turnInstructions", "totalDistance", "estimatedDuration", "elevationGain",
                    "elevationLoss",
                    "createdAt",
                ], ["regionId", "elevationProfile", "modifiedAt", "cloudKitRecordID"]
            )
        case .locations: (["id", "name", "coordinate", "toneProfileId", "isEnabled"], [])
        case .tones: (["id", "name"] + toneNumbers, [])
        default: ([], [])
        }
    }

    /// The table that represents a kind's documents.
    public static func table(of kind: StoreKind) -> String {
        switch kind {
        case .plannedRoutes: "planned_routes"
        case .locations: "locations"
        case .tones: "tones"
        default: "documents"
        }
    }

    /// The numbers of a tone.
    public static let toneNumbers = ToneLimits.all.map(\.key)

    static func noun(of kind: StoreKind, _ count: Int) -> String {
        let one = count == 1
        return switch kind {
        case .plannedRoutes: one ? "planned route" : "planned routes"
        case .locations: one ? "location" : "locations"
        default: one ? "tone" : "tones"
        }
    }
}
