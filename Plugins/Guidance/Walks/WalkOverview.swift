import PluginKit

extension GuidanceWalk: OverviewRendering {
    func headline(in environment: Environment) -> String {
        let units = environment.units
        let length = ReadableText.distance(route.length, units: units)
        var facts = [
            "\(length) in \(ReadableText.duration(elapsed(samples.last)))",
            run.state.hasArrived ? "arrived" : "not arrived",
            "at most \(ReadableText.distance(samples.map(\.distance).max() ?? 0, units: units)) from the route",
        ]
        if secondsOffRoute > 0 { facts.append("off route for \(ReadableText.duration(secondsOffRoute))") }
        let reroutes = run.routes.count - 1
        if reroutes > 0 { facts.append("\(reroutes) new route\(reroutes == 1 ? "" : "s")") }
        return "\(route.name.isEmpty ? "walk" : route.name): \(facts.joined(separator: ", "))"
    }

    /// The table lists the events.
    var overviewFields: [String] { [] }
}
