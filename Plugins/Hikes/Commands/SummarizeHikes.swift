import CivilTime
import PluginKit
import TrailStores

/// `hike summary`
struct SummarizeHikes: CommandProvider {
    let library: ActiveStore<HikeStore>
    private static let columns = [
        "period", "hikes", "distance", "longest", "gain", "loss", "walking", "withoutElevations",
    ]

    var name: String { "hike summary" }

    var command: Command {
        Command(
            name, "sum hikes by week, month or year",
            details: """
                A hike belongs to the day on which it began, in the session's time zone; weeks are those of ISO 8601. Hikes \
                without times are in the row `unknown`. Climbs are those of hikes with elevations; the last column counts the \
                others. `… | plot period distance` draws it.
                """,
            .option("by", .choice(of: CalendarPeriod.Unit.self), default: "month", "length of a period"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("by month", "hike summary | get period", after: HikeExample.setup, gives: "2026-02"),
                .init(
                    "by week", "hike summary --by week | get period", after: HikeExample.setup,
                    gives: "2026-W06"),
            ],
            searchTerms: [
                "statistics", "total", "calendar", "season", "how far have i walked", "total distance",
                "weekly", "yearly", "mileage",
            ]
        ) { context, unit in
            let hikes = try library.store(context).readable().hikes
            let periods = HikePeriods(hikes, by: unit, zone: context.environment.timeZone).periods
            return .table(
                columns: Self.columns,
                cells: periods.map { period in
                    let (climbing, timed) = (period.climbing, period.timed)
                    func climb(_ measure: (Hike) -> Double) -> Value {
                        climbing.isEmpty
                            ? .nothing
                            : .quantity(.altitude(climbing.reduce(0) { $0 + measure($1) }.rounded()))
                    }
                    return [
                        .text(period.name), .integer(period.hikes.count), .quantity(.metres(period.distance)),
                        .quantity(.metres(period.longest)), climb(\.gain), climb(\.loss),
                        timed.isEmpty
                            ? .nothing : .quantity(.seconds(timed.reduce(0) { $0 + $1.walkingTime })),
                        .integer(period.hikes.count - climbing.count),
                    ]
                })
        }
    }
}
