import PluginKit
import TrailStores

/// The sums of hikes by period as rows, which `hike stats --by` prints.
enum PeriodTable {
    private static let columns = [
        "period", "hikes", "distance", "longest", "gain", "loss", "moving", "withoutElevations",
    ]

    /// A row for each period that has hikes. Climbs are those of hikes with elevations; the last column counts the others.
    static func rows(_ periods: HikePeriods) -> Value {
        .table(columns: columns, cells: periods.periods.map(row))
    }

    private static func row(_ period: HikePeriods.Period) -> [Value] {
        let (climbing, timed) = (period.climbing, period.timed)
        func climb(_ measure: (Hike) -> Double) -> Value {
            climbing.isEmpty
                ? .nothing
                : .quantity(.altitude(climbing.reduce(0) { $0 + measure($1) }.rounded()))
        }
        return [
            .text(period.name), .integer(period.hikes.count), .quantity(.metres(period.distance)),
            .quantity(.metres(period.longest)), climb(\.gain), climb(\.loss),
            timed.isEmpty ? .nothing : .quantity(.seconds(timed.reduce(0) { $0 + $1.walkingTime })),
            .integer(period.hikes.count - climbing.count),
        ]
    }
}
