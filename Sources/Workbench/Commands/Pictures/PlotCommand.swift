import CivilTime
import Foundation
import Pictures
import PluginKit

/// `plot X Y`
struct PlotCommand: LegacyCommand {
    private static let x = Parameter.optional(
        "x", ParameterType<String>.field,
        "field for the horizontal axis; nothing for a thing with its own chart")
    private static let y = Parameter.rest(
        "y", ParameterType<String>.field, "fields for the vertical axis, one line each")
    private static let options = ChartOptions()

    let spec = CommandSpec(
        "plot", "draws fields of rows as lines over another field",
        details: """
            Fields are numbers, quantities or dates; quantities are drawn in their base unit, dates as seconds since \
            the first. Rows in which a field is missing are left out of its line. A value that has a chart of its own, such \
            as a walk, is drawn without fields.
            """,
        parameters: [x.spec, y.spec] + options.specs, input: .rows([]), output: .value("plot"), effect: .pure,
        examples: [
            .init(
                "two fields", "$rows | plot a b --out ab.svg",
                after: ["let rows = from json '[{\"a\": 1, \"b\": 4}, {\"a\": 2, \"b\": 3}]'"],
                gives: "plot written to ab.svg")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let yNames = try arguments[Self.y]
        guard let xName = try arguments[Self.x], !yNames.isEmpty else {
            return try own(input, arguments, context)
        }
        let rows = try Rows(input, for: "plot").collect()
        let origin = rows.lazy.compactMap { $0.field(xName) }.compactMap(Self.moment).first
        var series: [ChartSeries] = []
        for name in yNames {
            let points = rows.compactMap { row -> ScenePoint? in
                guard let x = row.field(xName).flatMap({ Self.number($0, since: origin) }),
                    let y = row.field(name).flatMap({ Self.number($0, since: nil) })
                else { return nil }
                return ScenePoint(x, y)
            }
            series.append(ChartSeries(name, points: points))
        }
        guard series.contains(where: { $0.points.count > 1 }) else {
            let known = rows.first?.fieldNames ?? []
            let wanted = ([xName] + yNames).first { !known.contains($0) }
            throw PictureErrors.nothing(
                wanted.map { "the rows have no field `\($0)`" }
                    ?? "fewer than two rows have numbers in these fields",
                fix: known.isEmpty ? nil : "they have: \(known.joined(separator: ", "))",
                suggestion: wanted.flatMap { Suggestion.nearest(to: $0, in: known) })
        }
        let chart = Chart(
            title: try arguments[Self.options.title] ?? "",
            x: ChartAxis(xName, unit: Self.unit(xName, rows)),
            y: ChartAxis(yNames.joined(separator: ", "), unit: Self.unit(yNames[0], rows)), series: series)
        return try Self.options.drawn(chart, as: "plot", arguments)
    }

    /// The chart that a value has of its own.
    private func own(_ input: Value, _ arguments: Arguments, _ context: Context) throws -> Value {
        guard case .object(let object) = input, let drawable = object as? any ChartDrawable,
            try arguments[Self.x] == nil
        else {
            throw PictureErrors.nothing(
                "`plot` needs two fields of the rows", at: .none, fix: "… | plot distance elevation")
        }
        var chart = drawable.chart(units: context.environment.units == .imperial ? .imperial : .metric)
        if let title = try arguments[Self.options.title] { chart.title = title }
        return try Self.options.drawn(chart, as: "plot", arguments)
    }

    private static func moment(_ value: Value) -> Timestamp? {
        if case .date(let moment) = value { return moment }
        return nil
    }

    private static func number(_ value: Value, since origin: Timestamp?) -> Double? {
        switch value {
        case .quantity(let quantity): return quantity.value
        case .date(let moment): return origin.map { moment.seconds(since: $0) } ?? moment.seconds
        default: return value.asNumber
        }
    }

    private static func unit(_ field: String, _ rows: [Value]) -> String {
        for row in rows {
            switch row.field(field) {
            case .quantity(let quantity)?: return MeasureUnit.of(quantity.dimension).first?.symbol ?? ""
            case .date?: return "s"
            default: continue
            }
        }
        return ""
    }
}
