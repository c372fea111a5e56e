import GRDB
import TrailStores

/// Thrown when a row has a value that cannot be sent as it is.
struct UnreadableRow: Error {
    let why: String
}

/// The rows of an app's table whose identifier is not written in capitals: some apps write lower case, and some rows
/// have none, another one, or one that differs from another row's in case only.
struct RowSpellings {
    /// The state of the file when it was read.
    let state: Int64
    /// Identifiers in mixed case, by record.
    private(set) var mixed: [RecordName: String] = [:]
    /// Identifiers of rows that have no record, because another row has it.
    private(set) var strays: Set<String> = []
    /// Records of which several rows have the same identifier, with the reason: none of them is the record's.
    private(set) var repeated: [RecordName: String] = [:]
    /// The rows that have no record.
    private(set) var rows: [(place: String, why: String)] = []

    /// Characters of an identifier in words.
    private static let longestShown = 40
    /// The shape of a UUID, as a pattern.
    private static let shape = "________-____-____-____-____________"

    /// The spellings under which the row of a record is written: twice the same if another row has one of them.
    func spellings(of name: RecordName) -> (String, String) {
        let text = mixed[name] ?? name.text
        let small = name.lowercaseText
        return (text, strays.contains(small) ? text : small)
    }

    /// Searches a table; its index of identifiers suffices for that.
    init(_ db: Database, _ table: String, state: Int64, hasRowNumbers: Bool) throws {
        self.state = state
        let number = hasRowNumbers ? "_rowid_" : "NULL"
        let found = try RawStatement(
            db,
            """
            SELECT id, \(number), id IS NOT NULL AND EXISTS (
                SELECT 1 FROM \(table) o WHERE o.id = upper(t.id) AND o.id <> t.id COLLATE BINARY)
            FROM \(table) t WHERE id IS NULL OR typeof(id) <> 'text' OR id <> upper(id) COLLATE BINARY
                OR id NOT LIKE '\(Self.shape)' OR id GLOB '*[^-0-9A-F]*'
            """)
        var taken: Set<RecordName> = []
        while try found.next() {
            let place = found.isNull(1) ? "a row" : "row \(found.integer(1))"
            guard let text = found.text(0) else {
                rows.append((place, "it has no identifier"))
                continue
            }
            guard found.storage(0) == .text, let name = RecordName(text: text) else {
                let shown = text.prefix(Self.longestShown)
                rows.append((place, "its identifier '\(shown)' is no UUID"))
                continue
            }
            let isCapital = text == name.text
            if !isCapital, found.integer(2) != 0 || taken.contains(name) {
                rows.append((place, "its identifier \(text) is another row's in other letters"))
                strays.insert(text)
                continue
            }
            taken.insert(name)
            if !isCapital, text != name.lowercaseText { mixed[name] = text }
        }
        if try !Self.isKeyed(db, table) { try findRepeated(db, table) }
    }

    /// Whether an index of the table forbids two rows with one identifier. A table that was built again may lack it.
    private static func isKeyed(_ db: Database, _ table: String) throws -> Bool {
        let keys = try RawStatement(
            db,
            """
            SELECT 1 FROM pragma_index_list('\(table)') AS l WHERE l."unique" AND NOT l.partial
                AND (SELECT count(*) FROM pragma_index_info(l.name)) = 1
                AND (SELECT lower(name) FROM pragma_index_info(l.name)) = 'id'
            """)
        return try keys.next()
    }

    private mutating func findRepeated(_ db: Database, _ table: String) throws {
        let found = try RawStatement(
            db, "SELECT id, count(*) FROM \(table) WHERE typeof(id) = 'text' GROUP BY id HAVING count(*) > 1")
        while try found.next() {
            guard let text = found.text(0), let name = RecordName(text: text) else { continue }
            repeated[name] = "\(found.integer(1)) rows have its identifier"
        }
    }
}
