import Foundation
import PluginKit

/// `sync simulate` with a given schedule.
extension Simulate {
    func replay(
        _ schedule: String, _ setup: SimulationSetup, cloud: String, notebook: URL?, _ context: Context
    ) throws -> Value {
        let actions: [SimulatedAction]
        switch SimulatedAction.parse(schedule) {
        case .success(let parsed): actions = parsed
        case .failure(let unreadable):
            throw SyncErrors.schedule("`\(unreadable.step)` is not a step", at: .parameter("schedule"))
        }
        let violation: Violation?
        switch cloud {
        case "memory": violation = play(actions, setup, Simulation.memory, context)
        case "file":
            let folder = try FileManager.default.scratchFolder("replay")
            defer { FileManager.default.discard(folder) }
            let cloud = try CloudKinds.kind(of: nil).kind.open(
                CloudAddress(text: nil, epoch: SimulationSettings.firstEpoch) { _ in
                    folder.appendingPathComponent("cloud.db")
                })
            violation = play(actions, setup, cloud, context)
        default:
            violation = try play(actions, setup, on: cloud, context)
        }
        if let file = notebook {
            let page = Self.page(schedule, setup, violation)
            try OutputFile.write(Data(page.utf8), to: file, force: false, parameter: "notebook")
        }
        return .record(
            Record([
                ("steps", .integer(actions.count)), ("holds", .boolean(violation == nil)),
                ("invariant", Value(violation) { .text($0.invariant.words) }),
                ("detail", Value(violation) { .text($0.detail) }),
            ]))
    }

    /// Runs the schedule on a server zone that has never been used; leaves the zone empty, with a new
    /// history.
    private func play(
        _ actions: [SimulatedAction], _ setup: SimulationSetup, on name: String, _ context: Context
    ) throws -> Violation? {
        let (kind, address) = try CloudKinds.kind(of: name)
        guard kind.usesNetwork else {
            throw SyncErrors.cloud(
                "not a server: \(name)", at: .parameter("cloud"),
                fix: "--cloud file, or \(CloudKinds.servers)")
        }
        try service.checkNetwork(context, parameter: "cloud")
        var cloud = try kind.open(
            CloudAddress(text: address, epoch: SimulationSettings.firstEpoch) { _ in
                throw SyncErrors.cloud("not a server", at: .parameter("cloud"))
            })
        do throws(CloudFailure) {
            let state = try cloud.state()
            guard state.head == 0, state.lineage.starts.count <= 1 else {
                throw CloudFailure.permanent("")
            }
            try cloud.restore(.empty, epoch: SimulationSettings.firstEpoch)
        } catch .permanent("") {
            throw SyncErrors.notEmpty(
                "this account's zone is or was in use", at: .parameter("cloud"),
                fix: "use an account that has never synced")
        } catch {
            throw SyncErrors.cloud("\(error)", at: .parameter("cloud"))
        }
        let violation = play(actions, setup, cloud, context)
        do throws(CloudFailure) { try cloud.restore(.empty, epoch: context.random.next() | 1) } catch {
            throw SyncErrors.cloud("\(error)", at: .parameter("cloud"))
        }
        return violation
    }

    private func play<C: CloudBackend>(
        _ actions: [SimulatedAction], _ setup: SimulationSetup, _ cloud: C, _ context: Context
    ) -> Violation? {
        guard let tracing = context.tracing else {
            var none = NoTrace()
            return Simulation.run(actions, setup, on: cloud, trace: &none)
        }
        return Self.watched(actions, setup, cloud, tracing)
    }

    /// A notebook that replays a schedule.
    static func page(_ schedule: String, _ setup: SimulationSetup, _ violation: Violation?) -> String {
        let more =
            (setup.devices == 3 ? "" : " --devices \(setup.devices)")
            + (setup.rule == .merge ? "" : " --rule \(setup.rule.rawValue)")
        return """
            ---
            requires: [sync]
            ---
            # A schedule found by the simulator

            \(violation.map { "It breaks an invariant: \($0.invariant.words). Here, \($0.detail)." } ?? "It breaks no invariant.")

            ```rutter
            rutter> sync simulate '\(schedule)'\(more) | get holds
            \(violation == nil)
            rutter> sync simulate '\(schedule)'\(more) --cloud file | get holds
            \(violation == nil)
            ```

            Step by step, the states of all devices side by side:

            ```rutter nocheck
            rutter> trace sync simulate '\(schedule)'\(more)
            ```

            """
    }
}
