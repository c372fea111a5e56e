import Geodesy
import PluginKit

/// Positions and facts of vehicles in messages.
extension RealtimeFeed {
    /// `VehiclePosition`
    struct Vehicle: Sendable {
        /// `VehicleStopStatus`: how far it is from its stop.
        enum Progress: Int, Sendable {
            case incoming = 0, stopped = 1, inTransit = 2

            var word: String {
                switch self {
                case .incoming: "arriving"
                case .stopped: "at the stop"
                case .inTransit: "on the way"
                }
            }
        }

        var id: String
        var trip = TripDescriptor()
        var coordinate: Coordinate?
        /// That its place is none, in words; `nil` if it has a place or no message of it.
        var impossiblePlace: String?
        /// Degrees.
        var bearing: Double?
        /// Metres per second.
        var speed: Double?
        /// The stop to which its progress refers: `stop_id`, or the call of its trip.
        var stop = ""
        var sequence: Int?
        var progress: Progress?
        /// When it was measured, in seconds since 1970; `nil` if that is unknown.
        var time: Int?
        var label = ""
        /// `CongestionLevel`
        var congestion: Int?
        /// `OccupancyStatus`, and how full it is in percent.
        var occupancy: Int?
        var occupancyPercent: Int?
        /// Its carriages in the order of travel.
        var carriages: [Carriage] = []
        /// As in trips.txt: 0 if its access is unknown, `nil` if the timetable's stays.
        var wheelchair: Int?

        /// The time of its message; `nil` for that of the message at hand.
        var messageTime: Int?

        /// Whether it says something of its run beside its place.
        var hasFacts: Bool { !trip.trip.isEmpty && (wheelchair != nil || occupancyWord != nil) }

        /// Whether it says which call of its trip is next: without `current_stop_sequence` its status is to be ignored.
        var hasProgress: Bool { !trip.trip.isEmpty && sequence != nil }

        /// How far it is from a stop at which it cannot be, in words; `nil` if it is near, or one of the places is unknown.
        func distance(from stop: StopRecord) -> String? {
            guard let coordinate, let other = stop.coordinate else { return nil }
            let distance = coordinate.distance(to: other)
            return distance > TransitSettings.farthestAtStop ? Literal.inMessage(.metres(distance)) : nil
        }

        /// The call of a run that it has not left (`isThere`) or not reached; `nil` if it does not name one of the calls.
        func nextCall(_ calls: [UpdatedCalls.Call]) -> (index: Int, isThere: Bool)? {
            guard let sequence else { return nil }
            let own = calls.indices.filter { index in
                calls[index].sequence == sequence
                    && (stop.isEmpty || stop == calls[index].stop || stop == calls[index].station)
            }
            return own.count == 1 ? (own[0], progress == .stopped) : nil
        }

        /// A carriage and how full it is.
        struct Carriage: Sendable, Hashable {
            var label = ""
            var occupancy: Int?
            var percent: Int?
            /// Its place in the direction of travel, from 1.
            var place: Int?

            var occupancyWord: String? {
                CallProperties.occupancyWord(occupancy) ?? percent.map { "\($0) % full" }
            }
        }

        /// Its progress in words; without one it is on the way to a stop that is named.
        var progressWord: String? {
            let isAtStop = !stop.isEmpty || sequence != nil
            return (progress ?? (isAtStop ? .inTransit : nil))?.word
        }

        /// The traffic in words; `nil` without data.
        var congestionWord: String? {
            switch congestion {
            case nil, 0: nil
            case 1: "flowing"
            case 2: "stop and go"
            case 3: "congested"
            case 4: "severely congested"
            case let other?: "unknown (\(other))"
            }
        }

        /// How full it is, in words; without a word of its own, its carriages; `nil` without data.
        var occupancyWord: String? {
            if let own = CallProperties.occupancyWord(occupancy) { return own }
            if let percent = occupancyPercent { return "\(percent) % full" }
            let parts = carriages.compactMap { carriage in
                carriage.occupancyWord.map { "car \(carriage.label): \($0)" }
            }
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        }

        /// The seconds since it was measured; `nil` if that is unknown, as for times in the future.
        func age(at now: Int) -> Int? {
            time.flatMap { now - $0 >= -TransitSettings.timeSlack ? max(0, now - $0) : nil }
        }
    }

    static func vehicle(_ id: String, _ reader: ProtoReader) throws -> Vehicle {
        var reader = reader
        var vehicle = Vehicle(id: id)
        while let (number, value) = try reader.next() {
            switch number {
            case 1: if let part = value.message { vehicle.trip = try descriptor(part) }
            case 2: if let part = value.message { try position(part, &vehicle) }
            case 3: vehicle.sequence = value.integer
            case 4: vehicle.progress = value.integer.flatMap(Vehicle.Progress.init)
            case 5: vehicle.time = value.integer.flatMap(anyMoment)
            case 6: vehicle.congestion = value.integer
            case 7: vehicle.stop = value.identifier ?? ""
            case 8:
                guard let descriptor = value.message else { break }
                vehicle.wheelchair = try vehicleAccess(descriptor)
                var part = descriptor
                while let (number, value) = try part.next() {
                    if number <= 2, let text = value.text, !text.isEmpty { vehicle.label = text }
                }
            case 9: vehicle.occupancy = value.integer
            case 10: vehicle.occupancyPercent = value.integer32.flatMap { $0 >= 0 ? $0 : nil }
            case 11: if let part = value.message { vehicle.carriages.append(try carriage(part)) }
            default: break
            }
        }
        vehicle.carriages = Self.inOrderOfTravel(vehicle.carriages)
        return vehicle
    }

    /// Carriages in the order of travel, with numbers as labels where they have none. Their places count if each has one of
    /// its own; else the first of the list is the first of the train, as the specification has it.
    private static func inOrderOfTravel(_ carriages: [Vehicle.Carriage]) -> [Vehicle.Carriage] {
        let places = carriages.compactMap(\.place)
        let arePlaced = places.count == carriages.count && Set(places).count == places.count
        let ordered = arePlaced ? carriages.sorted { ($0.place ?? 0) < ($1.place ?? 0) } : carriages
        // Some count from 0: there the number is that of the order.
        let areNumbers = arePlaced && places.allSatisfy { $0 > 0 }
        return ordered.enumerated().map { index, carriage in
            var carriage = carriage
            if carriage.label.isEmpty {
                carriage.label = "\(areNumbers ? carriage.place ?? index + 1 : index + 1)"
            }
            return carriage
        }
    }

    private static func carriage(_ reader: ProtoReader) throws -> Vehicle.Carriage {
        var reader = reader
        var carriage = Vehicle.Carriage()
        while let (number, value) = try reader.next() {
            switch number {
            case 2: carriage.label = value.text ?? ""
            case 3: carriage.occupancy = value.integer
            case 4: carriage.percent = value.integer32.flatMap { $0 >= 0 ? $0 : nil }
            case 5: carriage.place = value.integer
            default: break
            }
        }
        return carriage
    }

    /// `wheelchair_accessible` of a `VehicleDescriptor`, in the numbers of trips.txt; `nil` if the timetable's stays.
    static func vehicleAccess(_ reader: ProtoReader) throws -> Int? {
        var reader = reader
        var access: Int?
        while let (number, value) = try reader.next() {
            guard number == 4 else { continue }
            switch value.integer {
            case 1: access = 0
            case 2: access = 1
            case 3: access = 2
            default: access = nil
            }
        }
        return access
    }

    private static func position(_ reader: ProtoReader, _ vehicle: inout Vehicle) throws {
        var reader = reader
        var (latitude, longitude): (Double?, Double?) = (nil, nil)
        while let (number, value) = try reader.next() {
            switch number {
            case 1: latitude = value.float
            case 2: longitude = value.float
            case 3: vehicle.bearing = value.float.flatMap { $0.isFinite ? $0 : nil }
            case 5:
                vehicle.speed = value.float.flatMap {
                    (0...TransitSettings.fastestVehicle).contains($0) ? $0 : nil
                }
            default: break
            }
        }
        if let latitude, let longitude {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            // Receivers without a fix send zeros; no vehicle is in the Gulf of Guinea.
            if latitude == 0, longitude == 0 {
                vehicle.impossiblePlace = "its place is 0,0: the receiver had none"
            } else if place.isValid {
                vehicle.coordinate = place
            } else {
                vehicle.impossiblePlace = "its place \(latitude),\(longitude) is impossible"
            }
        }
    }
}
