import Core
import Formats
import Foundation
import Photos
import PluginKit
import TrailStores

/// The planned routes of an app, one JSON file each, as rows: each key of the object is a field.
struct AppRoutes {
    let folder: PlannedRouteFolder
    /// Called before a file is written or removed; an error simulates a disk error.
    var willChange: (() throws -> Void)?
    /// The files whose names are no identifiers.
    let odd = OddRouteFiles()

    /// Known keys of a route, absent ones included.
    private static let known: Set<String> = [
        "coordinates", "createdAt", "elevationGain", "elevationLoss", "elevationProfile", "endCoordinate",
        "estimatedDuration", "mode", "modifiedAt", "name", "regionId", "startCoordinate", "totalDistance",
        "turnInstructions", "viaPoints",
    ]
    private static let own: Set<String> = ["id", PlannedRouteJSON.recordKey]

    /// The file of the mark, in the folder of the routes.
    private static let markFile = ".rutter-sync"
    /// Bytes by which a picture is known.
    private static let headSize = 64
    /// The ending of a file that was unreadable, and that another one replaced.
    private static let asideExtension = "unreadable"
    /// Keys without which no app reads a route.
    static let needed = [
        "coordinates", "createdAt", "elevationGain", "elevationLoss", "endCoordinate", "estimatedDuration",
        "mode",
        "name", "startCoordinate", "totalDistance", "turnInstructions", "viaPoints",
    ]

    /// What is known of the file of a route.
    enum Reading {
        case row(Row)
        case missing
        case unreadable(String)
    }

    /// The names of all files; `nil` without the folder.
    private func names() throws -> [String]? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.url.path, isDirectory: &isFolder) else {
            return nil
        }
        guard isFolder.boolValue else {
            throw StoreErrors.folder("\(folder.url.lastPathComponent) is a file, not a folder")
        }
        do {
            // An unreadable folder must not look like deleted routes.
            return try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        } catch {
            throw StoreErrors.folder("\(folder.url.lastPathComponent) cannot be read")
        }
    }

    /// The route that a file or placeholder is named after.
    private static func route(_ file: String) -> (name: RecordName, isPlaceholder: Bool)? {
        let owner = EvictedFile.owner(file)
        let text = owner ?? file
        guard text.lowercased().hasSuffix(".json") else { return nil }
        return RecordName(text: String(text.dropLast(5))).map { ($0, owner != nil) }
    }

    /// All routes with a file. Returns whether the folder exists.
    func all(_ body: (RecordKey, Reading) throws -> Void) throws -> Bool {
        guard let names = try names() else { return false }
        var seen: Set<RecordName> = []
        for file in names {
            guard let (name, _) = Self.route(file), seen.insert(name).inserted else { continue }
            let key = RecordKey(type: .plannedRoute, name: name)
            try body(key, try reading(key))
        }
        for name in names.compactMap(identifier) where seen.insert(name).inserted {
            let key = RecordKey(type: .plannedRoute, name: name)
            try body(key, try reading(key))
        }
        return true
    }

    /// The files that are no routes of their own.
    func strays() throws -> [StrayRow] {
        var seen: Set<RecordName> = []
        return try (names() ?? []).compactMap { file in
            if let (name, isPlaceholder) = Self.route(file) {
                if isPlaceholder || seen.insert(name).inserted { return nil }
                return StrayRow(
                    type: .plannedRoute, place: file, why: "its name is another file's in other letters")
            }
            guard file.lowercased().hasSuffix(".json"), !file.hasPrefix(".") else { return nil }
            // The route of a renamed file is listed itself.
            if let name = identifier(file), try folder.file(of: name.id) == nil { return nil }
            return StrayRow(type: .plannedRoute, place: file, why: "its name is no UUID")
        }
    }

    /// The file of a route as a row. What does not decode as a route is no edit of one.
    func reading(_ key: RecordKey) throws -> Reading {
        guard let file = try folder.file(of: key.name.id) else {
            let isEvicted = try names()?.contains { Self.route($0)?.name == key.name } ?? false
            if isEvicted {
                return .unreadable("its file is in the system's cloud and not on this device; download it")
            }
            return try renamed(key.name).map {
                .unreadable("its file is named \($0) now; apps look for \(key.name.text).json")
            } ?? .missing
        }
        let name = file.lastPathComponent
        let data: Data
        do { data = try Data(contentsOf: file) } catch { return .unreadable("\(name) cannot be read") }
        do {
            let object = try JSONTree(parsing: data)
            guard object.members != nil else { throw object.mismatch("an object") }
            let route = try PlannedRouteJSON.route(data)
            guard RecordName(route.id) == key.name else {
                return .unreadable("\(name) holds the route \(route.id.hexadecimal)")
            }
            // Without its line a route of some length contradicts itself: the line was lost.
            if route.coordinates.isEmpty, route.distance > 0 || !route.turns.isEmpty {
                return .unreadable("\(name) has no coordinates, but a length or turns")
            }
            // Which of the values counts depends on the program: neither must replace the other devices'.
            if let key = RepeatedKeys.find(data).first?.key {
                return .unreadable("\(name) has the key `\(key)` twice, and programs differ in which counts")
            }
            // No app shows such a route, and it replaces no good one.
            if let fault = route.impossible { return .unreadable("\(name): \(fault)") }
            return .row(Self.row(of: object))
        } catch let fault as JSONFault {
            return .unreadable("\(name) is no route: \(fault.description)")
        } catch {
            return .unreadable("\(name) is no route")
        }
    }

    /// The file with a route under a name that is no identifier, as a file manager or a conflict leaves it; `nil` if there is
    /// none. Such a route was not deleted.
    private func renamed(_ name: RecordName) throws -> String? {
        guard let names = try names() else { return nil }
        if let file = names.first(where: { identifier($0) == name }) { return file }
        if let file = names.first(where: { isCopy($0, of: name) }) { return file }
        // Subfolders: routes are no folders.
        for entry in names where !entry.hasPrefix(".") && !entry.hasSuffix(".json") {
            let file = "\(entry)/\(name.text).json"
            let url = folder.url.appendingPathComponent(file)
            if FileManager.default.fileExists(atPath: url.path) { return file }
        }
        return nil
    }

    /// Whether a file is a route's with a further ending, as a compression, a download or an editor leaves it. A picture or a
    /// document in XML that is named after the route is not.
    private func isCopy(_ file: String, of name: RecordName) -> Bool {
        let folded = file.lowercased()
        let document = name.lowercaseText + ".json"
        if folded.hasPrefix(document) { return !folded.hasPrefix("\(document).\(Self.asideExtension)") }
        guard folded.hasPrefix(name.lowercaseText + ".") else { return false }
        let url = folder.url.appendingPathComponent(file)
        guard let handle = try? FileHandle(forReadingFrom: url) else { return true }
        // A handle that was opened can be closed.
        defer { try? handle.close() }
        let head = (try? handle.read(upToCount: Self.headSize)) ?? Data()
        return PhotoKind(sniffing: head) == nil && head.first != UInt8(ascii: "<")
    }

    /// The route in a file whose name is no identifier; `nil` of any other file.
    private func identifier(_ file: String) -> RecordName? {
        guard Self.route(file) == nil, file.lowercased().hasSuffix(".json"), !file.hasPrefix(".") else {
            return nil
        }
        return odd.route(in: folder.url.appendingPathComponent(file))
    }

    private static func row(of object: JSONTree) -> Row {
        Set(object.keys ?? []).union(known).subtracting(own).sorted().map { key in
            RowField(key: key, value: object[key].map(value) ?? .absent)
        }
    }

    /// `nil` if there is no readable file.
    func row(_ key: RecordKey) throws -> Row? {
        guard case .row(let row) = try reading(key) else { return nil }
        return row
    }

    /// Renames a file that cannot be read, so that another can take its place. Nothing is deleted.
    func moveAside(_ key: RecordKey) throws {
        guard case .unreadable = try reading(key), let file = try folder.file(of: key.name.id) else { return }
        var number = 1
        var target = file.appendingPathExtension(Self.asideExtension)
        while FileManager.default.fileExists(atPath: target.path) {
            number += 1
            target = file.appendingPathExtension("\(Self.asideExtension)\(number)")
        }
        try FileManager.default.moveItem(at: file, to: target)
    }

    // MARK: The mark

    /// Whether there is a folder.
    var isThere: Bool { FileManager.default.fileExists(atPath: folder.url.path) }

    /// The mark of the folder.
    func mark() -> StoreMark? {
        let url = folder.url.appendingPathComponent(Self.markFile)
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        let parts = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
        return parts.count == 2 ? StoreMark(device: parts[0], commit: parts[1]) : nil
    }

    /// Writes the mark, after the files it covers. The first one makes the folder.
    func write(_ mark: StoreMark, isFirst: Bool = false) throws {
        if !isThere, !isFirst { return }
        do {
            try willChange?()
            if isFirst {
                try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            }
            let staged = try StagedFile(folder.url.appendingPathComponent(Self.markFile), force: true)
            try Array("\(mark.device) \(mark.commit)\n".utf8).withUnsafeBytes { try staged.write($0) }
            try staged.finish()
        } catch {
            throw StoreErrors.disk(
                "the folder of planned routes cannot be written",
                fix: "check the disk and its free space, then repeat the sync")
        }
    }

    static func row(of version: Version) -> Row? {
        if version.isDeleted { return nil }
        return Set(version.fields.map(\.key)).union(known).sorted().map {
            RowField(key: $0, value: version.value($0))
        }
    }

    private static func value(_ tree: JSONTree) -> FieldValue {
        if case .text(let text) = tree { return .text(text) }
        return .bytes(Array(tree.sorted.compactText.utf8))
    }

    /// Writes the name of a record that the cloud has into a file that has none, as the app does after a sync. It is no edit.
    func nameRecord(_ key: RecordKey) throws {
        guard case .row = try reading(key), let file = try folder.file(of: key.name.id) else { return }
        var object = try JSONTree(parsing: try Data(contentsOf: file))
        switch object[PlannedRouteJSON.recordKey] {
        case nil, .null?: object[PlannedRouteJSON.recordKey] = .text(key.name.text)
        default: return
        }
        try willChange?()
        try folder.restore(
            Data(JSONWriter(.apple(escapesSlashes: true)).text(object.sorted).utf8), of: key.name.id)
    }

    func write(_ key: RecordKey, before: Row?, after: Row?, isRequested: Bool = false) throws {
        switch try reading(key) {
        case .row(let row) where row == before: break
        case .missing where before == nil: break
        // Only a placeholder is there, and its content is asked for.
        case .unreadable where try before == nil && isRequested && folder.file(of: key.name.id) == nil: break
        // Another version, or one that cannot be read: it is left alone.
        default: return
        }
        // What is written comes from the cloud, so the record has its name.
        var object = JSONTree.object([
            .init("id", .text(key.name.text)), .init(PlannedRouteJSON.recordKey, .text(key.name.text)),
        ])
        for field in after ?? [] {
            switch field.value {
            case .text(let text): object[field.key] = .text(text)
            case .bytes(let bytes): object[field.key] = try JSONTree(parsing: bytes)
            default: continue
            }
        }
        do {
            try willChange?()
            if after != nil {
                let text = JSONWriter(.apple(escapesSlashes: false)).text(object.sorted)
                try folder.restore(Data(text.utf8), of: key.name.id)
            } else if before != nil {
                _ = try folder.delete(key.name.id)
            }
        } catch {
            let why = (error as? RutterError)?.message ?? (error as NSError).localizedDescription
            throw StoreErrors.disk(
                "the planned route \(key.name.text) cannot be written: \(why)",
                fix: "check the disk and its free space, then repeat the sync")
        }
    }
}
