import Foundation
import PluginKit

extension FeedReader {
    /// Reads stops.txt; parents are resolved once all stops are known.
    mutating func readStops() throws {
        guard var rows = try open(.stops, required: ["stop_id", "stop_lat", "stop_lon"]) else {
            // GTFS-Flex allows a feed whose trips serve only zones.
            isWithoutStops = true
            guard !source.has("locations.geojson") else { return }
            return try problems.add(
                .stops, line: 0,
                .missingTable("\(source.name) has no stops.txt, so none of its trips can be kept"),
                kind: TransitErrors.missing)
        }
        let names = [
            "stop_id", "stop_code", "stop_name", "stop_desc", "stop_lat", "stop_lon", "location_type",
            "parent_station", "wheelchair_boarding", "platform_code", "stop_timezone",
        ]
        let columns = names.map(rows.column)
        var parents: [(stop: Int, parent: String, line: Int)] = []
        while try rows.next(&problems, progress: progress) {
            guard var stop = try stop(rows, columns) else { continue }
            if stop.name.isEmpty { stop.name = rows.text(columns[0]) }
            guard content.stopIDs.add(rows[columns[0]]).isNew else {
                try problems.add(.stops, line: rows.line, .duplicate("stop_id", rows.text(columns[0])))
                continue
            }
            if let parent = rows.optionalText(columns[7]) {
                parents.append((content.stops.count, parent, rows.line))
            }
            content.stops.append(stop)
        }
        for entry in parents {
            var parent = content.stopIDs.find(entry.parent)
            if parent == nil, problems.isLenient,
                let other = rows.repairs.otherForm(of: entry.parent, columns[7], in: content.stopIDs)
            {
                parent = other
                try problems.add(
                    .stops, line: entry.line,
                    FeedFault(
                        .foreignKeyViolation,
                        "parent_station `\(entry.parent)` is the stop_id \(content.stopIDs.text(other)) in another Unicode form",
                        field: "parent_station", value: entry.parent), .repaired)
            }
            try setParent(of: entry.stop, to: parent, named: entry.parent, line: entry.line)
        }
        placeNodes()
        inheritZones()
    }

    private mutating func stop(_ rows: TableReader, _ columns: [Int]) throws -> StopRow? {
        func wrong(_ fault: FeedFault) throws -> StopRow? {
            try problems.add(.stops, line: rows.line, fault)
            return nil
        }
        if rows.hasExcess { return try wrong(.excess) }
        if rows[columns[0]].isEmpty { return try wrong(.empty("stop_id")) }
        let typeField = rows[columns[6]]
        let number = typeField.isEmpty ? 0 : rows.integer(columns[6])
        guard let kind = number.flatMap(StopKind.init(rawValue:)) else {
            return try wrong(.invalid("location_type", rows.text(columns[6]), .choice))
        }
        let latitude = rows.angle(columns[4])
        let longitude = rows.angle(columns[5])
        let isBlank = rows[columns[4]].isEmpty && rows[columns[5]].isEmpty
        // Zeros stand for nothing: no stop is in the Gulf of Guinea.
        let isOrigin = latitude == 0 && longitude == 0
        var fault: FeedFault?
        if isBlank && (kind == .node || kind == .boardingArea) {
            // They are at their station.
        } else if !(latitude.map { abs($0) <= 90 } ?? false) {
            fault = .invalid("stop_lat", rows.text(columns[4]), .decimal, missing: .stopWithoutLocation)
        } else if !(longitude.map { abs($0) <= 180 } ?? false) {
            fault = .invalid("stop_lon", rows.text(columns[5]), .decimal, missing: .stopWithoutLocation)
        } else if isOrigin {
            fault = FeedFault(.pointNearOrigin, "stop_lat and stop_lon are 0", field: "stop_lat")
        }
        let hasPlace = fault == nil && !isBlank
        if var fault {
            guard problems.isLenient || isOrigin else { return try wrong(fault) }
            // Trips call at it wherever it is.
            fault.text +=
                try isPlaced(rows.text(columns[7])) ? ": its station's are used" : ": its place is unknown"
            try noteInformation(.stops, line: rows.line, fault, .repaired)
        }
        let written = rows.text(columns[10])
        let zone =
            TimeZone(databaseName: written) == nil ? ZoneNames.respelled(written) ?? written : written
        let isZone = TimeZone(databaseName: zone) != nil
        if !written.isEmpty, zone != written || !isZone {
            try problems.add(
                .stops, line: rows.line, .invalid("stop_timezone", written, rule: .invalidTimezone), .repaired
            )
        }
        let wheelchair = rows.integer(columns[8]).flatMap { $0 <= 2 ? Int8($0) : nil }
        if wheelchair == nil, !rows[columns[8]].isEmpty {
            try noteInformation(
                .stops, line: rows.line, .invalid("wheelchair_boarding", rows.text(columns[8]), .choice),
                .repaired)
        }
        rows.noteLostLetters(columns[2])
        return StopRow(
            name: rows.text(columns[2]), code: rows.optionalLabel(columns[1]),
            description: rows.optionalText(columns[3]), latitude: hasPlace ? latitude ?? .nan : .nan,
            longitude: hasPlace ? longitude ?? .nan : .nan,
            kind: kind, wheelchair: wheelchair ?? -1,
            platform: rows.optionalLabel(columns[9]), zone: isZone ? zone : nil)
    }

    /// Whether a row of the table is a station with a place.
    private mutating func isPlaced(_ id: String) throws -> Bool {
        if id.isEmpty { return false }
        if let known = placedStations { return known.contains(id) }
        var found: Set<String> = []
        try each(.stops, ["stop_id", "stop_lat", "stop_lon", "location_type"]) { _, field in
            guard let id = field("stop_id"),
                let type = field("location_type").flatMap({
                    FieldParser.value($0, FieldParser.integer) ?? FieldParser.value($0, LooseField.integer)
                }), StopKind(rawValue: type) == .station
            else { return }
            let place = [("stop_lat", 90.0), ("stop_lon", 180.0)].compactMap { name, most in
                field(name).flatMap {
                    FieldParser.value($0, FieldParser.number) ?? FieldParser.value($0, LooseField.angle)
                }.flatMap { abs($0) <= most ? $0 : nil }
            }
            if place.count == 2, place != [0, 0] { found.insert(id) }
        }
        placedStations = found
        return found.contains(id)
    }

    /// Resolves a parent, which is a station, or for a boarding area a platform; a station has no
    /// parent.
    private mutating func setParent(of stop: Int, to parent: Int?, named id: String, line: Int) throws {
        guard let parent else {
            return try problems.add(.stops, line: line, .unknown("parent_station", id), .repaired)
        }
        let kind = content.stops[stop].kind
        let wanted: StopKind = kind == .boardingArea ? .stop : .station
        if kind == .station {
            return try problems.add(
                .stops, line: line,
                FeedFault(
                    .stationWithParentStation, "a station has no parent_station", field: "parent_station",
                    value: id), .repaired)
        }
        guard content.stops[parent].kind == wanted else {
            return try problems.add(
                .stops, line: line,
                FeedFault(
                    .wrongParentLocationType,
                    "parent_station \(id) is a \(content.stops[parent].kind.word), not a \(wanted == .stop ? "platform" : "station")",
                    field: "parent_station", value: id), .repaired)
        }
        content.stops[stop].parent = Int32(parent)
    }

    /// The parts of a station have its zone. A zone that is the agency's is no other one.
    private mutating func inheritZones() {
        for index in content.stops.indices {
            var top = index
            while content.stops[top].parent >= 0 { top = Int(content.stops[top].parent) }
            if top != index { content.stops[index].zone = content.stops[top].zone }
        }
        for index in content.stops.indices where content.stops[index].zone == content.zone {
            content.stops[index].zone = nil
        }
    }

    /// Nodes and boarding areas may have no coordinate of their own; they use their parent's, as stops do whose own is no place.
    /// Without one their place is unknown.
    private mutating func placeNodes() {
        for index in content.stops.indices where content.stops[index].latitude.isNaN {
            var parent = Int(content.stops[index].parent)
            while parent >= 0, content.stops[parent].latitude.isNaN {
                parent = Int(content.stops[parent].parent)
            }
            guard parent >= 0 else { continue }
            content.stops[index].latitude = content.stops[parent].latitude
            content.stops[index].longitude = content.stops[parent].longitude
        }
    }
}
