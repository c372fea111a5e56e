/// Kinds of what was left out or is doubtful, in the order in which they were met, each with its count.
struct Tally {
    private(set) var kinds: [(what: String, count: Int)] = []
    /// Kinds beyond this number are not listed.
    var most = Int.max

    mutating func add(_ what: String, count: Int = 1) {
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
