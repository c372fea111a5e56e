import CivilTime
import PluginKit

extension FeedReader {
    // MARK: Calendar

    /// Reads calendar.txt and calendar_dates.txt; one of them is sufficient.
    mutating func readCalendar() throws {
        let hasWeeks = try readWeeks()
        let hasDates = try readDates()
        addPeriods()
        if !hasWeeks && !hasDates {
            try problems.add(
                .calendar, line: 0,
                FeedFault(
                    .missingCalendarAndCalendarDateFiles,
                    "\(source.name) has neither calendar.txt nor calendar_dates.txt"),
                kind: TransitErrors.missing)
        }
    }

    static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    private mutating func readWeeks() throws -> Bool {
        let names = ["service_id"] + Self.weekdays + ["start_date", "end_date"]
        guard var rows = try open(.calendar, required: names) else { return false }
        let columns = names.map(rows.column)
        var periods: [Int32: [CalendarRow]] = [:]
        while try rows.next(&problems, progress: progress) {
            guard !rows[columns[0]].isEmpty else {
                try problems.add(.calendar, line: rows.line, .empty("service_id"))
                continue
            }
            var days: UInt8 = 0
            var wrong: FeedFault?
            for day in 0..<7 {
                switch rows.flag(columns[day + 1]) {
                case false?: break
                case true?: days |= 1 << UInt8(day)
                case nil: wrong = .invalid(Self.weekdays[day], rows.text(columns[day + 1]), .choice)
                }
            }
            let start = rows.date(columns[8])
            let end = rows.date(columns[9])
            if start == nil { wrong = .invalid("start_date", rows.text(columns[8]), .date) }
            if end == nil { wrong = .invalid("end_date", rows.text(columns[9]), .date) }
            if let start, let end, end < start {
                wrong = .reversed("end_date", "start_date", value: rows.text(columns[9]))
            }
            guard wrong == nil, let start, let end else {
                try problems.add(.calendar, line: rows.line, wrong ?? .line)
                continue
            }
            let service = content.serviceIDs.add(rows[columns[0]])
            let row = CalendarRow(service: Int32(service.index), days: days, start: start, end: end)
            guard !service.isNew else {
                content.calendar.append(row)
                periods[row.service] = [row]
                continue
            }
            var fault = FeedFault.duplicate("service_id", rows.text(columns[0]))
            let isFurther = problems.isLenient && isFurther(row, than: periods[row.service] ?? [])
            if isFurther {
                fault.text += ": it runs in both periods"
                furtherPeriods.append(row)
                periods[row.service, default: []].append(row)
            }
            try problems.add(.calendar, line: rows.line, fault, isFurther ? .repaired : .dropped)
        }
        return true
    }

    /// Whether a row of a service that has others is a further period: at another time, or with the same weekdays. Rows of one time
    /// with different weekdays contradict each other.
    private func isFurther(_ row: CalendarRow, than known: [CalendarRow]) -> Bool {
        let days = (furtherPeriods + [row]).reduce(0) { $0 + $1.end.daysSinceEpoch - $1.start.daysSinceEpoch }
        return furtherPeriods.count < TransitSettings.mostFurtherPeriods
            && days <= TransitSettings.mostFurtherDays
            && known.allSatisfy { other in
                let isApart = row.end < other.start || other.end < row.start
                let isSame = (row.days, row.start, row.end) == (other.days, other.start, other.end)
                return isApart || row.days == other.days && !isSame
            }
    }

    /// Adds the days of further periods, which a calendar has no place for, one by one; those with an exception are known.
    private mutating func addPeriods() {
        guard !furtherPeriods.isEmpty else { return }
        struct Day: Hashable {
            var service: Int32
            var date: CivilDate
        }
        var known = Set(content.exceptions.map { Day(service: $0.service, date: $0.date) })
        for row in furtherPeriods {
            for day in 0...(row.end.daysSinceEpoch - row.start.daysSinceEpoch)
            where row.days >> UInt8((row.start.weekday + day) % 7) & 1 == 1 {
                let date = row.start.advanced(by: day)
                guard known.insert(Day(service: row.service, date: date)).inserted else { continue }
                content.exceptions.append(ExceptionRow(service: row.service, date: date, isAdded: true))
            }
        }
        furtherPeriods = []
    }

    private mutating func readDates() throws -> Bool {
        let names = ["service_id", "date", "exception_type"]
        guard var rows = try open(.calendarDates, required: names) else { return false }
        let columns = names.map(rows.column)
        var seen: [UInt64: Int] = [:]
        while try rows.next(&problems, progress: progress) {
            let type = rows.integer(columns[2])
            let date = rows.date(columns[1])
            var wrong: FeedFault?
            if rows[columns[0]].isEmpty { wrong = .empty("service_id") }
            if date == nil { wrong = .invalid("date", rows.text(columns[1]), .date) }
            if type != 1 && type != 2 { wrong = .invalid("exception_type", rows.text(columns[2]), .choice) }
            guard wrong == nil, let date else {
                try problems.add(.calendarDates, line: rows.line, wrong ?? .line)
                continue
            }
            let service = content.serviceIDs.add(rows[columns[0]]).index
            let key = UInt64(service) << 32 | UInt64(UInt32(truncatingIfNeeded: date.daysSinceEpoch))
            if let earlier = seen[key] {
                let what = "exception of service \(rows.text(columns[0])) on \(rows.text(columns[1]))"
                try problems.add(
                    .calendarDates, line: rows.line,
                    FeedFault(
                        .duplicateKey,
                        earlier == type
                            ? "duplicate \(what)"
                            : "the \(what) contradicts an earlier one, by which it \(earlier == 1 ? "runs" : "does not run")",
                        field: "date", value: rows.text(columns[1])))
                continue
            }
            seen[key] = type
            content.exceptions.append(
                ExceptionRow(service: Int32(service), date: date, isAdded: type == 1))
        }
        return true
    }

    // MARK: Trips

    mutating func readTrips() throws {
        guard var rows = try open(.trips, required: ["route_id", "service_id", "trip_id"], isNeeded: true)
        else { return }
        let names = [
            "trip_id", "route_id", "service_id", "trip_headsign", "trip_short_name", "block_id",
            "direction_id",
            "wheelchair_accessible", "shape_id", "bikes_allowed",
        ]
        let columns = names.map(rows.column)
        while try rows.next(&problems, progress: progress) {
            let id = rows[columns[0]]
            var wrong: FeedFault?
            let route = rows.find(columns[1], in: content.routeIDs)
            let service = rows.find(columns[2], in: content.serviceIDs)
            if service == nil { wrong = .unknown("service_id", rows.text(columns[2])) }
            if route == nil { wrong = .unknown("route_id", rows.text(columns[1])) }
            if id.isEmpty { wrong = .empty("trip_id") }
            if rows.hasExcess { wrong = .excess }
            guard wrong == nil, let route, let service else {
                try problems.add(.trips, line: rows.line, wrong ?? .line)
                if droppedTrips.add(id).isNew {
                    content.setAside.lose(rows.text(columns[0]), route: route.map { Int32($0) } ?? -1)
                }
                continue
            }
            guard content.tripIDs.add(id).isNew else {
                try problems.add(.trips, line: rows.line, .duplicate("trip_id", rows.text(columns[0])))
                continue
            }
            for (column, name, most) in [
                (6, "direction_id", 1), (7, "wheelchair_accessible", 2), (9, "bikes_allowed", 2),
            ]
            where !rows[columns[column]].isEmpty && small(rows, columns[column], most: most) < 0 {
                try problems.add(
                    .trips, line: rows.line, .invalid(name, rows.text(columns[column]), .choice), .repaired)
            }
            content.trips.append(
                TripRow(
                    route: Int32(route), service: Int32(service), headsign: text(rows.label(columns[3])),
                    shortName: text(rows.label(columns[4])), block: text(rows[columns[5]]),
                    direction: small(rows, columns[6], most: 1), wheelchair: small(rows, columns[7], most: 2),
                    bikes: small(rows, columns[9], most: 2),
                    shape: try shape(rows, columns[8]), line: Int32(clamping: rows.line)))
        }
    }

    /// The shape of a trip; a trip whose shape is missing or has one point is kept.
    private mutating func shape(_ rows: TableReader, _ column: Int) throws -> Int32 {
        let id = rows[column]
        if id.isEmpty { return -1 }
        guard let shape = rows.find(column, in: content.shapes.ids) else {
            try problems.add(
                .trips, line: rows.line, .unknown("shape_id", rows.text(column)), .repaired)
            return -1
        }
        return content.shapes[shape].count > 1 ? Int32(shape) : -1
    }

    /// The index of a text, −1 if empty.
    mutating func text(_ field: FieldBytes) -> Int32 {
        field.isEmpty ? -1 : Int32(content.texts.add(field).index)
    }

    private func small(_ rows: TableReader, _ column: Int, most: Int) -> Int8 {
        guard let number = rows.integer(column), number <= most else { return -1 }
        return Int8(number)
    }

    // MARK: Frequencies

    mutating func readFrequencies() throws {
        let names = ["trip_id", "start_time", "end_time", "headway_secs"]
        guard var rows = try open(.frequencies, required: names) else { return }
        let columns = names.map(rows.column)
        let exact = rows.column("exact_times")
        var seen: Set<UInt64> = []
        var lines: [Int] = []
        while try rows.next(&problems, progress: progress) {
            if droppedTrips.find(rows[columns[0]]) != nil {
                problems.skipRow(.frequencies, line: rows.line)
                continue
            }
            let trip = rows.find(columns[0], in: content.tripIDs)
            let start = rows.time(columns[1])
            var end = rows.time(columns[2])
            let headway = rows.integer(columns[3])
            var wrong: FeedFault?
            if start == nil { wrong = .invalid("start_time", rows.text(columns[1]), .time) }
            if end == nil { wrong = .invalid("end_time", rows.text(columns[2]), .time) }
            if headway ?? 0 <= 0 { wrong = .invalid("headway_secs", rows.text(columns[3]), .whole) }
            if let from = start, let until = end, until < from {
                let fault = FeedFault.reversed("end_time", "start_time", value: rows.text(columns[2]))
                // Some clocks begin again at midnight.
                let nextDay = until + TransitSettings.day
                if problems.isLenient, until <= TransitSettings.endOfNight, nextDay > from {
                    end = nextDay
                    var said = fault
                    said.text += ": it is read as that of the next day"
                    try problems.add(.frequencies, line: rows.line, said, .repaired)
                } else {
                    wrong = fault
                }
            }
            if let start, start == end {
                wrong = FeedFault(
                    .startAndEndRangeEqual, "start_time and end_time are equal: no run is in the period",
                    field: "end_time", value: rows.text(columns[2]))
            }
            // Its own times are a template, also where no headway of it can be used.
            if let trip { content.trips[trip].hasFrequencies = true }
            if trip == nil { wrong = .unknown("trip_id", rows.text(columns[0])) }
            if let trip, let start, wrong == nil, !seen.insert(UInt64(trip) << 32 | UInt64(start)).inserted {
                wrong = FeedFault(
                    .duplicateKey, "duplicate start_time of the trip", field: "start_time",
                    value: rows.text(columns[1]))
            }
            guard wrong == nil, let trip, let start, let end, let headway else {
                try problems.add(.frequencies, line: rows.line, wrong ?? .line)
                if let trip { content.lostPeriods[Int32(trip), default: 0] += 1 }
                continue
            }
            lines.append(rows.line)
            content.frequencies.append(
                FrequencyRow(
                    trip: Int32(trip), start: Int32(start), end: Int32(end), headway: Int32(headway),
                    isExact: rows.integer(exact) == 1))
        }
        try dropOverlaps(lines)
    }

    /// Periods of a trip must not overlap, else its runs would be listed twice. Of two that do, the earlier
    /// one is kept.
    private mutating func dropOverlaps(_ lines: [Int]) throws {
        let rows = content.frequencies
        let order = rows.indices.sorted {
            (rows[$0].trip, rows[$0].start, $0) < (rows[$1].trip, rows[$1].start, $1)
        }
        var dropped: Set<Int> = []
        var kept: Int?
        for index in order {
            guard let last = kept, rows[last].trip == rows[index].trip, rows[index].start < rows[last].end
            else {
                kept = index
                continue
            }
            dropped.insert(index)
            content.lostPeriods[rows[index].trip, default: 0] += 1
            let period = [rows[last].start, rows[last].end].map { ServiceDay.scheduled(Int($0)) }
            try problems.add(
                .frequencies, line: lines[index],
                FeedFault(
                    .overlappingFrequency,
                    "the period overlaps that of line \(lines[last]), \(period[0]) to \(period[1])",
                    field: "start_time", value: ServiceDay.scheduled(Int(rows[index].start))))
        }
        content.frequencies = rows.indices.filter { !dropped.contains($0) }.map { rows[$0] }
    }
}
