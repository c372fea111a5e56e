import PluginKit

/// Merges the contents of several feeds into one timetable.
///
/// Identifiers are unique within a feed only, so each feed may have a prefix for its own. Without prefixes,
/// two feeds that use the same identifier would mix their stops, lines or services, so such a merge is
/// refused.
struct FeedMerge {
    private(set) var content = FeedContent()

    /// Adds a feed. Throws `E-GTFS-MERGE` if one of its identifiers is already in use; the merge must be
    /// discarded then.
    mutating func add(_ other: FeedContent, prefix: String, source: String) throws {
        let origin = FeedOrigin(
            prefix: prefix, source: source, zone: other.zone, agencies: other.agencies,
            validFrom: other.validFrom, validUntil: other.validUntil)
        guard !content.feeds.isEmpty || !prefix.isEmpty else {
            // The first of several, and the usual case of a single feed: nothing is copied.
            content = other
            content.feeds = [origin]
            return
        }
        let base = Base(content)
        try add(other.stopIDs, to: \.stopIDs, "stop_id", origin)
        try add(other.routeIDs, to: \.routeIDs, "route_id", origin)
        try add(other.serviceIDs, to: \.serviceIDs, "service_id", origin)
        try add(other.tripIDs, to: \.tripIDs, "trip_id", origin)
        try add(other.shapes.ids, to: \.shapes.ids, "shape_id", origin)
        if content.feeds.isEmpty { content.zone = other.zone }
        content.feeds.append(origin)
        content.agencies += other.agencies.filter { !content.agencies.contains($0) }
        content.otherZones += other.otherZones
        let texts = addTexts(other.texts)
        addPlaces(other, base, prefix)
        addTrips(other, base, texts, prefix)
        addFares(other, base, prefix)
        content.stopTimes += other.stopTimes
        content.interpolated += other.interpolated
        content.flexibleTrips += other.flexibleTrips
        content.skippedTransfers += other.skippedTransfers
        content.setAside.add(other.setAside, prefix: prefix, stops: base.stops, routes: base.routes)
    }

    /// The numbers of rows before a feed is added.
    private struct Base {
        let stops: Int32
        let routes: Int32
        let services: Int32
        let trips: Int32
        let shapes: Int32
        let patterns: Int32
        let calls: Int
        let feed: Int32

        init(_ content: FeedContent) {
            stops = Int32(content.stops.count)
            routes = Int32(content.routes.count)
            services = Int32(content.serviceIDs.count)
            trips = Int32(content.trips.count)
            shapes = Int32(content.shapes.ids.count)
            patterns = Int32(content.patterns.count)
            calls = content.patternStops.count
            feed = Int32(content.feeds.count)
        }
    }

    private mutating func add(
        _ keys: KeyTable, to table: WritableKeyPath<FeedContent, KeyTable>, _ column: String,
        _ origin: FeedOrigin
    ) throws {
        let prefix = Array(origin.prefix.utf8)
        for index in 0..<keys.count {
            if index % TransitSettings.rowStep == 0 { try Interruption.check() }
            let isNew = keys.withKey(index) { key in
                (prefix + key).withUnsafeBytes { content[keyPath: table].add($0).isNew }
            }
            guard !isNew else { continue }
            let id = origin.prefix + keys.text(index)
            throw TransitErrors.merge(
                "\(origin.source): the \(column) `\(id)` is also in another feed",
                fix: "give each feed a prefix, as in \(Self.suggestion(content.feeds + [origin]))")
        }
    }

    /// Prefixes derived from file names: `--prefix bus: --prefix rail:`.
    static func suggestion(_ feeds: [FeedOrigin]) -> String {
        var names: [String] = []
        for feed in feeds {
            let stem = feed.source.split(separator: ".").first.map(String.init) ?? "feed"
            let plain = String(stem.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
            let name = plain.isEmpty ? "feed" : plain
            names.append(names.contains(name) ? "\(name)\(names.count + 1)" : name)
        }
        return names.map { "--prefix \($0):" }.joined(separator: " ")
    }

    private mutating func addTexts(_ texts: KeyTable) -> [Int32] {
        (0..<texts.count).map { index in
            texts.withKey(index) { Int32(content.texts.add(UnsafeRawBufferPointer($0)).index) }
        }
    }

    private mutating func addPlaces(_ other: FeedContent, _ base: Base, _ prefix: String) {
        for var stop in other.stops {
            if stop.parent >= 0 { stop.parent += base.stops }
            content.stops.append(stop)
        }
        for var route in other.routes {
            route.feed = base.feed
            route.agencyID = route.agencyID.map { prefix + $0 }
            content.routes.append(route)
        }
        for var row in other.calendar {
            row.service += base.services
            content.calendar.append(row)
        }
        for var row in other.exceptions {
            row.service += base.services
            content.exceptions.append(row)
        }
        for var row in other.transfers {
            row.from += base.stops
            row.to += base.stops
            content.transfers.append(row)
        }
        for var row in other.pathways {
            row.from += base.stops
            row.to += base.stops
            content.pathways.append(row)
        }
        for var point in other.shapes.points {
            point.shape += base.shapes
            content.shapes.points.append(point)
        }
        content.shapes.finish()
    }

    private mutating func addTrips(_ other: FeedContent, _ base: Base, _ texts: [Int32], _ prefix: String) {
        func text(_ index: Int32) -> Int32 { index < 0 ? -1 : texts[Int(index)] }
        for var trip in other.trips {
            trip.route += base.routes
            trip.service += base.services
            trip.headsign = text(trip.headsign)
            trip.shortName = text(trip.shortName)
            if trip.block >= 0 { trip.block = block(trip.block, of: other, prefix) }
            if trip.shape >= 0 { trip.shape += base.shapes }
            if trip.pattern >= 0 { trip.pattern += base.patterns }
            content.trips.append(trip)
        }
        for var row in other.tripTransfers {
            row.from += base.trips
            row.to += base.trips
            content.tripTransfers.append(row)
        }
        for var row in other.transferRules {
            row.stops.from += base.stops
            row.stops.to += base.stops
            if row.fromRoute >= 0 { row.fromRoute += base.routes }
            if row.toRoute >= 0 { row.toRoute += base.routes }
            if row.fromTrip >= 0 { row.fromTrip += base.trips }
            if row.toTrip >= 0 { row.toTrip += base.trips }
            content.transferRules.append(row)
        }
        let zones = Int32(content.requestZones.count)
        content.requestZones += other.requestZones
        for var row in other.requests {
            row.trip += base.trips
            if row.stop >= 0 { row.stop += base.stops }
            if row.zone >= 0 { row.zone += zones }
            row.words = text(row.words)
            content.requests.append(row)
        }
        for var row in other.frequencies {
            row.trip += base.trips
            content.frequencies.append(row)
        }
        for var pattern in other.patterns {
            pattern.route += base.routes
            pattern.first += base.calls
            content.patterns.append(pattern)
        }
        for var call in other.patternStops {
            call.stop += base.stops
            call.headsign = text(call.headsign)
            call.note = text(call.note)
            content.patternStops.append(call)
        }
    }

    /// Zones, areas and networks of two feeds are different ones: a feed's fares are valid for its own lines alone.
    private mutating func addFares(_ other: FeedContent, _ base: Base, _ prefix: String) {
        let first = Int32(content.fares.count)
        func own(_ name: String?) -> String? { name.map { "\(base.feed):\($0)" } }
        for var fare in other.fares {
            fare.feed = base.feed
            fare.agency = fare.agency.map { prefix + $0 }
            content.fares.append(fare)
        }
        for var rule in other.fareRules {
            rule.fare += first
            if rule.route >= 0 { rule.route += base.routes }
            (rule.network, rule.origin) = (own(rule.network), own(rule.origin))
            (rule.destination, rule.contains) = (own(rule.destination), own(rule.contains))
            (rule.group, rule.departs, rule.arrives) = (own(rule.group), own(rule.departs), own(rule.arrives))
            content.fareRules.append(rule)
        }
        for var zone in other.fareZones {
            zone.stop += base.stops
            zone.zone = own(zone.zone) ?? zone.zone
            content.fareZones.append(zone)
        }
        for var row in other.routeNetworks {
            row.route += base.routes
            row.network = own(row.network) ?? row.network
            content.routeNetworks.append(row)
        }
        for var row in other.fareFrames {
            row.frame = own(row.frame) ?? row.frame
            if row.service >= 0 { row.service += base.services }
            content.fareFrames.append(row)
        }
        for var row in other.fareTransfers {
            (row.from, row.to, row.feed) = (own(row.from), own(row.to), base.feed)
            if row.fare >= 0 { row.fare += first }
            content.fareTransfers.append(row)
        }
        for var row in other.fareJoins {
            (row.from, row.to, row.feed) = (own(row.from), own(row.to), base.feed)
            (row.fromStop, row.toStop) = (own(row.fromStop), own(row.toStop))
            content.fareJoins.append(row)
        }
        for var row in other.translations {
            row.record = row.record.map { prefix + $0 }
            content.translations.append(row)
        }
    }

    /// Blocks of two feeds are different vehicles, whatever their names.
    private mutating func block(_ index: Int32, of other: FeedContent, _ prefix: String) -> Int32 {
        let name = (prefix.isEmpty ? "\(content.feeds.count):" : prefix) + other.texts.text(Int(index))
        return Array(name.utf8).withUnsafeBytes { Int32(content.texts.add($0).index) }
    }
}
