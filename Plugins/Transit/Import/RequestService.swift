import Formats
import PluginKit

/// A call of a trip without a timetable, where riders are taken or let off on request.
struct RequestRow {
    var trip: Int32
    var sequence: Int32
    /// −1 for a zone.
    var stop: Int32
    /// The index of its zone; −1 for a stop, and for a zone whose area is unknown.
    var zone: Int32
    /// When, and how to book it; a text of the feed.
    var words: Int32
    var boards: Bool
    var alights: Bool
}

extension FeedReader {
    /// The stops of location_group_stops.txt by their group. A fault in it is no problem of an import.
    mutating func locationGroups() throws -> [String: [Int32]] {
        var groups: [String: [Int32]] = [:]
        var faults = FeedProblems(isLenient: true)
        do {
            guard
                var rows = try TableReader(
                    source, .locationGroupStops, required: ["location_group_id", "stop_id"], &faults)
            else { return groups }
            let (group, stop) = (rows.column("location_group_id"), rows.column("stop_id"))
            while try rows.next(&faults, progress: progress) {
                guard let number = content.stopIDs.find(rows[stop]) else { continue }
                groups[rows.text(group), default: []].append(Int32(number))
            }
        } catch let error as RutterError where error.code != Interruption.stopped.code {
            return groups
        }
        return groups
    }

    /// The zones of locations.geojson; none where it cannot be read, which is no problem of an import.
    func requestZones() throws -> [String: FlexZone] {
        guard let bytes = try source.open(FlexLocations.name), let all = try FlexLocations.bytes(bytes) else {
            return [:]
        }
        do {
            return FlexLocations(try JSONTree.parse(all) { try Interruption.check() }).zones
        } catch is JSONFault {
            return [:]
        }
    }
}

/// The words for a call on request: `08:00–18:00, book at least 1h before`.
enum RequestWords {
    static func make(from start: String, until end: String, booking: String?) -> String {
        func clock(_ text: String) -> String { text.split(separator: ":").prefix(2).joined(separator: ":") }
        let hours = start.isEmpty || end.isEmpty ? nil : "\(clock(start))–\(clock(end))"
        return [hours, booking].compactMap { $0 }.joined(separator: ", ")
    }
}
