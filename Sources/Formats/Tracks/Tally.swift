/// Kinds of what was left out or is doubtful, in the order in which they were met, each with its count.
struct Tally {
    private(set) var kinds: [(what: String, count: Int)] = []
    /// The lines of the first of some kinds.
    private var lines: [String: Int] = [:]
    /// Kinds beyond this number are not listed.
    var most: Int

    init(most: Int = .max) { self.most = most }

    /// Each kind with its count, and the line of the first where it is known.
    var words: [String] {
        kinds.map { kind in
            "\(kind.what): \(kind.count)" + (lines[kind.what].map { " (first in line \($0))" } ?? "")
        }
    }

    /// Adds one of a kind; `line` is asked for the first.
    mutating func add(_ what: String, at line: () -> Int?) {
        if !kinds.contains(where: { $0.what == what }) { lines[what] = line() }
        add(what)
    }

    mutating func add(_ what: String, count: Int = 1) {
        guard count > 0 else { return }
        if let index = kinds.firstIndex(where: { $0.what == what }) {
            kinds[index].count += count
        } else if kinds.count < most {
            kinds.append((what, count))
        }
    }

    /// Takes back one of a kind.
    mutating func remove(_ what: String) {
        guard let index = kinds.firstIndex(where: { $0.what == what }) else { return }
        kinds[index].count -= 1
        if kinds[index].count == 0 { kinds.remove(at: index) }
    }
}
