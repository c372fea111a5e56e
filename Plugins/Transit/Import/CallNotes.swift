/// What riders have to know of single calls: approximate times, booking, boarding between stops. Each text is kept once.
struct CallNotes {
    private let columns: StopTimeColumns
    private let rules: BookingRules
    private let isContinuous: Bool
    private var numbers: [String: Int16] = [:]
    /// In many feeds nearly all times are approximate: that note is made once.
    private var approximate: Int16?

    init(_ columns: StopTimeColumns, rules: BookingRules, routes: [RouteRow]) {
        (self.columns, self.rules) = (columns, rules)
        isContinuous =
            columns.continuousPickup >= 0 || columns.continuousDropOff >= 0
            || routes.contains { $0.continuous != ContinuousStopping() }
    }

    /// The number of a call's note in `FeedContent.callNotes`; −1 for the most, which have none. `boarding` are its types as they
    /// were read.
    mutating func number(
        _ rows: TableReader, trip: Int, boarding: UInt8, in content: inout FeedContent
    ) -> Int16 {
        // A time that is missing is interpolated.
        let isApproximate =
            rows.integer(columns.timepoint) == 0
            || rows[columns.arrival].isEmpty && rows[columns.departure].isEmpty
        let hasRule =
            !rules.isEmpty && !(rows[columns.pickupRule].isEmpty && rows[columns.dropOffRule].isEmpty)
        let between = isContinuous ? continuous(rows, trip, content) : nil
        let unknown = unknownTypes(rows, Int32(boarding))
        guard isApproximate || hasRule || between != nil || unknown != nil else { return -1 }
        let isPlain = !hasRule && between == nil && unknown == nil
        if isPlain, let approximate { return approximate }
        let parts = [
            isApproximate ? "approximate time" : nil, rules[rows.text(columns.pickupRule)],
            rules[rows.text(columns.dropOffRule)].map { "to alight: \($0)" }, between, unknown,
        ]
        let words = parts.compactMap { $0 }.joined(separator: "; ")
        if words.isEmpty { return -1 }
        guard let number = numbers[words] ?? Int16(exactly: content.callNotes.count) else { return -1 }
        if numbers.updateValue(number, forKey: words) == nil {
            content.callNotes.append(
                Array(words.utf8).withUnsafeBytes { Int32(content.texts.add($0).index) })
        }
        if isPlain { approximate = number }
        return number
    }

    /// Types of boarding and alighting that the format does not have: whether one may is unknown.
    private func unknownTypes(_ rows: TableReader, _ boarding: Int32) -> String? {
        let unknown = Int64(Boarding.unknown)
        let (boards, alights) = (Boarding.pickup(boarding) != unknown, Boarding.dropOff(boarding) != unknown)
        // Nearly all rows end here.
        if boards && alights { return nil }
        func words(_ verb: String, _ name: String, _ column: Int) -> String {
            "whether one may \(verb) is unknown (\(name) `\(rows.text(column).prefix(12))`)"
        }
        return [
            boards ? nil : words("board", "pickup_type", columns.pickup),
            alights ? nil : words("alight", "drop_off_type", columns.dropOff),
        ].compactMap(\.self).joined(separator: "; ")
    }

    /// Boarding and alighting between a call and the next one: its own rule, or that of its line.
    private func continuous(_ rows: TableReader, _ trip: Int, _ content: FeedContent) -> String? {
        var found = content.routes[Int(content.trips[trip].route)].continuous
        if let own = rows.integer(columns.continuousPickup) { found.pickup = own }
        if let own = rows.integer(columns.continuousDropOff) { found.dropOff = own }
        return found.note
    }
}
