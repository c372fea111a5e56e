import Foundation
import PluginKit
import TrailStores

/// The result of importing one file.
struct FileImportReport: DomainObject {
    static let columns = [
        "file", "name", "result", "distance", "duration", "points", "segments", "sensors", "waypoints",
        "notices",
    ]

    /// The outcome for the file.
    enum Result: Sendable {
        case imported
        case duplicate(of: String)
        case failed(RutterError)

        var words: String {
            switch self {
            case .imported: "imported"
            case .duplicate(let name): "duplicate of \(name)"
            case .failed: "failed"
            }
        }
    }

    let file: String
    var result: Result
    /// The added hikes.
    var hikes: [Hike] = []
    var objects: [HikeObject] = []
    var format: String?
    var points = 0
    var segments = 0
    var sensors: [String] = []
    /// Number of waypoints added and linked.
    var waypoints = 0
    /// Dropped data, with reasons.
    var dropped: [String] = []
    /// Repaired data.
    var repaired: [String] = []
    /// Doubtful data.
    var warnings: [String] = []

    init(file: String, result: Result) {
        self.file = file
        self.result = result
    }

    var typeName: String { "hikeImport" }
    var summary: String { "\(file): \(result.words)" }
    private static let fields = [
        "file", "format", "result", "name", "hikes", "distance", "gain", "loss", "start", "walking",
        "duration",
        "points", "segments", "sensors", "waypoints", "dropped", "repaired", "warnings", "notices",
    ]
    static let declaredFieldNames: [String]? = fields
    var fieldNames: [String] { Self.fields }

    func field(_ name: String) -> Value? {
        switch name {
        case "file": return .text(file)
        case "format": return Value(format) { .text($0) }
        case "result":
            if case .failed(let error) = result { return .text("failed: \(error.message)") }
            return .text(result.words)
        case "name":
            return hikes.isEmpty ? .nothing : .text(hikes.map(\.displayName).joined(separator: ", "))
        case "hikes": return .list(objects.map { .object($0) })
        case "points": return .integer(points)
        case "segments": return .integer(segments)
        case "sensors": return .text(sensors.joined(separator: ", "))
        case "waypoints": return .integer(waypoints)
        case "dropped": return .list(dropped.map { .text($0) })
        case "repaired": return .list(repaired.map { .text($0) })
        case "warnings": return .list(warnings.map { .text($0) })
        case "notices": return .integer(dropped.count + repaired.count + warnings.count)
        default: return measure(name)
        }
    }

    private func measure(_ name: String) -> Value? {
        let isKnown = !hikes.isEmpty && hikes.allSatisfy(\.areTimesKnown)
        switch name {
        case "distance":
            return hikes.isEmpty ? .nothing : .quantity(.metres(hikes.reduce(0) { $0 + $1.distance }))
        case "gain": return climb(\.gain)
        case "loss": return climb(\.loss)
        case "walking":
            return isKnown
                ? .quantity(.seconds(hikes.reduce(0) { $0 + $1.walkingTime })) : .nothing
        case "start":
            return isKnown ? Value(hikes.map(\.startTime).min()) { .date($0) } : .nothing
        case "duration":
            return isKnown
                ? .quantity(.seconds(hikes.reduce(0) { $0 + $1.endTime.seconds(since: $1.startTime) }))
                : .nothing
        default: return nil
        }
    }

    private func climb(_ path: (Hike) -> Double) -> Value {
        guard !hikes.isEmpty, hikes.allSatisfy(\.isClimbKnown) else { return .nothing }
        return .quantity(.altitude(hikes.reduce(0) { $0 + path($1) }.rounded()))
    }
}
