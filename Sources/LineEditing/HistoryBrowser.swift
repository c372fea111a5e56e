/// Browsing the history while a line is edited.
///
/// libedit's own browsing keeps only the first 1024 characters of the line left behind, and loses changes to
/// visited entries. This keeps both.
struct HistoryBrowser {
    private let entries: [String]
    /// The index in `entries`; one past the end is the new line.
    private var position: Int
    private var changed: [Int: String] = [:]

    init(entries: [String]) {
        self.entries = entries
        position = entries.count
    }

    /// The previous entry, or nil at the oldest. `current` is the current text of the line.
    mutating func previous(from current: String) -> String? { move(by: -1, from: current) }

    /// The next entry, or nil at the new line.
    mutating func next(from current: String) -> String? { move(by: 1, from: current) }

    /// Continues from an entry found by search.
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
