import CivilTime
import Foundation
import PluginKit
import TrailStores

/// Delivers queued items: the receiver's side of the link.
struct LinkDelivery {
    let link: LinkStore
    let context: Context

    /// In the field, how often a queue gets stuck.
    private static let stuckShare = 0.25

    /// Delivers up to a number of items; returns those it processed.
    func deliver(_ count: Int) throws -> [(item: LinkItem, outcome: String)] {
        let mode = try link.mode()
        var done: [(LinkItem, String)] = []
        for item in try link.items(queuedOnly: true) where done.count < count {
            try context.checkCancelled()
            let sender = try link.register.device(item.sender)
            let receiver = try link.register.device(item.receiver)
            // Queues go on while an app is suspended, and wake one that does not run.
            guard sender.isOnline, receiver.isOnline, try !link.isStuck(item) else { continue }
            if mode == "field", context.random.uniform() < Self.stuckShare {
                try link.stick(item)
                continue
            }
            done.append((item, try apply(item)))
        }
        return done
    }

    /// Hands an item to the receiver's app.
    func apply(_ item: LinkItem) throws -> String {
        if try link.wasApplied(item) {
            try link.set(item, .duplicate, "was applied before; nothing changed")
            return "duplicate"
        }
        do {
            switch item.type {
            case "waypoint": try waypoint(item)
            case "plannedRoute", "region": try file(item)
            default:
                try link.set(
                    item, .unknown,
                    "no handler for the type \(item.type.isEmpty ? "(none)" : item.type); kept")
                return "unknown"
            }
            try link.set(item, .applied, "")
            return "applied"
        } catch let error as RutterError {
            try link.set(item, .failed, error.message)
            return "failed: \(error.message)"
        }
    }

    private func waypoint(_ item: LinkItem) throws {
        let (waypoint, thumbnail) = try TransferDictionary.read(item.payload)
        guard waypoint.coordinate.isValid else {
            throw LinkErrors.payload("the keys latitude and longitude are not a valid coordinate")
        }
        let folder = link.register.folder(item.receiver)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try WaypointStore(own: folder)
        let sent = context.clock.trueNow
        guard let known = try store.waypoint(waypoint.id) else {
            var new = waypoint
            new.modifiedAt = sent
            return try store.insert(new, photo: WaypointPhoto(photo: nil, thumbnail: thumbnail))
        }
        var changed = waypoint
        // What the dictionary does not carry stays: the photo never travels over the link.
        changed.hasPhoto = known.hasPhoto
        changed.modifiedAt = known.modifiedAt
        changed.cloudRecordID = known.cloudRecordID
        if changed == known { return }
        changed.modifiedAt = sent
        try store.update(known, to: changed)
    }

    /// Moves a file to its folder before the handler returns: the system then deletes the original.
    private func file(_ item: LinkItem) throws {
        guard let name = item.file else { throw LinkErrors.payload("a \(item.type) travels as a file") }
        let source = link.files.appendingPathComponent(item.message)
        let data: Data
        do { data = try Data(contentsOf: source) } catch {
            throw CommonErrors.fileMissing("the file \(name) is missing")
        }
        let folder = link.register.folder(item.receiver)
        if item.type == "plannedRoute" {
            let route: PlannedRoute
            do { route = try PlannedRouteJSON.route(data) } catch {
                throw LinkErrors.payload("\(name) is not a planned route")
            }
            try PlannedRouteFolder(own: folder).restore(data, of: route.id)
        } else {
            let regions = StoreKind.routing.url(in: folder)
            try FileManager.default.createDirectory(at: regions, withIntermediateDirectories: true)
            try data.write(to: regions.appendingPathComponent(name), options: .atomic)
        }
    }
}
