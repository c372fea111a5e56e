/// Checks across files: agencies, URLs and translations.
extension TableCheck {
    /// Files that other files require, and networks defined in two files.
    mutating func addFiles() {
        if !facts.translations.isEmpty, !tables.contains(.feedInfo) {
            add(
                .missingRequiredFile, FeedTable.feedInfo.rawValue, 0,
                "a feed with translations.txt must have feed_info.txt")
        }
        if facts.pathways.contains(where: { $0.mode == 5 }), !tables.contains(.levels) {
            add(
                .missingRequiredFile, FeedTable.levels.rawValue, 0,
                "a feed with elevators must have levels.txt")
        }
        if facts.hasNetworkColumn {
            for table in [FeedTable.networks, .routeNetworks] where tables.contains(table) {
                add(
                    .routeNetworksSpecifiedInMoreThanOneFile, table.rawValue, 0,
                    "networks are defined in routes.txt and in \(table.rawValue)", field: "network_id")
            }
        }
    }

    mutating func addAgencies() {
        let table = FeedTable.agency
        for line in facts.namelessAgencies {
            if facts.agencyRows > 1 {
                tally(
                    .missingRequiredAgencyId, table, line, field: "agency_id",
                    "agency_id is missing, and there are several agencies")
            } else {
                tally(
                    .missingRecommendedField, table, line, field: "agency_id", "agency_id is missing")
            }
        }
    }

    /// URLs that are useless because they are those of a larger entity.
    mutating func addAddresses() {
        for route in facts.routes where !route.url.isEmpty && facts.agencyURLs.contains(route.url) {
            tally(
                .sameRouteAndAgencyUrl, .routes, route.line, field: "route_url",
                "route_url is the URL of an agency")
        }
        for stop in facts.stopURLs {
            if facts.agencyURLs.contains(stop.url) {
                tally(
                    .sameStopAndAgencyUrl, .stops, stop.line, field: "stop_url",
                    "stop_url is the URL of an agency"
                )
            }
            if facts.routeURLs.contains(stop.url) {
                tally(
                    .sameStopAndRouteUrl, .stops, stop.line, field: "stop_url",
                    "stop_url is the URL of a route")
            }
        }
    }

    /// Whether the translated rows exist.
    mutating func addTranslations() {
        for row in facts.translations {
            guard tables.contains(row.table) else {
                add(
                    .translationUnknownTableName, FeedTable.translations.rawValue, row.line,
                    "the feed has no \(row.table.rawValue)")
                continue
            }
            guard !row.record.isEmpty, !exists(row) else { continue }
            let sub = row.subRecord.isEmpty ? "" : ", record_sub_id `\(row.subRecord)`"
            add(
                .translationForeignKeyViolation, FeedTable.translations.rawValue, row.line,
                "\(row.table.rawValue) has no row with record_id `\(row.record)`\(sub)", field: "record_id",
                value: row.record)
        }
    }

    private func exists(_ row: TableFacts.Translation) -> Bool {
        switch row.table {
        case .agency: facts.agencies.contains(row.record)
        case .stops: content.stopIDs.find(row.record) != nil
        case .routes: content.routeIDs.find(row.record) != nil
        case .trips: content.tripIDs.find(row.record) != nil || droppedTrips.find(row.record) != nil
        case .calendar: content.serviceIDs.find(row.record) != nil
        case .stopTimes: calls(row.record, sequence: row.subRecord)
        case .levels, .pathways, .attributions, .areas, .networks, .fareAttributes, .fareMedia,
            .riderCategories,
            .bookingRules, .locationGroups, .routeNetworks:
            keys[row.table]?.find(row.record) != nil
        // Rows of the other tables have no identifier of their own.
        default: true
        }
    }

    /// Whether a trip has a call with a stop_sequence. Trips that were dropped, or that share calls with
    /// trips that number them differently, are not checked.
    private func calls(_ trip: String, sequence: String) -> Bool {
        guard let index = content.tripIDs.find(trip) else { return droppedTrips.find(trip) != nil }
        let pattern = Int(content.trips[index].pattern)
        guard pattern >= 0, !content.patterns[pattern].isNumberedDifferently else { return true }
        let calls = content.patterns[pattern]
        return content.patternStops[calls.first..<calls.first + calls.count].contains {
            String($0.sequence) == sequence
        }
    }
}
