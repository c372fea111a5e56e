/// What an update says of a call beside its times (`StopTimeProperties` and `departure_occupancy_status`); `nil`
/// where the timetable's facts stay.
struct CallProperties: Sendable, Hashable {
    /// `stop_headsign`, from this stop on.
    var headsign: String?
    /// `pickup_type` and `drop_off_type`.
    var pickup: Int?
    var dropOff: Int?
    /// `departure_occupancy_status`.
    var occupancy: Int?

    /// How full the vehicle is expected to be when it leaves; `nil` without data.
    var occupancyWord: String? { Self.occupancyWord(occupancy) }

    /// `OccupancyStatus` in words; `nil` without data.
    static func occupancyWord(_ status: Int?) -> String? {
        switch status {
        case nil, 7: nil
        case 0: "empty"
        case 1: "many seats"
        case 2: "few seats"
        case 3: "standing room only"
        case 4: "crowded, little standing room"
        case 5: "full"
        case 6: "not accepting passengers"
        case 8: "not boardable"
        case let other?: "unknown (\(other))"
        }
    }

    /// Takes the fields of `StopTimeProperties`.
    mutating func read(_ reader: ProtoReader) throws {
        var reader = reader
        while let (number, value) = try reader.next() {
            switch number {
            case 2: headsign = value.text.flatMap { $0.isEmpty ? nil : $0 }
            case 3: pickup = value.integer
            case 4: dropOff = value.integer
            default: break
            }
        }
    }
}

extension LiveRun.Call {
    /// Replaces the timetable's facts by those of an update; returns what is doubtful about them.
    mutating func take(_ own: CallProperties, at stop: String) -> [String] {
        var doubts: [String] = []
        func known(_ type: Int?, _ name: String) -> Int? {
            guard let type else { return nil }
            if Boarding.types.contains(type) { return type }
            doubts.append("its \(name) \(type) at \(stop) is unknown: that of the timetable is shown")
            return nil
        }
        pickup = known(own.pickup, "pickup_type") ?? pickup
        dropOff = known(own.dropOff, "drop_off_type") ?? dropOff
        properties = own
        return doubts
    }
}
