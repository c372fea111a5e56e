import PluginKit

/// Service on request without a timetable (GTFS-Flex): what a line offers at a stop, or in a zone.
struct RequestRow: Hashable {
    var route: Int32
    /// −1 for a zone: which stops lie in it is not known here.
    var stop: Int32
    /// When, and how to book it; a text of the feed.
    var words: Int32
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
}

/// The words for a call on request: `08:00–18:00, book at least 1h before`.
enum RequestWords {
    static func make(from start: String, until end: String, booking: String?) -> String {
        func clock(_ text: String) -> String { text.split(separator: ":").prefix(2).joined(separator: ":") }
        let hours = start.isEmpty || end.isEmpty ? nil : "\(clock(start))–\(clock(end))"
        return [hours, booking].compactMap { $0 }.joined(separator: ", ")
    }
}
