/// Distinguishes, during one pass over rows, a field that a row lacks from one that does not exist.
///
/// Rows may have different fields: a field missing from a row is nothing there. A name that no row has is an
/// error. It is detected at once if the fields of all rows are known, otherwise at the end of the pass.
public final class FieldWatch {
    /// Creates the error for a name that no row has, from the known fields.
    public typealias Fault = (_ names: [String]) -> RutterError

    private enum Sight {
        case missed(Fault)
        case found
    }

    private let rows: Rows
    private var sights: [String: Sight] = [:]
    private var seen: [String] = []
    private var seenSet: Set<String> = []
    private var known: Set<String>?
    private var hasLooked = false
    private var hasSeenRow = false
    /// The error thrown for a name.
    private var fault: RutterError?

    /// A watch for a pass over rows.
    public init(_ rows: Rows) { self.rows = rows }

    /// Whether some row has a field; `nil` if not known yet.
    public func knows(_ name: String) -> Bool? {
        guard rows.fieldsAreKnown else { return nil }
        if !hasLooked {
            hasLooked = true
            known = rows.knownFields.map(Set.init)
        }
        return known.map { $0.contains(name) }
    }

    /// Records that a row has the field, or the nested field.
    public func found(_ name: String, isNested: Bool = false) {
        hasSeenRow = true
        if rows.fieldsAreKnown && !isNested { return }
        if case .found? = sights[name] { return }
        sights[name] = .found
    }

    /// Records that a row with these fields lacks one, or a nested field. Throws if it is known that no row has it.
    public func missed(
        _ name: String, isNested: Bool = false, in fields: [String], _ fault: @escaping Fault
    ) throws(RutterError) {
        hasSeenRow = true
        if let isKnown = knows(name) {
            if isKnown { return }
            let head = String(name.prefix { $0 != "." })
            guard isNested, knows(head) == true else {
                let all = rows.knownFields ?? fields
                let error = fault(all.count == fields.count ? fields : all)
                self.fault = error
                throw error
            }
        }
        for field in fields where seenSet.insert(field).inserted { seen.append(field) }
        if sights[name] == nil { sights[name] = .missed(fault) }
    }

    /// Records that a bare word stood for a text, beside a row's value. A word that no row has, but that is nearly a value or
    /// a field, is an error at the end: it would select nothing, or everything, without a word.
    public func compared(_ word: String, with value: Value, _ fault: @escaping Fault) {
        hasSeenRow = true
        if words[word] == nil { words[word] = Comparison(fault: fault) }
        guard words[word]?.isFound == false, case .text(let text) = value else { return }
        if text == word {
            words[word]?.isFound = true
        } else if words[word]?.others.count ?? 0 < Self.mostOthers {
            words[word]?.others.insert(text)
        }
    }

    private struct Comparison {
        let fault: Fault
        var isFound = false
        var others: Set<String> = []
    }

    private var words: [String: Comparison] = [:]
    /// Different values that are compared with a word.
    private static let mostOthers = 200

    /// Throws the error of a word that is nearly something else.
    private func checkWords() throws(RutterError) {
        for word in words.keys.sorted() {
            guard let comparison = words[word], !comparison.isFound else { continue }
            let names = comparison.others.sorted() + (rows.knownFields ?? seen)
            if Suggestion.nearest(to: word, in: names) != nil { throw comparison.fault(names) }
        }
    }

    /// Ends the pass. Throws the error for a name that no row had.
    ///
    /// If there was no row, `step` runs on one in which every known field is nothing, so that a wrong name is
    /// detected in an empty table, too. Its other errors are ignored.
    public func finish(_ step: (Value, FieldWatch) throws -> Void) throws(RutterError) {
        if !hasSeenRow, rows.fieldsAreKnown, let names = rows.knownFields {
            let blank = Record(keys: names, values: names.map { _ in .nothing })
            do { try step(.record(blank), self) } catch { if let fault { throw fault } }
        }
        for name in sights.keys.sorted() {
            if case .missed(let fault)? = sights[name] { throw fault(seen) }
        }
        try checkWords()
    }
}

extension Rows {
    /// Lazy rows that a step computes from these by field name; a name that no row has is an error. The step
    /// returns `nil` to skip a row.
    public func watchingFields(
        columns: [String]?, fields: (@Sendable () -> [String]?)? = nil,
        _ step: @escaping @Sendable (Value, FieldWatch) throws -> Value?
    ) -> Rows {
        deriving(columns: columns, fields: fields) { source in
            let watch = FieldWatch(self)
            return {
                while let row = try source.next() {
                    // Returned rows are checked by their consumer; this check is for skipped rows.
                    guard let made = try step(row, watch) else {
                        try Interruption.check()
                        continue
                    }
                    return made
                }
                try watch.finish { _ = try step($0, $1) }
                return nil
            }
        }
    }
}
