import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads JSON in which objects have a latitude, a longitude and a time, however deep: reports of gpsd, the places of
/// workouts of Samsung Health, Runtastic and Endomondo. Objects of one list are a track.
enum PositionRecordsReader {
    /// Whether JSON that begins so has such objects.
    static func isRecords(_ head: String) -> Bool {
        guard let first = head.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }),
            first == "{" || first == "["
        else { return false }
        if marks.contains(where: { $0.allSatisfy(head.contains) }) { return true }
        guard !foreign.contains(where: head.contains) else { return false }
        // One position in all of a file is that of a photo, a forecast or an answer.
        let least = head.utf8.count < recognised ? 2 : 1
        return head.matches(of: latitude).count >= least && head.contains(longitude) && head.contains(time)
    }

    /// Whether a text is a log of OwnTracks: lines of a time, a kind and a JSON object, parted by tabs.
    static func isLog(_ head: String) -> Bool {
        let line = head.prefix { !$0.isNewline }
        let parts = line.split(separator: "\t", maxSplits: 2)
        return parts.count == 3 && ISO8601.timestamp(String(parts[0])) != nil
            && parts[2].hasPrefix("{\"_type\"")
    }

    /// The objects of such a log, each in its line.
    private static func withoutStamps(_ source: SourceBytes) throws -> SourceBytes {
        try JSONSource.checkSize(source)
        var bytes: [UInt8] = []
        for line in try source.all().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if let start = line.firstIndex(of: UInt8(ascii: "{")) { bytes += line[start...] }
            bytes.append(UInt8(ascii: "\n"))
        }
        return SourceBytes(bytes, name: source.name)
    }

    /// Words of which all stand near the start of a kind of file whose positions come late.
    private static let marks = [
        ["\"class\"", "\"TPV\""], ["\"class\"", "\"VERSION\"", "\"proto_major\""],
    ]
    /// Words of files whose positions are no recording: those beside photos of Google, maps, vehicles on their lines.
    private static let foreign = [
        "\"photoTakenTime\"", "\"osm3s\"", "\"gtfsRealtimeVersion\"", "\"gtfs_realtime_version\"",
    ]
    /// Bytes of the start of a longer file, or fewer.
    private static let recognised = 4000
    private nonisolated(unsafe) static let latitude = /"(lat|latitude|Latitude)"\s*:\s*"?-?\d+\.\d/
    private nonisolated(unsafe) static let longitude =
        /"(lon|lng|long|longitude|Longitude)"\s*:\s*"?-?\d+\.\d/
    private nonisolated(unsafe) static let time =
        /"(time|timestamp|dateTime|datetime|date|start_time|startTime|tst|utc|UTC|TimeISO8601|fixTime|deviceTime|recorded_at|recordedAt)"\s*:/

    /// The tracks of the objects.
    static func document(_ source: SourceBytes, check: () throws -> Void) throws -> GPXDocument {
        var repaired: [String] = []
        let isLog = Self.isLog(HeadText(try source.bytes(at: 0, count: recognised)).text)
        var document = try JSONSource.read(
            isLog ? withoutStamps(source) : source, check: check, isSequence: true,
            repairs: { repaired = $0.words }
        ) { tree in
            var builder = PositionRecordsBuilder()
            builder.add(tree)
            return try builder.recording(source.name)
        }
        document.doubts += repaired
        return document
    }
}

/// Collects the positions of objects.
struct PositionRecordsBuilder {
    private(set) var log = LogPoints()
    private var angles = SwappedAngles()
    private var tracks: [GPXLine] = []
    private var places: [GPXPoint] = []
    /// The keys of records that are not read, in the order in which they were met.
    private var others: [String] = []
    /// What an object says for those in it.
    private struct Frame {
        var time: JSONTree?
        /// Seconds by which its times are ahead of UTC, where they do not say it.
        var offset: Double?
        var activity: String?
    }

    /// Keys of times besides those of tables.
    private static let times: Set = [
        "starttime", "timeiso8601", "fixtime", "devicetime", "recordedtime", "t", "ts",
    ]
    /// Keys of an object with the position.
    private static let places: Set = [
        "location", "position", "coords", "coordinate", "latlng", "gps", "geo", "point",
    ]

    mutating func add(_ tree: JSONTree) {
        guard let record = add(tree, Frame()) else { return }
        tracks.append(GPXLine(segments: [[record.point]]))
    }

    /// The document of a source; throws for more points than are read, and for a single position.
    mutating func recording(_ source: String) throws -> GPXDocument {
        guard log.account.seen <= GPXSettings.mostPoints else {
            throw ImportErrors.tooLarge("\(source) has more than \(GPXSettings.mostPoints) points")
        }
        guard log.account.seen != 1 else {
            throw ImportErrors.format("\(source) has a single position, not a recording")
        }
        return document()
    }

    private mutating func document() -> GPXDocument {
        angles.report(to: &log.doubts)
        var document = log.document()
        document.tracks = tracks
        document.waypoints = places
        if !others.isEmpty {
            document.notices.append("keys not read: \(others.prefix(Self.mostKeys).joined(separator: ", "))")
        }
        return document
    }

    /// Minutes by which a zone is ahead of UTC at most, and of which all are multiples.
    private static let mostOffset = 840.0
    private static let offsetStep = 15.0
    /// Keys that are named.
    private static let mostKeys = 20

    // MARK: The tree

    /// Adds the tracks below a value; returns its own point, if it is a record.
    private mutating func add(_ tree: JSONTree, _ frame: Frame) -> Found? {
        let tree = Self.merged(tree)
        switch tree {
        case .list(let items):
            // The time of a training is not that of its records.
            var inner = frame
            inner.time = nil
            addTracks(items.compactMap { add($0, inner) }, frame.activity)
            return nil
        case .object(let members): return addObject(members, tree, frame)
        default: return nil
        }
    }

    /// Adds the records of a list: places if they have names and no times, else one track, or one for each device if there are several
    /// of several records each.
    private mutating func addTracks(_ records: [Found], _ activity: String?) {
        if records.contains(where: { $0.point.name != nil }), records.allSatisfy({ $0.point.time == nil }) {
            places += records.map(\.point)
            return
        }
        var groups: [(device: String?, points: [GPXPoint])] = []
        var indexes: [String?: Int] = [:]
        let devices = Set(records.map(\.device)).count
        let isSeveral = devices > 1 && 2 * devices <= records.count
        for record in records {
            let device = isSeveral ? record.device : nil
            if let index = indexes[device] {
                groups[index].points.append(record.point)
            } else {
                indexes[device] = groups.count
                groups.append((device, [record.point]))
            }
        }
        for (device, points) in groups {
            var line = GPXLine(name: device, segments: [points])
            line.type = activity
            tracks.append(line)
        }
    }

    /// A point and the device that it is of.
    private struct Found {
        var point: GPXPoint
        var device: String?
    }

    private mutating func addObject(_ members: [JSONTree.Member], _ tree: JSONTree, _ outer: Frame) -> Found?
    {
        var frame = outer
        if let time = Self.time(of: members) { frame.time = time }
        if let offset = tree["timezoneOffset"] ?? tree["timeZoneOffset"] {
            // Minutes; hours or seconds of other programs say nothing here.
            frame.offset = Self.number(offset).flatMap { minutes in
                abs(minutes) <= Self.mostOffset && minutes.remainder(dividingBy: Self.offsetStep) == 0
                    ? minutes * 60 : nil
            }
        }
        if let activity = tree["sport"]?.text { frame.activity = TrackActivity.named(activity) }
        if let record = record(members, tree, frame) { return record }
        if let class_ = tree["class"]?.text, tree["lat"] == nil {
            // A report of gpsd.
            if class_ == "TPV" {
                log.account.seen += 1
                log.leaveOut("without a fix", "reports without a fix, left out")
            }
            return nil
        }
        var own: Found?
        for member in members where member.value.items != nil || member.value.members != nil {
            guard let found = add(member.value, frame) else { continue }
            if own == nil {
                own = found
            } else {
                log.leaveOut("beside another position of a record", "second positions of a record, left out")
            }
        }
        return own
    }

    /// An array of objects of one member each, or of one item, as that object or item: Endomondo wrote its records so.
    private static func merged(_ tree: JSONTree) -> JSONTree {
        guard case .list(let items) = tree, let first = items.first else { return tree }
        if items.count == 1, first.items != nil { return merged(first) }
        var members: [JSONTree.Member] = []
        var keys: Set<String> = []
        for item in items {
            guard let own = item.members, own.count == 1, keys.insert(own[0].key).inserted else {
                return tree
            }
            members.append(own[0])
        }
        return members.count > 1 ? .object(members) : tree
    }

    // MARK: A record

    private mutating func record(_ members: [JSONTree.Member], _ tree: JSONTree, _ frame: Frame) -> Found? {
        var fields = members
        if let place = members.first(where: { Self.places.contains($0.key.lowercased()) }),
            let inner = Self.merged(place.value).members
        {
            fields = members.filter { $0.key != place.key } + inner
        }
        // The place of a training as a whole is beside its samples.
        guard !fields.contains(where: { Self.holdsObjects($0.value) }) else { return nil }
        var values: [PointColumns.Meaning: (value: JSONTree, unit: String)] = [:]
        var unread: [String] = []
        let isReport = tree["class"]?.text == "TPV"
        for field in fields {
            // A report of gpsd calls the course so; elsewhere it is the name of a track.
            if isReport, field.key == "track" {
                values[.sensor(.course)] = (field.value, "")
            } else if let (meaning, unit) = PointColumns.meaning(of: field.key), values[meaning] == nil {
                values[meaning] = (field.value, unit)
            } else if field.value.items == nil, field.value.members == nil,
                !Self.times.contains(field.key.lowercased().filter { $0 != "_" })
            {
                unread.append(field.key)
            }
        }
        guard let north = values[.latitude]?.value, let east = values[.longitude]?.value else { return nil }
        log.account.seen += 1
        let (latitude, longitude) = (Self.number(north), Self.number(east))
        guard var place = Coordinate(log: latitude, longitude) else {
            log.leaveOut("without a position", "records without a possible position, left out")
            angles.add(latitude, longitude)
            return nil
        }
        angles.addSound()
        if let (value, unit) = values[.altitude], let number = Self.number(value) {
            if let metres = Self.metres(unit) {
                place.altitude = number * metres
            } else {
                unread.append("altitude in \(unit)")
            }
        }
        var point = GPXPoint(coordinate: place, name: values[.name]?.value.text?.nonEmpty)
        if let time = frame.time {
            if let (moment, hasZone) = moment(time, frame) {
                point.time = moment
                if !hasZone { log.doubts.add("times without a zone, taken as UTC") }
            } else {
                log.doubts.add("times that are none, left out")
            }
        }
        for kind in PointSensors.Kind.allCases {
            guard let (value, unit) = values[.sensor(kind)], let number = Self.number(value) else { continue }
            guard kind != .speed || isReport || RepairedNumber.speeds[unit] != nil else {
                unread.append("speed, which names no unit")
                continue
            }
            guard kind != .accuracy || Self.metres(unit) != nil else {
                unread.append("accuracy in \(unit)")
                continue
            }
            let factor =
                kind == .speed ? RepairedNumber.speeds[unit] : kind == .accuracy ? Self.metres(unit) : 1
            point.sensors[kind] = number * (factor ?? 1)
        }
        for key in unread where !others.contains(key) && others.count < Self.mostKeys { others.append(key) }
        return Found(
            point: point,
            device: values[.object].flatMap { Self.written($0.value) })
    }

    /// Whether a value has an array of objects or arrays, however deep.
    private static func holdsObjects(_ tree: JSONTree) -> Bool {
        switch tree {
        case .list(let items): items.contains { $0.members != nil || $0.items != nil }
        case .object(let members): members.contains { holdsObjects($0.value) }
        default: false
        }
    }

    /// Metres of a unit of length; those of positions name none.
    private static func metres(_ unit: String) -> Double? { unit.isEmpty ? 1 : RepairedNumber.lengths[unit] }

    /// A text, or a number as it is written.
    private static func written(_ tree: JSONTree) -> String? {
        switch tree {
        case .text(let text), .number(let text): text
        default: nil
        }
    }

    private static func number(_ tree: JSONTree) -> Double? {
        tree.number ?? tree.text.flatMap { DecimalBytes.decimal($0) }
    }

    // MARK: Times

    private static func time(of members: [JSONTree.Member]) -> JSONTree? {
        func isTime(_ member: JSONTree.Member) -> Bool {
            guard member.value.text != nil || member.value.number != nil else { return false }
            let key = member.key.lowercased().filter { $0 != "_" }
            return times.contains(key) || PointColumns.meaning(of: member.key)?.meaning == .time
        }
        return members.first(where: isTime)?.value
    }

    /// A moment, and whether its zone is known.
    private func moment(_ tree: JSONTree, _ frame: Frame) -> (time: Timestamp, hasZone: Bool)? {
        if let number = Self.number(tree) { return LogSettings.epoch(number).map { ($0, true) } }
        guard let text = tree.text else { return nil }
        var found = ISO8601.timestamp(text).map { ($0, ISO8601.hasZone(Array(text.utf8)[...])) }
        if found == nil { found = RecordedTime.repaired(text).map { ($0.time, $0.hasZone) } }
        guard let (time, hasZone) = found else { return nil }
        guard !hasZone, let offset = frame.offset else { return (time, hasZone) }
        return (time.advanced(bySeconds: -offset), true)
    }
}
