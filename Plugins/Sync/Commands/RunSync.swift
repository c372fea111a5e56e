import PluginKit

/// `sync`, `sync pull`, `sync push`
struct RunSync: CommandProvider {
    let service: SyncService

    static let cloud = Parameter<String?>.option(
        "cloud", .text, "\(CloudKinds.list); default: the workspace's cloud.db")

    /// Remarks that a user needs beyond the counts; usually none.
    private static func remarks(_ result: SyncDriver.Result) -> [(String, Value)] {
        let counts = result.counts
        var remarks = Self.remarks(ofAside: result.aside)
        if result.broughtBack > 0 {
            let many = result.broughtBack == 1 ? "1 row was" : "\(result.broughtBack) rows were"
            remarks.append(
                "\(many) brought back: the app's store is another file, has other columns, or lost a photo or track (sync log)"
            )
        }
        if counts.renewals > 0 {
            remarks.append("this device's data was a copy; it got a new identity, and no data was lost")
        }
        if counts.rewinds > 0 {
            remarks.append("the cloud was restored from a backup; missing records were sent again")
        }
        if counts.heldBack > 0 {
            let many = counts.heldBack == 1 ? "1 record waits" : "\(counts.heldBack) records wait"
            remarks.append(
                "\(many): \(SyncErrors.photo.title) (\(SyncErrors.photo.code), sync conflicts --aside)")
        }
        return remarks.asField
    }

    /// Stores are named with what to do; rows and records are counted.
    static func remarks(ofAside aside: [AsideEntry]) -> [String] {
        let stores = aside.filter { $0.place == AppRows.place($0.type) && $0.key == nil }
        let others = aside.filter { $0.place != AppRows.place($0.type) || $0.key != nil }
        var remarks = stores.map { "\($0.why); nothing of it was sent (\($0.fix))" }
        if let first = others.first {
            let many = others.count == 1 ? "1 record is" : "\(others.count) records are"
            let name = first.key.map { RecordText.short($0) } ?? first.place
            remarks.append("\(many) set aside, such as \(name): \(first.why) (sync conflicts --aside)")
        }
        return remarks
    }

    var name: String { "sync" }

    var command: Command {
        Command(
            name, "pull, then push; or only one of both",
            details: """
                Syncs the device in use. Temporary failures are retried after 2, 4 and 8 seconds of the session's \
                clock; under `sync rule seed` the device waits 16 seconds more before it gives up, as the app does. \
                The event cloudSyncCompleted with its counts is logged (`--log-level info`), and every request with \
                `--log-level debug`. Conflicts are merged by field; values that lose are kept (`sync conflicts`). Large photos \
                are transferred in parts; an interrupted sync resumes. Rows and files of the app get the name of their record in the cloud. \
                `set sync.at-launch true` syncs a device also when its app starts (`device set NAME --state restarted`). The cloud discards history that all devices have read: a \
                device that has not synced for a long time fetches everything again. The server and keys of an object \
                store (`s3://`) come from the environment: AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, \
                AWS_SESSION_TOKEN.
                """,
            .optional(
                "direction",
                .choice([
                    .init("pull", "only new changes of the cloud"), .init("push", "only the outbox"),
                    .init("now", "both, as without it"),
                ]), "default: both"),
            Self.cloud, .flag("delete-many", "allow deleting more than a tenth of a store"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "both", "sync | get pushed",
                    after: ["device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label"],
                    gives: "1"),
                .init(
                    "the same by another word", "sync now | get pushed",
                    after: ["device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label"],
                    gives: "1"),
                .init(
                    "only what is new in the cloud", "sync pull | get pulled",
                    after: ["device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label"],
                    gives: "0"),
                .init(
                    "only the outbox", "sync push | get pushed",
                    after: ["device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label"],
                    gives: "1"),
            ],
            searchTerms: [
                "phone and laptop", "two devices", "cloud", "icloud", "cloudkit", "now", "upload", "download",
                "synchronize", "exchange", "phone and tablet", "upload changes", "push changes",
                "upload edits", "empty the outbox",
            ]
        ) { context, direction, cloud, mayDeleteMany in
            let mode = direction.flatMap { SyncMachine.Mode(rawValue: $0) } ?? .now
            let device = try service.device(context)
            let run = SyncRun(service: service, context: context, device: device)
            let watch = context.tracing.map { MergeRecorder(limit: $0.limit) }
            watch?.record(MergeSteps.started(device, mode))
            let result = try await MergeRecorder.$current.withValue(watch) {
                defer {
                    if let watch { context.tracing?.keep(watch.steps, picture: MergeSteps.picture()) }
                }
                let result = try await run.run(mode, cloud: cloud, mayDeleteMany: mayDeleteMany)
                watch?.record(MergeSteps.ended(result.counts))
                return result
            }
            let counts = result.counts
            return .record(
                Record(
                    [
                        ("pushed", .integer(counts.pushed)), ("pulled", .integer(counts.pulled)),
                        ("deleted", .integer(counts.deleted)), ("refused", .integer(counts.refused)),
                        ("parked", .integer(counts.parked)), ("retries", .integer(result.failures)),
                    ] + Self.remarks(result)))
        }.deciding("sync", after: SyncExample.conflict)
    }
}

extension [String] {
    /// The remarks as one field of a record; none without remarks.
    var asField: [(String, Value)] { isEmpty ? [] : [("remark", .text(joined(separator: "; ")))] }
}

/// Entries that make two devices change one field of a record.
enum SyncExample {
    static let conflict = [
        "device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label", "sync | get pushed",
        "device add phone ben; sync | get pulled",
        "device use ben; waypoint edit Hut --label Cabin | get label",
        "clock 1min; sync | get pushed", "device use anna; waypoint edit Hut --label Lodge | get label",
    ]
}
