import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit

/// Functions that `sql` adds to SQLite's own.
enum SQLFunctions {
    /// All functions. `random()` and the current time follow the session's seed and clock.
    static func all(_ context: Context) -> [DatabaseFunction] { [distance, bearing] + session(context) }

    private static let distance = geodesic("distance_m") { $0.distance(to: $1) }
    private static let bearing = geodesic("bearing_deg") { $0.bearing(to: $1) }

    private static func geodesic(
        _ name: String, _ measure: @escaping @Sendable (Coordinate, Coordinate) -> Double
    ) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 4, pure: true) { values in
            // NULL for an invalid coordinate, so that a broken row does not stop the query.
            let numbers = values.compactMap(number)
            guard numbers.count == 4 else { return nil }
            let from = Coordinate(latitude: numbers[0], longitude: numbers[1])
            let to = Coordinate(latitude: numbers[2], longitude: numbers[3])
            return from.isValid && to.isValid ? measure(from, to) : nil
        }
    }

    private static func number(_ value: DatabaseValue) -> Double? {
        switch value.storage {
        case .int64(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    private static func session(_ context: Context) -> [DatabaseFunction] {
        let now = ISO8601.text(context.clock.now, fraction: .never)
        let day = String(now.prefix(10))
        let time = String(now.dropFirst(11).prefix(8))
        let moments = [
            ("current_timestamp", "\(day) \(time)"), ("current_date", day), ("current_time", time),
        ]
        let random = DatabaseFunction("random", argumentCount: 0) { _ in
            Int64(bitPattern: context.random.next())
        }
        return [random] + moments.map { name, text in DatabaseFunction(name, argumentCount: 0) { _ in text } }
    }
}
