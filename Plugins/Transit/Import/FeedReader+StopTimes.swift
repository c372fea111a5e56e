import PluginKit

extension FeedReader {
    /// Reads stop_times.txt as a stream and builds patterns. Rows of a trip may be scattered.
    mutating func readStopTimes() throws {
        let fixed = ["stop_id", "arrival_time", "departure_time"]
        guard var rows = try open(.stopTimes, required: ["trip_id", "stop_sequence"], isNeeded: true) else {
            return
        }
        let flex = FlexColumns(rows)
        if let missing = fixed.first(where: { rows.column($0) < 0 }), !flex.isPresent {
            throw problems.refusal(.stopTimes, .missingColumn(missing))
        }
        guard !isWithoutStops else { return }
        var kept = StopTimeRows()
        var faults = TripFaults(trips: content.trips.count)
        let names = ["trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time"]
        try readRows(&rows, names.map(rows.column), flex, into: &kept, &faults)
        content.stopTimes = kept.count
        content.flexibleTrips = faults.flexible.count
        var builder = PatternBuilder(kept, faults)
        try builder.build(&content, &problems, progress: progress)
    }

    private mutating func readRows(
        _ rows: inout TableReader, _ places: [Int], _ flex: FlexColumns, into kept: inout StopTimeRows,
        _ faults: inout TripFaults
    ) throws {
        var trip = -1
        // The stop that last followed each stop: usually it does so again, and comparing is cheaper than a
        // look-up.
        var followers = [Int32](repeating: -1, count: content.stopIDs.count + 1)
        var last = content.stopIDs.count
        var lastSign: Int32 = -1
        func drop(_ fault: FeedFault) throws {
            faults.lose(trip, FieldParser.integer(rows[places[2]]), line: rows.line)
            try problems.add(.stopTimes, line: rows.line, fault)
        }
        let (pickup, headsign) = (rows.column("pickup_type"), rows.column("stop_headsign"))
        let dropOff = rows.column("drop_off_type")
        let distance = rows.column("shape_dist_traveled")
        let rules = try bookingRules()
        let (pickupRule, dropOffRule) = (
            rows.column("pickup_booking_rule_id"), rows.column("drop_off_booking_rule_id")
        )
        let timepoint = rows.column("timepoint")
        let (continuousPickup, continuousDropOff) = (
            rows.column("continuous_pickup"), rows.column("continuous_drop_off")
        )
        let isContinuous =
            continuousPickup >= 0 || continuousDropOff >= 0
            || content.routes.contains { $0.continuous != ContinuousStopping() }
        var notes: [String: Int16] = [:]
        // In many feeds nearly all times are approximate: that note is made once.
        var approximate: Int16?
        let groups = flex.isPresent ? try locationGroups() : [:]
        let areas = flex.isPresent ? try requestZones() : [:]
        var zones: [String: Int32] = [:]
        func zone(_ id: String) -> Int32 {
            if let known = zones[id] { return known }
            guard let area = areas[id] else { return -1 }
            let number = Int32(content.requestZones.count)
            content.requestZones.append(area)
            zones[id] = number
            return number
        }
        /// Keeps what a row without a timetable offers.
        func request(_ rows: TableReader) {
            let (boards, alights) = (
                !rows[pickup].elementsEqual("1".utf8), !rows[dropOff].elementsEqual("1".utf8)
            )
            guard boards || alights else { return }
            let rule = rules[rows.text(boards ? pickupRule : dropOffRule)]
            let words = RequestWords.make(
                from: rows.text(flex.start), until: rows.text(flex.end), booking: rule)
            let stops =
                groups[rows.text(flex.group)]
                ?? [content.stopIDs.find(rows[places[1]]).map { Int32($0) } ?? -1]
            let number = Array(words.utf8).withUnsafeBytes { Int32(content.texts.add($0).index) }
            let area = zone(rows.text(flex.zone))
            let sequence = Int32(FieldParser.integer(rows[places[2]]) ?? 0)
            for stop in stops {
                content.requests.append(
                    RequestRow(
                        trip: Int32(trip), sequence: sequence, stop: stop, zone: area, words: number,
                        boards: boards, alights: alights))
            }
        }
        /// Boarding and alighting between a call and the next one: its own rule, or that of its line.
        func continuous(_ rows: TableReader) -> String? {
            var found = content.routes[Int(content.trips[trip].route)].continuous
            if let own = FieldParser.integer(rows[continuousPickup]) { found.pickup = own }
            if let own = FieldParser.integer(rows[continuousDropOff]) { found.dropOff = own }
            return found.note
        }
        /// The number of a call's note; most have none.
        func note(_ rows: TableReader) -> Int16 {
            // A time that is missing is interpolated.
            let isApproximate =
                rows[timepoint].elementsEqual("0".utf8) || rows[places[3]].isEmpty && rows[places[4]].isEmpty
            let hasRule = !rules.isEmpty && !(rows[pickupRule].isEmpty && rows[dropOffRule].isEmpty)
            let between = isContinuous ? continuous(rows) : nil
            guard isApproximate || hasRule || between != nil else { return -1 }
            if !hasRule, between == nil, let approximate { return approximate }
            let parts = [
                isApproximate ? "approximate time" : nil, rules[rows.text(pickupRule)],
                rules[rows.text(dropOffRule)].map { "to alight: \($0)" }, between,
            ]
            let words = parts.compactMap { $0 }.joined(separator: "; ")
            if words.isEmpty { return -1 }
            guard let number = notes[words] ?? Int16(exactly: content.callNotes.count) else { return -1 }
            if notes.updateValue(number, forKey: words) == nil {
                content.callNotes.append(
                    Array(words.utf8).withUnsafeBytes { Int32(content.texts.add($0).index) })
            }
            if !hasRule, between == nil { approximate = number }
            return number
        }
        while try rows.next(&problems, progress: progress) {
            let id = rows[places[0]]
            // The rows of a trip are usually consecutive.
            if trip < 0 || !content.tripIDs.equals(trip, UnsafeRawBufferPointer(id)) {
                trip = content.tripIDs.find(id) ?? -1
                last = content.stopIDs.count
            }
            guard trip >= 0 else {
                if droppedTrips.find(id) != nil { continue }
                try problems.add(
                    .stopTimes, line: rows.line, .unknown("trip_id", rows.text(places[0])))
                continue
            }
            if flex.isPresent, flex.describes(rows) {
                faults.flexible.insert(trip)
                request(rows)
                continue
            }
            let name = rows[places[1]]
            let follower = Int(followers[last])
            let isFollower = follower >= 0 && content.stopIDs.equals(follower, UnsafeRawBufferPointer(name))
            guard let stop = isFollower ? follower : content.stopIDs.find(name) else {
                try drop(.unknown("stop_id", rows.text(places[1])))
                continue
            }
            followers[last] = Int32(stop)
            last = stop
            guard let sequence = FieldParser.integer(rows[places[2]]) else {
                try drop(.invalid("stop_sequence", rows.text(places[2]), .whole))
                continue
            }
            guard let arrival = time(rows[places[3]]), let departure = time(rows[places[4]]) else {
                let isArrival = time(rows[places[3]]) == nil
                let (field, value) = (
                    isArrival ? "arrival_time" : "departure_time", rows.text(places[isArrival ? 3 : 4])
                )
                try drop(
                    FeedFault(
                        .invalidTime, "\(field) is `\(value.prefix(40))`, not HH:MM:SS", field: field,
                        value: value))
                continue
            }
            let kind = content.stops[stop].kind
            guard kind == .stop || kind == .boardingArea else {
                let id = rows.text(places[1])
                try drop(
                    FeedFault(
                        .locationWithUnexpectedStopTime,
                        "the stop \(id) is a \(kind.word): no trip can stop there", field: "stop_id",
                        value: id))
                continue
            }
            if rows.hasExcess {
                try drop(.excess)
                continue
            }
            kept.rows.append(
                StopTimeRow(
                    distance: number(rows[distance]), trip: Int32(trip), stop: Int32(stop),
                    sequence: Int32(sequence), arrival: arrival, departure: departure,
                    headsign: sign(rows[headsign], &lastSign), line: Int32(clamping: rows.line),
                    boarding: Boarding.packed(
                        pickup: try boardingType(rows[pickup], "pickup_type", line: rows.line),
                        dropOff: try boardingType(rows[dropOff], "drop_off_type", line: rows.line)),
                    note: note(rows)))
        }
    }

    /// A headsign, usually the same as in the row before.
    @inline(__always)
    private mutating func sign(_ field: FieldBytes, _ last: inout Int32) -> Int32 {
        if field.isEmpty { return -1 }
        if last < 0 || !content.texts.equals(Int(last), UnsafeRawBufferPointer(field)) { last = text(field) }
        return last
    }

    /// Seconds, −1 for an empty field, `nil` for an invalid one.
    @inline(__always)
    private func time(_ field: FieldBytes) -> Int32? {
        if field.isEmpty { return -1 }
        return FieldParser.time(field).map { Int32($0) }
    }

    @inline(__always)
    private func number(_ field: FieldBytes) -> Double {
        field.isEmpty ? .nan : FieldParser.number(field) ?? .nan
    }

    @inline(__always)
    private mutating func boardingType(_ field: FieldBytes, _ column: String, line: Int) throws -> UInt8 {
        if field.isEmpty { return 0 }
        if field.count == 1, field[0] >= 0x30, field[0] <= 0x33 { return field[0] - 0x30 }
        try problems.add(
            .stopTimes, line: line,
            .invalid(column, String(decoding: field, as: UTF8.self), .choice), .repaired)
        return 0
    }
}
