/// What happened to an app's own store in the simulator, other than edits. It is a fact of the app's files: it survives the
/// process, and is settled when the engine has dealt with it.
package struct StoreFate: Sendable, Hashable {
    /// The store is another file: an older one.
    var isOther = false
    /// None of the rows is there, and nobody has decided yet.
    var isEmptied = false
    /// The user wants the rows back.
    var isLacking = false
    /// A bit for each record whose row cannot be read.
    var unreadable: UInt64 = 0
    /// Columns with values that nobody wrote.
    var added: Set<String> = []

    /// Whether differences of rows are no edits, so that the simulated users wait.
    var isOpen: Bool { isOther || isEmptied || isLacking || !added.isEmpty }

    /// How the engine is told of it; `nil` if differences are edits.
    var event: StoreEvent? {
        if isLacking { return .lacking }
        if isOther { return .replaced }
        return added.isEmpty ? nil : .schema(added: added, reset: [], written: nil)
    }

    /// Why nothing is known of a row.
    func obstacle(_ record: Int) -> String? {
        if isEmptied { return "the store is missing or empty" }
        return unreadable & 1 << UInt64(record) != 0 ? "its row cannot be read" : nil
    }
}

/// The faults of an app's own store, for stores that have them. Each returns whether it happened.
protocol StoreWithFate {
    /// What happened to the store.
    var fate: StoreFate { get }
    /// Whether everything in the rows is durable in the states, and nothing is being written.
    var isAtRest: Bool { get }
    /// Keeps a copy of the rows alone.
    mutating func copyRows()
    /// Puts the copy of the rows in the place of the rows.
    mutating func bringRowsBack() -> Bool
    /// Removes all rows.
    mutating func emptyRows() -> Bool
    /// Decides that the rows of an emptied store come back.
    mutating func answer() -> Bool
    /// Makes a row unreadable, or readable again.
    mutating func spoil(_ record: Int, _ isUnreadable: Bool) -> Bool
    /// Adds a column with empty values, or drops it.
    mutating func setColumn(_ name: String, _ isThere: Bool) -> Bool
}
