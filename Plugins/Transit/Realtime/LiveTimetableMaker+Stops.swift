import CivilTime
import PluginKit

/// The stops of runs, also those that the message brings along.
extension LiveTimetableMaker {
    mutating func stop(_ id: String) throws -> StopRecord? {
        if id.isEmpty { return nil }
        if let known = stopsByID[id] { return known }
        let found = try feed.stops.with(id: id) ?? broughtStop(id)
        stopsByID[id] = .some(found)
        return found
    }

    /// A stop that the message brings along; `nil` without one whose place is known.
    func broughtStop(_ id: String) throws -> StopRecord? {
        guard let own = brought[id],
            let made = own.record(in: own.parent.isEmpty ? nil : try feed.stops.with(id: own.parent))
        else { return nil }
        return feed.messageStops.withLock { $0.numbered(made) }
    }

    /// The stops of the message by the numbers of their stations.
    func partsOfStations() throws -> [Int64: [Int64]] {
        var parts: [Int64: [Int64]] = [:]
        for case let stop? in stopsByID.values where stop.number < 0 {
            guard let station = try stop.parent.flatMap({ try feed.stops.with(id: $0) }) else { continue }
            parts[station.number, default: []].append(stop.number)
        }
        return parts.mapValues { $0.sorted() }
    }

    mutating func stop(_ number: Int64) throws -> StopRecord? {
        if let known = stopsByNumber[number] { return known }
        let found = try feed.stops.rows([number]).first
        stopsByNumber[number] = found
        return found
    }
}
