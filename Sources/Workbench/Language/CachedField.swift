import PluginKit
import Synchronization

/// A field read from successive rows. The rows of a table have it at the same index, which is tried first.
final class CachedField: Sendable {
    private let name: String
    private let lastIndex = Atomic(0)

    init(_ name: String) { self.name = name }

    /// The field of a row; `nil` if the row has no such field.
    func value(in row: Value) -> Value? {
        guard case .record(let record) = row else { return row.field(name) }
        let likely = lastIndex.load(ordering: .relaxed)
        if record.has(name, at: likely) { return record.values[likely] }
        guard let found = record.keys.firstIndex(of: name) else { return nil }
        lastIndex.store(found, ordering: .relaxed)
        return record.values[found]
    }

    /// The field of a row if it is a number where the last row had it, which needs no copy of a value that is counted; `nil` for all
    /// others, which `value(in:)` finds.
    func number(in row: Value) -> Value? {
        guard case .record(let record) = row else { return nil }
        let likely = lastIndex.load(ordering: .relaxed)
        guard record.has(name, at: likely) else { return nil }
        switch record.values[likely] {
        case .integer(let number): return .integer(number)
        case .number(let number): return .number(number)
        default: return nil
        }
    }

    /// The field of a row if it is a whole number where the last row had it; `nil` for all others, which `value(in:)` finds.
    func whole(in row: Value) -> Int? {
        guard case .record(let record) = row else { return nil }
        let likely = lastIndex.load(ordering: .relaxed)
        guard record.has(name, at: likely), case .integer(let number) = record.values[likely] else {
            return nil
        }
        return number
    }
}

extension Record {
    fileprivate func has(_ key: String, at index: Int) -> Bool { index < keys.count && keys[index] == key }
}
