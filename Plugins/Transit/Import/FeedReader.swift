import CivilTime
import Foundation
import PluginKit

/// Reads the tables of a feed, each after those that it refers to.
struct FeedReader {
    let source: FeedSource
    let progress: ProgressReporter
    var problems: FeedProblems
    var content = FeedContent()
    /// Skipped trips: their stop times are skipped without a problem for each.
    var droppedTrips = KeyTable()
    /// The names of the agencies by their identifiers.
    private var agencyNames: [String: String] = [:]
    /// The stations with a place, read when the first stop without one needs them.
    var placedStations: Set<String>?
    /// The line of the table for information that is being read.
    var informationLine = 0
    /// The tables whose faults are in the account: some are read again.
    var accounted: Set<FeedTable> = []
    /// Whether trips keep shapes that are far from all their stops: a check measures each stop.
    var keepsForeignShapes = false
    /// Rows of calendar.txt about services that an earlier row has, until the exceptions are known.
    var furtherPeriods: [CalendarRow] = []
    /// Translations of headsigns of single calls, while translations.txt is read.
    var signTranslations: [SignTranslation: SignTranslation.Texts] = [:]
    /// Whether the feed has no stops.txt; then no trip can be kept.
    var isWithoutStops = false

    init(
        _ source: FeedSource, isLenient: Bool, needsTables: Bool = false, progress: ProgressReporter
    ) {
        self.source = source
        self.progress = progress
        problems = FeedProblems(isLenient: isLenient)
        problems.needsTables = needsTables
    }

    /// Reads all tables. Throws at the first problem of a strict import.
    mutating func read() throws {
        try readAgencies()
        try readStops()
        try readRoutes()
        try readCalendar()
        try readShapes()
        try readTrips()
        try readFrequencies()
        try readStopTimes()
        try readTransfers()
        try readPathways()
        try readFares()
        try readTranslations()
        try readValidity()
    }

    /// Opens a table; a missing one is a problem if it is required.
    mutating func open(_ table: FeedTable, required: [String], isNeeded: Bool = false) throws -> TableReader?
    {
        accounted.insert(table)
        do {
            if let reader = try TableReader(source, table, required: required, &problems) { return reader }
        } catch let error as RutterError {
            // An optional table without a header says as much as one that the feed does not have.
            guard problems.isLenient, !isNeeded, table != .stops, problems.refused?.fault.rule == .emptyFile
            else { throw error }
            problems.forgiveRefusal()
            try problems.add(
                table, line: 1, FeedFault(.emptyFile, "it is empty"), .repaired, kind: TransitErrors.header)
            return nil
        }
        if isNeeded {
            try problems.add(
                table, line: 0, .missingTable("\(source.name) has no \(table.rawValue)"),
                kind: TransitErrors.missing)
        }
        return nil
    }

    // MARK: Agencies

    private mutating func readAgencies() throws {
        guard
            var rows = try open(
                .agency, required: ["agency_name", "agency_timezone"], isNeeded: true)
        else { return }
        let (id, name, zone) = (
            rows.column("agency_id"), rows.column("agency_name"), rows.column("agency_timezone")
        )
        var known: [String: String] = [:]
        var found: String?
        var unknown: String?
        while try rows.next(&problems, progress: progress) {
            let facts = (0..<rows.reader.count).map { rows.text($0) }.joined(separator: ",")
            let key = rows.text(id)
            // A repeated identical row is consistent.
            if known[key] == facts { continue }
            var zoneName = rows.text(zone)
            guard known[key] == nil else {
                try problems.add(.agency, line: rows.line, .duplicate("agency_id", key))
                continue
            }
            if TimeZone(databaseName: zoneName) == nil, let respelled = ZoneNames.respelled(zoneName) {
                try problems.add(
                    .agency, line: rows.line,
                    FeedFault(
                        .invalidTimezone, "the time zone `\(zoneName)` is read as \(respelled)",
                        field: "agency_timezone", value: zoneName), .repaired, kind: TransitErrors.zone)
                zoneName = respelled
            }
            guard TimeZone(databaseName: zoneName) != nil else {
                if !zoneName.isEmpty, unknown == nil { unknown = zoneName }
                try problems.add(
                    .agency, line: rows.line,
                    zoneName.isEmpty
                        ? FeedFault(
                            .missingRequiredField, "the time zone is missing", field: "agency_timezone")
                        : FeedFault(
                            .invalidTimezone, "unknown time zone `\(zoneName)`\(ZoneNames.hint(zoneName))",
                            field: "agency_timezone", value: zoneName),
                    kind: TransitErrors.zone)
                continue
            }
            if ZoneNames.isOffset(zoneName) || ZoneNames.isStandardTime(zoneName) {
                let isName = !ZoneNames.isOffset(zoneName)
                try problems.add(
                    .agency, line: rows.line,
                    // The canonical validator accepts both.
                    FeedFault(
                        nil,
                        "`\(zoneName)` is \(isName ? "the name of an offset" : "no name of the tz database"); "
                            + "it is read as an offset without summer time",
                        field: "agency_timezone", value: zoneName),
                    .repaired, kind: TransitErrors.zone)
            }
            if let found, found != zoneName {
                let isOther = !ZoneNames.haveSameClocks(found, zoneName)
                try problems.add(
                    .agency, line: rows.line,
                    FeedFault(
                        .inconsistentAgencyTimezone,
                        "the time zone \(zoneName) is not that of the other agencies, \(found)"
                            + (isOther ? "" : ", but has the same clocks"),
                        field: "agency_timezone", value: zoneName),
                    .repaired, kind: TransitErrors.zone)
                if isOther {
                    content.otherZones.append(AgencyZone(agency: rows.text(name), zone: zoneName))
                }
            }
            found = found ?? zoneName
            known[key] = facts
            agencyNames[key] = rows.text(name)
            content.agencies.append(rows.text(name))
        }
        if let found {
            content.zone = found
        } else {
            try problems.add(
                .agency, line: 0,
                FeedFault(
                    .invalidTimezone,
                    "agency.txt: "
                        + (unknown.map { "`\($0)` is no time zone\(ZoneNames.hint($0))" }
                            ?? "no agency has a time zone")
                        + (problems.needsTables ? "" : "; \(content.zone) is used"),
                    field: "agency_timezone"),
                .repaired, kind: TransitErrors.zone)
        }
    }

    // MARK: Validity

    /// Reads the days of feed_info.txt. The table is for information: a fault in it is no problem of an
    /// import.
    private mutating func readValidity() throws {
        var line = 0
        try inform(.feedInfo) { reader, rows in
            guard line == 0 else { return }
            line = rows.line
            reader.content.language = rows.optionalText(rows.column("feed_lang"))
            reader.content.version = rows.optionalText(rows.column("feed_version"))
            func day(_ name: String) throws -> CivilDate? {
                let column = rows.column(name)
                let day = rows.date(column)
                if day == nil, !rows[column].isEmpty {
                    try reader.noteInformation(
                        .feedInfo, line: line, .invalid(name, rows.text(column), .date), .repaired)
                }
                return day
            }
            let (from, until) = (try day("feed_start_date"), try day("feed_end_date"))
            (reader.content.validFrom, reader.content.validUntil) = (from, until)
        }
        if let from = content.validFrom, let until = content.validUntil, until < from {
            (content.validFrom, content.validUntil) = (nil, nil)
            try problems.add(
                .feedInfo, line: line, .reversed("feed_end_date", "feed_start_date", value: until.text),
                .repaired)
        }
    }

    // MARK: Routes

    private mutating func readRoutes() throws {
        guard var rows = try open(.routes, required: ["route_id", "route_type"], isNeeded: true) else {
            return
        }
        let columns = [
            "route_id", "route_short_name", "route_long_name", "route_type", "route_color",
            "route_text_color", "agency_id", "continuous_pickup", "continuous_drop_off",
        ]
        .map(rows.column)
        while try rows.next(&problems, progress: progress) {
            let id = rows[columns[0]]
            if rows.hasExcess {
                try problems.add(.routes, line: rows.line, .excess)
                continue
            }
            guard !id.isEmpty else {
                try problems.add(.routes, line: rows.line, .empty("route_id"))
                continue
            }
            let type = rows.integer(columns[3])
            let isKnown = type.map { TransitMode.isBasic($0) || TransitMode.isExtended($0) } ?? false
            if type == nil || !isKnown, problems.isLenient || type == nil {
                // Its trips run all the same.
                let written = rows.text(columns[3])
                let fault: FeedFault =
                    type == nil
                    ? .invalid("route_type", written, .whole)
                    : FeedFault(
                        .unexpectedEnumValue, "route_type `\(written)` is no known route type",
                        field: "route_type", value: written)
                try problems.add(.routes, line: rows.line, fault, .repaired)
            }
            guard content.routeIDs.add(id).isNew else {
                try problems.add(
                    .routes, line: rows.line, .duplicate("route_id", rows.text(columns[0])))
                continue
            }
            rows.noteLostLetters(columns[1])
            rows.noteLostLetters(columns[2])
            let agency = agency(ofRoute: rows.text(columns[6]))
            if agency == nil, !rows[columns[6]].isEmpty, !agencyNames.isEmpty {
                try problems.add(
                    .routes, line: rows.line, .unknown("agency_id", rows.text(columns[6])), .repaired)
            }
            content.routes.append(
                RouteRow(
                    shortName: String(decoding: rows.label(columns[1]), as: UTF8.self),
                    longName: String(decoding: rows.label(columns[2]), as: UTF8.self),
                    type: Int32(type ?? Self.unknownType),
                    color: try color(rows, columns[4], "route_color"),
                    textColor: try color(rows, columns[5], "route_text_color"),
                    agencyID: agency?.id, agency: agency?.name,
                    continuous: ContinuousStopping(
                        pickup: rows.integer(columns[7]) ?? 1,
                        dropOff: rows.integer(columns[8]) ?? 1)))
        }
    }

    /// A colour of six hexadecimal digits, with `#` before them or not; any other value is noted, and none.
    private mutating func color(_ rows: TableReader, _ column: Int, _ name: String) throws -> String? {
        let field = rows[column]
        if field.isEmpty || FieldCheck.fault(field, .color) == nil { return rows.optionalText(column) }
        let digits = FieldBytes(rebasing: field.dropFirst())
        if field.first == UInt8(ascii: "#"), FieldCheck.fault(digits, .color) == nil {
            if problems.isLenient {
                rows.repairs.noteLoose(
                    column, rows.text(column), "six hexadecimal digits", .invalidColor, line: rows.line)
            }
            return String(decoding: digits, as: UTF8.self)
        }
        try noteInformation(
            .routes, line: rows.line, .invalid(name, rows.text(column), rule: .invalidColor), .repaired)
        return nil
    }

    /// The `route_type` of a line whose mode is unknown.
    private static let unknownType = -1

    /// The agency of a route: the only one if the route names none; `nil` if it is unknown.
    private func agency(ofRoute id: String) -> (id: String?, name: String)? {
        if !id.isEmpty { return agencyNames[id].map { (id, $0) } }
        guard agencyNames.count == 1, let only = agencyNames.first else { return nil }
        return (only.key.isEmpty ? nil : only.key, only.value)
    }
}
