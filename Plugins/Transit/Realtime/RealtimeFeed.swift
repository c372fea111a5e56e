import CivilTime
import Geodesy
import PluginKit

/// The content of a GTFS-realtime message, as far as it is used (gtfs-realtime.proto, version 2.0).
struct RealtimeFeed: Sendable {
    /// The descriptor of a trip.
    struct TripDescriptor: Sendable, Hashable {
        /// `schedule_relationship`.
        enum Relationship: Int, Sendable {
            case scheduled = 0, added = 1, unscheduled = 2, canceled = 3, replacement = 5, duplicated = 6,
                deleted = 7, new = 8
        }

        var trip = ""
        var route = ""
        /// Seconds of the service day at which the run starts.
        var start: Int?
        var day: CivilDate?
        var relationship = Relationship.scheduled
    }

    /// A predicted arrival or departure.
    struct Event: Sendable, Hashable {
        var delay: Int?
        /// Seconds since 1970.
        var time: Int?
    }

    /// The update of a call.
    struct StopUpdate: Sendable {
        /// `schedule_relationship`.
        enum Relationship: Int, Sendable { case scheduled = 0, skipped = 1, noData = 2, unscheduled = 3 }

        var sequence: Int?
        var stop = ""
        var arrival: Event?
        var departure: Event?
        var relationship = Relationship.scheduled
        var assignedStop: String?
    }

    struct TripUpdate: Sendable {
        var id: String
        var trip = TripDescriptor()
        var stops: [StopUpdate] = []
        var delay: Int?
    }

    struct Vehicle: Sendable {
        var id: String
        var trip = TripDescriptor()
        var coordinate: Coordinate?
        var bearing: Double?
        /// Metres per second.
        var speed: Double?
        var stop = ""
        var time: Int?
        var label = ""
    }

    struct Alert: Sendable {
        /// The selector of an alert; empty texts match anything.
        struct Entity: Sendable {
            var agency = ""
            var route = ""
            var routeType: Int?
            var trip = ""
            var stop = ""
        }

        var id: String
        var periods: [(start: Int?, end: Int?)] = []
        var entities: [Entity] = []
        var header = ""
        var text = ""
        var effect: Int?

        /// Its short text: the header, else the first line of the description.
        var title: String {
            if !header.isEmpty { return header }
            return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "an alert without a text"
        }

        /// Whether it is active at an instant; an alert without a period always is.
        func isActive(at moment: Int) -> Bool {
            periods.isEmpty || periods.contains { ($0.start ?? .min) <= moment && moment < ($0.end ?? .max) }
        }
    }

    /// Seconds since 1970 at which the message was created; `nil` if it has no timestamp.
    var time: Int?
    var updates: [TripUpdate] = []
    var vehicles: [Vehicle] = []
    var alerts: [Alert] = []

    /// An empty message.
    init() {}

    /// Reads a message. Throws `E-TRANSIT-REALTIME` for invalid bytes, and for DIFFERENTIAL messages.
    init(_ bytes: [UInt8]) throws {
        var reader = ProtoReader(bytes[...])
        var hasHeader = false
        while let (number, value) = try reader.next() {
            if number == 1, let header = value.message {
                try readHeader(header)
                hasHeader = true
            } else if number == 2, let entity = value.message {
                try Interruption.check()
                try readEntity(entity)
            }
        }
        guard hasHeader else { throw TransitErrors.realtime("not a GTFS-realtime message: it has no header") }
    }

    private mutating func readHeader(_ reader: ProtoReader) throws {
        var reader = reader
        var version: String?
        while let (number, value) = try reader.next() {
            switch number {
            case 1: version = value.text
            case 2 where value.integer == 1:
                throw TransitErrors.realtime(
                    "DIFFERENTIAL messages are not supported")
            case 3: time = value.integer.flatMap(Self.moment)
            default: break
            }
        }
        guard let version, version.first?.isNumber ?? false else {
            throw TransitErrors.realtime("not a GTFS-realtime message: its header has no version")
        }
    }

    /// An instant between 1970 and the year 5000; feeds use 0 for none.
    private static func moment(_ seconds: Int) -> Int? {
        (1..<95_000_000_000).contains(seconds) ? seconds : nil
    }

    private mutating func readEntity(_ reader: ProtoReader) throws {
        var reader = reader
        var id = ""
        var isDeleted = false
        var parts: [(Int, ProtoReader)] = []
        while let (number, value) = try reader.next() {
            switch number {
            case 1: id = value.text ?? ""
            case 2: isDeleted = value.integer == 1
            case 3...5: if let part = value.message { parts.append((number, part)) }
            default: break
            }
        }
        for (number, part) in parts where !isDeleted {
            switch number {
            case 3: updates.append(try Self.update(id, part))
            case 4: vehicles.append(try Self.vehicle(id, part))
            default: alerts.append(try Self.alert(id, part))
            }
        }
    }

    private static func descriptor(_ reader: ProtoReader) throws -> TripDescriptor {
        var reader = reader
        var trip = TripDescriptor()
        while let (number, value) = try reader.next() {
            switch number {
            case 1: trip.trip = value.text ?? ""
            case 2: trip.start = (value.text ?? "").withContiguousBytes { FieldParser.time($0) }
            case 3: trip.day = (value.text ?? "").withContiguousBytes { FieldParser.date($0) }
            case 4: trip.relationship = value.integer.flatMap { .init(rawValue: $0) } ?? .scheduled
            case 5: trip.route = value.text ?? ""
            default: break
            }
        }
        return trip
    }

    private static func update(_ id: String, _ reader: ProtoReader) throws -> TripUpdate {
        var reader = reader
        var update = TripUpdate(id: id)
        while let (number, value) = try reader.next() {
            switch number {
            case 1: if let part = value.message { update.trip = try descriptor(part) }
            case 2: if let part = value.message { update.stops.append(try stop(part)) }
            case 5: update.delay = value.integer.flatMap(delay)
            default: break
            }
        }
        return update
    }

    private static func stop(_ reader: ProtoReader) throws -> StopUpdate {
        var reader = reader
        var update = StopUpdate()
        while let (number, value) = try reader.next() {
            switch number {
            case 1: update.sequence = value.integer
            case 2: update.arrival = try value.message.map(event)
            case 3: update.departure = try value.message.map(event)
            case 4: update.stop = value.text ?? ""
            case 5: update.relationship = value.integer.flatMap { .init(rawValue: $0) } ?? .scheduled
            case 6:
                guard var part = value.message else { break }
                while let (number, value) = try part.next() {
                    if number == 1 { update.assignedStop = value.text }
                }
            default: break
            }
        }
        return update
    }

    private static func event(_ reader: ProtoReader) throws -> Event {
        var reader = reader
        var event = Event()
        while let (number, value) = try reader.next() {
            switch number {
            case 1: event.delay = value.integer.flatMap(delay)
            case 2: event.time = value.integer.flatMap(moment)
            default: break
            }
        }
        return event
    }

    /// A delay of less than ten days; larger ones are errors of the producer.
    private static func delay(_ seconds: Int) -> Int? {
        abs(seconds) < TransitSettings.latestTime ? seconds : nil
    }

    private static func vehicle(_ id: String, _ reader: ProtoReader) throws -> Vehicle {
        var reader = reader
        var vehicle = Vehicle(id: id)
        while let (number, value) = try reader.next() {
            switch number {
            case 1: if let part = value.message { vehicle.trip = try descriptor(part) }
            case 2: if let part = value.message { try position(part, &vehicle) }
            case 5: vehicle.time = value.integer.flatMap(moment)
            case 7: vehicle.stop = value.text ?? ""
            case 8:
                guard var part = value.message else { break }
                while let (number, value) = try part.next() {
                    if number <= 2, let text = value.text, !text.isEmpty { vehicle.label = text }
                }
            default: break
            }
        }
        return vehicle
    }

    private static func position(_ reader: ProtoReader, _ vehicle: inout Vehicle) throws {
        var reader = reader
        var (latitude, longitude): (Double?, Double?) = (nil, nil)
        while let (number, value) = try reader.next() {
            switch number {
            case 1: latitude = value.float
            case 2: longitude = value.float
            case 3: vehicle.bearing = value.float.flatMap { $0.isFinite ? $0 : nil }
            case 5: vehicle.speed = value.float.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
            default: break
            }
        }
        if let latitude, let longitude {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            if place.isValid { vehicle.coordinate = place }
        }
    }

    private static func alert(_ id: String, _ reader: ProtoReader) throws -> Alert {
        var reader = reader
        var alert = Alert(id: id)
        while let (number, value) = try reader.next() {
            guard var part = value.message else {
                if number == 7 { alert.effect = value.integer }
                continue
            }
            switch number {
            case 1:
                var period: (start: Int?, end: Int?) = (nil, nil)
                while let (number, value) = try part.next() {
                    if number == 1 { period.start = value.integer.flatMap(moment) }
                    if number == 2 { period.end = value.integer.flatMap(moment) }
                }
                alert.periods.append(period)
            case 5: alert.entities.append(try entity(part))
            case 10: alert.header = try translated(part)
            case 11: alert.text = try translated(part)
            default: break
            }
        }
        return alert
    }

    private static func entity(_ reader: ProtoReader) throws -> Alert.Entity {
        var reader = reader
        var entity = Alert.Entity()
        while let (number, value) = try reader.next() {
            switch number {
            case 1: entity.agency = value.text ?? ""
            case 2: entity.route = value.text ?? ""
            case 3: entity.routeType = value.integer
            case 4:
                guard let part = value.message else { break }
                let trip = try descriptor(part)
                entity.trip = trip.trip
                if entity.route.isEmpty { entity.route = trip.route }
            case 5: entity.stop = value.text ?? ""
            default: break
            }
        }
        return entity
    }

    /// The translation: English if there is one, else the first.
    private static func translated(_ reader: ProtoReader) throws -> String {
        var reader = reader
        var texts: [(text: String, language: String)] = []
        while let (number, value) = try reader.next() {
            guard number == 1, var part = value.message else { continue }
            var entry = (text: "", language: "")
            while let (number, value) = try part.next() {
                if number == 1 { entry.text = value.text ?? "" }
                if number == 2 { entry.language = value.text ?? "" }
            }
            texts.append(entry)
        }
        return (texts.first { $0.language.lowercased().hasPrefix("en") } ?? texts.first)?.text ?? ""
    }
}

extension String {
    /// The UTF-8 of the text as a buffer.
    fileprivate func withContiguousBytes<T>(_ body: (FieldBytes) -> T) -> T {
        var copy = self
        return copy.withUTF8(body)
    }
}
