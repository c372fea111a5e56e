import PluginKit

/// `sync subscribe`
struct Subscribe: CommandProvider {
    let service: SyncService

    var name: String { "sync subscribe" }

    var command: Command {
        Command(
            name, "report changes of the cloud at the prompt",
            details: """
                Reports changes by other programs while the prompt waits. The changes themselves come with the next pull. \
                PostgreSQL sends notifications (LISTEN); the embedded cloud is polled twice a second, an object store \
                every five seconds.
                """,
            RunSync.cloud,
            .flag("off", "stop watching"),
            output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "the workspace's cloud", "sync subscribe", after: ["device add phone anna"],
                    gives: "watching the cloud, now at change 0")
            ]
        ) { context, name, off in
            if off {
                service.subscribe(nil)
                return .text("stopped watching the cloud")
            }
            let device = try service.device(context)
            var cloud = try service.cloud(name, device, context)
            let head: Int64
            do throws(CloudFailure) { head = try cloud.latest() } catch { throw SyncErrors.cloud("\(error)") }
            let watch = CloudWatcher(head: head) { [service] in try service.cloud(name, device, context) }
            service.subscribe(SyncService.Subscription(device: device.name, watch: watch, reported: head))
            return .text("watching the cloud, now at change \(head)")
        }
    }
}

/// Notifies the prompt of changes by other programs.
struct CloudNotifications: NotificationSource {
    let service: SyncService

    func notices(context: Context) async -> [String] {
        // Notices are hints: what cannot be read is reported by the next sync.
        guard let name = news(), let device = try? service.register(context).device(name.device) else {
            return []
        }
        let read = (try? service.store(device, context))?.header.token?.number ?? 0
        return name.head > read ? ["the cloud has new changes for \(device.name): sync pull"] : []
    }

    /// A change that has not been reported yet.
    private func news() -> (device: String, head: Int64)? {
        service.subscription.withLock { subscription in
            guard let head = subscription?.watch.head, let reported = subscription?.reported, head > reported,
                let device = subscription?.device
            else { return nil }
            subscription?.reported = head
            return (device, head)
        }
    }
}
