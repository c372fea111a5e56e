import PluginKit

extension Route: OverviewRendering {
    func headline(in environment: Environment) -> String {
        let units = environment.units
        let climbed = climb.map { climb in
            [
                ReadableText.height(climb.gain, units: units) + " up",
                ReadableText.height(climb.loss, units: units) + " down",
            ]
        }
        let facts =
            [ReadableText.distance(distance, units: units), ReadableText.duration(duration)]
            + (climbed ?? ["climb unknown"]) + [mode.rawValue]
        return "\(name.isEmpty ? "route" : name): \(facts.joined(separator: ", "))"
    }

    var overviewFields: [String] { ["start", "end", "via", "region", "warnings"] }
}
