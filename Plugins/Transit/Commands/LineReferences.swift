import PluginKit

/// A line (a route of the feed) as a value.
struct LineObject: DomainObject {
    static let kind = "line"
    static let columns = ["line", "name", "mode", "id"]

    let number: Int64
    let route: Feed.Route
    /// The fares that may be valid on it; `nil` where they were not asked for, or the feed has none.
    var fares: [FareObject]?
    /// What alerts say of it; empty where it was not asked.
    var alerts: [String] = []

    var typeName: String { Self.kind }
    var fieldNames: [String] {
        Self.columns + ["color"] + (route.agency == nil ? [] : ["agency"])
            + (fares == nil ? [] : ["fares"]) + (alerts.isEmpty ? [] : ["alerts"])
    }

    func field(_ name: String) -> Value? {
        switch name {
        case "line": .text(route.name)
        case "name": .text(route.longName)
        case "mode": .text(TransitMode(routeType: route.type).rawValue)
        case "id": .text(route.id)
        case "color": Value(route.color, Value.text)
        case "agency": Value(route.agency, Value.text)
        case "alerts": .list(alerts.map { .text($0) })
        case "fares": Value(fares) { .list($0.map { .text($0.words) }) }
        default: nil
        }
    }

    var summary: String { route.name }
}

/// Finds lines by name or identifier.
struct LineReferences: ReferenceResolving {
    let library: FeedLibrary
    let kind = LineObject.kind
    let firstSteps: String? =
        "`feed import FEED.zip` brings a timetable, or `feed sample` writes one to import"

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        let lines = try lines(context)
        if let same = lines.first(where: { $0.route.id == text }) { return [reference(same, lines)] }
        let folded = NameWords.folded(text)
        let named = lines.filter {
            NameWords.folded($0.route.name) == folded || NameWords.folded($0.route.longName) == folded
        }
        return named.map { reference($0, lines) }
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        let lines = try lines(context)
        let folded = NameWords.folded(prefix)
        return lines.filter {
            NameWords.folded($0.route.name).hasPrefix(folded) || $0.route.id.hasPrefix(prefix)
        }
        .prefix(limit).map { reference($0, lines) }
    }

    private func lines(_ context: Context) throws -> [LineObject] {
        guard let feed = try library.feedIfAny(context) else { return [] }
        return feed.routes.map { LineObject(number: $0.key, route: $0.value) }.sorted {
            $0.route.rank < $1.route.rank
        }
    }

    private func reference(_ line: LineObject, _ all: [LineObject]) -> Reference {
        let isClear = all.count { $0.route.name == line.route.name } == 1
        return Reference(
            name: isClear ? line.route.name : line.route.id,
            detail: [
                "\(TransitMode(routeType: line.route.type).rawValue) line", line.route.longName,
                line.route.isNamesake ? line.route.agency.map { "of \($0)" } ?? "" : "",
            ].filter { !$0.isEmpty }.joined(separator: " ") + ", \(line.route.id)",
            object: line)
    }
}
