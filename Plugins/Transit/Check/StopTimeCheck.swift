import PluginKit

/// Checks of stop_times.txt, including the rows that an import drops.
struct CheckedTimes {
    /// Calls of kept trips at existing stops, in the order of the file.
    var rows = StopTimeRows()
    /// Rows of each kept trip, and of each dropped one.
    var counts: [Int32]
    var droppedCounts: [Int32]
    /// Stops at which any row calls.
    var used: [Bool]
    var hasDistances = false
}

/// A row that names a zone or a time window instead of a stop and a time (GTFS-Flex).
struct FlexCall {
    var line: Int
    var trip: Int
    var sequence: Int
    var location: String
    var start: Int?
    var end: Int?
    var pickup: Int
    var dropOff: Int
}

/// The columns of stop_times.txt.
private struct Columns {
    let trip, stop, sequence, arrival, departure, distance, timepoint, pickup, dropOff, group, location,
        start,
        end: Int
    let pickupRule, dropOffRule: Int
    let isFlexible: Bool

    init(_ rows: TableReader) {
        trip = rows.column("trip_id")
        stop = rows.column("stop_id")
        sequence = rows.column("stop_sequence")
        arrival = rows.column("arrival_time")
        departure = rows.column("departure_time")
        distance = rows.column("shape_dist_traveled")
        timepoint = rows.column("timepoint")
        pickup = rows.column("pickup_type")
        dropOff = rows.column("drop_off_type")
        group = rows.column("location_group_id")
        location = rows.column("location_id")
        start = rows.column("start_pickup_drop_off_window")
        end = rows.column("end_pickup_drop_off_window")
        pickupRule = rows.column("pickup_booking_rule_id")
        dropOffRule = rows.column("drop_off_booking_rule_id")
        isFlexible = [group, location, start, end, pickupRule, dropOffRule].contains { $0 >= 0 }
    }
}

/// The rows of a trip in the file: whether they are consecutive and ordered.
private struct TripRows {
    var last: Int32 = -1
    var count: Int32 = 0
    var isUnsorted = false
}

extension TableCheck {
    private static let table = FeedTable.stopTimes

    /// Reads stop_times.txt again and checks its rows; `nil` if the table is missing.
    mutating func readStopTimes(_ locations: FlexLocations?, _ progress: ProgressReporter) throws
        -> CheckedTimes?
    {
        var problems = FeedProblems(isLenient: true)
        guard var rows = try open(Self.table, &problems) else { return nil }
        if let rule = TableRule.all.first(where: { $0.table == Self.table }) { checkHeader(rows, rule) }
        let columns = Columns(rows)
        let extra = ["continuous_pickup", "continuous_drop_off"].map { (name: $0, index: rows.column($0)) }
            .filter { $0.index >= 0 }
        guard columns.trip >= 0 else { return nil }
        var times = CheckedTimes(
            counts: [Int32](repeating: 0, count: content.trips.count),
            droppedCounts: [Int32](repeating: 0, count: droppedTrips.count),
            used: [Bool](repeating: false, count: content.stops.count))
        times.hasDistances = columns.distance >= 0
        times.rows.rows.reserveCapacity(content.stopTimes)
        var flex: [FlexCall] = []
        var order = [TripRows](repeating: TripRows(), count: content.trips.count)
        let oddStops = content.stops.indices.map { !content.stopIDs.withKey($0, NameRules.isPrintable) }
        var (trip, isOdd) = (-1, false)
        var followers = [Int32](repeating: -1, count: content.stopIDs.count + 1)
        var last = content.stopIDs.count
        while try rows.next(&problems, progress: progress) {
            checkForm(rows, Self.table)
            let id = rows[columns.trip]
            if trip < 0 || !content.tripIDs.equals(trip, UnsafeRawBufferPointer(id)) {
                trip = content.tripIDs.find(id) ?? -1
                isOdd = !NameRules.isPrintable(id)
                last = content.stopIDs.count
                if trip >= 0, order[trip].count > 0 { order[trip].isUnsorted = true }
            }
            if isOdd { tallyOdd("trip_id", rows, columns.trip) }
            if trip < 0 {
                if let dropped = droppedTrips.find(id) { times.droppedCounts[dropped] += 1 }
                if let stop = content.stopIDs.find(rows[columns.stop]) { times.used[stop] = true }
                continue
            }
            times.counts[trip] += 1
            checkTimes(rows, columns)
            for column in extra where !rows[column.index].isEmpty {
                tallyChoice(rows, column.index, column.name)
            }
            let sequence = FieldParser.integer(rows[columns.sequence]) ?? -1
            if sequence >= 0 {
                if Int(order[trip].last) >= sequence { order[trip].isUnsorted = true }
                order[trip].last = Int32(sequence)
                order[trip].count += 1
            }
            if columns.isFlexible, checkFlex(rows, columns, trip, sequence, locations, &flex) { continue }
            let name = rows[columns.stop]
            let follower = Int(followers[last])
            let isFollower = follower >= 0 && content.stopIDs.equals(follower, UnsafeRawBufferPointer(name))
            guard let stop = isFollower ? follower : content.stopIDs.find(name) else { continue }
            followers[last] = Int32(stop)
            last = stop
            times.used[stop] = true
            if oddStops[stop] { tallyOdd("stop_id", rows, columns.stop) }
            // An import keeps these calls; the reference requires the platform.
            if content.stops[stop].kind == .boardingArea {
                let id = rows.text(columns.stop)
                tally(
                    .locationWithUnexpectedStopTime, Self.table, rows.line, field: "stop_id", value: id,
                    "the stop \(id) is a boarding area: calls are at its platform")
            }
            guard sequence >= 0 else { continue }
            times.rows.rows.append(
                StopTimeRow(
                    distance: distance(rows, columns.distance), trip: Int32(trip), stop: Int32(stop),
                    sequence: Int32(sequence), arrival: time(rows[columns.arrival]),
                    departure: time(rows[columns.departure]), headsign: -1,
                    line: Int32(clamping: rows.line), boarding: 0))
        }
        checkBlankLines(rows, Self.table)
        let unsorted = order.indices.filter { order[$0].isUnsorted }
        addAll(
            .unsortedStopTimes, Self.table, unsorted.map { content.tripIDs.text($0) },
            "the calls of the trip are not together and in the order of stop_sequence")
        addFlex(flex, times, locations)
        return times
    }

    private mutating func tallyOdd(_ column: String, _ rows: TableReader, _ index: Int) {
        tally(
            .nonAsciiOrNonPrintableChar, Self.table, rows.line, field: column, value: rows.text(index),
            "\(column) has characters other than printable ASCII")
    }

    private mutating func tallyChoice(_ rows: TableReader, _ index: Int, _ column: String) {
        guard let rule = FieldCheck.fault(rows[index], .choice(0...3)) else { return }
        let value = rows.text(index)
        tally(
            rule, Self.table, rows.line, field: column, value: value,
            FeedFault.invalid(column, value, rule: rule).text)
    }

    /// Seconds of the service day; −1 if empty.
    @inline(__always)
    private func time(_ field: FieldBytes) -> Int32 {
        field.isEmpty ? -1 : FieldParser.time(field).map { Int32($0) } ?? -1
    }

    /// A distance along the shape; NaN if empty.
    private mutating func distance(_ rows: TableReader, _ index: Int) -> Double {
        let field = rows[index]
        if field.isEmpty { return .nan }
        guard let number = FieldParser.number(field) else {
            tally(
                .invalidFloat, Self.table, rows.line, field: "shape_dist_traveled", value: rows.text(index),
                "invalid shape_dist_traveled `\(rows.text(index).prefix(40))`")
            return .nan
        }
        if number < 0 {
            tally(
                .numberOutOfRange, Self.table, rows.line, field: "shape_dist_traveled",
                value: rows.text(index), "shape_dist_traveled is negative")
        }
        return number
    }

    /// Arrival, departure and timepoint of a row.
    @inline(__always)
    private mutating func checkTimes(_ rows: TableReader, _ columns: Columns) {
        let (arrival, departure) = (rows[columns.arrival], rows[columns.departure])
        if arrival.isEmpty != departure.isEmpty {
            let given = arrival.isEmpty ? "departure_time" : "arrival_time"
            tally(
                .stopTimeWithOnlyArrivalOrDepartureTime, Self.table, rows.line, field: given,
                "only \(given) is given")
        }
        if !arrival.isEmpty, !departure.isEmpty, let from = FieldParser.time(arrival),
            let to = FieldParser.time(departure), from > to
        {
            tally(.startAndEndRangeOutOfOrder, Self.table, rows.line, "departure_time is before arrival_time")
        }
        guard columns.timepoint >= 0 else { return }
        let timepoint = rows[columns.timepoint]
        if timepoint.isEmpty {
            if !arrival.isEmpty || !departure.isEmpty {
                tally(
                    .missingTimepointValue, Self.table, rows.line, field: "timepoint",
                    "timepoint is missing for a call with a time")
            }
            return
        }
        guard timepoint.count == 1, timepoint[0] == 0x30 || timepoint[0] == 0x31 else {
            let value = rows.text(columns.timepoint)
            let rule = FieldCheck.fault(timepoint, .choice(0...1)) ?? .unexpectedEnumValue
            return tally(
                rule, Self.table, rows.line, field: "timepoint", value: value, "invalid timepoint `\(value)`")
        }
        if timepoint[0] == 0x31, arrival.isEmpty || departure.isEmpty {
            tally(
                .stopTimeTimepointWithoutTimes, Self.table, rows.line, field: "timepoint",
                "a timepoint has no arrival_time or no departure_time")
        }
    }

    // MARK: Flexible services

    /// Checks the columns of GTFS-Flex; returns whether the row is not a fixed call.
    private mutating func checkFlex(
        _ rows: TableReader, _ columns: Columns, _ trip: Int, _ sequence: Int, _ locations: FlexLocations?,
        _ flex: inout [FlexCall]
    ) -> Bool {
        func fault(_ rule: FeedRule, _ text: String) { add(rule, Self.table.rawValue, rows.line, text) }
        func has(_ index: Int) -> Bool { !rows[index].isEmpty }
        checkFlexReferences(rows, columns, locations)
        let (hasStart, hasEnd) = (has(columns.start), has(columns.end))
        let names = [columns.stop, columns.group, columns.location].filter(has)
        if names.count > 1 {
            fault(
                .forbiddenGeographyId, "more than one of stop_id, location_group_id and location_id is given")
        }
        if has(columns.distance), !has(columns.stop) {
            fault(.forbiddenShapeDistTraveled, "shape_dist_traveled is given without a stop")
        }
        let pickup = has(columns.pickup) ? FieldParser.integer(rows[columns.pickup]) ?? -1 : 0
        let dropOff = has(columns.dropOff) ? FieldParser.integer(rows[columns.dropOff]) ?? -1 : 0
        if hasStart || hasEnd {
            if has(columns.arrival) || has(columns.departure) {
                fault(.forbiddenArrivalOrDepartureTime, "times are given together with a window")
            }
            if hasStart != hasEnd {
                fault(.missingPickupOrDropOffWindow, "only one end of the window is given")
            }
            if pickup == 0 || pickup == 3 {
                fault(.forbiddenPickupType, "pickup_type \(pickup) is given together with a window")
            }
            if dropOff == 0 {
                fault(.forbiddenDropOffType, "drop_off_type 0 is given together with a window")
            }
            if facts.continuousRoutes.contains(Int(content.trips[trip].route)) {
                fault(
                    .forbiddenContinuousPickupDropOff,
                    "the route has continuous boarding, and this trip a window")
            }
        }
        let (start, end) = (FieldParser.time(rows[columns.start]), FieldParser.time(rows[columns.end]))
        if let start, let end, start >= end {
            fault(.invalidPickupDropOffWindow, "the window ends before it starts")
        }
        if tables.contains(.bookingRules) {
            if pickup == 2, hasStart, !has(columns.pickupRule) {
                fault(.missingPickupDropOffBookingRuleId, "pickup_type 2 has no pickup_booking_rule_id")
            }
            if dropOff == 2, hasEnd, !has(columns.dropOffRule) {
                fault(.missingPickupDropOffBookingRuleId, "drop_off_type 2 has no drop_off_booking_rule_id")
            }
        }
        guard hasStart || hasEnd || has(columns.group) || has(columns.location) else { return false }
        flex.append(
            FlexCall(
                line: rows.line, trip: trip, sequence: sequence, location: rows.text(columns.location),
                start: start, end: end, pickup: pickup, dropOff: dropOff))
        return true
    }

    private mutating func checkFlexReferences(
        _ rows: TableReader, _ columns: Columns, _ locations: FlexLocations?
    ) {
        func unknown(_ index: Int, _ column: String) {
            add(
                .foreignKeyViolation, Self.table.rawValue, rows.line,
                FeedFault.unknown(column, rows.text(index)).text,
                field: column, value: rows.text(index))
        }
        for (index, column, target) in [
            (columns.group, "location_group_id", FeedTable.locationGroups),
            (columns.pickupRule, "pickup_booking_rule_id", .bookingRules),
            (columns.dropOffRule, "drop_off_booking_rule_id", .bookingRules),
        ] where !rows[index].isEmpty && !has(rows[index], in: target) {
            unknown(index, column)
        }
        if !rows[columns.location].isEmpty, locations?.zones[rows.text(columns.location)] == nil {
            unknown(columns.location, "location_id")
        }
    }

    /// Trips within zones: two calls are required, and zones with windows must not overlap.
    private mutating func addFlex(_ flex: [FlexCall], _ times: CheckedTimes, _ locations: FlexLocations?) {
        for call in flex where times.counts[call.trip] == 1 && call.pickup == 2 && call.dropOff == 2 {
            if call.start != nil, call.end != nil {
                add(
                    .missingStopTimesRecord, Self.table.rawValue, call.line,
                    "a trip within a zone needs two calls there")
            }
        }
        var trips: [Int: [FlexCall]] = [:]
        for call in flex { trips[call.trip, default: []].append(call) }
        var overlaps: [ZonePair: Bool] = [:]
        for trip in trips.keys.sorted() {
            let all = (trips[trip] ?? []).sorted { ($0.sequence, $0.line) < ($1.sequence, $1.line) }
            let calls = all.prefix(TransitSettings.checkedZonesOfTrip)
            if all.count > calls.count {
                addUnchecked(
                    Self.table,
                    "of \(all.count) zones of trip \(content.tripIDs.text(trip)) only the first \(calls.count) are compared"
                )
            }
            for (index, first) in calls.enumerated() {
                for second in calls.dropFirst(index + 1) where clash(first, second) {
                    let pair = ZonePair(first: first.location, second: second.location)
                    if overlaps[pair] == nil {
                        overlaps[pair] = locations?.overlap(first.location, second.location) ?? false
                    }
                    guard overlaps[pair] == true else { continue }
                    add(
                        .overlappingZoneAndPickupDropOffWindow, Self.table.rawValue, second.line,
                        "zone and window overlap those of line \(first.line)")
                }
            }
        }
    }

    private struct ZonePair: Hashable {
        var first: String
        var second: String
    }

    private func clash(_ first: FlexCall, _ second: FlexCall) -> Bool {
        guard first.pickup == second.pickup || first.dropOff == second.dropOff, !first.location.isEmpty,
            !second.location.isEmpty, first.location != second.location, let start = first.start,
            let end = first.end, let other = second.start, let otherEnd = second.end
        else { return false }
        return start < otherEnd && other < end
    }
}
