import CivilTime
import Foundation
import Logging
import PluginKit

/// What sync and the watch link write to the session's log, in the app's words and with its events' names.
enum SyncEvents {
    /// Notifications that the app posts.
    enum Name: String {
        /// A sync ended well.
        case cloudSyncCompleted
        /// A watch received and saved a planned route.
        case plannedRouteSyncReceived
    }

    /// A waypoint was queued for the other side of the link.
    static func queued(_ id: String, for receiver: DeviceEntry.Kind, _ context: Context) {
        context.log.info("Queued waypoint sync to \(receiver.logName): \(id)", metadata: time(context))
    }

    /// A waypoint arrived and was saved.
    static func received(_ id: String, from sender: DeviceEntry.Kind, _ context: Context) {
        context.log.info(
            "Received and saved waypoint from \(sender.logName): \(id)", metadata: time(context))
    }

    /// An item of the link could not be used.
    static func failed(_ item: LinkItem, _ message: String, _ context: Context) {
        context.log.error("\(item.type) from \(item.sender) failed: \(message)", metadata: time(context))
    }

    /// A watch received and saved a planned route.
    static func routeReceived(_ id: String, _ context: Context) {
        var facts = time(context)
        facts["routeId"] = .string(id)
        context.log.info("\(Name.plannedRouteSyncReceived.rawValue)", metadata: facts)
    }

    /// A sync ended well.
    static func completed(_ result: SyncDriver.Result, _ context: Context) {
        var facts = time(context)
        facts["pushed"] = .stringConvertible(result.counts.pushed)
        facts["pulled"] = .stringConvertible(result.counts.pulled)
        facts["deleted"] = .stringConvertible(result.counts.deleted)
        facts["refused"] = .stringConvertible(result.counts.refused)
        facts["retries"] = .stringConvertible(result.failures)
        context.log.info("\(Name.cloudSyncCompleted.rawValue)", metadata: facts)
    }

    /// An attempt failed, and another follows after a wait in seconds.
    static func waiting(_ seconds: Double, attempt: Int, _ context: Context) {
        context.log.info(
            "Attempt \(attempt) of \(SyncSettings.attempts) failed: waiting \(Int(seconds)) s",
            metadata: time(context))
    }

    /// A request to the cloud, in the verbose log (`--log-level debug`).
    static func sending(_ request: CloudRequest, number: UInt64, _ context: Context) {
        context.log.debug("cloud request \(number): \(request.logName)", metadata: time(context))
    }

    private static func time(_ context: Context) -> Logger.Metadata {
        ["time": .string(ISO8601.text(context.clock.now))]
    }
}

extension DeviceEntry.Kind {
    /// The kind of device on the other side of the watch link; `nil` for those that have none.
    var linked: DeviceEntry.Kind? {
        switch self {
        case .phone: .watch
        case .watch: .phone
        case .tablet, .mac: nil
        }
    }

    /// The kind of device as the app's log names it.
    var logName: String {
        switch self {
        case .phone: "iPhone"
        case .watch: "watch"
        case .tablet: "iPad"
        case .mac: "Mac"
        }
    }
}

extension CloudRequest {
    /// What is asked, in a line of the verbose log.
    var logName: String {
        switch self {
        case .save(_, _, let operations): "save \(operations.count, of: "record")"
        case .changes: "changes"
        case .fetch: "fetch"
        case .common(let marks): "common \(marks.count, of: "mark")"
        case .putBlobs(let blobs): "put \(blobs.count, of: "blob")"
        case .getBlobs(let blobs): "get \(blobs.count, of: "blob")"
        case .putPart: "put a part"
        case .getPart: "get a part"
        case .lacks(let blobs, _): "lacks \(blobs.count, of: "blob")"
        case .report: "report"
        }
    }
}
