/// Tells, during one pass over rows, a field that a row lacks from one that does not exist.
///
/// Rows need not be alike: a key that a row lacks is nothing there. A name that no row has is a mistake. Where the fields
/// of all rows are known it is found at once, else at the end of the pass.
public final class FieldWatch {
    /// What makes the error about a name that no row has, from the fields that rows do have.
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
    /// What was thrown about a name.
    private var fault: RutterError?

    /// A watch for a pass over rows.
    public init(_ rows: Rows) { self.rows = rows }

    /// Whether some row has a field; `nil` where that is not known yet.
    public func knows(_ name: String) -> Bool? {
        guard rows.fieldsAreKnown else { return nil }
        if !hasLooked {
            hasLooked = true
            known = rows.knownFields.map(Set.init)
        }
        return known.map { $0.contains(name) }
    }

    /// A row has the field, or the field of a field.
    public func found(_ name: String, isNested: Bool = false) {
        hasSeenRow = true
        if rows.fieldsAreKnown && !isNested { return }
        if case .found? = sights[name] { return }
        sights[name] = .found
    }

    /// A row with these fields lacks one, or the field of a field. Throws when it is known that no row has it.
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

    /// The pass has ended. Throws the error about a name that no row had.
    ///
    /// Where there was no row, `step` is tried on one in which every known field is nothing, so that a wrong name is found
    /// in an empty table, too. What else it throws says nothing about the rows.
    public func finish(_ step: (Value, FieldWatch) throws -> Void) throws(RutterError) {
        if !hasSeenRow, rows.fieldsAreKnown, let names = rows.knownFields {
            let blank = Record(keys: names, values: names.map { _ in .nothing })
            do { try step(.record(blank), self) } catch { if let fault { throw fault } }
        }
        for name in sights.keys.sorted() {
            if case .missed(let fault)? = sights[name] { throw fault(seen) }
        }
    }
}

extension Rows {
    /// Lazy rows made of these by a step that looks at fields by name; a name that no row has is an error. The step returns
    /// `nil` for a row that is left out.
    public func watchingFields(
        columns: [String]?, fields: (@Sendable () -> [String]?)? = nil,
        _ step: @escaping @Sendable (Value, FieldWatch) throws -> Value?
    ) -> Rows {
        deriving(columns: columns, fields: fields) { source in
            let watch = FieldWatch(self)
            return {
                while let row = try source.next() {
                    // Whoever takes the rows looks after each; here it is for those that are left out.
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
