/// A fault in a feed: the broken rule, and the column and the value at fault. The only place that words them.
struct FeedFault: Sendable, Hashable {
    /// The rule of the canonical validator; `nil` if it has none.
    var rule: FeedRule?
    /// The column.
    var field: String?
    /// The value, at most 40 characters of it.
    var value: String?
    /// What is wrong.
    var text: String

    /// A fault worded by its finder.
    init(_ rule: FeedRule?, _ text: String, field: String? = nil, value: String? = nil) {
        (self.rule, self.field, self.text) = (rule, field, text)
        self.value = value.map(Self.shortened)
    }

    /// The type of a column, which determines the rule that an invalid value breaks.
    enum Kind: Sendable {
        case date, time
        /// A decimal number within a range.
        case decimal
        /// A whole number within a range.
        case whole
        /// One of a few numbers.
        case choice

        fileprivate func rule(_ value: String) -> FeedRule {
            switch self {
            case .date: .invalidDate
            case .time: .invalidTime
            case .decimal: Double(value) == nil ? .invalidFloat : .numberOutOfRange
            case .whole: Int(value) == nil ? .invalidInteger : .numberOutOfRange
            case .choice: Int(value) == nil ? .invalidInteger : .unexpectedEnumValue
            }
        }
    }

    /// An invalid value, or a missing one of a required column.
    static func invalid(
        _ field: String, _ value: String, _ kind: Kind, missing: FeedRule = .missingRequiredField
    ) -> FeedFault {
        value.isEmpty
            ? Self.missing(field, missing)
            : invalid(field, value, rule: kind.rule(value), form: kind == .date ? ", not YYYYMMDD" : "")
    }

    /// A value that breaks a rule.
    static func invalid(_ field: String, _ value: String, rule: FeedRule, form: String = "") -> FeedFault {
        FeedFault(rule, "invalid \(field) `\(shortened(value))`\(form)", field: field, value: value)
    }

    /// A reference to a row that does not exist, or a missing one.
    static func unknown(_ field: String, _ value: String) -> FeedFault {
        value.isEmpty
            ? missing(field)
            : FeedFault(
                .foreignKeyViolation, "unknown \(field) `\(shortened(value))`", field: field, value: value)
    }

    /// A missing value of a required column.
    static func missing(_ field: String, _ rule: FeedRule = .missingRequiredField) -> FeedFault {
        FeedFault(rule, "\(field) is missing", field: field)
    }

    /// An empty identifier.
    static func empty(_ field: String) -> FeedFault {
        FeedFault(.missingRequiredField, "\(field) is empty", field: field)
    }

    /// A key that an earlier line has.
    static func duplicate(_ field: String, _ value: String) -> FeedFault {
        FeedFault(.duplicateKey, "duplicate \(field) \(value)", field: field, value: value)
    }

    /// The end of a range before its start.
    static func reversed(_ end: String, _ start: String, value: String) -> FeedFault {
        FeedFault(.startAndEndRangeOutOfOrder, "\(end) is before \(start)", field: end, value: value)
    }

    /// A required column that the table lacks.
    static func missingColumn(_ name: String) -> FeedFault {
        FeedFault(.missingRequiredColumn, "the column \(name) is missing", field: name)
    }

    /// A required table that the feed lacks.
    static func missingTable(_ text: String) -> FeedFault { FeedFault(.missingRequiredFile, text) }

    /// More values than columns.
    static let excess = FeedFault(.invalidRowLength, "there are more values than columns")

    /// A line that is invalid as a whole.
    static let line = FeedFault(nil, "invalid line")

    private static func shortened(_ value: String) -> String { String(value.prefix(40)) }
}
