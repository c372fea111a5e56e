import CivilTime
import PluginKit

/// What to type instead of arguments that stand as in a shell, or in a sentence: parts of one quantity, coordinate or name as words of
/// their own, small words between them, a value without its option, another order.
struct ArgumentHabits {
    let call: Call
    private var spec: CommandSpec { call.command.spec }

    /// The first argument for which the command has no place; `nil` if there is none.
    var extra: Word? {
        guard spec.positionals.last?.repeats != true else { return nil }
        return call.positionals.dropFirst(spec.positionals.count).first
    }

    /// What to type where the command has too many arguments and the extra one is `word`; `nil` where nothing is known.
    func fix(forExtra word: Word) -> String? {
        if word.source == "?" { return "help \(spec.name)" }
        let fix =
            shellSign(word) ?? quantityInParts(word) ?? coordinatesInParts ?? quotedOperand(word)
            ?? valueWithoutOption(word) ?? labelBeforePlace ?? countOfRows(word)
        return fix ?? withoutSmallWords ?? nameInParts
    }

    /// What to type where the command refuses an argument, though their number is right; `nil` where nothing is known.
    func fix(forRefused word: Word, of parameter: ParameterSpec) -> String? {
        if let fix = coordinatesInParts ?? fileBeforePipe(word, parameter) ?? swapped(word, parameter) {
            return fix
        }
        guard isSmall(word) else { return nil }
        return spec.positionals.last?.repeats == true
            ? "leave `\(word.source)` out: " + line(call.positionals.filter { !isSmall($0) }.map(\.source))
            : withoutSmallWords
    }

    // MARK: Shells

    private func shellSign(_ word: Word) -> String? {
        guard case .bare(let text) = word.content,
            let habit = Habits.shellSigns.first(where: { text.hasPrefix($0.sign) })
        else { return nil }
        let inside = String(text.dropFirst(habit.sign.count))
        let behind =
            inside.isEmpty ? call.positionals.last.map { $0.span == word.span ? "" : $0.source } : inside
        guard let file = behind, let first = file.first, first != "&" else { return habit.fix }
        if first.isNumber {
            return "what a command returns is compared in brackets: (… | count) \(habit.sign) \(file)"
        }
        return habit.fix.replacing("FILE", with: file)
    }

    /// `first walk.csv` reads a file in a shell; here rows come from the pipe.
    private func fileBeforePipe(_ word: Word, _ parameter: ParameterSpec) -> String? {
        guard case .rows = spec.input, case .integer = parameter.kind, case .bare(let text) = word.content,
            text.contains("."), text.first?.isNumber == false
        else { return nil }
        return "open \(text) | \(spec.name)"
    }

    // MARK: Parts of one value

    /// `1 km` is `1km`.
    private func quantityInParts(_ word: Word) -> String? {
        guard case .bare(let text) = word.content,
            let unit = MeasureUnit.named(text)?.symbol ?? Habits.units[text.lowercased()]
        else { return nil }
        let before = (call.positionals + call.options.compactMap(\.value))
            .filter { $0.span.end <= word.span.start }.max { $0.span.end < $1.span.end }
        guard let number = before?.source.split(separator: " ").last, Double(number) != nil else {
            return nil
        }
        return "a quantity is one word: \(number)\(unit)"
    }

    /// `46.5 7.9` and `46.5, 7.9` are `46.5,7.9`.
    private var coordinatesInParts: String? {
        guard spec.positionals.contains(where: { $0.kind.isCoordinate }) else { return nil }
        var words = call.positionals.map(\.source)[...]
        var joined: [String] = []
        var found = false
        while let word = words.popFirst() {
            if Self.isNumber(word), let next = words.first, Self.isNumber(next) {
                words.removeFirst()
                joined.append("\(word.hasSuffix(",") ? word : word + ",")\(next)")
                found = true
            } else {
                joined.append(word)
            }
        }
        return found ? "a coordinate is one word: " + line(joined) : nil
    }

    private static func isNumber(_ word: String) -> Bool {
        Double(word.hasSuffix(",") ? String(word.dropLast()) : word) != nil
    }

    /// `hike show Church to Upper Hut` is `hike show 'Church to Upper Hut'`; of two names, the words are halved.
    private var nameInParts: String? {
        let words = call.positionals
        let kinds = spec.positionals.map(\.kind)
        guard words.allSatisfy(isPlain), let first = words.first?.source, !Self.isCoordinate(first) else {
            return nil
        }
        var sources = words.map(\.source)
        // A last time or quantity is the value of an option.
        var option = ""
        if kinds.allSatisfy(\.isNamed), let last = sources.last, let fitting = optionTaking(last),
            sources.count > 2
        {
            option = " --\(fitting) \(last)"
            sources.removeLast()
        }
        if kinds.count == 1, kinds[0].isText || kinds[0].isNamed {
            let whole = Literal.quoted(sources.joined(separator: " "))
            // The last word may be the new name of what the first one names.
            let naming = words.count == 2 ? namingOption.map { "--\($0.name) \(sources[1]), or " } : nil
            return (naming ?? "") + "what has several words stands in quotes: \(line([whole]))\(option)"
        }
        guard kinds.count == 2, kinds.allSatisfy(\.isNamed) else { return nil }
        let parts = halves(sources)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        let both = parts.map { $0.count == 1 ? $0[0] : Literal.quoted($0.joined(separator: " ")) }
        return "what has several words stands in quotes: " + line(both) + option
    }

    /// The words of two names: those before and behind the only small word, else two halves of one length.
    private func halves(_ words: [String]) -> [[String]] {
        let small = words.indices.filter { Habits.smallWords.contains(words[$0].lowercased()) }
        if small.count == 1 { return [Array(words[..<small[0]]), Array(words[(small[0] + 1)...])] }
        guard words.count.isMultiple(of: 2) else { return [] }
        return [Array(words[..<(words.count / 2)]), Array(words[(words.count / 2)...])]
    }

    /// The name of the only option that takes a word as it is written; `nil` if none or several do.
    private func optionTaking(_ text: String) -> String? {
        let given = Set(call.options.map(\.name))
        let fitting = spec.options.filter {
            $0.style == .option && !given.contains($0.name) && Self.fits(text, $0.kind)
        }
        return fitting.count == 1 ? fitting[0].name : nil
    }

    /// The option that names the item, unless it is given.
    var namingOption: ParameterSpec? {
        spec.options.first { option in
            ["label", "name", "title"].contains(option.name) && option.style == .option
                && !call.options.contains { $0.name == option.name }
        }
    }

    /// `where name == Upper Hut` is `where name == 'Upper Hut'`.
    private func quotedOperand(_ word: Word) -> String? {
        guard let condition = call.positionals.first, case .expression(let expression) = condition.content,
            case .chain(_, let links) = expression.content, let last = links.last,
            [.equal, .notEqual].contains(last.op),
            case .name(let name) = last.operand.content, condition.span.end <= word.span.start
        else { return nil }
        let rest = call.positionals.dropFirst()
        guard rest.allSatisfy(isPlain) else { return nil }
        let text = ([name] + rest.map(\.source)).joined(separator: " ")
        return "what has several words stands in quotes: \(Literal.quoted(text))"
    }

    // MARK: Options and small words

    /// `departures Central 08:00` is `departures Central --at 08:00`, `waypoint edit Hut label Alm` is `waypoint edit Hut --label Alm`.
    private func valueWithoutOption(_ word: Word) -> String? {
        let given = Set(call.options.map(\.name))
        let options = spec.options.filter { $0.style == .option && !given.contains($0.name) }
        let rest = call.positionals.drop { $0.span != word.span }
        if rest.count > 1, case .bare(let text) = word.content,
            let option = options.contains(where: { $0.name == text })
                ? text : Habits.option(text, among: options.map(\.name))
        {
            return "--\(option) \(rest[rest.startIndex + 1].source)"
        }
        guard rest.count == 1, case .bare(let text) = word.content else { return nil }
        return call.positionals.count == spec.positionals.count + 1
            ? optionTaking(text).map { "--\($0) \(text)" } : nil
    }

    /// Whether a word is written as values of a kind are, and as no other is.
    private static func fits(_ text: String, _ kind: ParameterKind) -> Bool {
        switch kind {
        case .date, .localDate: LocalTime(text: text) != nil || LocalTime(word: text) != nil
        case .quantity(let dimension, _):
            if case .value(.quantity(let quantity))? = try? LiteralParser.parse(text) {
                quantity.dimension == dimension
            } else {
                false
            }
        default: false
        }
    }

    private static func isCoordinate(_ text: String) -> Bool {
        if case .value(.coordinate)? = try? LiteralParser.parse(text) { true } else { false }
    }

    /// `waypoint add Camp 46.5,7.9` is `waypoint add 46.5,7.9 --label Camp`.
    private var labelBeforePlace: String? {
        guard spec.positionals.count == 1, spec.positionals[0].kind.isCoordinate, call.positionals.count == 2,
            let option = namingOption, Self.isCoordinate(call.positionals[1].source),
            !Self.isCoordinate(call.positionals[0].source)
        else { return nil }
        return "\(spec.name) \(call.positionals[1].source) --\(option.name) \(call.positionals[0].source)"
    }

    /// `history 10` is `history | first 10`.
    private func countOfRows(_ word: Word) -> String? {
        guard case .rows = spec.output, case .bare(let text) = word.content, let count = Int(text), count > 0
        else { return nil }
        let rest = call.positionals.filter { $0.span != word.span }.map(\.source)
        return "\(line(rest)) | first \(count), or last \(count)"
    }

    /// `journey plan A to B` is `journey plan A B`.
    private var withoutSmallWords: String? {
        let small = call.positionals.filter(isSmall)
        let rest = call.positionals.filter { !isSmall($0) }
        guard let first = small.first, !rest.isEmpty, rest.count <= spec.positionals.count else { return nil }
        return "leave `\(first.source)` out: " + line(rest.map(\.source))
    }

    /// Two arguments of which each fits the place of the other.
    private func swapped(_ word: Word, _ parameter: ParameterSpec) -> String? {
        guard call.positionals.count == 2, spec.positionals.count >= 2 else { return nil }
        let kinds = spec.positionals.prefix(2).map(\.kind)
        let words = call.positionals.map(\.source)
        guard let index = spec.positionals.prefix(2).firstIndex(where: { $0.name == parameter.name }) else {
            return nil
        }
        let other = words[1 - index]
        let isMeant: Bool =
            switch kinds[index] {
            case .coordinate: Self.isCoordinate(other) && !kinds[1 - index].isCoordinate
            case .choice(let choices): choices.contains { $0.word == other }
            case .integer: Int(other) != nil
            default: false
            }
        guard isMeant else { return nil }
        let order = spec.positionals.prefix(2).map { $0.name.uppercased() }.joined(separator: " ")
        return "the order is \(order): " + line([words[1], words[0]])
    }

    // MARK: Words

    private func isSmall(_ word: Word) -> Bool {
        if case .bare(let text) = word.content {
            Habits.smallWords.contains(text.lowercased())
        } else {
            false
        }
    }

    /// Whether a word is neither quoted nor an expression.
    private func isPlain(_ word: Word) -> Bool { if case .bare = word.content { true } else { false } }

    /// The command with other arguments, without its options.
    private func line(_ arguments: [String]) -> String { ([spec.name] + arguments).joined(separator: " ") }
}

extension ParameterKind {
    fileprivate var isCoordinate: Bool { if case .coordinate = self { true } else { false } }

    /// Whether the names of things stand in its place.
    fileprivate var isNamed: Bool {
        switch self {
        case .coordinate, .reference: true
        case .text, .words, .integer, .number, .quantity, .boolean, .box, .date, .localDate, .choice,
            .inputFile,
            .outputFile, .inputPath, .field, .expression, .list, .value, .pipeline, .assignments, .summary,
            .block,
            .source:
            false
        }
    }

    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
