import PluginKit

/// Fares and translations are for riders' information: a fault in their tables is no problem of an import, and an entry of its
/// account.
extension FeedReader {
    /// The form of a value that spreadsheets write in another one.
    enum InformationForm { case integer, time, price }

    /// Reads a table for information. What is not used as it is written is noted, once for each table.
    mutating func inform(
        _ table: FeedTable, required: [String] = [],
        _ body: (inout FeedReader, TableReader) throws -> Void
    ) throws {
        let isFirst = accounted.insert(table).inserted
        let before = problems.count
        var faults = FeedProblems(isLenient: true)
        var lines = 0
        do {
            guard var rows = try TableReader(source, table, required: required, &faults) else { return }
            while try rows.next(&faults, progress: progress) {
                lines += 1
                informationLine = rows.line
                try body(&self, rows)
            }
        } catch let error as RutterError where error.code != Interruption.stopped.code {
            let refused = faults.refused
            try faults.add(table, line: refused?.line ?? 1, refused?.fault ?? FeedFault(nil, error.message))
        }
        guard isFirst, problems.isLenient, !faults.listed.isEmpty || problems.count > before else { return }
        problems.countRows(table, lines)
        for problem in faults.listed {
            try noteInformation(table, line: problem.line, problem.fault, problem.outcome)
        }
    }

    /// A table without required columns that are missing; its rows as texts by the names of the columns. Values of the given forms
    /// that are in another one are in that of the format.
    mutating func each(
        _ table: FeedTable, _ names: [String], _ forms: [String: InformationForm] = [:],
        _ body: (inout FeedReader, (String) -> String?) throws -> Void
    ) throws {
        var columns: [String: Int] = [:]
        try inform(table) { reader, rows in
            if columns.isEmpty { for name in names { columns[name] = rows.column(name) } }
            try body(&reader) { name in
                guard let column = columns[name], column >= 0 else { return nil }
                return forms[name].flatMap { rows.regular(column, $0) } ?? rows.optionalText(column)
            }
        }
    }

    /// Notes a line that is not used as it is in the account of a lenient import: a strict one does not end for it.
    mutating func noteInformation(
        _ table: FeedTable, line: Int, _ fault: FeedFault, _ outcome: FeedProblem.Outcome
    ) throws {
        if problems.isLenient { try problems.add(table, line: line, fault, outcome) }
    }

    /// Notes a price that is not a number, which stays unknown.
    mutating func notePrice(_ price: String, _ field: String, _ table: FeedTable) throws {
        guard FareObject.price(of: price) == nil else { return }
        try noteInformation(
            table, line: informationLine, .invalid(field, price, .decimal), .repaired)
    }

    /// Notes a currency that ISO 4217 does not have, which is kept.
    mutating func noteCurrency(_ currency: String, _ field: String, _ table: FeedTable) throws {
        guard !FieldCheck.isCurrency(currency) else { return }
        try noteInformation(
            table, line: informationLine, .invalid(field, currency, rule: .invalidCurrency), .repaired)
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
        let forms: [String: InformationForm] = [
            "price": .price, "payment_method": .integer, "transfers": .integer,
            "transfer_duration": .integer,
        ]
        try each(.fareAttributes, columns, forms) { reader, field in
            guard let id = field("fare_id"), numbers[id] == nil, let price = field("price"),
                let currency = field("currency_type")
            else {
                let missing = ["fare_id", "price", "currency_type"].first { field($0) == nil }
                return try reader.noteInformation(
                    .fareAttributes, line: reader.informationLine,
                    missing.map { .missing($0) } ?? .duplicate("fare_id", field("fare_id") ?? ""), .dropped)
            }
            numbers[id] = Int32(reader.content.fares.count)
            try reader.notePrice(price, "price", .fareAttributes)
            // In the newer tables a discount is negative, and in none a fare.
            if FareObject.price(of: price).map({ $0 < 0 }) ?? false {
                try reader.noteInformation(
                    .fareAttributes, line: reader.informationLine,
                    .invalid("price", price, rule: .numberOutOfRange), .repaired)
            }
            try reader.noteCurrency(currency, "currency_type", .fareAttributes)
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
                field("record_id") != nil || field("field_value") != nil || table == "feed_info"
            else { return }
            if let number = field("record_sub_id") {
                guard table == "stop_times", name == "stop_headsign", let trip = field("record_id") else {
                    return
                }
                return try reader.translateSign(ofCall: number, of: trip, language, text)
            }
            reader.content.translations.append(
                TranslationRow(
                    table: table, field: name, record: field("record_id"), value: field("field_value"),
                    language: language, text: text))
        }
        try translateSigns()
    }

    /// Takes the translation of the headsign of one call. Calls of one kind share their headsigns here, so it is one of the text.
    private mutating func translateSign(
        ofCall number: String, of trip: String, _ language: String, _ text: String
    ) throws {
        guard let index = content.tripIDs.find(trip), content.trips[index].pattern >= 0 else { return }
        let pattern = content.patterns[Int(content.trips[index].pattern)]
        let calls = content.patternStops[pattern.first..<pattern.first + pattern.count]
        guard !pattern.isNumberedDifferently, let sequence = Int32(number),
            let sign = calls.first(where: { $0.sequence == sequence })?.headsign, sign >= 0
        else { return }
        let key = SignTranslation(sign: sign, language: language)
        if signTranslations[key] == nil {
            signTranslations[key] = SignTranslation.Texts(line: informationLine)
        }
        signTranslations[key]?.texts.insert(text)
    }

    /// Keeps the translations of headsigns of calls that are the same at all their calls.
    private mutating func translateSigns() throws {
        for (key, found) in signTranslations.sorted(by: { $0.value.line < $1.value.line }) {
            let sign = content.texts.text(Int(key.sign))
            guard let text = found.texts.first, found.texts.count == 1 else {
                try noteInformation(
                    .translations, line: found.line,
                    FeedFault(
                        nil,
                        "the headsign \(sign) has \(found.texts.count) texts in \(key.language), by call: none is used",
                        field: "translation", value: sign), .repaired)
                continue
            }
            content.translations.append(
                TranslationRow(
                    table: "stop_times", field: "stop_headsign", value: sign, language: key.language,
                    text: text))
        }
        signTranslations = [:]
    }
}

/// A headsign of calls, by its number among the texts, in a language.
struct SignTranslation: Hashable {
    var sign: Int32
    var language: String

    /// The texts that its calls have.
    struct Texts {
        /// The line of the first.
        var line: Int
        var texts: Set<String> = []
    }
}

extension TableReader {
    /// A value in the form of the format that is written in another one, which is noted; `nil` for any other value.
    func regular(_ column: Int, _ form: FeedReader.InformationForm) -> String? {
        switch form {
        case .integer: FieldParser.integer(self[column]) == nil ? integer(column).map { "\($0)" } : nil
        case .time:
            FieldParser.time(self[column]) == nil ? time(column).map { ServiceDay.scheduled($0) } : nil
        case .price: price(column)
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
