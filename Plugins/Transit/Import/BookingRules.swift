import PluginKit

/// The rules of booking_rules.txt as sentences for riders, by their identifiers.
struct BookingRules {
    private var words: [String: String] = [:]

    /// What a rider has to do; `nil` for a rule that the feed does not have.
    subscript(_ rule: String) -> String? { words[rule] }

    var isEmpty: Bool { words.isEmpty }

    /// Adds a rule. Fields that are missing are left out of the sentence.
    mutating func add(_ rule: Rule) {
        var parts = [rule.notice, rule.message].compactMap { $0 }.filter { !$0.isEmpty }
        if parts.isEmpty { parts = ["book before the ride"] }
        parts += [rule.phone, rule.address].compactMap { $0 }.filter { !$0.isEmpty }
        words[rule.id] = parts.joined(separator: ", ")
    }

    /// A row of booking_rules.txt.
    struct Rule {
        var id: String
        /// `booking_type`: 0 in real time, 1 on the day with notice, 2 on a day before.
        var type: Int?
        /// Minutes before the ride.
        var minutes: Int?
        /// Days before the ride, and the latest time of that day, `HH:MM:SS`.
        var days: Int?
        var time: String?
        var message: String?
        var phone: String?
        var address: String?

        /// When to book; `nil` for a type that the reference does not have, and where the notice is missing.
        var notice: String? {
            switch type {
            case 0: return "book at any time before"
            case 1: return minutes.map { "book at least \(Literal.duration(Double($0) * 60)) before" }
            case 2:
                guard let days else { return nil }
                let clock =
                    time.map { " by " + $0.split(separator: ":").prefix(2).joined(separator: ":") } ?? ""
                return "book\(clock) \(days, of: "day") before"
            default: return nil
            }
        }
    }
}

extension FeedReader {
    /// Reads booking_rules.txt. It is for riders' information: a fault in it is no problem of an import.
    mutating func bookingRules() throws -> BookingRules {
        var rules = BookingRules()
        let names = [
            "booking_rule_id", "booking_type", "prior_notice_duration_min", "prior_notice_last_day",
            "prior_notice_last_time", "pickup_message", "message", "phone_number", "booking_url",
            "info_url",
        ]
        var columns: [Int] = []
        try inform(.bookingRules, required: ["booking_rule_id"]) { _, rows in
            if columns.isEmpty { columns = names.map(rows.column) }
            func text(_ index: Int) -> String? { rows.optionalText(columns[index]) }
            rules.add(
                .init(
                    id: rows.text(columns[0]), type: rows.integer(columns[1]),
                    minutes: rows.integer(columns[2]),
                    days: rows.integer(columns[3]),
                    time: text(4), message: text(5) ?? text(6), phone: text(7),
                    address: text(8) ?? text(9)))
        }
        return rules
    }
}
