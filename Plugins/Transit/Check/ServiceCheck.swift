import CivilTime
import PluginKit

/// The days on which a service runs.
private struct ServiceDays {
    /// Days since 1970 of the first element of `runs`.
    var start = 0
    var runs: [Bool] = []

    var first: Int? { runs.firstIndex(of: true).map { start + $0 } }
    var last: Int? { runs.lastIndex(of: true).map { start + $0 } }

    /// Whether both run on some day.
    func meets(_ other: ServiceDays) -> Bool {
        let (low, high) = (max(start, other.start), min(start + runs.count, other.start + other.runs.count))
        return low < high && (low..<high).contains { runs[$0 - start] && other.runs[$0 - other.start] }
    }

    /// The gaps between two days of service that are longer than a number of days.
    func gaps(over days: Int) -> [(length: Int, from: Int)] {
        var found: [(length: Int, from: Int)] = []
        var before: Int?
        for (index, isActive) in runs.enumerated() where isActive {
            if let before, index - before - 1 > days {
                found.append((index - before - 1, start + before + 1))
            }
            before = index
        }
        return found
    }
}

/// Checks of calendars against each other and against feed_info.txt.
extension TableCheck {
    mutating func addServices() throws {
        let days = try serviceDays()
        addExpired(days)
        addSpread(days)
        try addCoverage(days)
        addWindow(days)
        addBlocks(days)
    }

    /// A vehicle cannot run two trips of a block at the same time, whatever their services, if both run on some
    /// day.
    private mutating func addBlocks(_ days: [ServiceDays]) {
        var blocks: [Int32: [Int]] = [:]
        for (index, trip) in content.trips.enumerated()
        where trip.block >= 0 && trip.pattern >= 0 && !trip.hasFrequencies {
            blocks[trip.block, default: []].append(index)
        }
        var known: [[Int32]: Bool] = [:]
        func meet(_ left: Int32, _ right: Int32) -> Bool {
            let key = [min(left, right), max(left, right)]
            if let found = known[key] { return found }
            let made = left == right || days[Int(left)].meets(days[Int(right)])
            known[key] = made
            return made
        }
        var found: [String] = []
        for block in blocks.keys.sorted() {
            let trips = (blocks[block] ?? []).sorted {
                (content.trips[$0].start, $0) < (content.trips[$1].start, $1)
            }
            for (place, first) in trips.enumerated() {
                let end = end(of: first)
                for second in trips[(place + 1)...] {
                    guard content.trips[second].start < end else { break }
                    guard meet(content.trips[first].service, content.trips[second].service) else { continue }
                    found.append("\(content.tripIDs.text(first)) and \(content.tripIDs.text(second))")
                }
            }
        }
        addAll(.blockTripsWithOverlappingStopTimes, .trips, found, "trips of one block overlap")
    }

    private mutating func serviceDays() throws -> [ServiceDays] {
        var spans = [ClosedRange<Int>?](repeating: nil, count: content.serviceIDs.count)
        func widen(_ service: Int32, _ range: ClosedRange<Int>) {
            let old = spans[Int(service)] ?? range
            spans[Int(service)] =
                min(old.lowerBound, range.lowerBound)...max(old.upperBound, range.upperBound)
        }
        for row in content.calendar where row.days & 0x7F != 0 {
            widen(row.service, row.start.daysSinceEpoch...row.end.daysSinceEpoch)
        }
        for row in content.exceptions where row.isAdded {
            widen(row.service, row.date.daysSinceEpoch...row.date.daysSinceEpoch)
        }
        var days = spans.map { span -> ServiceDays in
            guard let span else { return ServiceDays() }
            let count = min(span.count, TransitSettings.checkedDays)
            return ServiceDays(start: span.lowerBound, runs: [Bool](repeating: false, count: count))
        }
        let long = spans.indices.filter { (spans[$0]?.count ?? 0) > TransitSettings.checkedDays }
        if let first = long.first {
            addUnchecked(
                .calendar,
                "of \(long.count) services longer than a hundred years only these were checked: \(content.serviceIDs.text(first))"
            )
        }
        for (number, row) in content.calendar.enumerated() where row.days & 0x7F != 0 {
            if number % TransitSettings.shapeStep == 0 { try Interruption.check() }
            let service = Int(row.service)
            let from = row.start.daysSinceEpoch - days[service].start
            let weekday = row.start.weekday
            for day in 0...(row.end.daysSinceEpoch - row.start.daysSinceEpoch) {
                guard from + day < days[service].runs.count else { break }
                if row.days >> UInt8((weekday + day) % 7) & 1 == 1 { days[service].runs[from + day] = true }
            }
        }
        for isAdded in [true, false] {
            for row in content.exceptions where row.isAdded == isAdded {
                let day = row.date.daysSinceEpoch - days[Int(row.service)].start
                if days[Int(row.service)].runs.indices.contains(day) {
                    days[Int(row.service)].runs[day] = isAdded
                }
            }
        }
        return days
    }

    private func date(_ day: Int) -> String { CivilDate(daysSinceEpoch: day).text }

    /// Services that have ended: those of calendar.txt; those of calendar_dates.txt only if there are no
    /// others and all have ended.
    private mutating func addExpired(_ days: [ServiceDays]) {
        let now = today.daysSinceEpoch
        let over = days.indices.filter { days[$0].last.map { $0 < now } ?? false }
        let weekly = Set(content.calendar.map { Int($0.service) })
        let areAllOver = days.allSatisfy { $0.last.map { $0 < now } ?? true }
        let shown = over.filter { weekly.contains($0) || (weekly.isEmpty && areAllOver) }
        addAll(
            .expiredCalendar, weekly.isEmpty ? .calendarDates : .calendar,
            shown.map { content.serviceIDs.text($0) }, "the service has ended before \(today.text)")
    }

    private mutating func addSpread(_ days: [ServiceDays]) {
        var gaps: [String] = []
        var far: [String] = []
        for row in content.calendar {
            let service = days[Int(row.service)]
            let id = content.serviceIDs.text(Int(row.service))
            for gap in service.gaps(over: TransitSettings.longestGap) {
                gaps.append("\(id), \(gap.length) days from \(date(gap.from))")
            }
            if let last = service.last, last - today.daysSinceEpoch > TransitSettings.farAhead {
                far.append("\(id), until \(date(last))")
            }
        }
        addAll(
            .bigGapInService, .calendar, gaps,
            "the service pauses for more than \(TransitSettings.longestGap) days")
        addAll(.serviceExtendsFarInTheFuture, .calendar, far, "the service ends more than two years ahead")
    }

    /// Whether most trips run for a week from today: the days on which at least three quarters as many
    /// trips run as on a busy day, which is the 90th percentile of all days, or of the last thirty if that
    /// is later.
    private mutating func addCoverage(_ days: [ServiceDays]) throws {
        var trips = [Int](repeating: 0, count: days.count)
        var runs: [Int32: Int] = [:]
        for row in content.frequencies {
            runs[row.trip, default: 0] += 1 + Int(max(0, row.end - row.start - 1) / max(1, row.headway))
        }
        for (index, trip) in content.trips.enumerated() {
            trips[Int(trip.service)] += trip.hasFrequencies ? runs[Int32(index)] ?? 1 : 1
        }
        let used = days.indices.filter { trips[$0] > 0 && !days[$0].runs.isEmpty }
        guard let first = used.map({ days[$0].start }).min(),
            let end = used.map({ days[$0].start + days[$0].runs.count }).max(),
            end - first <= 100 * TransitSettings.checkedDays
        else { return }
        var counts = [Int](repeating: 0, count: end - first)
        for (number, service) in used.enumerated() {
            if number % TransitSettings.shapeStep == 0 { try Interruption.check() }
            let offset = days[service].start - first
            for (day, isActive) in days[service].runs.enumerated() where isActive {
                counts[offset + day] += trips[service]
            }
        }
        let active = counts.filter { $0 > 0 }.sorted()
        guard !active.isEmpty else { return }
        let busy = active[max(Int(Double(active.count) * 0.9), active.count - 30)]
        let enough = Int(0.75 * Double(busy))
        guard let start = counts.firstIndex(where: { $0 > 0 && $0 >= enough }),
            let last = counts.lastIndex(where: { $0 > 0 && $0 >= enough })
        else { return }
        if first + start > today.daysSinceEpoch || first + last < today.daysSinceEpoch + 7 {
            add(
                .tripCoverageNotActiveForNext7Days, FeedTable.trips.rawValue, 0,
                "most trips run from \(date(first + start)) to \(date(first + last)), not for a week from \(today.text)"
            )
        }
    }

    /// The days of the services that trips use, compared with those of the feed.
    private mutating func addWindow(_ days: [ServiceDays]) {
        let used = Set(content.trips.map { Int($0.service) }).sorted().filter { days[$0].first != nil }
        guard let start = used.compactMap({ days[$0].first }).min(),
            let end = used.compactMap({ days[$0].last }).max()
        else { return }
        if start > today.daysSinceEpoch {
            add(
                .futureCalendar, FeedTable.calendar.rawValue, 0,
                "all services begin after \(today.text), the first on \(date(start))")
        }
        guard let feedStart = facts.feedStart.date?.daysSinceEpoch,
            let feedEnd = facts.feedEnd.date?.daysSinceEpoch
        else { return }
        let outside = used.filter {
            (days[$0].first ?? feedStart) < feedStart || (days[$0].last ?? feedEnd) > feedEnd
        }
        addAll(
            .serviceWindowOutsideFeedPeriod, .calendar, outside.map { content.serviceIDs.text($0) },
            "the service runs before feed_start_date or after feed_end_date")
        if start - feedStart > TransitSettings.feedMargin || feedEnd - end > TransitSettings.feedMargin {
            add(
                .feedValidBeyondTotalServiceWindow, FeedTable.feedInfo.rawValue, 0,
                "the feed is valid from \(date(feedStart)) to \(date(feedEnd)), its services run from \(date(start)) to \(date(end))"
            )
        }
    }
}
