import CivilTime
import Foundation
import Geodesy

/// Checks across tables.
extension TableCheck {
    mutating func addAcrossTables() {
        for fault in facts.faults {
            if fault.isTallied {
                tally(fault.rule, fault.table, fault.line, field: fault.field, fault.text)
            } else {
                add(fault.rule, fault.table.rawValue, fault.line, fault.text, field: fault.field)
            }
        }
        addFiles()
        addAgencies()
        addAddresses()
        addTranslations()
        addRoutes()
        addTransfers()
        addPathways()
        addStations()
        addFeedInfo()
        addTimeframes()
        addZones()
    }

    /// Stops without a fare zone on routes whose fares depend on zones.
    private mutating func addZones() {
        guard !facts.zonedRoutes.isEmpty else { return }
        var served: Set<Int> = []
        for pattern in content.patterns where facts.zonedRoutes.contains(Int(pattern.route)) {
            for call in content.patternStops[pattern.first..<pattern.first + pattern.count] {
                served.insert(Int(call.stop))
            }
        }
        let bare = content.stops.indices.filter {
            content.stops[$0].kind == .stop && served.contains($0) && !facts.zoned.contains($0)
        }
        addAll(.stopWithoutZoneId, .stops, bare.map { content.stopIDs.text($0) }, "the stop has no fare zone")
    }

    // MARK: Routes

    private mutating func addRoutes() {
        let table = FeedTable.routes.rawValue
        var seen: Set<String> = []
        var same: [String] = []
        for route in facts.routes {
            let key = [route.short, route.long, route.type, route.agency].joined(separator: "\u{0}")
            if !seen.insert(key).inserted { same.append(route.id) }
            func fault(_ rule: FeedRule, _ text: String) { add(rule, table, route.line, text) }
            if route.short.isEmpty, route.long.isEmpty {
                fault(
                    .routeBothShortAndLongNameMissing,
                    "the route has neither route_short_name nor route_long_name")
            }
            if route.short.count > 12 {
                fault(.routeShortNameTooLong, "route_short_name has more than 12 characters")
            }
            if !route.short.isEmpty, Self.repeats(route.short, in: route.long) {
                fault(
                    .routeLongNameContainsShortName,
                    "route_long_name contains route_short_name `\(route.short)`")
            }
            if !route.description.isEmpty, [route.short, route.long].contains(route.description) {
                fault(.sameNameAndDescriptionForRoute, "route_desc is the same as a name")
            }
            if let background = Self.luminance(route.color), let ink = Self.luminance(route.textColor),
                abs(background - ink) < Self.leastContrast
            {
                fault(.routeColorContrast, "route_color and route_text_color have too little contrast")
            }
            if !route.agency.isEmpty, !facts.agencies.contains(route.agency) {
                fault(.foreignKeyViolation, "unknown agency_id `\(route.agency)`")
            }
        }
        addAll(.duplicateRouteName, .routes, same, "another route has the same names, type and agency")
    }

    /// Whether a long name begins with the short one as a word.
    private static func repeats(_ short: String, in long: String) -> Bool {
        guard long.lowercased().hasPrefix(short.lowercased()) else { return false }
        guard let next = long.dropFirst(short.count).first else { return true }
        return next.isWhitespace || next == "-" || next == "("
    }

    /// The brightness of a colour by the weights of ITU-R BT.601, 0…255, and the least difference that the canonical validator
    /// accepts.
    private static func luminance(_ hex: String) -> Double? {
        guard hex.utf8.count == 6, let value = UInt32(hex, radix: 16) else { return nil }
        let (red, green, blue) = (value >> 16 & 255, value >> 8 & 255, value & 255)
        return 0.3 * Double(red) + 0.59 * Double(green) + 0.11 * Double(blue)
    }
    private static let leastContrast = 72.0

    // MARK: Transfers

    private func coordinate(_ stop: Int) -> Coordinate? {
        StopFetch.place(content.stops[stop].latitude, content.stops[stop].longitude)
    }

    private mutating func addTransfers() {
        let table = FeedTable.transfers.rawValue
        for transfer in facts.transfers {
            func fault(_ rule: FeedRule, _ text: String) { add(rule, table, transfer.line, text) }
            for end in [transfer.from, transfer.to].compactMap({ $0 })
            where ![.stop, .station].contains(content.stops[end].kind) {
                fault(
                    .transferWithInvalidStopLocationType,
                    "\(content.stopIDs.text(end)) (\(content.stops[end].kind.word)) is neither a stop nor a station"
                )
            }
            if let from = transfer.from.flatMap(coordinate), let to = transfer.to.flatMap(coordinate) {
                let metres = from.distance(to: to)
                let text = "\(Int(metres)) m between the stops of a transfer"
                if metres > 10_000 {
                    fault(.transferDistanceTooLarge, text)
                } else if metres > 2000 {
                    fault(.transferDistanceAbove2Km, text)
                }
            }
            for end in transfer.trips {
                let id = content.tripIDs.text(end.trip)
                if let route = end.route, Int(content.trips[end.trip].route) != route {
                    fault(.transferWithInvalidTripAndRoute, "the trip \(id) is not one of its route")
                }
                if let stop = end.stop, !calls(end.trip, at: stop) {
                    fault(
                        .transferWithInvalidTripAndStop,
                        "the trip \(id) does not call at \(content.stopIDs.text(stop))")
                } else if transfer.isInSeat, let stop = end.stop,
                    !meets(end.trip, at: stop, isFrom: end.isFrom)
                {
                    fault(
                        .transferWithSuspiciousMidTripInSeat,
                        "the trip \(id) does not \(end.isFrom ? "end" : "begin") at \(content.stopIDs.text(stop))"
                    )
                }
            }
            let types = transfer.trips.map { content.routes[Int(content.trips[$0.trip].route)].type }
            if transfer.isInSeat, types.count == 2, types[0] != types[1] {
                fault(
                    .inconsistentRouteTypeForInSeatTransfer,
                    "the vehicle changes from route type \(types[0]) to \(types[1])")
            }
        }
    }

    /// Whether a trip calls at a stop or at one of its platforms. A trip with dropped calls is not checked.
    private func calls(_ trip: Int, at stop: Int) -> Bool {
        let index = Int(content.trips[trip].pattern)
        guard index >= 0 else { return true }
        let pattern = content.patterns[index]
        return content.patternStops[pattern.first..<pattern.first + pattern.count].contains {
            Int($0.stop) == stop || Int(content.stops[Int($0.stop)].parent) == stop
        }
    }

    /// Whether a trip ends or begins at a stop. A trip with dropped calls is not checked.
    private func meets(_ trip: Int, at stop: Int, isFrom: Bool) -> Bool {
        let index = Int(content.trips[trip].pattern)
        guard index >= 0 else { return true }
        let pattern = content.patterns[index]
        let end = isFrom ? pattern.first + pattern.count - 1 : pattern.first
        let found = Int(content.patternStops[end].stop)
        return found == stop || Int(content.stops[found].parent) == stop
    }

    // MARK: Pathways

    private mutating func addPathways() {
        guard !facts.pathways.isEmpty else { return }
        let table = FeedTable.pathways.rawValue
        var hasAreas: Set<Int> = []
        for stop in content.stops where stop.kind == .boardingArea && stop.parent >= 0 {
            hasAreas.insert(Int(stop.parent))
        }
        var ways = StationWays(count: content.stops.count)
        for way in facts.pathways {
            func fault(_ rule: FeedRule, _ text: String) { add(rule, table, way.line, text) }
            if way.from == way.to { fault(.pathwayLoop, "the pathway ends where it begins") }
            if way.mode == 7, way.isBothWays {
                fault(.bidirectionalExitGate, "an exit gate is bidirectional")
            }
            for end in [way.from, way.to] {
                if content.stops[end].kind == .station {
                    fault(
                        .pathwayToWrongLocationType,
                        "a pathway leads to the station \(content.stopIDs.text(end)) itself")
                } else if facts.outsideStops.contains(end) {
                    fault(
                        .pathwayToStopWithAccessOutsideOfStationPathways,
                        "a pathway leads to \(content.stopIDs.text(end)), which is outside the station by its stop_access"
                    )
                } else if hasAreas.contains(end) {
                    fault(
                        .pathwayToPlatformWithBoardingAreas,
                        "a pathway leads to the platform \(content.stopIDs.text(end)), not to one of its boarding areas"
                    )
                }
                if way.mode == 5, !facts.leveled.contains(end) {
                    add(
                        .missingLevelId, FeedTable.stops.rawValue, 0,
                        "\(content.stopIDs.text(end)) is at an elevator and has no level_id")
                }
            }
            ways.add(way)
        }
        let stations = Set(facts.pathways.flatMap { [station(of: $0.from), station(of: $0.to)] })
        let inside = content.stops.indices.filter { stations.contains(station(of: $0)) }
        let entered = ways.reached(
            from: inside.filter { content.stops[$0].kind == .entrance }, backwards: false)
        let left = ways.reached(from: inside.filter { content.stops[$0].kind == .entrance }, backwards: true)
        for stop in inside {
            let id = content.stopIDs.text(stop)
            switch content.stops[stop].kind {
            case .node where ways.neighbours(of: stop) == 1:
                add(.pathwayDanglingGenericNode, table, 0, "only one pathway leads to the node \(id)")
            case .station, .entrance: continue
            default: break
            }
            if hasAreas.contains(stop) { continue }
            if !entered.contains(stop) || !left.contains(stop) {
                let what = entered.contains(stop) ? "no pathway leads out of" : "no pathway leads to"
                add(
                    .pathwayUnreachableLocation, table, 0,
                    "\(what) the \(content.stops[stop].kind.word) \(id)")
            }
        }
    }

    /// The station of a stop; the stop itself if it has none.
    private func station(of stop: Int) -> Int {
        var station = stop
        // Boarding area, platform, station.
        for _ in 0..<2 where content.stops[station].parent >= 0 {
            station = Int(content.stops[station].parent)
        }
        return station
    }

    private mutating func addStations() {
        var hasStops: Set<Int> = []
        for stop in content.stops where stop.kind == .stop && stop.parent >= 0 {
            hasStops.insert(Int(stop.parent))
        }
        let empty = content.stops.indices.filter {
            content.stops[$0].kind == .station && !hasStops.contains($0)
        }
        addAll(.unusedStation, .stops, empty.map { content.stopIDs.text($0) }, "the station has no platforms")
    }

    // MARK: Feed, time frames, blocks

    private mutating func addFeedInfo() {
        if facts.languages.count > 1 {
            add(
                .inconsistentAgencyLang, FeedTable.agency.rawValue, 0,
                "agencies have several languages: \(facts.languages.sorted().joined(separator: ", "))")
        }
        guard facts.feedRows > 0 else { return }
        let table = FeedTable.feedInfo.rawValue
        if facts.feedRows > 1 {
            add(.moreThanOneEntity, table, 0, "feed_info.txt has \(facts.feedRows) rows")
        }
        if facts.feedStart.text.isEmpty != facts.feedEnd.text.isEmpty {
            add(.missingFeedInfoDate, table, 0, "only one of feed_start_date and feed_end_date is given")
        }
        if let start = facts.feedStart.date, let end = facts.feedEnd.date, end < start {
            add(.startAndEndRangeOutOfOrder, table, 0, "feed_end_date is before feed_start_date")
        }
        if let end = facts.feedEnd.date {
            let days = end.daysSinceEpoch - today.daysSinceEpoch
            if days <= 7 {
                add(.feedExpirationDate7Days, table, 0, "the feed ends on \(end.text)")
            } else if days <= 30 {
                add(.feedExpirationDate30Days, table, 0, "the feed ends on \(end.text)")
            }
        }
        if !facts.hasContact {
            add(
                .missingFeedContactEmailAndUrl, table, 0,
                "neither feed_contact_email nor feed_contact_url is given")
        }
        if let start = facts.feedStart.date, start > today {
            add(.futureFeed, table, 0, "the feed begins on \(start.text), after \(today.text)")
        }
        if let language = facts.feedLanguage, let agencies = facts.languages.sorted().first {
            let isMixed = facts.languages.count > 1
            let differs = language.prefix { $0 != "-" } != agencies.prefix { $0 != "-" }
            if isMixed ? language != "mul" : language == "mul" || differs {
                let texts = facts.languages.sorted().joined(separator: ", ")
                add(
                    .feedInfoLangAndAgencyLangMismatch, table, 0,
                    "feed_lang is \(language), the agencies' is \(texts)")
            }
        }
    }

    private mutating func addTimeframes() {
        let sorted = facts.timeframes.sorted {
            ($0.group, $0.service, $0.start, $0.line) < ($1.group, $1.service, $1.start, $1.line)
        }
        for (first, second) in zip(sorted, sorted.dropFirst())
        where first.group == second.group && first.service == second.service && second.start < first.end {
            add(
                .timeframeOverlap, FeedTable.timeframes.rawValue, second.line,
                "the time frame overlaps that of line \(first.line)")
        }
    }

    /// When a trip reaches its last stop, seconds of the service day.
    func end(of trip: Int) -> Int32 {
        let pattern = content.patterns[Int(content.trips[trip].pattern)]
        return content.trips[trip].start + content.patternStops[pattern.first + pattern.count - 1].arrival
    }
}

/// The graph of pathways within stations.
private struct StationWays {
    private var ahead: [[Int]]
    private var behind: [[Int]]

    init(count: Int) {
        ahead = Array(repeating: [], count: count)
        behind = ahead
    }

    mutating func add(_ way: TableFacts.Pathway) {
        ahead[way.from].append(way.to)
        behind[way.to].append(way.from)
        if way.isBothWays {
            ahead[way.to].append(way.from)
            behind[way.from].append(way.to)
        }
    }

    /// The number of nodes adjacent to a node.
    func neighbours(of stop: Int) -> Int { Set(ahead[stop] + behind[stop]).subtracting([stop]).count }

    /// The nodes reachable from some nodes, those included; pathways may loop.
    func reached(from starts: [Int], backwards: Bool) -> Set<Int> {
        var found = Set(starts)
        var waiting = starts
        while let stop = waiting.popLast() {
            for next in backwards ? behind[stop] : ahead[stop] where found.insert(next).inserted {
                waiting.append(next)
            }
        }
        return found
    }
}
