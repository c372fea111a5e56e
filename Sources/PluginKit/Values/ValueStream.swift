/// Rows that are made while they are asked for.
///
/// A stream is a recipe: each iteration starts anew, so a stream can be kept in a variable and used twice.
/// Iterating is confined to one task; the iterator is not `Sendable`.
public struct ValueStream: Sendable {
    /// The columns of the rows where they are known beforehand.
    public let columns: [String]?
    private let start: @Sendable () throws -> Iterator

    /// A stream whose iterations each begin with `start`.
    public init(columns: [String]? = nil, start: @escaping @Sendable () throws -> Iterator) {
        self.columns = columns
        self.start = start
    }

    /// A stream over values that are already there.
    public init(_ values: [Value], columns: [String]? = nil) {
        self.init(columns: columns) {
            var iterator = values.makeIterator()
            return Iterator { iterator.next() }
        }
    }

    /// Begins an iteration.
    public func makeIterator() throws -> Iterator { try start() }

    /// One pass over a stream.
    public struct Iterator {
        private let pull: () throws -> Value?

        /// A pass that asks `pull` for each value until it gives `nil`.
        public init(_ pull: @escaping () throws -> Value?) { self.pull = pull }

        /// The next value, `nil` at the end. Throws the error of the step that makes the value.
        public func next() throws -> Value? { try pull() }
    }

    /// The same stream, whose errors, when it is iterated, are changed on their way out.
    public func mapErrors(_ change: @escaping @Sendable (any Error) -> any Error) -> ValueStream {
        ValueStream(columns: columns) {
            do {
                let iterator = try makeIterator()
                return Iterator {
                    do { return try iterator.next() } catch { throw change(error) }
                }
            } catch {
                throw change(error)
            }
        }
    }

    /// All values at once. `check` is called for every value, to stop on cancellation.
    public func collect(check: () throws -> Void = {}) throws -> [Value] {
        let iterator = try makeIterator()
        var all: [Value] = []
        while let value = try iterator.next() {
            try check()
            all.append(value)
        }
        return all
    }
}
