import PluginKit

/// The first and last steps of a schedule, and the picture of what each device holds.
enum ScheduleSteps {
    static func started(_ actions: [SimulatedAction], _ setup: SimulationSetup) -> TraceStep {
        .start(
            [
                ("devices", .integer(setup.devices)), ("steps", .integer(actions.count)),
                ("rule", .text(setup.rule.rawValue)),
            ],
            why:
                "all devices and the cloud are empty; after the schedule all sync until nothing is left to send"
        )
    }

    static func ended(_ violation: Violation?) -> TraceStep {
        .end(
            [
                ("holds", .boolean(violation == nil)),
                ("invariant", Value(violation) { .text($0.invariant.words) }),
            ], why: violation.map(\.detail) ?? "everything is settled, and all invariants hold")
    }

    /// The devices and the cloud side by side. The device of the step is current; devices equal to the cloud
    /// are marked as done, the others wait for a sync.
    static let picture = BoardPicturing { steps in
        let states = steps.last { $0.values["cloud"] != nil }?.values ?? Record()
        let cloud = states["cloud"].map(StepBoard.text) ?? ""
        let present = steps.last?.values["device"].map(StepBoard.text)
        let rows = states.keys.filter { $0.hasPrefix("device") && $0 != "device" }.map { key in
            let holds = states[key].map(StepBoard.text) ?? ""
            return StepBoard.Row(
                [key, holds],
                present.map { key == "device\($0)" } == true ? .present : holds == cloud ? .kept : .waiting)
        }
        return StepBoard(
            "what each device holds; * is not sent yet", columns: ["who", "holds"],
            rows: rows + [StepBoard.Row(["cloud", cloud], .kept)], caption: steps.last?.why ?? "")
    }
}
