import TrailStores

/// The differences between two stores.
package struct StoreDifference: Sendable {
    /// How a row differs.
    enum Change: String, Sendable {
        /// It is in the first store only.
        case onlyFirst
        /// It is in the second store only.
        case onlySecond
        /// It is in both, with a different value in a field.
        case different
    }

    /// One difference: of a row, or of one of its fields.
    struct Item: Sendable {
        /// The table.
        let table: String
        /// The key of the row.
        let key: String
        /// How it differs.
        let change: Change
        /// The field; `nil` if a row is in one store only.
        let field: String?
        /// The value in the first store.
        let first: StoredCell?
        /// The value in the second store.
        let second: StoredCell?
    }

    /// Row counts of a table.
    package struct Count: Sendable {
        /// The table.
        let table: String
        /// Equal rows.
        package var same = 0
        /// Rows in the first store only.
        var onlyFirst = 0
        /// Rows in the second store only.
        var onlySecond = 0
        /// Rows in both that differ.
        var different = 0
        /// What the table lacks in one of the stores.
        var remarks: [String] = []

        /// All rows of both.
        package var total: Int { same + onlyFirst + onlySecond + different }
    }

    /// The differences kept.
    var items: [Item] = []
    /// Number of differences counted but not kept.
    var dropped = 0
    /// The tables in the order of comparison.
    package var counts: [Count] = []

    /// Whether the stores are equal.
    var isNone: Bool { items.isEmpty && dropped == 0 && counts.allSatisfy(\.remarks.isEmpty) }

    /// Adds the differences of a store of a container; prefixes its tables with the store.
    mutating func append(_ other: StoreDifference, of store: String) {
        for item in other.items {
            add(
                Item(
                    table: "\(store)/\(item.table)", key: item.key, change: item.change, field: item.field,
                    first: item.first, second: item.second))
        }
        dropped += other.dropped
        counts += other.counts.map { count in
            var named = Count(table: "\(store)/\(count.table)")
            (named.same, named.onlyFirst, named.onlySecond) = (count.same, count.onlyFirst, count.onlySecond)
            (named.different, named.remarks) = (count.different, count.remarks)
            return named
        }
    }

    mutating func add(_ item: Item) {
        if items.count < CompareSettings.mostItems { items.append(item) } else { dropped += 1 }
    }
}

/// Limits of comparing stores.
enum CompareSettings {
    /// Maximum number of differences kept; the rest is counted.
    static let mostItems = 10_000
    /// Maximum number of rows left after removing byte-identical ones; with more, all are read in order.
    static let mostApart = 50_000
    /// Maximum characters of a quoted text.
    static let longestText = 60
    /// Columns that synchronisation writes, in databases and in documents.
    static let syncColumns: Set<String> = [
        "modified_at", "cloudkit_record_id", "modifiedAt", "cloudKitRecordID",
    ]
}
