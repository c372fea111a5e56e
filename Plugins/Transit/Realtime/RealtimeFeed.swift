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
        /// `direction_id`
        var direction: Int?
        var relationship = Relationship.scheduled
        /// A `schedule_relationship` that this version does not know: such an update is not applied.
        var unknownRelationship: Int?
    }

    /// A predicted arrival or departure.
    struct Event: Sendable, Hashable {
        var delay: Int?
        /// Seconds since 1970.
        var time: Int?
        /// The planned time of an event that the timetable does not have, in seconds since 1970.
        var scheduled: Int?
    }

    /// The update of a call.
    struct StopUpdate: Sendable, Hashable {
        /// `schedule_relationship`.
        enum Relationship: Int, Sendable { case scheduled = 0, skipped = 1, noData = 2, unscheduled = 3 }

        var sequence: Int?
        var stop = ""
        var arrival: Event?
        var departure: Event?
        var relationship = Relationship.scheduled
        /// A `schedule_relationship` that this version does not know: such an entry predicts nothing.
        var unknownRelationship: Int?
        var assignedStop: String?
        var properties = CallProperties()
    }

    struct TripUpdate: Sendable {
        var id: String
        var trip = TripDescriptor()
        var stops: [StopUpdate] = []
        var delay: Int?
        /// When the progress was measured, in seconds since 1970; `nil` if only the message has a time.
        var time: Int?
        /// The identity of a duplicated trip.
        var copy: TripDescriptor?
        var headsign: String?
    }

    /// A detour of some trips (`TripModifications`).
    struct Detour: Sendable {
        /// A stop of the detour, with the seconds from the reference stop.
        struct Stop: Sendable {
            var stop = ""
            var seconds = 0
        }

        /// A part of a trip that is replaced.
        struct Change: Sendable {
            var first = StopUpdate()
            /// `nil` if stops are only inserted.
            var last: StopUpdate?
            /// Seconds added to all times after the change.
            var delay = 0
            var stops: [Stop] = []
        }

        var id: String
        var trips: [String] = []
        /// Starts of runs by headway, in seconds of the service day; empty for all.
        var starts: [Int] = []
        var days: [CivilDate] = []
        var changes: [Change] = []
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
            /// `direction_id`, of the selector or of its trip.
            var direction: Int?
            /// The service day and the start of the run, if it is about one.
            var day: CivilDate?
            var start: Int?
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
    var detours: [Detour] = []

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
            case 3...5, 8: if let part = value.message { parts.append((number, part)) }
            default: break
            }
        }
        for (number, part) in parts where !isDeleted {
            switch number {
            case 3: updates.append(try Self.update(id, part))
            case 4: vehicles.append(try Self.vehicle(id, part))
            case 8: detours.append(try Self.detour(id, part))
            default: alerts.append(try Self.alert(id, part))
            }
        }
    }

    /// A time of the service day in seconds; a day.
    private static func time(_ text: String?) -> Int? {
        (text ?? "").withContiguousBytes { FieldParser.time($0) }
    }

    private static func day(_ text: String?) -> CivilDate? {
        (text ?? "").withContiguousBytes { FieldParser.date($0) }
    }

    private static func detour(_ id: String, _ reader: ProtoReader) throws -> Detour {
        var reader = reader
        var detour = Detour(id: id)
        while let (number, value) = try reader.next() {
            switch number {
            case 1:
                guard var part = value.message else { break }
                while let (number, value) = try part.next() {
                    if number == 1, let trip = value.text { detour.trips.append(trip) }
                }
            case 2: if let start = time(value.text) { detour.starts.append(start) }
            case 3: if let day = day(value.text) { detour.days.append(day) }
            case 4: if let part = value.message { detour.changes.append(try change(part)) }
            default: break
            }
        }
        return detour
    }

    private static func change(_ reader: ProtoReader) throws -> Detour.Change {
        var reader = reader
        var change = Detour.Change()
        while let (number, value) = try reader.next() {
            switch number {
            case 1: if let part = value.message { change.first = try selector(part) }
            case 2: if let part = value.message { change.last = try selector(part) }
            case 3: change.delay = value.integer.flatMap(delay) ?? 0
            case 4:
                guard var part = value.message else { break }
                var stop = Detour.Stop()
                while let (number, value) = try part.next() {
                    if number == 1 { stop.seconds = value.integer.flatMap(delay) ?? 0 }
                    if number == 2 { stop.stop = value.text ?? "" }
                }
                change.stops.append(stop)
            default: break
            }
        }
        return change
    }

    private static func selector(_ reader: ProtoReader) throws -> StopUpdate {
        var reader = reader
        var selector = StopUpdate()
        while let (number, value) = try reader.next() {
            if number == 1 { selector.sequence = value.integer }
            if number == 2 { selector.stop = value.text ?? "" }
        }
        return selector
    }

    private static func descriptor(_ reader: ProtoReader) throws -> TripDescriptor {
        var reader = reader
        var trip = TripDescriptor()
        while let (number, value) = try reader.next() {
            switch number {
            case 1: trip.trip = value.text ?? ""
            case 2: trip.start = time(value.text)
            case 3: trip.day = day(value.text)
            case 4:
                let known = value.integer.flatMap(TripDescriptor.Relationship.init(rawValue:))
                trip.relationship = known ?? .scheduled
                if known == nil { trip.unknownRelationship = value.integer ?? 0 }
            case 5: trip.route = value.text ?? ""
            case 6: trip.direction = value.integer
            case 7:
                // The run of the timetable that a detour changes.
                guard var part = value.message else { break }
                while let (number, value) = try part.next() {
                    switch number {
                    case 2: if trip.trip.isEmpty { trip.trip = value.text ?? "" }
                    case 3: if trip.start == nil { trip.start = Self.time(value.text) }
                    case 4: if trip.day == nil { trip.day = Self.day(value.text) }
                    default: break
                    }
                }
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
            case 4: update.time = value.integer.flatMap(moment)
            case 5: update.delay = value.integer.flatMap(delay)
            case 6:
                guard var part = value.message else { break }
                var copy = TripDescriptor()
                while let (number, value) = try part.next() {
                    switch number {
                    case 1: copy.trip = value.text ?? ""
                    case 2: copy.day = day(value.text)
                    case 3: copy.start = time(value.text)
                    case 5: update.headsign = value.text
                    default: break
                    }
                }
                update.copy = copy
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
            case 5:
                let known = value.integer.flatMap(StopUpdate.Relationship.init(rawValue:))
                update.relationship = known ?? .noData
                if known == nil { update.unknownRelationship = value.integer ?? 0 }
            case 6:
                guard let properties = value.message else { break }
                try update.properties.read(properties)
                var part = properties
                while let (number, value) = try part.next() {
                    if number == 1 { update.assignedStop = value.text }
                }
            case 7: update.properties.occupancy = value.integer
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
            case 4: event.scheduled = value.integer.flatMap(moment)
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
                if entity.direction == nil { entity.direction = trip.direction }
                (entity.day, entity.start) = (trip.day, trip.start)
            case 5: entity.stop = value.text ?? ""
            case 6: entity.direction = value.integer
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
