/// What differs between two stores.
public struct StoreDifference: Sendable {
    /// How a row differs.
    public enum Change: String, Sendable {
        /// It is in the first store only.
        case onlyFirst
        /// It is in the second store only.
        case onlySecond
        /// It is in both, with another value in a field.
        case different
    }

    /// One difference: of a row, or of one of its fields.
    public struct Item: Sendable {
        /// The table.
        public let table: String
        /// What tells the row from others.
        public let key: String
        /// How it differs.
        public let change: Change
        /// The field; `nil` where a row is in one store only.
        public let field: String?
        /// The value in the first store.
        public let first: StoredCell?
        /// The value in the second store.
        public let second: StoredCell?
    }

    /// Rows of a table, counted.
    public struct Count: Sendable {
        /// The table.
        public let table: String
        /// Rows that are the same.
        public var same = 0
        /// Rows in the first store only.
        public var onlyFirst = 0
        /// Rows in the second store only.
        public var onlySecond = 0
        /// Rows in both that differ.
        public var different = 0
        /// What the table lacks in one of the stores.
        public var remarks: [String] = []
    }

    /// The differences that were kept.
    public internal(set) var items: [Item] = []
    /// Differences that were counted but not kept.
    public internal(set) var dropped = 0
    /// The tables in the order they were compared.
    public internal(set) var counts: [Count] = []

    /// Whether there is none.
    public var isNone: Bool { items.isEmpty && dropped == 0 && counts.allSatisfy(\.remarks.isEmpty) }

    mutating func add(_ item: Item) {
        if items.count < CompareSettings.mostItems { items.append(item) } else { dropped += 1 }
    }
}

/// What comparing stores takes for granted.
public enum CompareSettings {
    /// Differences that are kept; the rest is counted.
    public static let mostItems = 10_000
    /// Characters of a text that a difference quotes.
    public static let longestText = 60
    /// Columns that synchronisation writes, in databases and in documents.
    public static let syncColumns: Set<String> = [
        "modified_at", "cloudkit_record_id", "modifiedAt", "cloudKitRecordID",
    ]
}
