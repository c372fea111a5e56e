import PluginKit

/// A line (a route of the feed) as a value.
struct LineObject: FieldedObject {
    static let kind = "line"
    let number: Int64
    let route: Feed.Route
    /// The fares that may be valid on it; `nil` where they were not asked for, or the feed has none.
    var fares: [FareObject]?
    /// What alerts say of it; empty where it was not asked.
    var alerts: [String] = []

    /// The columns of some lines: agencies where two of a name are those of different ones.
    static func columns(of lines: [LineObject]) -> [String] {
        columns + (lines.contains { $0.route.isNamesake } ? ["agency"] : [])
    }

    var typeName: String { Self.kind }

    static let fields = FieldTable<Self> {
        Field(column: "line") { .text($0.route.name) }
        Field(column: "name") { .text($0.route.longName) }
        Field(column: "mode") { .text(TransitMode(routeType: $0.route.type).rawValue) }
        Field(column: "id") { .text($0.route.id) }
        Field("color") { Value($0.route.color, Value.text) }
        Field("agency", where: { $0.route.agency != nil }) { Value($0.route.agency, Value.text) }
        Field("fares", where: { $0.fares != nil }) { Value($0.fares) { .list($0.map { .text($0.words) }) } }
        Field("alerts", where: { !$0.alerts.isEmpty }) { .list($0.alerts.map { .text($0) }) }
    }

    var summary: String { route.name }
}

/// Finds lines by name or identifier.
struct LineReferences: ReferenceResolving {
    let library: FeedLibrary
    let kind = LineObject.kind
    let listing: String? = "line list"
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
