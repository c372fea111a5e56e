import PluginKit

/// `sync subscribe`
struct Subscribe: Command {
    let service: SyncService
    private static let off = Parameter.flag("off", "watches no longer")

    let spec = CommandSpec(
        "sync subscribe", "lets the prompt tell when another program has changed the cloud",
        details: """
            The prompt looks at the cloud's head before each entry. It is a hint: what changed comes with the next pull.
            """,
        parameters: [RunSync.cloud.spec, off.spec], output: .value("text"), effect: .reads,
        examples: [
            .init(
                "the workspace's cloud", "sync subscribe", after: ["device add phone anna"],
                gives: "watching the cloud, now at change 0")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        if try arguments[Self.off] {
            service.subscription.withLock { $0 = nil }
            return .text("watching no longer")
        }
        let device = try service.device(context)
        let name = try arguments[RunSync.cloud]
        var cloud = try service.cloud(name, device, context)
        let head: Int64
        do throws(CloudFailure) { head = try cloud.latest() } catch { throw SyncErrors.cloud("\(error)") }
        service.subscription.withLock {
            $0 = SyncService.Subscription(cloud: name, device: device.name, head: head)
        }
        return .text("watching the cloud, now at change \(head)")
    }
}

/// Tells the prompt of changes that others made.
struct CloudNotices: Noticing {
    let service: SyncService

    func notices(context: Context) async -> [String] {
        guard let subscription = service.subscription.withLock({ $0 }),
            let device = try? service.register(context).device(subscription.device),
            var cloud = try? service.cloud(subscription.cloud, device, context),
            let head = try? cloud.latest(),
            head > subscription.head
        else { return [] }
        service.subscription.withLock { $0?.head = head }
        let read = (try? service.store(device, context))?.header.token?.number ?? 0
        return head > read ? ["the cloud has new changes for \(device.name): sync pull"] : []
    }
}
