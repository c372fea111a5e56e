import Core
import Pictures

/// Reads a style file line by line.
struct StyleReader {
    let palette: MapStyle.Palette
    let file: String
    private(set) var colors: [String: Color] = [:]
    private var section = ""

    private static let sections = [
        "colors", "relief", "slopes", "contours", "areas", "outlines", "lines", "symbols", "labels",
        "legend",
    ]

    init(palette: MapStyle.Palette, file: String) {
        self.palette = palette
        self.file = file
    }

    mutating func read(_ line: Substring, number: Int, into style: inout MapStyle) throws(RutterError) {
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        guard let first = words.first, !first.hasPrefix("#") else { return }
        if first.hasPrefix("[") {
            section = String(first.dropFirst().dropLast())
            guard first.hasSuffix("]"), words.count == 1, Self.sections.contains(section) else {
                throw error(
                    "unknown section \(first)", number,
                    suggestion: Suggestion.nearest(to: section, in: Self.sections))
            }
            return
        }
        switch section {
        case "colors": try readColor(words, number)
        case "relief":
            var entry = try entry(words[...], number)
            style.relief.shadow = try entry.number("shadow", in: 0...1) ?? style.relief.shadow
            style.relief.highlight = try entry.number("highlight", in: 0...1) ?? style.relief.highlight
            style.relief.exaggeration = try entry.stops("exaggeration") ?? style.relief.exaggeration
            try entry.finish()
        case "slopes": style.slopes.append(try slope(words, number, after: style.slopes.last))
        case "legend":
            guard words.count > 1 else { throw error("a line of the legend is a kind and its name", number) }
            style.legend.append(
                LegendRule(
                    kind: try kind(String(first), number), words: words.dropFirst().joined(separator: " ")))
        case "":
            throw error("\(first) is before the first section", number)
        default: try readRule(words, number, into: &style)
        }
    }

    /// `30 color=slope-30 opacity=0.5`
    private func slope(
        _ words: [Substring], _ number: Int, after last: SlopeRule?
    ) throws(RutterError) -> SlopeRule {
        guard let from = Double(words[0]), (1...89).contains(from), from > last?.from ?? 0 else {
            throw error("a class of slopes begins with degrees from 1 to 89, each more than the last", number)
        }
        var entry = try entry(words.dropFirst(), number)
        let rule = SlopeRule(
            from: from, color: try entry.needed("color"),
            opacity: try entry.number("opacity", in: 0...1) ?? 0.5)
        try entry.finish()
        return rule
    }

    private func error(_ text: String, _ number: Int, suggestion: String? = nil) -> RutterError {
        MapErrors.style("\(file), line \(number): \(text)", suggestion: suggestion)
    }

    private mutating func readColor(_ words: [Substring], _ number: Int) throws(RutterError) {
        let found = words.dropFirst().map { Color(hex: String($0)) }
        let index = MapStyle.Palette.allCases.firstIndex(of: palette) ?? 0
        guard let first = found.first, !found.contains(nil), found.count == 1 || found.count == 3 else {
            throw error("a colour is a name and one or three numbers of six digits", number)
        }
        colors[String(words[0])] = found.count == 3 ? found[index] : first
    }

    private func entry(_ words: ArraySlice<Substring>, _ number: Int) throws(RutterError) -> StyleEntry {
        try StyleEntry(words, colors: colors, location: "\(file), line \(number)")
    }

    private func readRule(
        _ words: [Substring], _ number: Int, into style: inout MapStyle
    ) throws(RutterError) {
        guard words.count > 1, let zooms = Self.zooms(words[1]) else {
            throw error("a rule is a kind, its zooms such as 10- or 10-14, and its properties", number)
        }
        var entry = try entry(words.dropFirst(2), number)
        if section == "contours" {
            style.contours = ContourRule(
                zooms: zooms, step: try entry.stops("step") ?? ZoomStops(100),
                width: try entry.stops("width") ?? ZoomStops(0.5),
                bold: try entry.stops("bold") ?? ZoomStops(1), color: try entry.needed("color"),
                label: try entry.needed("label"), size: try entry.number("size", in: 4...40) ?? 8)
            guard style.contours?.step.stops.allSatisfy({ $0.value >= 1 }) ?? false else {
                throw error("contours are at least 1 metre apart", number)
            }
            return try entry.finish()
        }
        let kind = try kind(String(words[0]), number)
        switch section {
        case "areas":
            style.areas.append(
                AreaRule(
                    kind: kind, zooms: zooms, fill: try entry.needed("fill"), edge: try entry.color("edge"),
                    width: try entry.stops("width") ?? ZoomStops(0.5), isAbove: entry.flag("above")))
        case "outlines": style.outlines.append(try line(kind, zooms, &entry))
        case "lines": style.lines.append(try line(kind, zooms, &entry))
        case "symbols":
            let shape = entry.text("shape").map(String.init) ?? "dot"
            guard let symbol = MapSymbol(rawValue: shape) else {
                throw error(
                    "unknown symbol \(shape)", number,
                    suggestion: Suggestion.nearest(to: shape, in: MapSymbol.allCases.map(\.rawValue)))
            }
            style.symbols.append(
                SymbolRule(
                    kind: kind, zooms: zooms, shape: symbol, color: try entry.needed("color"),
                    size: try entry.stops("size") ?? ZoomStops(6)))
        default: style.labels.append(try label(kind, zooms, &entry))
        }
        try entry.finish()
    }

    private func kind(_ name: String, _ number: Int) throws(RutterError) -> Int {
        if let kind = MapKinds.byName[name] { return kind }
        throw error(
            "unknown kind \(name)", number,
            suggestion: Suggestion.nearest(to: name, in: MapKinds.all.map(\.name)))
    }

    private func line(
        _ kind: Int, _ zooms: ZoomRange, _ entry: inout StyleEntry
    ) throws(RutterError) -> LineRule {
        LineRule(
            kind: kind, zooms: zooms, color: try entry.needed("color"),
            width: try entry.stops("width") ?? ZoomStops(1), dash: try entry.list("dash") ?? [],
            opacity: try entry.number("opacity", in: 0...1) ?? 1, casing: try entry.color("casing"),
            edge: try entry.number("edge", in: 0...20) ?? 0.6, glow: try entry.color("glow"),
            inner: try entry.color("inner"), gap: try entry.number("gap", in: 1...100) ?? 6,
            ticks: try entry.number("ticks", in: 2...200), teeth: try entry.number("teeth", in: 2...200),
            isBelow: entry.flag("below"))
    }

    private func label(
        _ kind: Int, _ zooms: ZoomRange, _ entry: inout StyleEntry
    ) throws(RutterError) -> LabelRule {
        var zooms = zooms
        if let until = try entry.number("until", in: 0...30) { zooms.below = until }
        let place: LabelRule.Place =
            entry.flag("along")
            ? .along : entry.flag("beside") ? .beside : entry.flag("room") ? .room : .center
        _ = entry.flag("ref")
        return LabelRule(
            kind: kind, zooms: zooms, place: place, size: try entry.stops("size") ?? ZoomStops(9),
            color: try entry.needed("color"), isBold: entry.flag("bold"), hasValue: entry.text("value") != nil
        )
    }

    /// `10-` or `10-14`; the latter includes zoom 14 up to 15.
    private static func zooms(_ text: Substring) -> ZoomRange? {
        let sides = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, let from = Double(sides[0]), (0...22).contains(from) else { return nil }
        if sides[1].isEmpty { return ZoomRange(from: from, below: .infinity) }
        guard let last = Double(sides[1]), last >= from, last <= 22 else { return nil }
        return ZoomRange(from: from, below: last + 1)
    }
}

/// The properties of a rule.
struct StyleEntry {
    private var values: [String: Substring] = [:]
    private var flags: Set<String> = []
    private let colors: [String: Color]
    private let location: String

    init(_ words: ArraySlice<Substring>, colors: [String: Color], location: String) throws(RutterError) {
        self.colors = colors
        self.location = location
        for word in words {
            let sides = word.split(separator: "=", maxSplits: 1)
            if sides.count == 2 {
                values[String(sides[0])] = sides[1]
            } else {
                flags.insert(String(word))
            }
        }
    }

    mutating func text(_ key: String) -> Substring? { values.removeValue(forKey: key) }
    mutating func flag(_ key: String) -> Bool { flags.remove(key) != nil }

    mutating func stops(_ key: String) throws(RutterError) -> ZoomStops? {
        guard let text = text(key) else { return nil }
        guard let stops = ZoomStops(text), stops.stops.allSatisfy({ $0.value >= 0 && $0.value <= 1000 })
        else { throw MapErrors.style("\(location): \(key)=\(text) is not zoom:value,zoom:value") }
        return stops
    }

    mutating func number(_ key: String, in range: ClosedRange<Double>) throws(RutterError) -> Double? {
        guard let text = text(key) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw MapErrors.style(
                "\(location): \(key)=\(text) is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func list(_ key: String) throws(RutterError) -> [Double]? {
        guard let text = text(key) else { return nil }
        let numbers = text.split(separator: ",").map { Double($0) ?? -1 }
        guard numbers.allSatisfy({ $0 > 0 && $0 < 1000 }) else {
            throw MapErrors.style("\(location): \(key)=\(text) is not a list of lengths")
        }
        return numbers
    }

    mutating func color(_ key: String) throws(RutterError) -> Color? {
        guard let text = text(key) else { return nil }
        if let color = colors[String(text)] { return color }
        if text.hasPrefix("#"), let color = Color(hex: String(text)) { return color }
        throw MapErrors.style(
            "\(location): unknown colour \(text)",
            suggestion: Suggestion.nearest(to: String(text), in: colors.keys.sorted()))
    }

    mutating func needed(_ key: String) throws(RutterError) -> Color {
        guard let color = try color(key) else { throw MapErrors.style("\(location): \(key)= is missing") }
        return color
    }

    /// Throws if an unknown property is left.
    func finish() throws(RutterError) {
        if let key = (Array(values.keys) + flags).sorted().first {
            throw MapErrors.style("\(location): unknown property \(key)")
        }
    }
}
