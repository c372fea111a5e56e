/// Walking through the history while a line is edited.
///
/// libedit's own walk keeps only the first 1024 characters of the line that is left behind, and forgets changes to
/// an entry that is passed. Here both come back.
struct HistoryBrowser {
    private let entries: [String]
    /// The place in `entries`; one past the end is the new line.
    private var position: Int
    private var changed: [Int: String] = [:]

    init(entries: [String]) {
        self.entries = entries
        position = entries.count
    }

    /// The entry before, or nil at the oldest. `current` is what the line holds now.
    mutating func previous(from current: String) -> String? { move(by: -1, from: current) }

    /// The entry after, or nil at the new line.
    mutating func next(from current: String) -> String? { move(by: 1, from: current) }

    /// Goes on from an entry that a search has brought into the line.
    mutating func continueAfterSearch(at current: String) {
        guard let found = entries[..<position].lastIndex(of: current) ?? entries.lastIndex(of: current)
        else { return }
        position = found
    }

    private mutating func move(by step: Int, from current: String) -> String? {
        let target = position + step
        guard (0...entries.count).contains(target) else { return nil }
        changed[position] = current
        position = target
        return changed[target] ?? (target < entries.count ? entries[target] : "")
    }
}
