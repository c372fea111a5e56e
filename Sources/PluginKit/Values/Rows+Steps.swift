/// Rows computed from other rows. Operations that need one row at a time are lazy; all stop when their task
/// is cancelled, and all keep the mark of incomplete rows.
extension Rows {
    /// Calls `body` for every row.
    public func forEach(_ body: (Value) throws -> Void) throws {
        let iterator = try makeIterator()
        while let row = try iterator.next() {
            try Interruption.check()
            try body(row)
        }
    }

    /// All rows at once. Throws `E-LIMIT-ROWS` if there are more than the session keeps in memory.
    public func collect() throws -> [Value] {
        if let ready { return ready }
        var all: [Value] = []
        let limit = RowLimit.current
        try forEach { row in
            try limit.check(all.count)
            all.append(row)
        }
        return all
    }

    /// The number of rows; computes all of them if they are lazy.
    public func count() throws -> Int {
        if let ready { return ready.count }
        var count = 0
        try forEach { _ in count += 1 }
        return count
    }

    /// The row at an index, counted from 0, or from the end where it is negative; `nil` when there are fewer rows.
    public func row(at index: Int) throws -> Value? {
        guard ready == nil, index >= 0 else {
            let rows = try collect()
            let position = index < 0 ? rows.count + index : index
            return rows.indices.contains(position) ? rows[position] : nil
        }
        let iterator = try makeIterator()
        for _ in 0..<index {
            try Interruption.check()
            if try iterator.next() == nil { return nil }
        }
        return try iterator.next()
    }

    /// Lazy rows; `start` receives the iterator over these rows and returns a closure for the next row.
    ///
    /// `fields` returns all fields that some of the rows have, if known without computing them.
    public func deriving(
        columns: [String]?, fields: (@Sendable () -> [String]?)? = nil,
        _ start: @escaping @Sendable (Iterator) throws -> () throws -> Value?
    ) -> Rows {
        var made = Rows(columns: columns, fields: fields) { Iterator(try start(makeIterator())) }
        (made.cut, made.isLive) = (cut, isLive)
        return made
    }

    /// The fields of these rows, for rows that have no others.
    public var sameFields: (@Sendable () -> [String]?)? {
        guard fieldsAreKnown else { return nil }
        return { knownFields }
    }

    /// A lazy subset of these rows.
    private func choosing(_ start: @escaping @Sendable (Iterator) throws -> () throws -> Value?) -> Rows {
        deriving(columns: columns, fields: sameFields, start)
    }

    private static func closed(_ columns: [String]?) -> (@Sendable () -> [String]?)? {
        guard let columns else { return nil }
        return { columns }
    }

    /// A row for each row; with columns, one that has these fields and no others.
    public func map(columns: [String]? = nil, _ step: @escaping @Sendable (Value) throws -> Value) -> Rows {
        deriving(columns: columns, fields: Self.closed(columns)) { source in
            {
                try Interruption.check()
                return try source.next().map(step)
            }
        }
    }

    /// The rows for which a test is true. `start` creates the test for each iteration, with its own state.
    public func filter(startingWith start: @escaping @Sendable () -> (Value) throws -> Bool) -> Rows {
        choosing { source in
            let isIncluded = start()
            return {
                while let row = try source.next() {
                    try Interruption.check()
                    if try isIncluded(row) { return row }
                }
                return nil
            }
        }
    }

    /// The first rows; no further rows are computed.
    public func prefix(_ count: Int) -> Rows {
        choosing { source in
            var left = count
            return {
                guard left > 0 else { return nil }
                left -= 1
                return try source.next()
            }
        }
    }

    /// A subset or reordering of these rows, in memory: with columns a table, otherwise a list.
    public func replaced(by rows: [Value]) -> Value {
        columns == nil && cut == nil
            ? .list(rows)
            : .rows(Rows(rows, columns: columns, cut: cut, fields: rows.isEmpty ? knownFields : nil))
    }

    /// The same rows, with errors mapped as they are computed.
    public func mapErrors(_ change: @escaping @Sendable (any Error) -> any Error) -> Rows {
        guard isLazy else { return self }
        var changed = Rows(columns: columns, fields: sameFields) {
            do {
                let iterator = try makeIterator()
                return Iterator {
                    do { return try iterator.next() } catch { throw change(error) }
                }
            } catch {
                throw change(error)
            }
        }
        (changed.note, changed.cut, changed.isLive) = (note, cut, isLive)
        return changed
    }
}
