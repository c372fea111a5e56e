import GRDB
import TrailStores

/// The texts of a feed in another language (translations.txt): by the record, else by the text itself.
struct FeedTranslation: Sendable {
    private struct Key: Hashable {
        var table: String
        var field: String
        var text: String
    }

    /// BCP 47, as the feed writes it.
    let language: String
    private var byRecord: [Key: String] = [:]
    private var byValue: [Key: String] = [:]

    /// The languages of the translations with their numbers, in order.
    static func languages(_ db: Database) throws -> [(language: String, count: Int)] {
        // Another program's table has the columns of the feed.
        guard try db.tableExists("translations"),
            try Set(db.columns(in: "translations").map(\.name)).isSuperset(of: [
                "kind", "field", "record", "value", "language", "text",
            ])
        else { return [] }
        let rows = try RawStatement(
            db, "SELECT language, count(*) FROM translations GROUP BY language ORDER BY language")
        var found: [(language: String, count: Int)] = []
        while try rows.next() { found.append((rows.text(0) ?? "", Int(rows.integer(1)))) }
        return found
    }

    /// The language of a feed for one that is asked: the same, else the one of its first part (`de` for `de-CH`),
    /// else the only one that begins with it.
    static func match(_ asked: String, among languages: [String]) -> String? {
        let wanted = asked.lowercased()
        func first(_ tag: String) -> Substring { tag.lowercased().prefix { $0 != "-" } }
        let near = languages.filter { first($0) == first(asked) }
        let only = near.count == 1 ? near.first : nil
        return languages.first { $0.lowercased() == wanted }
            ?? languages.first { $0.lowercased() == first(asked) } ?? only
    }

    /// Reads the texts in a language.
    init(_ db: Database, _ language: String) throws {
        self.language = language
        let rows = try RawStatement(
            db, "SELECT kind, field, record, value, text FROM translations WHERE language = ? ORDER BY rowid")
        rows.bind(1, language)
        while try rows.next() {
            let (table, field) = (rows.text(0) ?? "", rows.text(1) ?? "")
            guard let text = rows.text(4) else { continue }
            if let record = rows.text(2) {
                byRecord[Key(table: table, field: field, text: record)] = text
            } else if let value = rows.text(3) {
                byValue[Key(table: table, field: field, text: value)] = text
            }
        }
    }

    /// A text of a record; the text itself without a translation.
    func text(_ table: String, _ field: String, of record: String = "", _ value: String) -> String {
        byRecord[Key(table: table, field: field, text: record)]
            ?? byValue[Key(table: table, field: field, text: value)]
            ?? byValue[Key(table: "", field: "", text: value)] ?? value
    }
}

extension Feed {
    /// The language of its names without translations; `nil` if it does not say, or if it says that there are several.
    var ownLanguage: String? {
        metadata[TransitSchema.Key.language].flatMap { $0.lowercased() == "mul" ? nil : $0 }
    }

    /// The headsign of a trip in the language chosen.
    func tripSign(_ sign: String?, of trip: String?) -> String? {
        guard let sign, !sign.isEmpty, let translation else { return sign }
        return translation.text("trips", "trip_headsign", of: trip ?? "", sign)
    }

    /// The headsign of a call in the language chosen.
    func callSign(_ sign: String?) -> String? {
        guard let sign, !sign.isEmpty, let translation else { return sign }
        return translation.text("stop_times", "stop_headsign", sign)
    }
}
