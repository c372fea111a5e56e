/// Where the fields of stop_times.txt stand; a field that is missing is empty in each row.
struct StopTimeColumns {
    let trip, stop, sequence, arrival, departure: Int
    let headsign, distance, timepoint: Int
    let pickup, dropOff: Int
    let pickupRule, dropOffRule: Int
    let continuousPickup, continuousDropOff: Int
    let flex: FlexColumns

    init(_ rows: TableReader) {
        (trip, stop, sequence) = (
            rows.column("trip_id"), rows.column("stop_id"), rows.column("stop_sequence")
        )
        (arrival, departure) = (rows.column("arrival_time"), rows.column("departure_time"))
        (headsign, distance) = (rows.column("stop_headsign"), rows.column("shape_dist_traveled"))
        timepoint = rows.column("timepoint")
        (pickup, dropOff) = (rows.column("pickup_type"), rows.column("drop_off_type"))
        (pickupRule, dropOffRule) = (
            rows.column("pickup_booking_rule_id"), rows.column("drop_off_booking_rule_id")
        )
        (continuousPickup, continuousDropOff) = (
            rows.column("continuous_pickup"), rows.column("continuous_drop_off")
        )
        flex = FlexColumns(rows)
    }
}

/// Finds the stops of consecutive rows: usually the same stop follows a stop again, and comparing is cheaper than a look-up.
struct StopFollowers {
    /// The stop that last followed each stop, and the first one of a trip; −1 for none.
    private var followers: [Int32]
    private var last: Int

    init(stops: Int) {
        followers = [Int32](repeating: -1, count: stops + 1)
        last = stops
    }

    /// A trip begins.
    mutating func begin() { last = followers.count - 1 }

    /// The number of a stop; `nil` for an unknown one.
    @inline(__always)
    mutating func find(_ name: FieldBytes, in stops: KeyTable) -> Int? {
        let follower = Int(followers[last])
        let isFollower = follower >= 0 && stops.equals(follower, UnsafeRawBufferPointer(name))
        guard let stop = isFollower ? follower : stops.find(name) else { return nil }
        followers[last] = Int32(stop)
        last = stop
        return stop
    }
}
