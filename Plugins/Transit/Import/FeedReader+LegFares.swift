import PluginKit

/// Reads the newer generation of fares (GTFS-Fares V2): products, and rules for legs and transfers.
extension FeedReader {
    /// Reads fare_products.txt, fare_leg_rules.txt, fare_transfer_rules.txt and what they name.
    mutating func readLegFares() throws {
        var (riders, media, times): ([String: String], [String: String], [String: [String]]) = ([:], [:], [:])
        var usual: Set<String> = []
        try each(
            .riderCategories, ["rider_category_id", "rider_category_name", "is_default_fare_category"],
            ["is_default_fare_category": .integer]
        ) { _, field in
            guard let id = field("rider_category_id") else { return }
            riders[id] = field("rider_category_name") ?? id
            if field("is_default_fare_category") == "1" { usual.insert(id) }
        }
        try each(.fareMedia, ["fare_media_id", "fare_media_name"]) { _, field in
            if let id = field("fare_media_id") { media[id] = field("fare_media_name") ?? id }
        }
        try each(
            .timeframes, ["timeframe_group_id", "start_time", "end_time", "service_id"],
            ["start_time": .time, "end_time": .time]
        ) { reader, field in
            guard let id = field("timeframe_group_id") else { return }
            let span = Self.span(field("start_time"), field("end_time"))
            reader.content.fareFrames.append(
                FareFrameRow(
                    frame: id, start: span.start, end: span.end,
                    service: reader.number(field("service_id"), in: reader.content.serviceIDs) ?? -1))
            let words = FareTerms.times(from: field("start_time"), until: field("end_time"))
            if !(times[id] ?? []).contains(words) { times[id, default: []].append(words) }
        }
        var numbers: [String: [Int32]] = [:]
        let columns = [
            "fare_product_id", "fare_product_name", "rider_category_id", "fare_media_id", "amount",
            "currency",
        ]
        try each(.fareProducts, columns, ["amount": .price]) { reader, field in
            guard let id = field("fare_product_id"), let amount = field("amount"),
                let currency = field("currency")
            else {
                let missing = ["fare_product_id", "amount", "currency"].first { field($0) == nil }
                return try reader.noteInformation(
                    .fareProducts, line: reader.informationLine, .missing(missing ?? "amount"), .dropped)
            }
            numbers[id, default: []].append(Int32(reader.content.fares.count))
            try reader.notePrice(amount, "amount", .fareProducts)
            try reader.noteCurrency(currency, "currency", .fareProducts)
            let terms = [
                field("rider_category_id").map { riders[$0] ?? $0 },
                field("fare_media_id").map { media[$0] ?? $0 },
            ].compactMap { $0 }.joined(separator: ", ")
            reader.content.fares.append(
                FareRow(
                    id: id, name: field("fare_product_name"), amount: amount, currency: currency,
                    terms: terms.isEmpty ? nil : terms,
                    isForAnyone: field("rider_category_id").map(usual.contains) ?? true,
                    medium: field("fare_media_id").map { media[$0] ?? $0 }))
        }
        let rules = [
            "network_id", "from_area_id", "to_area_id", "from_timeframe_group_id", "to_timeframe_group_id",
            "fare_product_id", "rule_priority", "leg_group_id",
        ]
        var missing: Set<String> = []
        let hasPriorities = try hasColumn("rule_priority", in: .fareLegRules)
        try each(.fareLegRules, rules, ["rule_priority": .integer]) { reader, field in
            let frames = [field("from_timeframe_group_id"), field("to_timeframe_group_id")]
            let words = frames.enumerated().compactMap { index, id in
                id.map { id in
                    let spans = times[id]?.joined(separator: " or ") ?? "at certain times"
                    return index == 0 ? spans : "arriving \(spans)"
                }
            }
            guard let product = field("fare_product_id") else {
                return try reader.noteInformation(
                    .fareLegRules, line: reader.informationLine, .missing("fare_product_id"), .dropped)
            }
            if numbers[product] == nil {
                // The rule stays: that another one fits as well makes nothing of it known.
                numbers[product] = [Int32(reader.content.fares.count)]
                reader.content.fares.append(.missing(product))
                missing.insert(product)
            }
            if missing.contains(product) {
                try reader.noteInformation(
                    .fareLegRules, line: reader.informationLine, .unknown("fare_product_id", product),
                    .repaired)
            }
            for fare in numbers[product] ?? [] {
                reader.content.fareRules.append(
                    FareRuleRow(
                        fare: fare, kind: .legs, network: field("network_id"), origin: field("from_area_id"),
                        destination: field("to_area_id"),
                        priority: hasPriorities ? field("rule_priority").flatMap { Int($0) } ?? 0 : nil,
                        times: words.isEmpty ? nil : words.joined(separator: ", "),
                        group: field("leg_group_id"), departs: frames[0], arrives: frames[1]))
            }
        }
        try readFareTransfers(numbers.filter { !missing.contains($0.key) })
        let joins = ["from_network_id", "to_network_id", "from_stop_id", "to_stop_id"]
        try each(.fareLegJoinRules, joins) { reader, field in
            let row = FareJoinRow(
                from: field(joins[0]), to: field(joins[1]), fromStop: field(joins[2]), toStop: field(joins[3])
            )
            guard row != FareJoinRow() else {
                return try reader.noteInformation(
                    .fareLegJoinRules, line: reader.informationLine, .missing("from_network_id"), .dropped)
            }
            reader.content.fareJoins.append(row)
        }
    }

    /// What changing from one ride to another costs, by the products of the feed.
    private mutating func readFareTransfers(_ products: [String: [Int32]]) throws {
        let columns = [
            "from_leg_group_id", "to_leg_group_id", "transfer_count", "duration_limit", "duration_limit_type",
            "fare_transfer_type", "fare_product_id",
        ]
        let forms = Dictionary(uniqueKeysWithValues: columns[2...5].map { ($0, InformationForm.integer) })
        try each(.fareTransferRules, columns, forms) { reader, field in
            func number(_ name: String) -> Int32? {
                field(name).map { Int32($0) ?? FareTransferRow.meaningless }
            }
            let product = field("fare_product_id")
            // A product that the feed does not have has an unknown price.
            let fares = product.map { products[$0] ?? [FareTransferRow.unknownFare] } ?? [-1]
            for fare in fares {
                reader.content.fareTransfers.append(
                    FareTransferRow(
                        from: field("from_leg_group_id"), to: field("to_leg_group_id"),
                        count: number("transfer_count"), duration: number("duration_limit"),
                        durationType: number("duration_limit_type"),
                        type: fare == FareTransferRow.unknownFare
                            ? FareTransferRow.meaningless
                            : number("fare_transfer_type") ?? FareTransferRow.meaningless,
                        fare: max(-1, fare)))
            }
        }
    }

    /// The seconds of a timeframe: a whole day without its two times; −1 for what is no time.
    private static func span(_ start: String?, _ end: String?) -> (start: Int32, end: Int32) {
        if start == nil, end == nil { return (0, 86_400) }
        func seconds(_ text: String?) -> Int32 {
            guard let text else { return -1 }
            return Array(text.utf8).withUnsafeBufferPointer { FieldParser.time($0) }.map { Int32($0) } ?? -1
        }
        return (seconds(start), seconds(end))
    }

    private func hasColumn(_ name: String, in table: FeedTable) throws -> Bool {
        var faults = FeedProblems(isLenient: true)
        do {
            return try TableReader(source, table, required: [], &faults).map { $0.column(name) >= 0 } ?? false
        } catch let error as RutterError where error.code != Interruption.stopped.code {
            return false
        }
    }
}
