import PluginKit

/// Fares and translations are for riders' information: a fault in their tables is no problem of an import.
extension FeedReader {
    /// A table without required columns that are missing; its rows as texts by the names of the columns.
    mutating func each(
        _ table: FeedTable, _ names: [String], _ body: (inout FeedReader, (String) -> String?) throws -> Void
    ) throws {
        var faults = FeedProblems(isLenient: true)
        do {
            guard var rows = try TableReader(source, table, required: [], &faults) else { return }
            let columns = Dictionary(
                names.map { ($0, rows.column($0)) }, uniquingKeysWith: { first, _ in first })
            while try rows.next(&faults, progress: progress) {
                informationLine = rows.line
                try body(&self) { name in
                    columns[name].flatMap { $0 < 0 ? nil : rows.optionalText($0) }
                }
            }
        } catch let error as RutterError where error.code != Interruption.stopped.code {
            return
        }
    }

    /// Notes a line that is not used as it is in the account of a lenient import: a strict one does not end for it.
    mutating func noteInformation(
        _ table: FeedTable, line: Int, _ fault: FeedFault, _ outcome: FeedProblem.Outcome
    ) throws {
        if problems.isLenient { try problems.add(table, line: line, fault, outcome) }
    }

    func number(_ id: String?, in table: KeyTable) -> Int32? {
        id.flatMap { id in Array(id.utf8).withUnsafeBytes { table.find($0) } }.map { Int32($0) }
    }

    /// Reads the fares of both generations, with the zones, areas and networks that they are about.
    mutating func readFares() throws {
        try readZoneFares()
        try readLegFares()
        let kinds = Set(content.fareRules.map(\.kind))
        if kinds.contains(.zones) {
            try each(.stops, ["stop_id", "zone_id"]) { reader, field in
                guard let stop = reader.number(field("stop_id"), in: reader.content.stopIDs),
                    let zone = field("zone_id")
                else { return }
                reader.content.fareZones.append(FareZoneRow(stop: stop, kind: .zones, zone: zone))
            }
        }
        guard kinds.contains(.legs) else { return }
        try each(.stopAreas, ["area_id", "stop_id"]) { reader, field in
            guard let stop = reader.number(field("stop_id"), in: reader.content.stopIDs),
                let area = field("area_id")
            else { return }
            reader.content.fareZones.append(FareZoneRow(stop: stop, kind: .legs, zone: area))
        }
        for table in [FeedTable.routes, .routeNetworks] {
            try each(table, ["route_id", "network_id"]) { reader, field in
                guard let route = reader.number(field("route_id"), in: reader.content.routeIDs),
                    let network = field("network_id")
                else { return }
                reader.content.routeNetworks.append(RouteNetworkRow(route: route, network: network))
            }
        }
    }

    private mutating func readZoneFares() throws {
        var numbers: [String: Int32] = [:]
        let columns = [
            "fare_id", "price", "currency_type", "payment_method", "transfers", "transfer_duration",
            "agency_id",
        ]
        try each(.fareAttributes, columns) { reader, field in
            guard let id = field("fare_id"), numbers[id] == nil, let price = field("price"),
                let currency = field("currency_type")
            else { return }
            numbers[id] = Int32(reader.content.fares.count)
            let written = field("transfer_duration")
            let duration = written.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
            // Transfers within an unknown time are unknown.
            let isKnown = written == nil || duration != nil || field("transfers") == "0"
            reader.content.fares.append(
                FareRow(
                    id: id, amount: price, currency: currency,
                    terms: FareTerms.zones(
                        payment: field("payment_method"), transfers: field("transfers"), duration: duration),
                    agency: field("agency_id"),
                    transfers: isKnown ? FareTerms.transfers(field("transfers")) : nil,
                    duration: duration.flatMap { $0 > 0 ? $0 : nil }))
        }
        var ruled: Set<Int32> = []
        try each(.fareRules, ["fare_id", "route_id", "origin_id", "destination_id", "contains_id"]) {
            reader, field in
            guard let fare = field("fare_id").flatMap({ numbers[$0] }) else { return }
            ruled.insert(fare)
            var rule = FareRuleRow(
                fare: fare, kind: .zones, origin: field("origin_id"), destination: field("destination_id"),
                contains: field("contains_id"))
            if let id = field("route_id") {
                // A rule about a line that is not there is about no ride.
                guard let route = reader.number(id, in: reader.content.routeIDs) else { return }
                rule.route = route
            }
            reader.content.fareRules.append(rule)
        }
        // A fare without rules is valid everywhere.
        for fare in numbers.values.sorted() where !ruled.contains(fare) {
            content.fareRules.append(FareRuleRow(fare: fare, kind: .zones))
        }
    }

    // MARK: Translations

    /// Reads translations.txt, also in its form before 2020, whose rows are about texts in any table.
    mutating func readTranslations() throws {
        let columns = [
            "table_name", "field_name", "language", "translation", "record_id", "record_sub_id",
            "field_value",
            "trans_id", "lang",
        ]
        try each(.translations, columns) { reader, field in
            guard let language = field("language") ?? field("lang"), let text = field("translation") else {
                return
            }
            if let value = field("trans_id"), field("table_name") == nil {
                reader.content.translations.append(
                    TranslationRow(table: "", field: "", value: value, language: language, text: text))
                return
            }
            guard let table = field("table_name"), let name = field("field_name"),
                field("record_id") != nil || field("field_value") != nil || table == "feed_info",
                // The texts of single calls are those of patterns here: only whole texts are told apart.
                field("record_sub_id") == nil
            else { return }
            reader.content.translations.append(
                TranslationRow(
                    table: table, field: name, record: field("record_id"), value: field("field_value"),
                    language: language, text: text))
        }
    }
}

/// The terms of fares in words.
enum FareTerms {
    /// `pay before boarding, 1 transfer within 1h30min`; values without a meaning are left out.
    static func zones(payment: String?, transfers: String?, duration: Int?) -> String? {
        let pay: String? =
            switch payment {
            case "0": "pay on board"
            case "1": "pay before boarding"
            default: nil
            }
        var change: String? =
            switch transfers {
            case "0": "no transfers"
            case "1": "1 transfer"
            case "2": "2 transfers"
            case nil: "any number of transfers"
            default: nil
            }
        if transfers != "0", let duration, duration > 0 {
            change = (change ?? "transfers") + " within \(Literal.duration(Double(duration)))"
        }
        let parts = [pay, change].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// `transfers` of fare_attributes.txt: −1 for any number, `nil` for a value without a meaning.
    static func transfers(_ text: String?) -> Int? {
        guard let text, !text.isEmpty else { return -1 }
        return Int(text).flatMap { (0...2).contains($0) ? $0 : nil }
    }

    /// `06:00–09:00`; a whole day has neither end.
    static func times(from start: String?, until end: String?) -> String {
        func clock(_ text: String) -> String { text.split(separator: ":").prefix(2).joined(separator: ":") }
        guard let start, let end else { return "on certain days" }
        return "\(clock(start))–\(clock(end))"
    }
}
