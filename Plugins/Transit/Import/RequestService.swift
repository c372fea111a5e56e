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

/// Keeps what the rows of stop_times.txt without a timetable offer.
struct StopTimeRequests {
    private let columns: StopTimeColumns
    private let rules: BookingRules
    private let groups: [String: [Int32]]
    private let zones: [String: FlexZone]
    /// The indices of the zones that were met.
    private var numbers: [String: Int32] = [:]

    init(
        _ columns: StopTimeColumns, rules: BookingRules, groups: [String: [Int32]], zones: [String: FlexZone]
    ) {
        (self.columns, self.rules, self.groups, self.zones) = (columns, rules, groups, zones)
    }

    /// Adds the calls of a row, one for each stop of a group.
    mutating func add(_ rows: TableReader, trip: Int, to content: inout FeedContent) {
        let (boards, alights) = (
            rows.integer(columns.pickup) != 1, rows.integer(columns.dropOff) != 1
        )
        guard boards || alights else { return }
        let flex = columns.flex
        let rule = rules[rows.text(boards ? columns.pickupRule : columns.dropOffRule)]
        let words = RequestWords.make(from: rows.text(flex.start), until: rows.text(flex.end), booking: rule)
        let stops =
            groups[rows.text(flex.group)]
            ?? [content.stopIDs.find(rows[columns.stop]).map { Int32($0) } ?? -1]
        let number = Array(words.utf8).withUnsafeBytes { Int32(content.texts.add($0).index) }
        let area = zone(rows.text(flex.zone), &content)
        let sequence = Int32(rows.integer(columns.sequence) ?? 0)
        for stop in stops {
            content.requests.append(
                RequestRow(
                    trip: Int32(trip), sequence: sequence, stop: stop, zone: area, words: number,
                    boards: boards, alights: alights))
        }
    }

    private mutating func zone(_ id: String, _ content: inout FeedContent) -> Int32 {
        if let known = numbers[id] { return known }
        guard let area = zones[id] else { return -1 }
        let number = Int32(content.requestZones.count)
        content.requestZones.append(area)
        numbers[id] = number
        return number
    }
}

extension FeedReader {
    /// The stops of location_group_stops.txt by their group. A fault in it is no problem of an import.
    mutating func locationGroups() throws -> [String: [Int32]] {
        var groups: [String: [Int32]] = [:]
        try inform(.locationGroupStops, required: ["location_group_id", "stop_id"]) { reader, rows in
            let (group, stop) = (rows.column("location_group_id"), rows.column("stop_id"))
            guard let number = reader.content.stopIDs.find(rows[stop]) else { return }
            groups[rows.text(group), default: []].append(Int32(number))
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
