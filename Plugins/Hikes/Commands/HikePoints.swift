import Formats
import Geodesy
import PluginKit
import TrailStores

/// `hike points`
struct HikePoints: CommandProvider {
    let library: ActiveStore<HikeStore>
    private static let columns =
        ["time", "at", "altitude", "distance", "segment"] + HikePoints.sensors.map(\.rawValue)
    private static let sensors: [PointSensors.Kind] = [
        .heartRate, .cadence, .power, .temperature, .speed, .course, .accuracy,
    ]

    var name: String { "hike points" }

    var command: Command {
        Command(
            name, "list the recorded points of a hike",
            details:
                "Distances are within segments: gaps do not count. Values that were not recorded are empty.",
            HikeOptions.hike,
            output: .rows(Self.columns), effect: .reads,
            examples: [.init("how many", "hike points Walk | count", after: HikeExample.setup, gives: "2")],
            searchTerms: [
                "every point", "positions of a recording",
                "raw points", "positions", "track points", "gps log", "temperature", "every second",
                "raw data", "each second", "time stamps", "export points",
            ]
        ) { _, hike in
            let recording = try hike.checkedRecording()
            var rows: [[Value]] = []
            rows.reserveCapacity(recording.line.pointCount)
            for (number, segment) in recording.line.segments.enumerated() {
                for (point, distance) in zip(segment, recording.distances[number]) {
                    rows.append(
                        [
                            Value(point.time) { .date($0) }, .coordinate(point.coordinate.withoutAltitude),
                            Value(point.coordinate.altitude) { .quantity(.altitude($0)) },
                            .quantity(.metres(distance)), .integer(number + 1),
                        ] + Self.sensors.map { Self.value(point.sensors[$0], $0) })
                }
            }
            return .table(columns: Self.columns, cells: rows)
        }
    }

    private static func value(_ number: Double?, _ kind: PointSensors.Kind) -> Value {
        guard let number else { return .nothing }
        return switch kind {
        case .speed: .quantity(.metresPerSecond(number))
        case .accuracy: .quantity(.metres(number))
        default: .number(number)
        }
    }
}
