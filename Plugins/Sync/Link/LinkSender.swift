import Foundation
import PluginKit
import TrailStores

/// Queues waypoints for the link, with the stamps that the receiver needs to merge them.
struct LinkSender {
    /// The key under which a dictionary carries the record's stamps.
    static let parcelKey = "sync"
    /// The key that marks a deleted record.
    static let deletedKey = "deleted"
    /// Columns that are never sent over the link.
    private static let photo = "photo_data"
    private static let thumbnail = "photo_thumbnail"

    let service: SyncService
    let link: LinkStore
    let context: Context

    /// The dictionary of a waypoint, or of a deleted one; `nil` if the device has no such waypoint.
    func payload(_ key: RecordKey, of device: DeviceEntry) throws -> [String: TransferDictionary.Primitive]? {
        let folder = try service.folder(device, context)
        let waypoints = try WaypointStore(own: folder)
        let waypoint = try waypoints.waypoint(key.name.id)
        var thumbnail: Data?
        if device.kind == .phone, waypoint != nil {
            thumbnail = try waypoints.photo(of: key.name.id).thumbnail
            if let size = thumbnail?.count, size > StoreSettings.largestThumbnail { thumbnail = nil }
        }
        let lock = try DeviceLock(folder)
        defer { lock.release() }
        var store = try service.store(device, context)
        try device.requireClock()
        let sendsThumbnail = thumbnail != nil
        let parcel = try LinkMerge.parcel(
            key, in: &store, now: device.now(context), rule: device.rule,
            carries: { $0 != Self.photo && ($0 != Self.thumbnail || sendsThumbnail) })
        try store.commit()
        guard let parcel else { return nil }
        var payload = waypoint.map { TransferDictionary.make($0, thumbnail: thumbnail) } ?? [:]
        if waypoint == nil {
            payload = [
                "type": .text("waypoint"), "id": .text(key.name.text), Self.deletedKey: .boolean(true),
            ]
        }
        payload[Self.parcelKey] = .text(Data(LinkCoding.bytes(parcel)).base64EncodedString())
        return payload
    }

    /// The record and stamps of an item; `nil` if the sending app has none.
    static func parcel(_ item: LinkItem) -> LinkParcel? {
        guard case .text(let id)? = item.payload["id"], let name = RecordName(text: id),
            case .text(let text)? = item.payload[parcelKey], let bytes = Data(base64Encoded: text)
        else { return nil }
        return LinkCoding.parcel(RecordKey(type: .waypoint, name: name), Array(bytes))
    }

    /// Queues what users of phones and watches saved or deleted since the last call, as their apps do.
    func queueEdits() throws {
        let devices = try link.register.all()
        for device in devices {
            guard let other = device.kind.linked else { continue }
            let peers = devices.filter { $0.kind == other }
            if peers.isEmpty { continue }
            // Its edits are queued once its clock is right: they would be stamped by it.
            if device.hasFarClock { continue }
            for key in try edited(device) {
                guard let payload = try payload(key, of: device) else { continue }
                let text = try LinkPayload.text(payload)
                for peer in peers {
                    try link.add(
                        context.random.uuid().uuidString, from: device.name, to: peer.name, .userInfo, text,
                        file: nil, at: context.clock.now)
                    SyncEvents.queued(key.name.text, for: peer.kind, context)
                }
            }
        }
    }

    /// The waypoints with local edits that are not queued yet.
    private func edited(_ device: DeviceEntry) throws -> [RecordKey] {
        let folder = try service.folder(device, context)
        let lock = try DeviceLock(folder)
        defer { lock.release() }
        var store = try service.store(device, context)
        for key in try store.changedKeys() {
            try LocalChangeDetector.record(
                key, in: &store, now: device.now(context), rule: device.rule)
        }
        store.keepEdits()
        try store.commit()
        // A device that existed before its link does not queue earlier edits.
        let queued = try link.queuedUpTo(device.name)
        if queued != store.header.clock.last {
            try link.setQueued(device.name, upTo: store.header.clock.last)
        }
        guard let queued, store.header.clock.last > queued else { return [] }
        let own = store.header.device
        return try store.states.list().compactMap { key, state in
            if key.type != .waypoint { return nil }
            let stamps = state.local.fields.map(\.stamp) + [state.local.stamp]
            return stamps.contains { $0.device == own && $0.time > queued } ? key : nil
        }
    }
}
