import CivilTime
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
        /// What it says of its run that cannot be read, in words: its run is unknown then.
        var unreadable: String?
    }

    /// A predicted arrival or departure.
    struct Event: Sendable, Hashable {
        var delay: Int?
        /// Seconds since 1970.
        var time: Int?
        /// The planned time of an event that the timetable does not have, in seconds since 1970.
        var scheduled: Int?
        /// The planned time of an event that the timetable does not have: as it is given, else by its delay.
        var planned: Int? { scheduled ?? time.flatMap { time in delay.map { time - $0 } } }
        /// The time expected of such an event.
        var expected: Int? { time ?? scheduled.map { $0 + (delay ?? 0) } }
        /// By how many seconds the time may be wrong; 0 for a certain one, `nil` if unknown.
        var uncertainty: Int?
        /// A value that cannot be read, in words.
        var unreadable: String?
        /// The time was written in milliseconds, which is said here: right only in a message whose header has them too.
        var milliseconds: String?
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

        /// A value that cannot be read, in words.
        var unreadable: String? {
            let faults = [arrival, departure].flatMap { [$0?.unreadable, $0?.milliseconds] }
            guard let what = faults.compactMap({ $0 }).first else { return nil }
            let place = sequence.map { "stop_sequence \($0)" } ?? (stop.isEmpty ? "a call" : "stop \(stop)")
            return "\(what) at \(place)"
        }
    }

    struct TripUpdate: Sendable {
        var id: String
        var trip = TripDescriptor()
        var stops: [StopUpdate] = []
        var delay: Int?
        /// A delay of the trip that cannot be read, in words.
        var unreadableDelay: String?
        /// `wheelchair_accessible` of its vehicle, as in trips.txt: 0 if the vehicle's access is unknown, `nil` if
        /// the timetable's stays.
        var wheelchair: Int?
        /// When the progress was measured, in seconds since 1970; `nil` if only the message has a time.
        var time: Int?
        /// Why the time of the message stands in place of its own, in words.
        var timeDoubt: String?
        /// The identity of a duplicated trip.
        var copy: TripDescriptor?
        var headsign: String?

        /// Whether it is a run of its own with the time of each call: it does not need a start.
        var isTimedByItself: Bool {
            [.added, .new].contains(trip.relationship) && !stops.isEmpty
                && stops.allSatisfy { $0.arrival?.time ?? $0.departure?.time != nil }
        }

        /// A value that cannot be read, in words; such an update is refused, as its other values may be wrong too.
        var unreadable: String? {
            (isTimedByItself ? nil : trip.unreadable) ?? copy?.unreadable ?? unreadableDelay
                ?? stops.lazy.compactMap(\.unreadable).first
        }
    }

    /// A detour of some trips (`TripModifications`).
    struct Detour: Sendable {
        /// A stop of the detour, with the seconds from the reference stop.
        struct Stop: Sendable, Hashable {
            var stop = ""
            /// `nil` without a travel time.
            var seconds: Int?
        }

        /// A part of a trip that is replaced.
        struct Change: Sendable, Hashable {
            var first = StopUpdate()
            /// `nil` if stops are only inserted.
            var last: StopUpdate?
            /// Seconds added to all times after the change.
            var delay = 0
            var stops: [Stop] = []

            /// The stops that it names.
            var namedStops: [String] { [first.stop, last?.stop ?? ""] + stops.map(\.stop) }
        }

        var id: String
        var trips: [String] = []
        /// Starts of runs by headway, in seconds of the service day; empty for all.
        var starts: [Int] = []
        var days: [CivilDate] = []
        var changes: [Change] = []
        /// A value that cannot be read, in words.
        var unreadable: String?
    }

    /// Seconds since 1970 at which the message was created; `nil` if it has no timestamp.
    var time: Int?
    /// Whether its header gives the time in milliseconds, against the format.
    var isInMilliseconds = false
    /// Whether it is DIFFERENTIAL: it leaves out what has not changed since messages before it, which are not known.
    var isDifferential = false
    /// What of its header is not known to this version, in words.
    var headerDoubts: [String] = []
    /// `feed_version` of the timetables that it is about; empty if it does not say.
    var timetables: Set<String> = []
    var updates: [TripUpdate] = []
    var vehicles: [Vehicle] = []
    var alerts: [Alert] = []
    var detours: [Detour] = []
    /// Stops that it brings along.
    var stops: [MessageStop] = []
    /// Entities of another form than the binary one that cannot be read, with the reason of each.
    var unread: [String] = []

    /// An empty message.
    init() {}

    /// Reads a message. Throws `E-TRANSIT-REALTIME` for invalid bytes.
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
        if isInMilliseconds { acceptMilliseconds() }
        guard hasHeader else { throw TransitErrors.realtime("not a GTFS-realtime message: it has no header") }
    }

    private mutating func readHeader(_ reader: ProtoReader) throws {
        var reader = reader
        var version: String?
        while let (number, value) = try reader.next() {
            switch number {
            case 1: version = value.text
            case 2:
                let kind = value.integer ?? 0
                isDifferential = kind == 1
                if !(0...1).contains(kind) { headerDoubts.append("its incrementality \(kind) is unknown") }
            case 3:
                guard let written = value.integer else { break }
                isInMilliseconds = Self.milliseconds.contains(written)
                time = Self.moment(isInMilliseconds ? written / 1000 : written)
            case 4: if let text = value.text, !text.isEmpty { timetables = [text] }
            default: break
            }
        }
        guard let version, version.first?.isNumber ?? false else {
            throw TransitErrors.realtime("not a GTFS-realtime message: its header has no version")
        }
        if !Self.versions.contains(where: version.hasPrefix) {
            headerDoubts.append("its version \(version) of GTFS-realtime is unknown")
        }
    }

    /// The versions of GTFS-realtime, by the beginnings of their names.
    private static let versions = ["1", "2"]

    /// An instant between 1970 and the year 5000; feeds use 0 for none.
    static func moment(_ seconds: Int) -> Int? {
        (1..<95_000_000_000).contains(seconds) ? seconds : nil
    }

    /// Times of the years 2001 to 2286 in milliseconds: as seconds they would be 30,000 years away.
    static let milliseconds = 1_000_000_000_000..<10_000_000_000_000

    /// An instant of any part of a message but an event: some producers write milliseconds.
    static func anyMoment(_ written: Int) -> Int? {
        moment(milliseconds.contains(written) ? written / 1000 : written)
    }

    /// All times of a producer are in its unit.
    private mutating func acceptMilliseconds() {
        for update in updates.indices {
            for stop in updates[update].stops.indices {
                updates[update].stops[stop].arrival?.milliseconds = nil
                updates[update].stops[stop].departure?.milliseconds = nil
            }
        }
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
            case 3...5, 7, 8: if let part = value.message { parts.append((number, part)) }
            default: break
            }
        }
        for (number, part) in parts where !isDeleted {
            switch number {
            case 3: updates.append(try Self.update(id, part))
            case 4: vehicles.append(try Self.vehicle(id, part))
            case 7: stops.append(try Self.stopOfMessage(part))
            case 8: detours.append(try Self.detour(id, part))
            default: alerts.append(try Self.alert(id, part))
            }
        }
    }

    /// A start of a run in seconds of the service day; says what cannot be read.
    private static func start(_ text: String?, _ unreadable: inout String?) -> Int? {
        guard let text, !text.isEmpty else { return nil }
        let start = text.withContiguousBytes {
            FieldParser.time($0) ?? LooseField.time($0)
        }
        if start == nil { unreadable = "its start_time `\(text)` is not written as HH:MM:SS" }
        return start
    }

    /// A service day; says what cannot be read.
    private static func day(_ text: String?, _ unreadable: inout String?) -> CivilDate? {
        guard let text, !text.isEmpty else { return nil }
        let day = text.withContiguousBytes { FieldParser.date($0) ?? LooseField.date($0) }
        if day == nil { unreadable = "its start_date `\(text)` is not a day written as YYYYMMDD" }
        return day
    }

    /// A delay of less than ten days; larger ones are errors of the producer, and said.
    private static func delay(_ value: ProtoReader.Field, _ unreadable: inout String?) -> Int? {
        guard let written = value.integer else { return nil }
        let seconds = value.integer32.flatMap { abs($0) < TransitSettings.latestTime ? $0 : nil }
        if seconds == nil { unreadable = "its delay of \(written) s is too large" }
        return seconds
    }

    /// An instant of an event; 0 is none, and what is no instant is said.
    private static func moment(_ value: ProtoReader.Field, _ event: inout Event) -> Int? {
        guard let written = value.integer, written != 0 else { return nil }
        let seconds = anyMoment(written)
        if milliseconds.contains(written) {
            event.milliseconds = "its time \(written) is not in seconds since 1970"
        } else if seconds == nil {
            event.unreadable = "its time \(written) is not in seconds since 1970"
        }
        return seconds
    }

    private static func detour(_ id: String, _ reader: ProtoReader) throws -> Detour {
        var reader = reader
        var detour = Detour(id: id)
        while let (number, value) = try reader.next() {
            switch number {
            case 1:
                guard var part = value.message else { break }
                while let (number, value) = try part.next() {
                    if number == 1, let trip = value.identifier { detour.trips.append(trip) }
                }
            case 2: if let start = start(value.text, &detour.unreadable) { detour.starts.append(start) }
            case 3: if let day = day(value.text, &detour.unreadable) { detour.days.append(day) }
            case 4:
                guard let part = value.message else { break }
                detour.changes.append(try change(part, &detour.unreadable))
            default: break
            }
        }
        return detour
    }

    private static func change(
        _ reader: ProtoReader, _ unreadable: inout String?
    ) throws -> Detour.Change {
        var reader = reader
        var change = Detour.Change()
        while let (number, value) = try reader.next() {
            switch number {
            case 1: if let part = value.message { change.first = try selector(part) }
            case 2: if let part = value.message { change.last = try selector(part) }
            case 3: change.delay = delay(value, &unreadable) ?? 0
            case 4:
                guard var part = value.message else { break }
                var stop = Detour.Stop()
                while let (number, value) = try part.next() {
                    if number == 1 { stop.seconds = delay(value, &unreadable) }
                    if number == 2 { stop.stop = value.identifier ?? "" }
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
            if number == 2 { selector.stop = value.identifier ?? "" }
        }
        return selector
    }

    static func descriptor(_ reader: ProtoReader) throws -> TripDescriptor {
        var reader = reader
        var trip = TripDescriptor()
        while let (number, value) = try reader.next() {
            switch number {
            case 1: trip.trip = value.identifier ?? ""
            case 2: trip.start = start(value.text, &trip.unreadable)
            case 3: trip.day = day(value.text, &trip.unreadable)
            case 4:
                let known = value.integer.flatMap(TripDescriptor.Relationship.init(rawValue:))
                trip.relationship = known ?? .scheduled
                if known == nil { trip.unknownRelationship = value.integer ?? 0 }
            case 5: trip.route = value.identifier ?? ""
            case 6: trip.direction = value.integer
            case 7:
                // The run of the timetable that a detour changes.
                guard var part = value.message else { break }
                while let (number, value) = try part.next() {
                    switch number {
                    case 2: if trip.trip.isEmpty { trip.trip = value.identifier ?? "" }
                    case 3: if trip.start == nil { trip.start = start(value.text, &trip.unreadable) }
                    case 4: if trip.day == nil { trip.day = day(value.text, &trip.unreadable) }
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
            case 3: update.wheelchair = try value.message.flatMap(vehicleAccess)
            case 4: update.time = value.integer.flatMap(anyMoment)
            case 5: update.delay = delay(value, &update.unreadableDelay)
            case 6:
                guard var part = value.message else { break }
                var copy = TripDescriptor()
                while let (number, value) = try part.next() {
                    switch number {
                    case 1: copy.trip = value.identifier ?? ""
                    case 2: copy.day = day(value.text, &copy.unreadable)
                    case 3: copy.start = start(value.text, &copy.unreadable)
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
            case 4: update.stop = value.identifier ?? ""
            case 5:
                let known = value.integer.flatMap(StopUpdate.Relationship.init(rawValue:))
                update.relationship = known ?? .noData
                if known == nil { update.unknownRelationship = value.integer ?? 0 }
            case 6:
                guard let properties = value.message else { break }
                try update.properties.read(properties)
                var part = properties
                while let (number, value) = try part.next() {
                    if number == 1 { update.assignedStop = value.identifier }
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
            case 1: event.delay = delay(value, &event.unreadable)
            case 2: event.time = moment(value, &event)
            case 3: event.uncertainty = value.integer32.flatMap { $0 >= 0 ? $0 : nil }
            case 4: event.scheduled = value.integer.flatMap(anyMoment)
            default: break
            }
        }
        return event
    }
}

extension String {
    /// The UTF-8 of the text as a buffer.
    fileprivate func withContiguousBytes<T>(_ body: (FieldBytes) -> T) -> T {
        var copy = self
        return copy.withUTF8(body)
    }
}
