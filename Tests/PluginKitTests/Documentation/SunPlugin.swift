import Geodesy
import PluginKit
import PluginTestKit
import Testing

// The code of the articles "Write a Command" and "Write a Plugin", compiled and run. `ArticleTests` compares it with them.

/// `sun noon`
struct SunNoon: CommandProvider {
    var name: String { "sun noon" }

    var command: Command {
        Command(
            name, "list the solar noon of the coming days",
            .positional("place", .coordinate, "coordinate of the observer"),
            .option("days", .integer(1...366), default: "3", "number of days"),
            output: .rows(["day", "noon"]), effect: .pure,
            examples: [
                .init("on the meridian of 15° east", "sun noon 47,15 --days 1 | get noon", gives: "11h")
            ], searchTerms: ["solar", "midday"]
        ) { context, place, days in
            try .table(
                columns: ["day", "noon"],
                cells: (1...days).map { day in
                    try context.checkCancelled()
                    return [.integer(day), .quantity(Quantity(SolarTime.noon(at: place), .duration))]
                })
        }
    }
}

/// Mean solar time.
enum SolarTime {
    /// Seconds after midnight UTC at which the mean sun crosses the meridian of a coordinate: 240 s a degree.
    static func noon(at coordinate: Coordinate) -> Double { 43_200 - coordinate.longitude * 240 }
}

/// The sun: when it is highest.
public struct SunPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "sun"
    /// What it is for.
    public let summary = "when the sun is highest"
    /// Its version.
    public let version = "1.0"

    /// A plugin for one session.
    public init() {}

    /// Its commands, one per file in `Commands/`.
    public var commands: [any CommandProvider] { [SunNoon()] }
}

@Test func examplesRun() async {
    #expect(await ExampleRunner.failures { [SunPlugin()] } == [])
}

/// Records which heights are kept, and why the others are not.
func keepChoice(of heights: [Double], below limit: Double, in tracing: TraceCollector?) {
    tracing?.keep(
        "heights below the limit",
        from: .start([("limit", .number(limit))], why: "greater heights are excluded"),
        candidates: heights.lazy.map { height in
            height < limit
                ? .candidate([("height", .number(height))], .kept, why: "below the limit")
                : .candidate([("height", .number(height))], .refused, why: "too high")
        },
        to: .end([("kept", .integer(heights.count { $0 < limit }))], why: "all candidates were checked"))
}
