import Core
import PluginKit

/// Checks values against a command's declared input and output.
extension CommandSpec {
    /// The input with computed rows. Throws `E-INPUT-KIND` if it does not match the declaration.
    func taken(_ input: Value, by plugin: String) throws -> Value {
        var input = input
        if case .rows(let rows) = input, rows.isLazy {
            let all = try rows.collect()
            input = .rows(
                Rows(all, columns: rows.columns ?? all.commonColumns, note: rows.note, cut: rows.cut))
        }
        if self.input.fits(input, isInput: true) { return input }
        let fix =
            switch (self.input, input) {
            case (.nothing, _): "put it first in the pipeline"
            case (_, .nothing): "… | \(name)"
            default: "help \(name)"
            }
        throw CommonErrors.inputKind(
            "`\(name)` of the plugin `\(plugin)` takes \(self.input.words), not \(input.shapeInWords)",
            fix: fix)
    }

    /// The error in a command's output; `nil` if it matches the declaration.
    func fault(ofOutput value: Value, from input: Value) -> String? {
        let fits: Bool
        if case .sameRows = output, let came = input.asRows, let gone = value.asRows {
            let (before, after) = (came.ready ?? [], gone.ready ?? [])
            fits =
                after.count <= before.count
                && (after.isEmpty
                    || (gone.columns ?? after.commonColumns) == (came.columns ?? before.commonColumns))
        } else {
            fits = output.fits(value, isInput: false)
        }
        return fits ? nil : "`\(name)` declares the output \(output.words) and returned \(value.shapeInWords)"
    }
}

extension CommandSpec.Shape {
    /// The shape as written in a declaration.
    fileprivate var words: String {
        switch self {
        case .any: "a value"
        case .sameRows: "the input rows"
        case .optional(let inner): "nothing or \(inner.words)"
        case .nothing, .value, .rows: description
        }
    }

    /// Whether a value matches it. Input rows may have additional columns, in any order.
    fileprivate func fits(_ value: Value, isInput: Bool) -> Bool {
        switch self {
        case .nothing:
            if case .nothing = value { return true }
            return false
        case .any:
            if isInput, case .nothing = value { return false }
            return true
        case .optional(let inner):
            if case .nothing = value { return true }
            return inner.fits(value, isInput: isInput)
        case .sameRows: return value.asRows != nil
        case .rows(let columns):
            guard let rows = value.asRows else { return false }
            if columns.isEmpty { return true }
            let items = rows.ready ?? []
            guard let known = rows.columns ?? items.commonColumns else { return items.isEmpty }
            return isInput ? Set(known).isSuperset(of: columns) : known == columns
        case .value(let kind): return value.isOf(kind, isInput: isInput)
        }
    }
}

extension Value {
    /// Whether it has the declared kind.
    fileprivate func isOf(_ kind: String, isInput: Bool) -> Bool {
        switch (kind, self) {
        case ("list", .list), ("record", .record): return true
        case ("list", .rows(let rows)): return rows.columns == nil
        case ("list", .object(let object)):
            return (object as? any TabularObject).map { $0.table.columns == nil } ?? false
        case ("record", .object): return isInput
        default: return kindName == kind
        }
    }

    /// Its kind, and for rows their columns.
    fileprivate var shapeInWords: String {
        guard let rows = asRows, let columns = rows.columns ?? rows.ready?.commonColumns else {
            if case .text = self { return "text" }
            return article
        }
        let shown = columns.prefix(8).joined(separator: " ") + (columns.count > 8 ? " …" : "")
        return "rows: \(TerminalText.withoutControls(shown))"
    }
}
