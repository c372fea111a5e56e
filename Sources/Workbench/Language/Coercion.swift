import CivilTime
import Foundation
import Geodesy
import PluginKit

/// Converts a word or a value to the kind that a parameter takes. Nothing is guessed: a mismatch is an error
/// that shows what to write.
struct Coercion {
    let context: Context
    let time: TimeContext
    let parameter: ParameterSpec

    // MARK: Words

    /// A word without quotes.
    func value(ofBare text: String) async throws -> Value {
        switch parameter.kind {
        case .text, .field, .words, .choice, .inputFile, .outputFile, .inputPath:
            return try await value(ofQuoted: text)
        case .reference(let kind):
            return .object(try await ReferenceLookUp.one(text, kind: kind, context: context).object)
        case .boolean:
            if text == "true" { return .boolean(true) }
            if text == "false" { return .boolean(false) }
            throw wrongKind("`\(text)`", "write true or false")
        case .value where !startsLikeNumber(text): return bareValue(text)
        // A range, such as 10m..60m, whose ends the command reads.
        case .value where text.contains(".."): return .text(text)
        case .date, .localDate:
            if let value = typedTime(text) { return value }
        case .coordinate where !startsLikeNumber(text):
            return try await place(named: text, written: "`\(text)`")
        default: break
        }
        guard startsLikeNumber(text) else { throw wrongKind("`\(text)`", nil) }
        switch try LiteralParser.parse(text) {
        case .localTime(let local):
            if case .localDate = parameter.kind { return .text(text) }
            return try await value(of: .date(time.moment(local)))
        case .value(let value): return try await self.value(of: value)
        }
    }

    /// Quoted text, which is never a number.
    func value(ofQuoted text: String) async throws -> Value {
        switch parameter.kind {
        case .text, .field, .words, .value, .source: return .text(text)
        case .choice(let choices): return .text(try choice(text, of: choices))
        case .inputFile: return .text(try file(text, folderAllowed: false).path)
        case .inputPath: return .text(try file(text, folderAllowed: true).path)
        case .outputFile: return .text(try output(text).path)
        case .reference(let kind):
            return .object(try await ReferenceLookUp.one(text, kind: kind, context: context).object)
        case .coordinate: return try await place(named: text, written: "the text '\(text)'")
        case .date, .localDate:
            if let value = typedTime(text) { return value }
            if let moment = ISO8601.timestamp(text) { return .date(moment) }
            throw wrongKind("the text '\(text)'", nil)
        default: throw wrongKind("the text '\(text)'", nil)
        }
    }

    /// A time without an offset. Where the command decides which clock applies, it is kept as it is written.
    private func typedTime(_ text: String) -> Value? {
        guard let local = LocalTime(text: text) else { return nil }
        if case .localDate = parameter.kind { return .text(text) }
        return .date(time.moment(local))
    }

    /// A place by name or address, if a plugin can look it up. The value keeps the name for its consumers.
    private func place(named text: String, written: String) async throws -> Value {
        guard let finder = context.all((any PlaceFinding).self).first else {
            // Interpolated, such as "$latitude,$longitude": parse a coordinate without a look-up. Other text
            // is rejected below, with both ways to write a place.
            if startsLikeNumber(text), case .value(.coordinate(let at)) = try? LiteralParser.parse(text) {
                return .coordinate(at)
            }
            throw wrongKind(
                written, "write LAT,LON such as 46.5012,7.9876, or @name for an item with a coordinate")
        }
        return .object(try await finder.place(named: text, context: context))
    }

    /// `@name`
    func value(ofReference name: String) async throws -> Value {
        switch parameter.kind {
        case .reference(let kind):
            return .object(try await ReferenceLookUp.one(name, kind: kind, context: context).object)
        default:
            return try await value(
                of: .object(try await ReferenceLookUp.one(name, kind: nil, context: context).object))
        }
    }

    // MARK: Values

    /// The value of a variable or expression, checked against the kind.
    func value(of value: Value) async throws -> Value {
        switch (parameter.kind, value) {
        case (.value, _): return value
        case (.list, _):
            guard value.asRows != nil else { throw wrongKind(value.kindWithArticle, nil) }
            return value
        case (.text, .text), (.field, .text), (.words, .text), (.date, .date), (.localDate, .date),
            (.box, .box),
            (.boolean, .boolean):
            return value
        case (.text, _) where value.fieldNames == nil:
            return .text(
                ValueText.inline(
                    value, timeZone: context.environment.timeZone, units: context.environment.units))
        case (.choice, .text(let text)), (.inputFile, .text(let text)), (.inputPath, .text(let text)),
            (.outputFile, .text(let text)), (.reference, .text(let text)), (.date, .text(let text)),
            (.localDate, .text(let text)):
            return try await self.value(ofQuoted: text)
        case (.reference(let kind), .object(let object))
        where ParameterKind.kinds(ofReference: kind).contains(object.typeName):
            return value
        case (.integer(let range), .integer(let number)):
            guard range.contains(number) else {
                throw CommonErrors.argumentRange(
                    "\(shownName) must be "
                        + bounds(
                            String(range.lowerBound), String(range.upperBound),
                            isOpenBelow: range.lowerBound == .min, isOpenAbove: range.upperBound == .max)
                        + ", not \(number)",
                    fix: nearest(String(min(max(number, range.lowerBound), range.upperBound))))
            }
            return value
        case (.integer, .number(let number)): throw wrongKind(Literal.number(number), nil)
        case (.number(let range), _):
            guard let number = value.asNumber else { throw wrongKind(value.kindWithArticle, nil) }
            guard range.contains(number) else {
                throw CommonErrors.argumentRange(
                    "\(shownName) must be "
                        + bounds(
                            Literal.number(range.lowerBound), Literal.number(range.upperBound),
                            isOpenBelow: range.lowerBound == -Double.greatestFiniteMagnitude,
                            isOpenAbove: range.upperBound == Double.greatestFiniteMagnitude)
                        + ", not \(Literal.number(number))",
                    fix: nearest(Literal.number(min(max(number, range.lowerBound), range.upperBound))))
            }
            return value
        case (.quantity(let dimension, let range), _): return try quantity(value, dimension, range)
        case (.coordinate, .text(let text)):
            return try await place(named: text, written: "the text '\(text)'")
        case (.coordinate, _):
            guard let place = value.asCoordinate else { throw wrongKind(value.kindWithArticle, nil) }
            return .coordinate(place)
        default: throw wrongKind(value.kindWithArticle, nil)
        }
    }

    private func quantity(
        _ value: Value, _ dimension: PhysicalDimension, _ range: ClosedRange<Double>
    ) throws(RutterError) -> Value {
        if let number = value.asNumber {
            throw LanguageErrors.dimension(
                "\(shownName) is \(dimension.withArticle) and needs a unit",
                fix: "write \(dimension.example(number))")
        }
        guard case .quantity(let quantity) = value else { throw wrongKind(value.kindWithArticle, nil) }
        guard quantity.dimension == dimension else {
            throw LanguageErrors.dimension(
                "\(shownName) is \(dimension.withArticle), not \(quantity.dimension.withArticle)",
                fix: "write it in " + MeasureUnit.of(dimension).map(\.symbol).joined(separator: ", "))
        }
        guard range.contains(quantity.value) else {
            throw CommonErrors.argumentRange(
                "\(shownName) must be "
                    + bounds(
                        shown(range.lowerBound, dimension), shown(range.upperBound, dimension),
                        isOpenBelow: range.lowerBound == -Double.greatestFiniteMagnitude,
                        isOpenAbove: range.upperBound == Double.greatestFiniteMagnitude)
                    + ", not \(Literal.quantity(quantity))",
                fix: nearest(shown(Self.meant(quantity.value, range, dimension), dimension)))
        }
        return value
    }

    // MARK: Parts

    private func startsLikeNumber(_ text: String) -> Bool {
        NumberScanner.startsNumber(Array(text.utf8.prefix(3)), at: 0)
    }

    /// A bare word where any value is allowed.
    private func bareValue(_ text: String) -> Value {
        switch text {
        case "true": .boolean(true)
        case "false": .boolean(false)
        case "nothing": .nothing
        default: .text(text)
        }
    }

    private func choice(_ text: String, of choices: [ParameterKind.Choice]) throws(RutterError) -> String {
        let words = choices.map(\.word)
        if words.contains(text) { return text }
        if let meant = Habits.choices[text] ?? Habits.choices[text.lowercased()], words.contains(meant) {
            return meant
        }
        if words.count == 1, let sign = words.first {
            throw LanguageErrors.choice(
                "expected `\(sign)`, not `\(text)`", fix: "write \(sign) before it: \(sign) \(text)")
        }
        throw LanguageErrors.choice(
            parameter.name.hasSuffix("s")
                ? "`\(text)` is not a value of \(shownName)"
                : "`\(text)` is not \(Articles.withArticle(parameter.name))",
            fix: "one of: \(words.joined(separator: ", "))",
            suggestion: Suggestion.nearest(to: text, in: words) ?? Self.abbreviated(text, words))
    }

    /// The only word that has the letters of an abbreviation in order, from its first on: `md` for `markdown`.
    private static func abbreviated(_ text: String, _ words: [String]) -> String? {
        let found = words.filter { word in
            guard text.count > 1, word.first == text.first else { return false }
            var rest = word[...]
            for letter in text {
                guard let index = rest.firstIndex(of: letter) else { return false }
                rest = rest[rest.index(after: index)...]
            }
            return true
        }
        return found.count == 1 ? found[0] : nil
    }

    private func file(_ path: String, folderAllowed: Bool) throws -> URL {
        if path == "-", let streams = StandardStreams.current, context.files.readable == nil {
            return try streams.input()
        }
        let url = try context.files.input(try one(path))
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        if isFolder.boolValue && !folderAllowed {
            throw CommonErrors.fileAccess(
                "\(path) is a folder", fix: "name a file; `import` reads the files of a folder")
        }
        return url
    }

    /// The only file that a pattern names; a path that exists as it is written is no pattern.
    private func one(_ path: String) throws -> String {
        guard let pattern = PathPattern(path), (try? context.files.input(path)) == nil else { return path }
        let matches = try pattern.matches(in: context.files)
        guard matches.count == 1, let match = matches.first else {
            throw CommonErrors.fileAccess(
                "\(matches.count, of: "file") match \(path), and \(shownName) takes one",
                fix: "name one: \(matches[0])")
        }
        return match
    }

    /// The values of a word of a repeated parameter: several for a pattern of files.
    func values(ofRepeated text: String) async throws -> [Value] {
        let isFile =
            switch parameter.kind {
            case .inputFile, .inputPath: true
            default: false
            }
        guard isFile, let pattern = PathPattern(text), (try? context.files.input(text)) == nil else {
            return [try await value(ofBare: text)]
        }
        var values: [Value] = []
        for match in try pattern.matches(in: context.files) {
            values.append(try await value(ofQuoted: match))
        }
        return values
    }

    private func output(_ path: String) throws -> URL {
        if StandardStreams.isOutput(path), let streams = StandardStreams.current,
            context.files.writable == nil
        {
            return try streams.output(path)
        }
        return try context.files.output(path)
    }

    private var shownName: String { parameter.style == .positional ? parameter.name : "--\(parameter.name)" }

    private func wrongKind(_ what: String, _ fix: String?) -> RutterError {
        LanguageErrors.argumentKind(
            "\(shownName) takes \(parameter.kind.description), not \(what)",
            fix: fix ?? sample.map { "write \($0)" })
    }

    /// What to write instead: for a number, the default if there is one.
    private var sample: String? {
        switch parameter.kind {
        case .integer, .number, .quantity: parameter.defaultText ?? parameter.kind.sample
        default: parameter.kind.sample
        }
    }

    /// What to write in place of a number out of range: the default, else the end of the range that is nearer.
    private func nearest(_ bound: String) -> String { "write \(parameter.defaultText ?? bound)" }

    /// The value of a range that a value beyond it may mean: of a direction the same one, else the end that is nearer.
    private static func meant(_ value: Double, _ range: ClosedRange<Double>, _ dimension: PhysicalDimension)
        -> Double
    {
        let turn = 360.0
        if dimension == .angle, range.contains(0), range.contains(turn), value.isFinite {
            let rest = value.truncatingRemainder(dividingBy: turn)
            return rest < 0 ? rest + turn : rest
        }
        return min(max(value, range.lowerBound), range.upperBound)
    }

    /// A range in words; an unbounded end is omitted.
    private func bounds(_ low: String, _ high: String, isOpenBelow: Bool, isOpenAbove: Bool) -> String {
        if isOpenBelow { return "at most \(high)" }
        return isOpenAbove ? "at least \(low)" : "between \(low) and \(high)"
    }

    private func shown(_ value: Double, _ dimension: PhysicalDimension) -> String {
        Literal.quantity(Quantity(value, dimension))
    }
}

extension ParameterKind {
    /// What to write for the kind, by an example; `nil` where the kind's name is enough.
    var sample: String? {
        switch self {
        case .integer(let range): String(min(max(5, range.lowerBound), range.upperBound))
        case .number(let range): Literal.number(min(max(0.5, range.lowerBound), range.upperBound))
        case .quantity(let dimension, let range):
            range.contains(50 * (MeasureUnit.of(dimension).first?.factor ?? 1))
                ? dimension.example(50)
                : Literal.quantity(
                    Quantity(min(max(50, range.lowerBound), range.upperBound), dimension))
        case .boolean: "true or false"
        case .coordinate: "LAT,LON such as 46.5012,7.9876, or @name for an item with a coordinate"
        case .box: "SOUTH,WEST,NORTH,EAST such as 46.5,7.9,46.6,8.1"
        case .date, .localDate: "2026-02-06T08:15, 08:15, tomorrow or 'friday 22:00'"
        case .choice(let choices): choices.prefix(3).map(\.word).joined(separator: ", ")
        case .reference: "@ and its name, such as @Hut"
        case .list: "[1 2 3], or rows such as (waypoint list)"
        case .text, .words, .inputFile, .outputFile, .inputPath: "it in quotes, such as 'some text'"
        case .field, .expression, .value, .pipeline, .assignments, .summary, .block, .source: nil
        }
    }

    /// The kind in words, with its article.
    var description: String {
        switch self {
        case .text, .words: "text"
        case .integer: "a whole number"
        case .number: "a number"
        case .quantity(let dimension, _): dimension.withArticle
        case .boolean: "true or false"
        case .coordinate: "a coordinate"
        case .box: "a box"
        case .date, .localDate: "a time"
        case .choice: "one of a fixed set of words"
        case .inputFile, .outputFile: "a file"
        case .inputPath: "a file or folder"
        case .reference(let kind):
            "a " + ParameterKind.kinds(ofReference: kind).joined(separator: " or ")
        case .field: "a field's name"
        case .expression: "an expression"
        case .list: "a list"
        case .value: "a value"
        case .pipeline: "a pipeline"
        case .assignments: "names and expressions"
        case .summary: "aggregates"
        case .block: "a block { … }"
        case .source: "text in brackets"
        }
    }
}
