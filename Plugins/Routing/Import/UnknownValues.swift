import PluginKit

/// How many ways and obstacles of a map have a tag whose value is not understood.
package struct UnknownValues: Sendable, Hashable {
    /// The number of objects by tag, such as `access=sometimes`.
    package private(set) var counts: [String: Int] = [:]

    /// Tags named in a notice; all are in the region.
    private static let named = 3

    package init() {}

    /// Reads the text of a region.
    init(text: String) {
        for line in text.split(separator: "\n") {
            guard let space = line.firstIndex(of: " "), let count = Int(line[..<space]) else { continue }
            counts[String(line[line.index(after: space)...])] = count
        }
    }

    /// Counts an object with tags that are not understood.
    mutating func add(_ tags: [String]) {
        for tag in tags { counts[tag, default: 0] += 1 }
    }

    /// The most frequent first.
    package var sorted: [(tag: String, count: Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { (tag: $0.key, count: $0.value) }
    }

    /// A line for each tag, for the region.
    var text: String { sorted.map { "\($0.count) \($0.tag)" }.joined(separator: "\n") }

    /// The rows of tags and counts.
    var table: Value {
        .table(columns: ["tag", "objects"], cells: sorted.map { [.text($0.tag), .integer($0.count)] })
    }

    /// What an import says; `nil` if everything was understood.
    func notice(region: String) -> String? {
        let all = sorted
        guard !all.isEmpty else { return nil }
        let first = all.prefix(Self.named).map { "\($0.tag) (\($0.count))" }.joined(separator: ", ")
        let rest = all.count > Self.named ? ", …: `region show \(region) | get unknown` lists all" : ""
        return "\(all.count, of: "tag") of ways and obstacles not understood: \(first)\(rest)"
    }

    /// The tags of a way or an obstacle whose values are not understood.
    static func tags(_ tags: (String) -> String?) -> [String] {
        KnownValues.keys.compactMap { key in
            guard let value = tags(key), !KnownValues.isUnderstood(value, of: key) else { return nil }
            return "\(key)=\(value.map { $0.isNewline ? " " : String($0) }.joined())"
        }
    }

    /// The kind of a way that is not kept, if it is none that is known.
    static func kind(_ tags: WayTags) -> [String] {
        guard let highway = tags["highway"], !WayRules.kept.contains(highway),
            !WayRules.others.contains(highway)
        else { return [] }
        return ["highway=\(highway)"]
    }
}
