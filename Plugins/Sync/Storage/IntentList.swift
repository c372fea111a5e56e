/// The writes into the apps' stores that may not have happened yet.
struct IntentList {
    /// The intents written by the next commit, including those that it settles.
    private(set) var held: [RecordKey: Intent]
    private(set) var isChanged = false
    private var settled: Set<RecordKey> = []

    /// A list of the intents stored in `sync.db`.
    init(_ saved: [RecordKey: Intent]) { held = saved }

    var isEmpty: Bool { held.isEmpty }
    var keys: [RecordKey] { held.keys.sorted() }

    /// An intent that is not settled.
    subscript(_ key: RecordKey) -> Intent? { settled.contains(key) ? nil : held[key] }

    /// Whether a record has an intent, settled or not.
    func has(_ key: RecordKey) -> Bool { held[key] != nil }

    /// Removes an intent with the next commit.
    mutating func settle(_ key: RecordKey) {
        settled.insert(key)
        isChanged = true
    }

    /// Keeps an intent that no later commit settles.
    mutating func leaveOpen(_ key: RecordKey) {
        guard let open = held[key]?.leftOpen, open != held[key] else { return }
        held[key] = open
        isChanged = true
    }

    /// Adds the intents of the planned rows, and removes settled ones.
    mutating func begin(_ planned: [RecordEntry], commit: Int64) {
        for key in settled { held[key] = nil }
        settled = []
        for entry in planned { held[entry.key] = Intent(before: entry.plan?.before, commit: commit) }
        if !planned.isEmpty { isChanged = true }
    }

    /// Marks the list as stored in `sync.db`.
    mutating func committed() { isChanged = false }

    /// Removes the intents whose rows were written.
    mutating func end(_ done: [RecordKey]) {
        for key in done { held[key] = nil }
        if !done.isEmpty { isChanged = true }
    }
}
