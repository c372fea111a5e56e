import Geodesy
import Synchronization

/// A stop that a message brings along, such as a temporary stop of a detour or a platform that the timetable lacks
/// (`Stop`, gtfs-realtime.proto).
struct MessageStop: Sendable, Hashable {
    var id = ""
    var name = ""
    var latitude: Double?
    var longitude: Double?
    /// `stop_id` of its station.
    var parent = ""
    var platform = ""
    /// `wheelchair_boarding`, as in stops.txt.
    var wheelchair: Int?
    var timezone = ""

    /// The stop as those of the timetable are, under a number of its own; without a name or a place it has those of its station.
    /// `nil` if its place is unknown.
    func record(in station: StopRecord?) -> StopRecord? {
        var at = station?.coordinate
        if let latitude, let longitude {
            let own = Coordinate(latitude: latitude, longitude: longitude)
            if own.isValid, latitude != 0 || longitude != 0 { at = own }
        }
        guard let at else { return nil }
        return StopRecord(
            number: 0, id: id, name: name.isEmpty ? station?.name ?? "" : name, coordinate: at, kind: .stop,
            parent: station?.id, wheelchair: wheelchair ?? station?.wheelchair,
            platform: platform.isEmpty ? nil : platform, routeType: station?.routeType,
            timezone: timezone.isEmpty ? station?.timezone : timezone)
    }
}

/// The stops of messages as a timetable knows them: each different one has a negative number, which it keeps, so that runs of an
/// earlier message still find theirs.
struct MessageStops: Sendable {
    private var stops: [StopRecord] = []
    private var numbers: [StopRecord: Int64] = [:]

    /// The stop under its number.
    mutating func numbered(_ stop: StopRecord) -> StopRecord {
        var made = stop
        made.number = 0
        let number = numbers[made] ?? Int64(-1 - stops.count)
        if numbers[made] == nil {
            numbers[made] = number
            stops.append(made)
        }
        made.number = number
        return made
    }

    /// The stop with a negative number; `nil` for any other number.
    func stop(_ number: Int64) -> StopRecord? {
        guard number < 0, stops.indices.contains(Int(-1 - number)) else { return nil }
        var found = stops[Int(-1 - number)]
        found.number = number
        return found
    }
}

extension RealtimeFeed {
    static func stopOfMessage(_ reader: ProtoReader) throws -> MessageStop {
        var reader = reader
        var stop = MessageStop()
        while let (number, value) = try reader.next() {
            switch number {
            case 1: stop.id = value.text ?? ""
            case 3: if let part = value.message { stop.name = try translated(part) }
            case 6: stop.latitude = value.float
            case 7: stop.longitude = value.float
            case 11: stop.parent = value.text ?? ""
            case 12: stop.timezone = value.text ?? ""
            case 13: stop.wheelchair = value.integer
            case 15: if let part = value.message { stop.platform = try translated(part) }
            default: break
            }
        }
        return stop
    }
}
