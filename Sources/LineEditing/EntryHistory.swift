/// The entries of this session and, with a file, of earlier sessions.
struct EntryHistory {
    private(set) var entries: [String] = []
    /// Why the file could not be read or written. Entries are still kept for the session.
    private(set) var problem: String?

    private let file: HistoryFile?
    private let limit: Int
    private let savedForm: @Sendable (String) -> String

    init(path: String?, limit: Int, savedForm: @escaping @Sendable (String) -> String = { $0 }) {
        self.limit = max(1, limit)
        self.savedForm = savedForm
        file = path.map { HistoryFile(path: $0, limit: max(1, limit)) }
        guard let file else { return }
        do {
            entries = try file.load()
        } catch {
            note(error)
        }
    }

    /// Adds an entry, unless it is excluded or equals the previous one. Returns whether it was added.
    mutating func add(_ entry: String) -> Bool {
        guard HistoryEncoding.isKept(entry), entry != entries.last else { return false }
        entries.append(entry)
        if entries.count > limit { entries.removeFirst(entries.count - limit) }
        do {
            try file?.append(savedForm(entry))
        } catch {
            note(error)
        }
        return true
    }

    /// The continuation of the newest one-line entry that begins with a text; `nil` for blank text or without a match.
    func suggestion(for text: String) -> String? {
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        let begun = text.utf8
        let found = entries.last {
            $0.utf8.count > begun.count && $0.utf8.starts(with: begun)
                && !$0.utf8.contains(UInt8(ascii: "\n"))
        }
        return found.map { String(decoding: $0.utf8.dropFirst(begun.count), as: UTF8.self) }
    }

    private mutating func note(_ failure: HistoryFile.Failure) {
        problem = "\(failure.path): \(failure.reason)"
    }
}
