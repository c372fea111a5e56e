import PluginKit
import Synchronization

/// A field read from successive rows. The rows of a table have it at the same index, which is tried first.
final class CachedField: Sendable {
    private let name: String
    private let place = Atomic(0)

    init(_ name: String) { self.name = name }

    /// The field of a row; `nil` where the row has none of the name.
    func value(in row: Value) -> Value? {
        guard case .record(let record) = row else { return row.field(name) }
        let likely = place.load(ordering: .relaxed)
        if record.has(name, at: likely) { return record.values[likely] }
        guard let found = record.keys.firstIndex(of: name) else { return nil }
        place.store(found, ordering: .relaxed)
        return record.values[found]
    }
}

extension Record {
    fileprivate func has(_ key: String, at index: Int) -> Bool { index < keys.count && keys[index] == key }
}
