import Core
import Formats
import Foundation
import PluginKit
import TrailStores

/// The planned routes of an app, one JSON file each, as rows: each key of the object is a field.
struct AppRoutes {
    let folder: PlannedRouteFolder
    /// Called before a file is written or removed; an error simulates a disk error.
    var willChange: (() throws -> Void)?

    /// Known keys of a route, absent ones included.
    private static let known: Set<String> = [
        "coordinates", "createdAt", "elevationGain", "elevationLoss", "elevationProfile", "endCoordinate",
        "estimatedDuration", "mode", "modifiedAt", "name", "regionId", "startCoordinate", "totalDistance",
        "turnInstructions", "viaPoints",
    ]
    private static let own: Set<String> = ["id", "cloudKitRecordID"]

    func all(_ body: (RecordKey, Row) throws -> Void) throws {
        // A missing folder means no routes; an unreadable folder must not look like deleted routes.
        guard FileManager.default.fileExists(atPath: folder.url.path) else { return }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        } catch {
            throw CommonErrors.fileAccess("\(folder.url.lastPathComponent) cannot be read")
        }
        for file in names.sorted() where file.lowercased().hasSuffix(".json") {
            guard let name = RecordName(text: String(file.dropLast(5))) else { continue }
            let key = RecordKey(type: .plannedRoute, name: name)
            if let row = try row(key) { try body(key, row) }
        }
    }

    /// `nil` if there is no file. Throws if a file is not an object, so that it is not mistaken for a deletion.
    func row(_ key: RecordKey) throws -> Row? {
        guard let file = try folder.file(of: key.name.id) else { return nil }
        let data = try Data(contentsOf: file)
        let object: JSONTree
        do throws(JSONFault) {
            object = try JSONTree(parsing: data)
            guard object.members != nil else { throw object.mismatch("an object") }
        } catch {
            throw error.error(SyncErrors.store, file: file.lastPathComponent)
        }
        return Set(object.keys ?? []).union(Self.known).subtracting(Self.own).sorted().map { key in
            RowField(key: key, value: object[key].map(Self.value) ?? .absent)
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

    func write(_ key: RecordKey, before: Row?, after: Row?) throws {
        guard try row(key) == before else { return }
        var object = JSONTree.object([.init("id", .text(key.name.text))])
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
