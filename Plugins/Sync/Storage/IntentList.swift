/// The writes into the apps' stores that may not have happened yet.
struct IntentList {
    /// As the next commit writes them, those that it settles among them.
    private(set) var held: [RecordKey: Intent]
    private(set) var isChanged = false
    private var settled: Set<RecordKey> = []

    /// Those that `sync.db` has.
    init(_ saved: [RecordKey: Intent]) { held = saved }

    var isEmpty: Bool { held.isEmpty }
    var keys: [RecordKey] { held.keys.sorted() }

    /// One that is not settled.
    subscript(_ key: RecordKey) -> Intent? { settled.contains(key) ? nil : held[key] }

    /// Whether there is one for a record, settled or not.
    func has(_ key: RecordKey) -> Bool { held[key] != nil }

    /// Removes one with the next commit.
    mutating func settle(_ key: RecordKey) {
        settled.insert(key)
        isChanged = true
    }

    /// Adds the intents of the planned rows, and removes settled ones.
    mutating func begin(_ planned: [RecordEntry], commit: Int64) {
        for key in settled { held[key] = nil }
        settled = []
        for entry in planned { held[entry.key] = Intent(before: entry.plan?.before, commit: commit) }
        if !planned.isEmpty { isChanged = true }
    }

    /// `sync.db` has them as they are.
    mutating func committed() { isChanged = false }

    /// Removes those whose rows were written.
    mutating func end(_ done: [RecordKey]) {
        for key in done { held[key] = nil }
        if !done.isEmpty { isChanged = true }
    }
}
