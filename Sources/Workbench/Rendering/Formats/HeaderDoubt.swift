import Foundation

/// Whether the first line of a table may be a row like the others: then the names of its columns are values of their kinds.
enum HeaderDoubt {
    /// Whole numbers that are names alone, as years are in a table with a column for each.
    private static let years = 1900...2100

    /// The first name that is a value of its column's kind; `nil` where the names look like names. Whole numbers that ascend
    /// behind another name are those of a table with a column for each year, hour or age.
    static func value(among names: [String], _ kinds: [ColumnKind?], in time: CellTime) -> String? {
        let found = zip(names, kinds).enumerated().filter { _, column in
            switch column.1 {
            case .number?, .commaNumber?, .date?, .coordinate?: column.1?.value(column.0, in: time) != nil
            default: false
            }
        }
        guard let first = found.first else { return nil }
        let whole = found.compactMap { Int($0.element.0.trimmingCharacters(in: .whitespaces)) }
        let ascends = zip(whole, whole.dropFirst()).allSatisfy { $0 < $1 }
        let isSeries = first.offset > 0 && whole.count == found.count && ascends
        if isSeries, whole.count > 1 || years.contains(whole[0]) { return nil }
        return first.element.0.trimmingCharacters(in: .whitespaces)
    }
}
