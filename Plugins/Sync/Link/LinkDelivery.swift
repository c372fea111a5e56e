import CivilTime
import Foundation
import PluginKit
import TrailStores

/// Delivers queued items: the receiver's side of the link.
struct LinkDelivery {
    let service: SyncService
    let link: LinkStore
    let context: Context

    /// Share of deliveries in field mode after which a queue gets stuck.
    private static let stuckShare = 0.25

    /// Delivers up to a number of items; returns those it processed, and those that wait for a row that can be read.
    func deliver(_ count: Int) throws -> [(item: LinkItem, outcome: String)] {
        let mode = try link.mode()
        var done: [(LinkItem, String)] = []
        var delivered = 0
        for item in try link.items(queuedOnly: true) where delivered < count {
            try context.checkCancelled()
            let sender = try link.register.device(item.sender)
            let receiver = try link.register.device(item.receiver)
            // Queues continue while an app is suspended, and launch an app that is not running.
            guard sender.isOnline, receiver.isOnline, try !link.isStuck(item) else { continue }
            // What the receiver's user changed meanwhile would be stamped by its clock.
            if receiver.hasFarClock { continue }
            if mode == "field", context.random.uniform() < Self.stuckShare {
                try link.stick(item)
                continue
            }
            let outcome = try apply(item)
            MergeRecorder.current?.record(
                MergeSteps.item(
                    item.type, to: item.receiver, channel: item.channel.rawValue, outcome: outcome))
            done.append((item, outcome))
            // What waits keeps nothing behind it from being delivered.
            if outcome != LinkMerge.Outcome.waits.rawValue { delivered += 1 }
        }
        return done
    }

    /// Hands an item to the receiver's app.
    func apply(_ item: LinkItem) throws -> String {
        if try link.wasApplied(item) {
            try link.set(item, .duplicate, "already applied; nothing changed")
            return "duplicate"
        }
        do {
            switch item.type {
            case "waypoint":
                let outcome = try waypoint(item)
                if outcome == .waits {
                    try link.set(item, .queued, outcome.words)
                    return outcome.rawValue
                }
                try link.set(item, .applied, outcome.words)
                if outcome != .stale, case .text(let id)? = item.payload["id"] {
                    SyncEvents.received(id, from: try link.register.device(item.sender).kind, context)
                }
                return outcome.rawValue
            case LinkItem.plannedRoute, "region":
                try link.set(item, .applied, try file(item))
                return "applied"
            default:
                try link.set(
                    item, .unknown,
                    "no handler for the type \(item.type.isEmpty ? "(none)" : item.type); kept")
                return "unknown"
            }
        } catch let error as RutterError {
            SyncEvents.failed(item, error.message, context)
            try link.set(item, .failed, error.message)
            return "failed: \(error.message)"
        }
    }

    private func waypoint(_ item: LinkItem) throws -> LinkMerge.Outcome {
        let parcel = LinkSender.parcel(item)
        var thumbnail: Data?
        if parcel?.version.isDeleted != true {
            let (waypoint, picture) = try TransferDictionary.read(item.payload)
            guard waypoint.coordinate.isValid else {
                throw LinkErrors.payload("the keys latitude and longitude are not a valid coordinate")
            }
            guard parcel != nil else { return try unstamped(waypoint, picture, item) }
            thumbnail = picture
        }
        guard let parcel else { throw LinkErrors.payload("the record's stamps cannot be read") }
        return try merging(item) { store, device in
            if let thumbnail {
                try store.keep(Blob(reference: BlobReference(thumbnail), bytes: Array(thumbnail)))
            }
            return try LinkMerge.merge(parcel, into: &store, now: device.now(context), rule: device.rule)
        }
    }

    /// Works on the receiver's stores under its lock, as a sync does.
    private func merging<T>(
        _ item: LinkItem, _ body: (inout FolderStore, DeviceEntry) throws -> T
    ) throws -> T {
        let device = try link.register.device(item.receiver)
        let lock = try DeviceLock(try service.folder(device, context))
        defer { lock.release() }
        var store = try service.store(device, context)
        try LocalChangeDetector.catchUp(in: &store, now: device.now(context), rule: device.rule)
        let value = try body(&store, device)
        store.keepEdits()
        try store.commit()
        return value
    }

    /// A waypoint from an app that sends no stamps, so the age of its values is unknown. A missing waypoint
    /// is created; an existing one is unchanged, and different values are stored as conflicts.
    private func unstamped(
        _ waypoint: Waypoint, _ thumbnail: Data?, _ item: LinkItem
    ) throws -> LinkMerge.Outcome {
        let folder = try service.folder(try link.register.device(item.receiver), context)
        let waypoints = try WaypointStore(own: folder)
        let key = RecordKey(type: .waypoint, name: RecordName(waypoint.id))
        if try merging(item, { store, _ in try store.obstacle(key) }) != nil { return .waits }
        guard let known = try waypoints.waypoint(waypoint.id) else {
            let isDeleted = try merging(item) { store, _ in try store.state(key)?.local.isDeleted ?? false }
            if isDeleted { return .stale }
            var new = waypoint
            new.modifiedAt = context.clock.trueNow
            try waypoints.insert(new, photo: WaypointPhoto(photo: nil, thumbnail: thumbnail))
            // Not an edit of the receiver's user, so it is not sent back.
            return try merging(item) { store, device in
                try LocalChangeDetector.record(
                    key, in: &store, now: device.now(context), rule: device.rule)
                try link.setQueued(item.receiver, upTo: store.header.clock.last)
                return .applied
            }
        }
        let values: [(String, FieldValue, FieldValue)] = [
            ("label", .text(waypoint.label), .text(known.label)),
            ("note", .text(waypoint.note), .text(known.note)),
            ("category", .text(waypoint.rawCategory), .text(known.rawCategory)),
            ("latitude", .number(waypoint.coordinate.latitude), .number(known.coordinate.latitude)),
            ("longitude", .number(waypoint.coordinate.longitude), .number(known.coordinate.longitude)),
        ]
        let lost = values.filter { $0.1 != $0.2 }
        if lost.isEmpty { return .stale }
        return try merging(item) { store, _ in
            for (field, value, held) in lost {
                try store.keep(
                    Loser(field: field, value: value, stamp: .none, winner: held, reason: .device), of: key)
            }
            return .conflict
        }
    }

    /// Moves a file to its folder before the handler returns: the system then deletes the original. Returns the event
    /// that the app posts; empty without one.
    private func file(_ item: LinkItem) throws -> String {
        guard let name = item.file else { throw LinkErrors.payload("\(item.type) must be sent as a file") }
        let source = link.files.appendingPathComponent(item.message)
        let data: Data
        do { data = try Data(contentsOf: source) } catch {
            throw CommonErrors.fileMissing("the file \(name) is missing")
        }
        let folder = link.register.folder(item.receiver)
        if item.type == LinkItem.plannedRoute {
            let route: PlannedRoute
            do { route = try PlannedRouteJSON.route(data) } catch {
                throw LinkErrors.payload("\(name) is not a planned route")
            }
            try PlannedRouteFolder(own: folder).restore(data, of: route.id)
            SyncEvents.routeReceived(route.id.uuidString, context)
            return "\(SyncEvents.Name.plannedRouteSyncReceived.rawValue) \(route.id.uuidString)"
        } else {
            // Maps are databases, XML or protocol buffers: none begins like a document of JSON.
            let blanks = Array(" \t\r\n".utf8)
            guard let first = data.first(where: { !blanks.contains($0) }), first != UInt8(ascii: "{"),
                first != UInt8(ascii: "[")
            else { throw LinkErrors.payload("\(name) is not a region") }
            let regions = StoreKind.routing.url(in: folder)
            try FileManager.default.createDirectory(at: regions, withIntermediateDirectories: true)
            try data.write(to: regions.appendingPathComponent(name), options: .atomic)
            return ""
        }
    }
}
